/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and medians through known times: the fit returns the numbers that made
 * them. */
#include "tests/check.h"
#include "base/random.h"
#include "platforms/platform.h"
#include "validate/calibrate/fit_parts.h"
#include "validate/measure/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The times are 5 us + 0.2 ns a byte; every point is off by up to `noise`, in
 * turn. */
static size_t points(struct fit_point *out, size_t n, double noise)
{
    static const double turn[] = {1, -0.5, 0.25, -1, 0.5, -0.25};
    double bytes = 16384;

    for (size_t i = 0; i < n; i++, bytes *= 2)
        out[i] = (struct fit_point){bytes, (5e-6 + 0.2e-9 * bytes) *
                                               (1 + noise * turn[i % 6])};
    return n;
}

static void exact_line(void)
{
    struct fit_point p[10];
    struct fit_line line;

    fit_line(&line, p, points(p, 3, 0), FIT_BOTH);
    CHECK_NEAR(line.alpha_s.value, 5e-6, 1e-9);
    CHECK_NEAR(line.beta_s_per_B.value, 0.2e-9, 1e-9);
    CHECK_NEAR(line.residual, 0, 1e-9);
    fit_line(&line, p, points(p, 10, 0), FIT_BOTH);
    CHECK_NEAR(line.alpha_s.value, 5e-6, 1e-9);
    CHECK_NEAR(line.beta_s_per_B.value, 0.2e-9, 1e-9);
    CHECK(fit_good(line.alpha_s) && fit_good(line.beta_s_per_B));
}

/* Two of ten times are 3 and 8 times too long, as in the measurements. */
static void outliers(void)
{
    struct fit_point p[10];
    struct fit_line line;

    points(p, 10, 0.005);
    p[2].seconds *= 8;
    p[7].seconds *= 3;
    fit_line(&line, p, 10, FIT_BOTH);
    CHECK_NEAR(line.alpha_s.value, 5e-6, 0.01);
    CHECK_NEAR(line.beta_s_per_B.value, 0.2e-9, 0.01);
    CHECK(line.alpha_s.half < 0.03 * 5e-6);
}

/* One number is known, the other fitted. */
static void one_of_two(void)
{
    struct fit_point p[10];
    struct fit_line line = {.alpha_s = {5e-6, 0}};

    points(p, 10, 0.005);
    p[4].seconds *= 5;
    fit_line(&line, p, 10, FIT_BETA);
    CHECK_NEAR(line.beta_s_per_B.value, 0.2e-9, 0.01);
    CHECK_NEAR(line.alpha_s.value, 5e-6, 1e-12);
    line.beta_s_per_B.value = 0.2e-9;
    fit_line(&line, p, 10, FIT_ALPHA);
    CHECK_NEAR(line.alpha_s.value, 5e-6, 0.01);
}

static void not_determined(void)
{
    struct fit_point p[3];
    struct fit_line line = {0};

    fit_line(&line, p, points(p, 2, 0), FIT_BOTH);
    CHECK(!fit_good(line.alpha_s));
    fit_line(&line, p, 0, FIT_BOTH);
    CHECK(!fit_good(line.beta_s_per_B));
    points(p, 3, 0);
    p[1] = p[2] = p[0];
    fit_line(&line, p, 3, FIT_BOTH);
    CHECK(!fit_good(line.beta_s_per_B));
    /* Falling times have no slope above 0. */
    points(p, 3, 0);
    p[0].seconds = 3e-3;
    p[1].seconds = 2e-3;
    p[2].seconds = 1e-3;
    fit_line(&line, p, 3, FIT_BOTH);
    CHECK(!fit_good(line.beta_s_per_B));
}

static void median(void)
{
    double v[] = {5, 1, 2, 100, 3};
    struct fit_number m = fit_median(v, 5);

    CHECK_NEAR(m.value, 3, 1e-12);
    /* The quartiles are 2 and 5: 1.57 * 3 / sqrt(5). */
    CHECK_NEAR(m.half, 2.106367, 1e-5);
}

