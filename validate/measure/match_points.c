/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads measured matching, and computes the same cases by the laws. */
#include "validate/measure/match_points.h"

#include "validate/measure/points_from.h"
#include "base/csv.h"
#include "sim/transport/matching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {"algorithm",
                                      "queue_length",
                                      "queues",
                                      "wildcards_percent",
                                      "unexpected_percent",
                                      "compaction",
                                      "matches",
                                      "time_s",
                                      NULL};

bool match_points_are(const char *path)
{
    return points_are(path, columns);
}

static int read_algorithm(enum matcher *engine, const struct csv *t, size_t row,
                          struct err *err)
{
    const char *name = csv_text(t, row, "algorithm");

    for (int i = MATCHER_NONE + 1; i < NMATCHERS; i++)
        if (!strcmp(name, i == MATCHER_LIST ? "list_cpu" : matcher_names[i])) {
            *engine = (enum matcher)i;
            return 0;
        }
    return fail(err,
                "%s:%u: algorithm: expected list_cpu, matrix, partitioned or "
                "hash, got '%s'",
                t->path, t->lines[row], name);
}

static int read_row(struct match_point *p, const struct csv *t, size_t row,
                    struct err *err)
{
    const struct points_count counts[] = {
        {"queue_length", &p->length},
        {"matches", &p->matches},
        {"queues", &p->queues},
        {"wildcards_percent", &p->wildcards},
        {"unexpected_percent", &p->unexpected}};

    *p = (struct match_point){.samples = 1};
    if (read_algorithm(&p->engine, t, row, err) < 0)
        return -1;
    if (points_counts(t, row, counts, sizeof counts / sizeof counts[0],
                      1u << 24, err) < 0)
        return -1;
    p->compact = !strcmp(csv_text(t, row, "compaction"), "yes");
    if (csv_number(t, row, "time_s", &p->time_s, err) < 0)
        return -1;
    if (!(p->time_s > 0) || !p->matches || !p->queues || p->matches > p->length)
        return fail(err,
                    "%s:%u: expected a time above 0, at least one queue and "
                    "match, and at most as many matches as messages",
                    t->path, t->lines[row]);
    return 0;
}

static bool same_case(const struct match_point *a, const struct match_point *b)
{
    return a->engine == b->engine && a->length == b->length &&
           a->queues == b->queues && a->wildcards == b->wildcards &&
           a->unexpected == b->unexpected && a->compact == b->compact;
}

static int by_time(const void *a, const void *b)
{
    double x = ((const struct match_point *)a)->time_s;
    double y = ((const struct match_point *)b)->time_s;

    return (x > y) - (x < y);
}

/* Replaces the rows of a case, which are consecutive, by one point with their
 * median. */
static void keep_medians(struct match_points *p)
{
    size_t kept = 0;

    for (size_t i = 0, end; i < p->n; i = end) {
        for (end = i; end < p->n && same_case(&p->points[i], &p->points[end]);)
            end++;
        size_t n = end - i;
        qsort(&p->points[i], n, sizeof *p->points, by_time);
        double low = p->points[i + (n - 1) / 2].time_s;
        double high = p->points[i + n / 2].time_s;
        struct match_point median = p->points[i];
        median.time_s = (low + high) / 2;
        median.samples = (unsigned)n;
        p->points[kept++] = median;
    }
    p->n = kept;
}

int match_points_load(struct match_points *p, const char *path, struct err *err)
{
    struct csv t;
    int result = 0;

    *p = (struct match_points){0};
    if (csv_load(&t, path, err) < 0)
        return -1;
    points_from(p->from, sizeof p->from, &t);
    p->n = t.nrows;
    p->points = xcalloc(t.nrows, sizeof *p->points);
    if (!points_have(&t, columns))
        result = fail(err, "%s: not the columns of sluice-native match", path);
    for (size_t i = 0; i < t.nrows && result == 0; i++)
        result = read_row(&p->points[i], &t, i, err);
    csv_clear(&t);
    if (result < 0)
        match_points_clear(p);
    else
        keep_medians(p);
    return result;
}

void match_points_clear(struct match_points *p)
{
    free(p->points);
    *p = (struct match_points){0};
}

double match_point_s(const struct matching *constants,
                     const struct match_point *p)
{
    struct match_load load = {p->length, p->length, p->matches, MATCH_RANDOM};
    struct matching l = *constants;

    l.engine = p->engine;
    l.queues = l.ctas = l.resident_ctas = p->queues;
    return match_load_s(&l, load, p->compact);
}
