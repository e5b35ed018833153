/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of sources, and the provenance of the numbers in a critical path's
 * time. */
#include "platforms/provenance.h"

#include "sim/plan/report.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>
#include <string.h>

#define ONE "{\"kind\": \"fit\", \"from\": \"a.csv\", \"text\": \"6 medians\"}"

/* Returns the source of {"source": TEXT, "alpha_us": 1, "beta_ns_per_byte": 2,
 * "list": [3, 4], "deep": {"alpha_us": 5}}; NULL, and err, if it is refused.
 * The caller frees it. */
static struct number_source *read(const char *text, struct err *err)
{
    struct number_source *s = NULL;
    char *whole = xasprintf("{\"source\": %s, \"alpha_us\": 1, "
                            "\"beta_ns_per_byte\": 2, \"list\": [3, 4], "
                            "\"deep\": {\"alpha_us\": 5}}",
                            text);
    struct json *o = json_parse(whole, "a test", err);

    if (o && source_read(&s, o, "source", err) < 0)
        CHECK(!s);
    CHECK(o != NULL);
    json_free(o);
    free(whole);
    return s;
}

static void refused(const char *text, const char *why)
{
    struct err err = {0};
    struct number_source *s = read(text, &err);

    CHECK(!s);
    CHECK_HAS(err.text, "source");
    CHECK_HAS(err.text, why);
    source_free(s);
}

/* Words do not determine the kind, although they did so for measured and fitted
 * numbers before. */
static void test_kinds(void)
{
    static const char *const texts[] = {"a guess, never measured",
                                        "a data sheet of benefits",
                                        "taken over; specification", "--set x"};
    struct err err = {0};

    for (size_t k = 0; k < NPROVENANCES; k++)
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            char *text = xasprintf("{\"kind\": \"%s\", \"text\": \"%s\"}",
                                   provenance_names[k], texts[i]);
            struct number_source *s = read(text, &err);
            CHECK(s && source_kind(s, "alpha_us") == (enum provenance)k);
            CHECK_HAS(source_text(s), texts[i]);
            source_free(s);
            free(text);
        }
    CHECK_EQ(source_kind(NULL, "alpha_us"), PROVENANCE_ASSUMED);
    CHECK(!source_text(NULL) && !*source_of(NULL, NULL).words);
}

static void test_numbers(void)
{
    struct err err = {0};
    struct number_source *s =
        read("[" ONE ", {\"of\": [\"beta_ns_per_byte\", \"list.1\"], "
             "\"kind\": \"taken_over\", \"from\": \"lassen\"}, "
             "{\"of\": [\"deep.alpha_us\"], \"kind\": \"measured\", "
             "\"text\": \"b\", \"residual_percent\": 2.5}]",
             &err);
    struct number_source *copy = source_copy(s);

    CHECK(s && copy);
    source_free(s);
    CHECK_EQ(source_kind(copy, NULL), PROVENANCE_FIT);
    CHECK_EQ(source_kind(copy, "alpha_us"), PROVENANCE_FIT);
    CHECK_EQ(source_kind(copy, "beta_ns_per_byte"), PROVENANCE_TAKEN_OVER);
    CHECK_EQ(source_kind(copy, "deep.beta_ns_per_byte"), PROVENANCE_TAKEN_OVER);
    CHECK_EQ(source_kind(copy, "list.1"), PROVENANCE_TAKEN_OVER);
    CHECK_EQ(source_kind(copy, "list.0"), PROVENANCE_FIT);
    CHECK_EQ(source_kind(copy, "deep.alpha_us"), PROVENANCE_MEASURED);
    CHECK_NEAR(source_of(copy, "deep.alpha_us").residual, 0.025, 1e-12);
    CHECK_NEAR(source_of(copy, "alpha_us").residual, 0, 1e-12);
    CHECK(!strcmp(source_text(copy),
                  "fit: a.csv: 6 medians; beta_ns_per_byte, list.1: taken over "
                  "from lassen; deep.alpha_us: measured: b, residual 2.5 %"));
    source_free(copy);
}