/* Errors count in deviations, squared, up to 3 of them. */
static void point_costs(void)
{
    CHECK_NEAR(fit_point_cost(0.05, 0.05), 1, 1e-12);
    CHECK_NEAR(fit_point_cost(-0.05, 0.025), 4, 1e-12);
    CHECK_NEAR(fit_point_cost(0.2, 0.025), FIT_FAR, 1e-12);
    CHECK_NEAR(fit_point_cost(NAN, 0.025), FIT_FAR, 1e-12);
    CHECK_NEAR(FIT_FAR, 3 * 3, 1e-12);
}

/* A fit becomes the statement of its number, and leaves the others
 * unchanged. */
static void sources(void)
{
    static const char before[] =
        "{\"source\": [{\"kind\": \"published\", \"text\": \"Table 2\"},"
        "{\"of\": [\"a\"], \"kind\": \"assumed\", \"text\": \"halves\"}],"
        "\"a\": 1, \"b\": 2}";
    static const char *const numbers[] = {NULL, "b", "a"};
    static const enum provenance of_a[] = {PROVENANCE_ASSUMED,
                                           PROVENANCE_ASSUMED, PROVENANCE_FIT},
                                 of_b[] = {PROVENANCE_FIT, PROVENANCE_FIT,
                                           PROVENANCE_PUBLISHED};
    struct fit_set set = {.from = "a.csv"};
    struct err err = {0};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct json *o = json_parse(before, "a test", &err);
        struct number_source *s = NULL;
        fit_source(o, "source", numbers[i], &set, 3, "medians", 0.021);
        char *once = json_text(o);
        /* A second fit does not change it. */
        fit_source(o, "source", numbers[i], &set, 3, "medians", 0.021);
        char *twice = json_text(o);
        CHECK(!strcmp(once, twice));
        CHECK_EQ(source_read(&s, o, "source", &err), 0);
        CHECK_EQ(source_kind(s, "a"), of_a[i]);
        CHECK_EQ(source_kind(s, "b"), of_b[i]);
        CHECK_HAS(source_text(s), "fit: a.csv: 3 medians, residual 2.1 %");
        CHECK_NEAR(source_of(s, i == 2 ? "a" : "b").residual, 0.021, 1e-12);
        source_free(s);
        free(once);
        free(twice);
        json_free(o);
    }
}

/* A remark stays if the same files are fitted again; that of others is gone,
 * because they may be another machine's. */
