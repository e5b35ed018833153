/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the measured costs of communication runtimes. */
#include "validate/measure/runtime_points.h"

#include "validate/measure/points_from.h"
#include "base/csv.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {
    "runtime",          "operation", "hosts", "threads",
    "window",           "pending",   "bytes", "packet_bytes",
    "packets_per_host", "time_s",    NULL};

bool runtime_points_are(const char *path)
{
    return points_are(path, columns);
}

static int read_word(char *to, size_t room, const struct csv *t, size_t row,
                     const char *column, struct err *err)
{
    const char *word = csv_text(t, row, column);

    if (!*word || strlen(word) >= room)
        return fail(err, "%s:%u: %s: expected a name, got '%.60s'", t->path,
                    t->lines[row], column, word);
    snprintf(to, room, "%s", word);
    return 0;
}

static int runtime_points_row(struct runtime_point *p, const struct csv *t,
                              size_t row, struct err *err)
{
    const struct points_count counts[] = {{"hosts", &p->hosts},
                                          {"threads", &p->threads},
                                          {"window", &p->window},
                                          {"pending", &p->pending},
                                          {"packets_per_host", &p->packets}};

    *p = (struct runtime_point){0};
    if (read_word(p->runtime, sizeof p->runtime, t, row, "runtime", err) < 0 ||
        read_word(p->operation, sizeof p->operation, t, row, "operation", err) <
            0 ||
        csv_count(t, row, "bytes", &p->bytes, err) < 0 ||
        csv_count(t, row, "packet_bytes", &p->packet_B, err) < 0)
        return -1;
    if (points_counts(t, row, counts, sizeof counts / sizeof counts[0],
                      1u << 30, err) < 0)
        return -1;
    if (csv_number(t, row, "time_s", &p->time_s, err) < 0)
        return -1;
    if (!(p->time_s > 0))
        return fail(err, "%s:%u: time_s: expected a time above 0, got %g",
                    t->path, t->lines[row], p->time_s);
    return 0;
}

static bool same_point(const struct runtime_point *a,
                       const struct runtime_point *b)
{
    return !strcmp(a->runtime, b->runtime) &&
           !strcmp(a->operation, b->operation) && a->bytes == b->bytes &&
           a->packet_B == b->packet_B && a->hosts == b->hosts &&
           a->threads == b->threads && a->window == b->window &&
           a->pending == b->pending && a->packets == b->packets;
}

/* Reads all rows; those of a point are consecutive. */
static int all_rows(struct runtime_points *p, const struct csv *t,
                    struct err *err)
{
    double *times = xcalloc(t->nrows + 1, sizeof *times);

    for (size_t i = 0; i < t->nrows; i++) {
        struct runtime_point new, *last = p->n ? &p->points[p->n - 1] : NULL;
        if (runtime_points_row(&new, t, i, err) < 0) {
            free(times);
            return -1;
        }
        if (!last || !same_point(last, &new)) {
            last = &p->points[p->n++];
            *last = new;
        }
        times[last->nrows++] = new.time_s;
        gsl_sort(times, 1, last->nrows);
        last->time_s = gsl_stats_median_from_sorted_data(times, 1, last->nrows);
    }
    free(times);
    return p->n ? 0 : fail(err, "%s: no rows", t->path);
}

int runtime_points_load(struct runtime_points *p, const char *path,
                        struct err *err)
{
    char origin[64];
    struct csv t;

    *p = (struct runtime_points){0};
    if (csv_load(&t, path, err) < 0)
        return -1;
    const char *slash = strrchr(t.path, '/');
    csv_origin(&t, origin, sizeof origin);
    snprintf(p->from, sizeof p->from, "%.40s%s%s%s", slash ? slash + 1 : t.path,
             *origin ? " (" : "", origin, *origin ? ")" : "");
    p->points = xcalloc(t.nrows + 1, sizeof *p->points);
    int result =
        points_have(&t, columns)
            ? all_rows(p, &t, err)
            : fail(err, "%s: not the columns of sluice-native runtime", path);
    csv_clear(&t);
    if (result < 0)
        runtime_points_clear(p);
    return result;
}

void runtime_points_clear(struct runtime_points *p)
{
    free(p->points);
    *p = (struct runtime_points){0};
}
