/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the measured costs of accesses and calls of graph kernels. */
#include "validate/measure/cost_points.h"

#include "validate/measure/points_from.h"
#include "base/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {
    "operation", "gpu_a",   "gpu_b",     "bytes",  "threads", "together",
    "in_flight", "samples", "median_ns", "p90_ns", NULL};

bool cost_points_are(const char *path)
{
    return points_are(path, columns);
}

static int read_times(struct cost_point *p, const struct csv *t, size_t row,
                      struct err *err)
{
    if (csv_number(t, row, "median_ns", &p->median_s, err) < 0 ||
        csv_number(t, row, "p90_ns", &p->p90_s, err) < 0)
        return -1;
    if (!(p->median_s > 0) || p->p90_s < p->median_s)
        return fail(err,
                    "%s:%u: expected a median above 0 and a 90th percentile "
                    "that is not less, got %g and %g",
                    t->path, t->lines[row], p->median_s, p->p90_s);
    p->median_s *= 1e-9;
    p->p90_s *= 1e-9;
    return 0;
}

static int cost_points_row(struct cost_point *p, const struct csv *t,
                           size_t row, struct err *err)
{
    const struct points_count counts[] = {{"threads", &p->threads},
                                          {"together", &p->together},
                                          {"in_flight", &p->in_flight},
                                          {"samples", &p->samples}};
    const char *name = csv_text(t, row, "operation");
    const char *b = csv_text(t, row, "gpu_b");

    *p = (struct cost_point){0};
    if (!*name || strlen(name) >= sizeof p->operation)
        return fail(err, "%s:%u: operation: expected a name, got '%.60s'",
                    t->path, t->lines[row], name);
    snprintf(p->operation, sizeof p->operation, "%s", name);
    p->peer = *b && strcmp(b, csv_text(t, row, "gpu_a")) != 0;
    if (csv_count(t, row, "bytes", &p->bytes, err) < 0)
        return -1;
    if (points_counts(t, row, counts, sizeof counts / sizeof counts[0],
                      1u << 30, err) < 0)
        return -1;
    return read_times(p, t, row, err);
}

static bool same_point(const struct cost_point *a, const struct cost_point *b)
{
    return !strcmp(a->operation, b->operation) && a->peer == b->peer &&
           a->bytes == b->bytes && a->threads == b->threads &&
           a->together == b->together && a->in_flight == b->in_flight;
}

static int all_rows(struct cost_points *p, const struct csv *t, struct err *err)
{
    for (size_t i = 0; i < t->nrows; i++) {
        struct cost_point *new = &p->points[i];
        if (cost_points_row(new, t, i, err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            if (same_point(&p->points[k], new))
                return fail(err, "%s:%u: the same as line %u once more",
                            t->path, t->lines[i], t->lines[k]);
        p->n++;
    }
    return p->n ? 0 : fail(err, "%s: no rows", t->path);
}

int cost_points_load(struct cost_points *p, const char *path, struct err *err)
{
    struct csv t;

    *p = (struct cost_points){0};
    if (csv_load(&t, path, err) < 0)
        return -1;
    p->points = xcalloc(t.nrows + 1, sizeof *p->points);
    points_from(p->from, sizeof p->from, &t);
    int result =
        points_have(&t, columns)
            ? all_rows(p, &t, err)
            : fail(err, "%s: not the columns of sluice-native graph-costs",
                   path);
    csv_clear(&t);
    if (result < 0)
        cost_points_clear(p);
    return result;
}

void cost_points_clear(struct cost_points *p)
{
    free(p->points);
    *p = (struct cost_points){0};
}

const struct cost_point *cost_points_find(const struct cost_points *p,
                                          const char *operation, bool peer,
                                          uint64_t bytes, unsigned threads)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct cost_point *q = &p->points[i];
        if (!strcmp(q->operation, operation) && q->peer == peer &&
            (!bytes || q->bytes == bytes) &&
            (!threads || q->threads == threads))
            return q;
    }
    return NULL;
}