static void test_refused(void)
{
    static const char form[] =
        "expected {\"kind\": KIND, \"from\": \"...\", \"text\": \"...\"}";

    refused("\"measured: there\"", form);
    refused("\"measured: there\"", "got \"measured: there\"");
    refused("{\"text\": \"no kind\"}", form);
    refused("{\"kind\": \"guessed\", \"text\": \"x\"}", "got the kind \"gu");
    refused("{\"kind\": \"fit\"}", "got neither from nor text");
    refused("{\"kind\": \"fit\", \"text\": \"\"}", "text: expected a text");
    refused("{\"kind\": \"fit\", \"text\": \"x\", \"by\": 1}", "unknown key");
    refused("[]", "expected one statement without \"of\"");
    refused("[" ONE ", " ONE "]", "about all other numbers, got 2");
    refused("[" ONE ", \"x\"]", form);
    refused("[{\"of\": [\"alpha_us\"], \"kind\": \"fit\", \"text\": \"x\"}]",
            "got 0");
    refused("[" ONE ", {\"of\": [\"alpha\"], \"kind\": \"fit\", "
            "\"text\": \"x\"}]",
            "of: expected keys beside the source, got \"alpha\"");
    refused("[" ONE ", {\"of\": [\"alpha_us\"], \"kind\": \"fit\", \"text\": "
            "\"x\"}, {\"of\": [\"beta_ns_per_byte\", \"alpha_us\"], \"kind\": "
            "\"fit\", "
            "\"text\": \"y\"}]",
            "of: alpha_us is named twice");
    refused("[" ONE ", {\"of\": [], \"kind\": \"fit\", \"text\": \"x\"}]",
            "of: expected keys beside the source, got none");
    refused("{\"kind\": \"fit\", \"text\": \"x\", \"residual_percent\": -1}",
            "residual_percent");
}

static bool split_assumed(const char *of, const char *kind)
{
    struct err err = {0};
    char *text = xasprintf("[" ONE ", {\"of\": [\"%s\"], \"kind\": \"%s\", "
                           "\"text\": \"x\"}]",
                           of, kind);
    char *whole = xasprintf("{\"alpha_shares\": [0, 0], \"send_us\": 1, "
                            "\"alpha_us\": 1, \"source\": %s}",
                            text);
    struct json *o = json_parse(whole, "a test", &err);
    struct number_source *s = NULL;

    CHECK(o && source_read(&s, o, "source", &err) == 0);
    bool assumed = source_split_assumed(s);
    source_free(s);
    json_free(o);
    free(whole);
    free(text);
    return assumed;
}

static void test_split(void)
{
    struct number_source *all = source_new(PROVENANCE_ASSUMED, "all of it");

    CHECK(split_assumed("alpha_shares", "assumed"));
    CHECK(split_assumed("send_us", "taken_over"));
    CHECK(!split_assumed("send_us", "fit"));
    CHECK(!split_assumed("alpha_us", "assumed"));
    CHECK(!source_split_assumed(all));
    source_free(all);
}

/* A written statement replaces another one of the same numbers, and an invalid
 * source is left, so that it is refused when it is read. */
static void test_written(void)
{
    static const char *const alpha[] = {"alpha_us", NULL};
    struct err err = {0};
    struct json *o =
        json_parse("{\"source\": " ONE ", \"alpha_us\": 1}", "a test", &err);

    source_put(o, "source", alpha, source_json(PROVENANCE_SET, NULL, "one"));
    source_put(o, "source", alpha, source_json(PROVENANCE_SET, NULL, "two"));
    const struct json *source = json_member(o, "source");
    CHECK_EQ(json_size(source), 2);
    CHECK_HAS(json_string(json_member(source_at(source, "alpha_us"), "text")),
              "two");
    CHECK_HAS(json_string(json_member(source_at(source, NULL), "from")),
              "a.csv");
    json_remove(o, "alpha_us");
    source_forget(o, "source");
    CHECK(json_is_object(json_member(o, "source")));
    json_replace(o, "source", json_new_string("fit: a.csv"));
    source_put(o, "source", alpha, source_json(PROVENANCE_SET, NULL, "one"));
    CHECK(json_is_string(json_member(o, "source")));
    json_free(o);
}

/* Alpha is fitted, beta measured. */
static void fit_and_measured(struct number_source **s)
{
    struct err err = {0};
    struct json *o = json_parse(
        "{\"beta_ns_per_byte\": 1, \"source\": [" ONE ", {\"of\": "
        "[\"beta_ns_per_byte\"], \"kind\": \"measured\", \"text\": \"x\"}]}",
        "a test", &err);
    CHECK_EQ(source_read(s, o, "source", &err), 0);
    json_free(o);
}