static void remarks(void)
{
    static const char before[] =
        "{\"source\": {\"kind\": \"fit\", \"from\": \"a.csv\", \"text\": "
        "\"6 medians; one NIC serves the node\"}, \"a\": 1}";
    static const struct {
        const char *from, *text;
    } cases[] = {{"a.csv", "3 medians; one NIC serves the node"},
                 {"b.csv", "3 medians"},
                 {"a.csv, b.csv", "3 medians"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err err = {0};
        struct json *o = json_parse(before, "a test", &err);
        struct fit_set set = {0};
        snprintf(set.from, sizeof set.from, "%s", cases[i].from);
        fit_source(o, "source", NULL, &set, 3, "medians", 0);
        const struct json *s = source_at(json_member(o, "source"), "a");
        CHECK(!strcmp(json_string(json_member(s, "from")), cases[i].from));
        CHECK(!strcmp(json_string(json_member(s, "text")), cases[i].text));
        json_free(o);
    }
}

/* Times of 1 ns a byte, and nothing else, follow a segment that begins with 100
 * us: with this no slope above 0 would fit. */
static void through_nothing(void)
{
    static const struct fit_point p[] = {
        {1000, 1e-6}, {2000, 2e-6}, {4000, 4e-6}, {8000, 8e-6}, {16000, 16e-6}};
    const struct fit_set set = {.from = "a.csv"};
    struct err err = {0};
    struct fit fit = {0};
    struct json *before = json_parse("{\"alpha_us\": 100}", "a test", &err);
    struct json *o =
        json_parse("{\"alpha_us\": 3, \"beta_ns_per_byte\": 2, \"source\": "
                   "[{\"kind\": \"assumed\", \"text\": \"halves\"}]}",
                   "a test", &err);

    fit_put_segment(&fit, o, before, "a", &set, p, 5, false);
    CHECK_NEAR(json_number(json_member(o, "alpha_us")), 0, 1e-9);
    CHECK_NEAR(json_number(json_member(o, "beta_ns_per_byte")), 1, 1e-9);
    fit_clear(&fit);
    json_free(before);
    json_free(o);
}

/* --- a whole platform ----------------------------------------------------- */

enum { NSIZES = 18 };

/* Makes the measurements of a true platform, each a little off, and every
 * seventh far off. */
static void measure(struct measured *f, const struct machine *m)
{
    static const double turn[] = {1, -1, 0.5, -0.5, 0.25};
    static const char *const groups[] = {"shared_cache", "on_node", "off_node"};
    static const enum locality where[] = {SHARED_CACHE, ON_NODE, OFF_NODE};
    size_t n = 0;

    memset(f, 0, sizeof *f);
    f->path = xstrdup("made.csv");
    strcpy(f->kind, "ping_pong");
    f->npoints = (size_t)3 * 3 * NSIZES;
    f->points = xcalloc(f->npoints, sizeof *f->points);
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < NSIZES; i++)
            for (int run = 0; run < 3; run++, n++) {
                struct measured_point *p = &f->points[n];
                p->x.of = &ping_pong_benchmark;
                p->x.bytes = 4ull << i;
                const struct segment *s = machine_segment(
                    m, RUNTIME_MPI, PATH_HOST, where[l], p->x.bytes);
                p->measured_s =
                    (s->alpha_s + s->beta_s_per_B * (double)p->x.bytes) *
                    (1 + 0.002 * turn[n % 5]) * (n % 7 == 6 ? 4 : 1);
                snprintf(p->group, sizeof p->group, "ping_pong/cpu/%s",
                         groups[l]);
            }
}

/* A fit that begins with a platform of wrong numbers finds the right ones. */
static void recovered(void)
{
    struct err err = {0};
    struct json *doc = platform_json("lassen", NULL, 0, &err);
    struct machine truth, wrong, got;
    struct measured file;

    if (!doc || platform_read(&truth, doc, &err) < 0) {
        CHECK(!"lassen can be read");
        return;
    }
    measure(&file, &truth);
    struct json *cpu = json_member(json_member(doc, "messages"), "cpu");
    for (struct json *t = json_at(cpu, 0); t; t = json_next(t)) {
        struct json *list = json_member(t, "segments");
        for (struct json *s = json_at(list, 0); s; s = json_next(s)) {
            json_replace(s, "alpha_us", json_new_number(77));
            json_replace(s, "beta_ns_per_byte", json_new_number(7));
        }
    }
    CHECK_EQ(platform_read(&wrong, doc, &err), 0);
    struct fit fit = {.doc = doc, .m = &wrong, .files = &file, .nfiles = 1};
    fit_platform(&fit);
    CHECK_EQ(platform_read(&got, doc, &err), 0);
    for (int l = 0; l < 3; l++) {
        enum locality where = l == 0   ? SHARED_CACHE
                              : l == 1 ? ON_NODE
                                       : OFF_NODE;
        for (int i = 0; i < NSIZES; i++) {
            uint64_t bytes = 4ull << i;
            const struct segment *a =
                machine_segment(&truth, RUNTIME_MPI, PATH_HOST, where, bytes);
            const struct segment *b =
                machine_segment(&got, RUNTIME_MPI, PATH_HOST, where, bytes);
            CHECK_NEAR(b->alpha_s, a->alpha_s, 0.01);
            CHECK_NEAR(b->beta_s_per_B * (double)bytes + b->alpha_s,
                       a->beta_s_per_B * (double)bytes + a->alpha_s, 0.01);
        }
    }
    fit_clear(&fit);
    measured_clear(&file);
    machine_clear(&truth);
    machine_clear(&wrong);
    machine_clear(&got);
    json_free(doc);
}

