/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handles large messages on a node whose ping-pong is equally fast wherever the
 * ranks are: it then measures caches, or a buffer that nobody writes, and no
 * copy. */
#include "validate/calibrate/fit_parts.h"
#include "validate/calibrate/fit_segments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size at which slopes are compared, and their largest ratio; and the least
 * end of a segment, and the least factor that it covers, for its slope to be
 * that of copies. */
static const double LARGE_B = 0x1p20, EQUAL = 1.1, COPIES_B = 4096, FACTOR = 8;

struct near_table {
    const char *name;
    struct json *segments;
    size_t large;    /* the segment of LARGE_B */
    double large_ns; /* its slope */
    double copy_ns;  /* NAN if there is no good one */
};

static const char WHY[] =
    "at the slope of smaller messages, since that of large ping-pongs "
    "is the same "
    "for all localities: of caches, or of a buffer that nobody writes";

static double slope_ns(const struct json *segment)
{
    return json_number(json_member(segment, SEGMENT_KEY(beta_s_per_B)));
}

static bool is_named(const struct json *segment, const char *protocol)
{
    const char *name = json_string(json_member(segment, "protocol"));

    return name && !strcmp(name, protocol);
}

/* Returns whether this run replaced the slope. */
static bool fitted_now(const struct fit *f, const char *name, size_t i)
{
    char path[96];

    snprintf(path, sizeof path, "messages.cpu.%s.segments.%zu.beta_ns_per_byte",
             name, i);
    for (size_t k = 0; k < f->nrows; k++)
        if (!f->rows[k].kept && !strcmp(f->rows[k].path, path))
            return true;
    return false;
}

/* Returns the slope of the last segment before that of large messages which
 * covers enough sizes, so that its slope is that of copies; NAN if there is
 * none. */
static double copy_slope(struct json *segments, size_t large)
{
    double slope = NAN, from = 1;

    for (size_t i = 0; i < large; i++) {
        const struct json *s = json_at(segments, i);
        double to = fit_limit(s);
        if (to >= COPIES_B && to >= FACTOR * from)
            slope = slope_ns(s);
        from = to;
    }
    return slope;
}

/* Returns false if there is no such table, or no slope of this run. */
static bool near_table(struct near_table *t, const struct fit *f,
                       const char *name)
{
    struct json *cpu = json_member(json_member(f->doc, "messages"), "cpu");
    size_t i = 0;

    *t = (struct near_table){.name = name};
    t->segments = json_member(json_member(cpu, name), "segments");
    if (!t->segments)
        return false;
    while (i + 1 < json_size(t->segments) &&
           fit_limit(json_at(t->segments, i)) < LARGE_B)
        i++;
    t->large = i;
    t->large_ns = slope_ns(json_at(t->segments, i));
    t->copy_ns = copy_slope(t->segments, t->large);
    return is_named(json_at(t->segments, i), "rendezvous") && t->large_ns > 0 &&
           fitted_now(f, name, i);
}

/* Replaces shares by times, so that there can also be a time per byte. */
static void absolute(struct json *s)
{
    static const char *const shares[] = {"alpha_shares", "beta_shares",
                                         "receiver_copies"};
    const struct json *old = json_member(s, "alpha_shares");
    double alpha_us = json_number(json_member(s, SEGMENT_KEY(alpha_s)));
    double part[2] = {0.5, 0.5};

    for (size_t i = 0; old && i < 2; i++)
        part[i] = json_number(json_at(old, i));
    for (size_t i = 0; i < 3; i++)
        json_remove(s, shares[i]);
    if (!json_member(s, SEGMENT_KEY(send_s))) {
        json_add_number(s, SEGMENT_KEY(send_s), part[0] * alpha_us);
        json_add_number(s, SEGMENT_KEY(recv_s), part[1] * alpha_us);
    }
    json_replace(s, "moved_by", json_new_string("receiver"));
}

static void slow_down(struct fit *f, const struct near_table *t, size_t i)
{
    struct json *s = json_at(t->segments, i);
    struct fit_number ns = {t->copy_ns / 1e9, 0};
    char path[96];

    snprintf(path, sizeof path, "messages.cpu.%s.segments.%zu", t->name, i);
    absolute(s);
    fit_set_number(
        f, s, path, SEGMENT_KEY(recv_s_per_B), 1e9, ns, 0, 0,
        "that of smaller messages: large ping-pongs are equally fast "
        "for all localities, and show no copy");
    if (json_member(s, "source"))
        source_put(s, "source",
                   (const char *const[]){SEGMENT_KEY(recv_s_per_B), NULL},
                   source_json(PROVENANCE_FIT, NULL, WHY));
}

static void near_refuse(struct fit *f, const struct near_table *t)
{
    struct fit_row row = {.old = t->large_ns, .kept = NULL};

    for (size_t i = 0; i < json_size(t->segments); i++) {
        struct json *s = json_at(t->segments, i);
        if (is_named(s, "rendezvous") && slope_ns(s) < t->copy_ns)
            slow_down(f, t, i);
    }
    if (!isnan(t->copy_ns))
        return;
    snprintf(row.path, sizeof row.path,
             "messages.cpu.%s.segments.%zu.recv_ns_per_byte", t->name,
             t->large);
    row.kept = "large ping-pongs are equally fast for all localities, and show "
               "no copy; nor does a slope of smaller ones";
    fit_add_row(f, &row);
}

int fit_near(struct fit *f, struct err *err)
{
    static const char *const names[] = {"shared_cache", "on_socket", "on_node"};
    struct near_table tables[3];
    double least = INFINITY, most = 0;
    size_t n = 0;

    (void)err;
    for (size_t i = 0; i < 3; i++)
        if (near_table(&tables[n], f, names[i])) {
            least = fmin(least, tables[n].large_ns);
            most = fmax(most, tables[n].large_ns);
            n++;
        }
    if (n < 2 || most > EQUAL * least)
        return 0;
    for (size_t i = 0; i < n; i++)
        near_refuse(f, &tables[i]);
    return 0;
}
