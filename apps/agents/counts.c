/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the numbers of accesses that an execution makes, and adds up their
 * costs. */
#include "apps/agents/counts.h"

#include "apps/agents/algorithm.h"

#include <math.h>

/* --- reading -------------------------------------------------------------- */

/* The bound of a count, so that sums of times stay finite. */
static const double most_counts = 1e6;

static int counts_read_number(const struct json *o, const char *key,
                              double *out, struct err *err)
{
    if (!json_member(o, key))
        return 0;
    if (json_get_not_negative(o, key, out, err) < 0)
        return -1;
    return *out > most_counts
               ? fail(err, "%s: expected a number up to %g, got %g", key,
                      most_counts, *out)
               : 0;
}

/* Reads the counts of an item; leaves *out as it is if the key is not there. */
static int counts_read_item(const struct json *w, const char *key,
                            struct counts *out, struct err *err)
{
    static const char *const known[] = {"stream_bytes", "reads",
                                        "atomics",      "float_atomics",
                                        "float_sums",   "queue_atomics"};
    struct json *o;

    if (!json_member(w, key))
        return 0;
    *out = (struct counts){0};
    if (json_get_object(w, key, &o, err) < 0)
        return -1;
    if (json_only_keys(o, known, sizeof known / sizeof known[0], err) < 0 ||
        counts_read_number(o, "stream_bytes", &out->stream_B, err) < 0 ||
        counts_read_number(o, "reads", &out->reads, err) < 0 ||
        counts_read_number(o, "atomics", &out->atomics, err) < 0 ||
        counts_read_number(o, "float_atomics", &out->float_atomics, err) < 0 ||
        counts_read_number(o, "float_sums", &out->float_sums, err) < 0 ||
        counts_read_number(o, "queue_atomics", &out->queue_atomics, err) < 0)
        return fail_in(err, "%s", key);
    return 0;
}

/* Reads the size of a value: a power of two, from a bit to a sector. */
static int counts_read_value(const struct json *o, double *out, struct err *err)
{
    int exponent;

    *out = 4;
    if (!json_member(o, "value_bytes"))
        return 0;
    if (json_get_positive(o, "value_bytes", out, err) < 0)
        return -1;
    return *out < 0.125 || *out > SECTOR_B || frexp(*out, &exponent) != 0.5
               ? fail(err,
                      "value_bytes: expected a power of two from 0.125 (a bit) "
                      "to %d, got %g",
                      SECTOR_B, *out)
               : 0;
}

static int counts_read_all(struct work_counts *w, const struct json *o,
                           struct err *err)
{
    static const char *const known[] = {
        "value_bytes", "found", "arc",       "remote_arc",       "visit",
        "dense",       "look",  "pull_arc",  "pull_vertex",      "pull_alone",
        "pull_chain",  "chain", "arc_chain", "remote_arc_chain", "push_chain",
        "push_atomics"};

    if (json_only_keys(o, known, sizeof known / sizeof known[0], err) < 0 ||
        counts_read_value(o, &w->value_B, err) < 0 ||
        counts_read_item(o, "arc", &w->arc, err) < 0)
        return -1;
    w->remote_arc = w->arc;
    w->arc_chain = 2; /* the head is read, and then its value */
    w->pull_arc = (struct counts){.stream_B = w->arc.stream_B, .reads = 1};
    if (counts_read_item(o, "remote_arc", &w->remote_arc, err) < 0 ||
        counts_read_item(o, "visit", &w->visit, err) < 0 ||
        counts_read_item(o, "found", &w->found, err) < 0 ||
        counts_read_item(o, "dense", &w->dense, err) < 0 ||
        counts_read_item(o, "look", &w->look, err) < 0 ||
        counts_read_item(o, "pull_arc", &w->pull_arc, err) < 0 ||
        counts_read_item(o, "pull_vertex", &w->pull_vertex, err) < 0 ||
        counts_read_number(o, "pull_alone", &w->pull_alone, err) < 0 ||
        counts_read_number(o, "pull_chain", &w->pull_chain, err) < 0 ||
        counts_read_number(o, "chain", &w->chain, err) < 0 ||
        counts_read_number(o, "arc_chain", &w->arc_chain, err) < 0 ||
        counts_read_number(o, "push_chain", &w->push_chain, err) < 0 ||
        counts_read_number(o, "push_atomics", &w->push_atomics, err) < 0 ||
        counts_read_number(o, "remote_arc_chain", &w->remote_arc_chain, err) <
            0)
        return -1;
    return 0;
}

int counts_read(struct work_counts *w, const struct json *work,
                enum algorithm a, struct err *err)
{
    const char *name = algorithm_name(a);
    struct json *o;

    *w = (struct work_counts){0};
    if (json_get_object(work, name, &o, err) < 0)
        return -1;
    return counts_read_all(w, o, err) < 0 ? fail_in(err, "%s", name) : 0;
}

/* --- costs ---------------------------------------------------------------- */

double counts_sector_s(const struct counts *c, const struct gpu_model *g,
                       double hits)
{
    const struct gpu_access *a = &g->access;
    double hit_s = c->reads * a->hit_s + c->atomics * a->atomic_hit_s +
                   c->float_atomics * a->float_atomic_hit_s +
                   c->float_sums * a->float_sum_hit_s;
    /* Only the first access to a sector can miss. */
    double n = c->reads, more_s = a->miss_s - a->hit_s;

    if (!(n > 0)) {
        n = c->atomics;
        more_s = a->atomic_miss_s - a->atomic_hit_s;
    }
    if (!(n > 0)) {
        n = c->float_atomics;
        more_s = a->float_atomic_miss_s - a->float_atomic_hit_s;
    }
    if (!(n > 0)) {
        n = c->float_sums;
        more_s = a->float_sum_miss_s - a->float_sum_hit_s;
    }
    return hit_s + (1 - hits) * fmin(n, 1) * more_s;
}

double counts_item_s(const struct counts *c, const struct gpu_model *g)
{
    double s = c->queue_atomics * g->access.same_address_s;
    double Bps =
        g->access.stream_Bps > 0 ? g->access.stream_Bps : g->memory_Bps;

    return c->stream_B > 0 ? s + c->stream_B / Bps : s;
}

double counts_s(const struct counts *c, const struct gpu_model *g, double hits)
{
    return counts_sector_s(c, g, hits) + counts_item_s(c, g);
}
