/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates measured points in batches and sums their errors up by group. */
#include "validate/measure/measured.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The machine as the benchmark had it: a shallow copy with other scalars. */
static struct machine machine_of(const struct machine *m,
                                 const struct experiment *x)
{
    struct machine copy = *m;

    copy.network.nodes_per_rack = 0;
    if (x->other_rack)
        copy.network.nodes_per_rack =
            x->racks > 1 ? (x->nodes + x->racks - 1) / x->racks : 1;
    if (x->mps_off)
        copy.copies.mps = false;
    return copy;
}

/* Points that need the same variant of the machine are simulated together. */
static bool together(const struct experiment *a, const struct experiment *b)
{
    return a->other_rack == b->other_rack && a->mps_off == b->mps_off &&
           a->nodes == b->nodes && a->racks == b->racks;
}

/* At most this many plans are in memory at once. */
enum { BATCH = 64 };

static int simulate_batch(struct measured *f, const size_t *which, size_t n,
                          const struct machine *m, size_t max_ops,
                          const struct exec_options *o, struct err *err)
{
    struct plan plans[BATCH];
    struct timed_plan timed[BATCH];
    struct measured_point *points[BATCH];
    double times[BATCH];
    size_t made = 0;
    int result = 0;

    for (size_t i = 0; i < n && result == 0; i++) {
        struct measured_point *p = &f->points[which[i]];
        if (experiment_plan(&plans[made], m, &p->x, err) < 0) {
            result = fail_in(err, "%s:%u", f->path, p->line);
            break;
        }
        if (max_ops && plans[made].nops > max_ops) {
            plan_clear(&plans[made]);
            continue;
        }
        timed[made] =
            (struct timed_plan){&plans[made], experiment_measure_of(&p->x)};
        points[made++] = p;
    }
    if (result == 0)
        result = exec_times(times, m, timed, made, o, err);
    for (size_t i = 0; i < made; i++) {
        if (result == 0)
            points[i]->simulated_s =
                times[i] + experiment_extra_s(m, &points[i]->x);
        plan_clear(&plans[i]);
    }
    return result;
}

int measured_simulate(struct measured *f, const struct machine *m,
                      size_t max_ops, const struct exec_options *o,
                      void (*progress)(size_t, size_t), struct err *err)
{
    bool *done = xcalloc(f->npoints, sizeof *done);
    size_t ndone = 0;
    int result = 0;

    for (size_t first = 0; first < f->npoints && result == 0; first++) {
        size_t which[BATCH], n = 0;
        if (done[first])
            continue;
        const struct experiment *x = &f->points[first].x;
        for (size_t i = first; i < f->npoints && n < BATCH; i++)
            if (!done[i] && together(x, &f->points[i].x)) {
                which[n++] = i;
                done[i] = true;
            }
        struct machine variant = machine_of(m, x);
        result = simulate_batch(f, which, n, &variant, max_ops, o, err);
        ndone += n;
        if (progress)
            progress(ndone, f->npoints);
    }
    free(done);
    return result;
}

static bool below(const char *group, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(group, name, len) && (!group[len] || group[len] == '/');
}

static int summary_by_name(const void *a, const void *b)
{
    const struct error_summary *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Every name of a group and of those above it, once. */
static size_t collect_names(struct error_summary **out,
                            const struct measured *files, size_t nfiles)
{
    struct error_summary *list = NULL;
    size_t n = 0;

    for (size_t f = 0; f < nfiles; f++)
        for (size_t i = 0; i < files[f].npoints; i++) {
            char name[80];
            snprintf(name, sizeof name, "%s", files[f].points[i].group);
            for (char *cut = name; cut; cut = strrchr(name, '/')) {
                if (cut != name)
                    *cut = 0;
                bool known = false;
                for (size_t k = 0; k < n && !known; k++)
                    known = !strcmp(list[k].name, name);
                if (known)
                    continue;
                list = xrealloc(list, n + 1, sizeof *list);
                memset(&list[n], 0, sizeof *list);
                snprintf(list[n].name, sizeof list[n].name, "%s", name);
                n++;
            }
        }
    *out = list;
    return n;
}

void error_summary_of(struct error_summary *s, double *errors, size_t n)
{
    gsl_sort(errors, 1, n);
    s->points = n;
    s->median = gsl_stats_median_from_sorted_data(errors, 1, n);
    s->p90 = gsl_stats_quantile_from_sorted_data(errors, 1, n, 0.9);
}

struct error_summary *measured_summary(const struct measured *files,
                                       size_t nfiles, size_t *n)
{
    struct error_summary *list;
    size_t all = 0;

    *n = collect_names(&list, files, nfiles);
    if (*n)
        qsort(list, *n, sizeof *list, summary_by_name);
    for (size_t f = 0; f < nfiles; f++)
        all += files[f].npoints;

    double *errors = xcalloc(all, sizeof *errors);
    for (size_t k = 0; k < *n; k++) {
        size_t count = 0;
        for (size_t f = 0; f < nfiles; f++)
            for (size_t i = 0; i < files[f].npoints; i++) {
                const struct measured_point *p = &files[f].points[i];
                if (p->simulated_s > 0 && below(p->group, list[k].name))
                    errors[count++] = fabs(p->simulated_s / p->measured_s - 1);
            }
        if (count) /* else dropped below */
            error_summary_of(&list[k], errors, count);
    }
    free(errors);
    size_t kept = 0;
    for (size_t k = 0; k < *n; k++)
        if (list[k].points)
            list[kept++] = list[k];
    *n = kept;
    return list;
}