/* Checks that the plan takes time_s, and that each_s of it rest on fits, as
 * much on measurements and rest_s on numbers of the kind. */
static void rests_on(const struct machine *m, const struct plan *p,
                     double time_s, double each_s, enum provenance kind,
                     double rest_s)
{
    struct exec_result x = {0};
    struct report r;
    struct err err = {0};

    CHECK_EQ(exec_plan(&x, m, p, NULL, EXEC_DETAILS, &err), 0);
    CHECK_NEAR(x.time_s, time_s, 1e-9);
    report_make(&r, m, p, &x);
    CHECK_NEAR(r.rests_on.total_s, time_s, 1e-9);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_FIT], each_s, 1e-9);
    CHECK_NEAR(r.rests_on.s[PROVENANCE_MEASURED], each_s, 1e-9);
    CHECK_NEAR(r.rests_on.s[kind], rest_s, 1e-9);
    exec_result_clear(&x);
}

/* Gives wires that end at a device of the kind a rate of 1,000 B in 9 us. */
static void slow_wires(struct machine *m, enum device_kind kind,
                       enum provenance provenance)
{
    for (size_t w = 0; w < m->nwires; w++) {
        const unsigned *ends = m->wires[w].ends;
        if (m->devices[ends[0]].kind != kind &&
            m->devices[ends[1]].kind != kind)
            continue;
        m->wires[w].bandwidth_Bps = 1000 / 9e-6;
        source_free(m->wires[w].source);
        m->wires[w].source = source_new(provenance, "slow");
    }
}

/* 1 us of alpha is fitted, 1 us of beta measured; twice. The second message
 * waits for the first one's receiver. If a NIC's wire is ten times slower,
 * assumed, 8 of each 10 us are its. */
static void test_path(void)
{
    struct machine m;
    struct plan p;

    tiny_machine(&m, 4);
    struct segment *s = m.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments;
    fit_and_measured(&s->source);
    plan_init(&p, &m, "path", 2, 1, NULL);
    uint32_t first = plan_msg(&p, PHASE_OFF_NODE, 0, 1, NO_GPU, NO_GPU, 1000);
    plan_msg(&p, PHASE_OFF_NODE, 1, 0, NO_GPU, NO_GPU, 1000);
    plan_after(&p, first);
    rests_on(&m, &p, 4e-6, 2e-6, PROVENANCE_ASSUMED, 0);
    slow_wires(&m, DEVICE_NIC, PROVENANCE_ASSUMED);
    rests_on(&m, &p, 20e-6, 2e-6, PROVENANCE_ASSUMED, 16e-6);
    plan_clear(&p);
    machine_clear(&m);
}

/* A copy to the neighbour, 1 us and 1 ns a byte, uses a direct wire that takes
 * 9 us: the remaining 8 us are the wire's, not those of the route to the
 * CPU. */
static void test_peer_copy(void)
{
    struct machine m;
    struct plan p;

    tiny_machine(&m, 4);
    m.copies.nrows = 1;
    m.copies.rows = xcalloc(1, sizeof *m.copies.rows);
    m.copies.rows[0] = (struct copy_cost){.dir = D2D,
                                          .locality = ON_SOCKET,
                                          .processes = 1,
                                          .up_to_B = UINT64_MAX,
                                          .alpha_s = 1e-6,
                                          .beta_s_per_B = 1e-9};
    fit_and_measured(&m.copies.rows[0].source);
    slow_wires(&m, DEVICE_GPU, PROVENANCE_SPECIFICATION);
    plan_init(&p, &m, "peer", 1, 1, NULL);
    plan_copy_peer(&p, PHASE_GATHER, 0, 0, 1, 1000);
    rests_on(&m, &p, 10e-6, 1e-6, PROVENANCE_SPECIFICATION, 8e-6);
    plan_clear(&p);
    machine_clear(&m);
}

int main(void)
{
    test_kinds();
    test_numbers();
    test_refused();
    test_split();
    test_written();
    test_path();
    test_peer_copy();
    return check_result();
}
