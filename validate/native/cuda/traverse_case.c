/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeats one execution, checks each run, and writes its rows: the median of
 * every level, every run's totals, and their medians. */
#include "validate/native/cuda/traverse_case.h"

#include "base/doubles.h"
#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>

/* The results of one run. */
struct totals {
    double time_s, busy_s[TRAVERSE_GPUS];
    struct traverse_counts counts; /* counts of all GPUs */
};

/* The results of all runs of a case. */
struct runs {
    struct totals *all;
    unsigned n;
    double *levels;               /* one per level and run */
    struct measured_level *first; /* frontiers and arcs of the first run */
    size_t nlevels;
};

/* Sorts the values; returns the value below which that share of them is. */
static double quantile(double *values, unsigned n, double share)
{
    doubles_sort(values, n);
    return values[(unsigned)(share * (n - 1) + 0.5)];
}

/* --- rows ----------------------------------------------------------------- */

/* Returns the columns before `run`; the caller frees the text. */
static char *case_cells(const struct traverse_setting *s)
{
    const struct traverse_case *how = &s->group.how;
    char threshold[32] = "";

    if (s->answer->rank)
        snprintf(threshold, sizeof threshold, "%g", how->threshold);
    return xasprintf(
        "%s,%s,%u,%llu,%u,%llu,%s,%u,%s,%u,%u,%s,%s,%g,%g", how->x->algorithm,
        s->graph, s->g->n, (unsigned long long)graph_arcs(s->g), s->source,
        (unsigned long long)s->seed, how->x->name, how->delta, threshold,
        how->gpus, s->devices, s->partition, transfer_names[how->transfer],
        1e6 * how->skew_s, 1e6 * how->latency_s);
}

static void total_row(const struct traverse_setting *s, const char *row,
                      const char *cells, const char *run,
                      const struct totals *r, double p90_s)
{
    const struct traverse_counts *c = &r->counts;
    char busy[TRAVERSE_GPUS * 16], p90[32] = "";

    for (unsigned g = 0, used = 0; g < s->gpus; g++)
        used += (unsigned)snprintf(busy + used, sizeof busy - used, "%s%.6e",
                                   g ? "+" : "", r->busy_s[g]);
    if (p90_s > 0)
        snprintf(p90, sizeof p90, "%.6e", p90_s);
    table_row(s->t, "%s,%s,%s,,,%llu,%.6e,%s,%llu,%llu,%llu,%llu,%llu,%llu,%s",
              row, cells, run, c->arcs, r->time_s, p90, c->visits,
              (unsigned long long)s->answer->reached, c->pushes, c->received,
              c->remote_atomics, c->bytes, busy);
}

#define MEDIAN_OF(field)                                                       \
    do {                                                                       \
        for (unsigned i = 0; i < r->n; i++)                                    \
            values[i] = (double)r->all[i].field;                               \
        of.field = (__typeof__(of.field))doubles_median(values, r->n);         \
    } while (0)

static struct totals median_totals(const struct runs *r, double *p90_s)
{
    double *values = xcalloc(r->n, sizeof *values);
    struct totals of = {0};

    MEDIAN_OF(time_s);
    *p90_s = quantile(values, r->n, 0.9);
    for (unsigned g = 0; g < TRAVERSE_GPUS; g++)
        MEDIAN_OF(busy_s[g]);
    MEDIAN_OF(counts.visits);
    MEDIAN_OF(counts.arcs);
    MEDIAN_OF(counts.pushes);
    MEDIAN_OF(counts.received);
    MEDIAN_OF(counts.remote_atomics);
    MEDIAN_OF(counts.bytes);
    free(values);
    return of;
}

static void level_rows(const struct traverse_setting *s, const char *cells,
                       struct runs *r)
{
    for (size_t i = 0; i < r->nlevels; i++) {
        double *times = &r->levels[i * s->runs];
        double p90 = quantile(times, r->n, 0.9);
        table_row(s->t, "level,%s,,%zu,%llu,%llu,%.6e,%.6e,,,,,,,", cells, i,
                  (unsigned long long)r->first[i].frontier,
                  (unsigned long long)r->first[i].arcs,
                  doubles_median(times, r->n), p90);
    }
}

static void write_rows(const struct traverse_setting *s, struct runs *r)
{
    char *cells = case_cells(s);
    double p90_s;
    struct totals middle = median_totals(r, &p90_s);

    level_rows(s, cells, r);
    for (unsigned i = 0; i < r->n; i++) {
        char run[16];
        snprintf(run, sizeof run, "%u", i);
        total_row(s, "total", cells, run, &r->all[i], 0);
    }
    total_row(s, "median", cells, "", &middle, p90_s);
    fprintf(stderr, "%s: %.1f us, %.3f visits a vertex, %u runs\n", cells,
            1e6 * middle.time_s,
            (double)middle.counts.visits / (double)s->answer->reached, r->n);
    free(cells);
}

/* --- runs ----------------------------------------------------------------- */

static void keep_levels(const struct traverse_setting *s, struct runs *r)
{
    const struct traverse_group *t = &s->group;

    if (!r->levels) {
        r->nlevels = t->nlevels;
        r->levels = xcalloc(r->nlevels * s->runs + 1, sizeof *r->levels);
        r->first = xcalloc(r->nlevels + 1, sizeof *r->first);
        for (size_t i = 0; i < r->nlevels; i++)
            r->first[i] = t->levels[i];
    }
    /* The order of additions may make one iteration more or less. */
    r->nlevels = t->nlevels < r->nlevels ? t->nlevels : r->nlevels;
    for (size_t i = 0; i < r->nlevels; i++)
        r->levels[i * s->runs + r->n] = t->levels[i].time_s;
}

static void keep(struct traverse_setting *s, struct runs *r, double time_s)
{
    struct totals *now = &r->all[r->n];

    now->time_s = time_s;
    for (unsigned g = 0; g < s->gpus; g++) {
        const struct traverse_side *side = &s->group.sides[g];
        now->busy_s[g] = side->busy_s;
        now->counts.visits += side->counts.visits;
        now->counts.arcs += side->counts.arcs;
        now->counts.pushes += side->counts.pushes;
        now->counts.received += side->counts.received;
        now->counts.remote_atomics += side->counts.remote_atomics;
        now->counts.bytes += side->counts.bytes;
    }
    keep_levels(s, r);
    r->n++;
}

static int run_all(struct traverse_setting *s, struct runs *r, struct err *err)
{
    double begin = seconds();

    for (unsigned i = 0; i < s->warm + s->runs; i++) {
        native_alive(s->n, s->group.how.x->name);
        group_reset(&s->group);
        double time_s = group_run(&s->group);
        if (answer_check(s->answer, &s->group, err) < 0)
            return -1;
        if (i < s->warm)
            continue;
        keep(s, r, time_s);
        if (r->n >= 3 && seconds() - begin > s->most_s)
            break;
    }
    return 0;
}

int setting_measure(struct traverse_setting *s, const struct traverse_case *how,
                    struct err *err)
{
    struct runs r = {.all = xcalloc(s->runs, sizeof *r.all)};

    s->group.how = *how;
    int result = group_begin(&s->group, err);
    if (result == 0)
        result = run_all(s, &r, err);
    if (result == 0)
        write_rows(s, &r);
    group_end(&s->group);
    free(r.all);
    free(r.levels);
    free(r.first);
    return result;
}