/* Finds the slope of large messages, and the receiver's time per byte. */
static void slope_of(const struct machine *m, enum locality where,
                     double *wire_ns, double *recv_ns)
{
    const struct segment *s =
        machine_segment(m, RUNTIME_MPI, PATH_HOST, where, 1u << 20);

    *wire_ns = s->beta_s_per_B * 1e9;
    *recv_ns = s->recv_s_per_B * 1e9;
}

/* Large ping-pongs at the same rate at all localities measure no copy: with
 * many messages the receiver copies as fast as it does smaller ones. */
static void no_copies(void)
{
    struct err err = {0};
    struct json *doc = platform_json("lassen", NULL, 0, &err);
    struct machine truth, base, got;
    struct measured file;
    double wire_ns, recv_ns;

    if (!doc || platform_read(&truth, doc, &err) < 0 ||
        platform_read(&base, doc, &err) < 0) {
        CHECK(!"lassen can be read");
        return;
    }
    for (int l = SHARED_CACHE; l <= ON_NODE; l++) {
        struct message_table *t = &truth.messages[RUNTIME_MPI][PATH_HOST][l];
        for (size_t i = 0; i < t->nsegments; i++)
            if (t->segments[i].protocol == PROTOCOL_RENDEZVOUS) {
                t->segments[i].alpha_s = 5e-6;
                t->segments[i].beta_s_per_B = 0.04e-9;
            }
    }
    measure(&file, &truth);
    struct fit fit = {.doc = doc, .m = &base, .files = &file, .nfiles = 1};
    fit_platform(&fit);
    CHECK_EQ(platform_read(&got, doc, &err), 0);
    slope_of(&got, SHARED_CACHE, &wire_ns, &recv_ns);
    CHECK_NEAR(wire_ns, 0.04, 0.02);
    CHECK_NEAR(recv_ns, 0.05824, 0.05);
    slope_of(&got, ON_NODE, &wire_ns, &recv_ns);
    CHECK_NEAR(wire_ns, 0.04, 0.02);
    CHECK_NEAR(recv_ns, 0.2353, 0.05);
    /* If the bytes from another socket are slower, they are copies. */
    slope_of(&base, ON_NODE, &wire_ns, &recv_ns);
    CHECK(wire_ns > 0.1 && recv_ns == 0);
    fit_clear(&fit);
    measured_clear(&file);
    machine_clear(&truth);
    machine_clear(&base);
    machine_clear(&got);
    json_free(doc);
}

/* Times without any meaning give a platform nevertheless, in which nothing is
 * below 0. */
static void nonsense(void)
{
    uint64_t r = 11;

    for (int round = 0; round < 20; round++) {
        struct err err = {0};
        struct json *doc = platform_json("lassen", NULL, 0, &err);
        struct machine base, got;
        struct measured file;
        if (!doc || platform_read(&base, doc, &err) < 0) {
            CHECK(!"lassen can be read");
            return;
        }
        measure(&file, &base);
        for (size_t i = 0; i < file.npoints; i++) {
            double u = (double)random_below(&r, 1u << 20) / (1u << 20);
            double bytes = (double)file.points[i].x.bytes;
            file.points[i].measured_s =
                round % 2 ? 1e-8 * pow(10, 6 * u)
                          : 1e-9 + fmax(0, 1e-3 - bytes * 1e-8) * u;
        }
        struct fit fit = {.doc = doc, .m = &base, .files = &file, .nfiles = 1};
        fit_platform(&fit);
        for (size_t i = 0; i < fit.nleft_out; i++)
            fprintf(stderr, "%s\n", fit.left_out[i]);
        CHECK_EQ(fit.nleft_out, 0);
        CHECK(fit.nrows > 0);
        CHECK_EQ(platform_read(&got, doc, &err), 0);
        fit_clear(&fit);
        measured_clear(&file);
        machine_clear(&base);
        machine_clear(&got);
        json_free(doc);
    }
}

int main(void)
{
    exact_line();
    outliers();
    one_of_two();
    not_determined();
    median();
    point_costs();
    sources();
    remarks();
    through_nothing();
    recovered();
    no_copies();
    nonsense();
    return check_result();
}
