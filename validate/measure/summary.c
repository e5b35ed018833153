/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates measured points in batches and summarises their errors by group. */
#include "validate/measure/measured.h"

#include "base/jobs.h"
#include "validate/measure/baseline.h"
#include "validate/measure/library_call.h"
#include "validate/measure/placed.h"
#include "validate/measure/benchmark.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the machine as the benchmark had it: a shallow copy with other
 * scalars. */
static struct machine machine_of(const struct machine *m,
                                 const struct experiment *x)
{
    struct machine copy = x->placed ? x->placed->machine : *m;

    if (x->placed)
        return copy;
    copy.network.nodes_per_rack = 0;
    if (x->other_rack)
        copy.network.nodes_per_rack =
            x->racks > 1 ? (x->nodes + x->racks - 1) / x->racks : 1;
    if (x->of->mps)
        copy.copies.mps = !x->mps_off;
    return copy;
}

/* Returns whether two points need the same variant of the machine, so that they
 * can be simulated together. */
static bool together(const struct experiment *a, const struct experiment *b)
{
    return a->other_rack == b->other_rack && a->mps_off == b->mps_off &&
           a->nodes == b->nodes && a->racks == b->racks &&
           a->placed == b->placed;
}

/* At most this many plans are in memory at once. Plans of more operations are
 * simulated to AUTO_TOLERANCE, unless an accuracy is requested, because an
 * all-to-all of 128 is then 40 times faster, and less than 0.1 % off. */
enum { BATCH = 64, EXACT_OPS = 4000 };

/* Simulates the plans that have more operations than EXACT_OPS, or the
 * others. */
static int simulate_some(double *times, const struct timed_plan *timed,
                         size_t n, bool large, const struct machine *m,
                         const struct exec_options *o, struct err *err)
{
    struct exec_options own = o ? *o : exec_defaults;
    struct timed_plan some[BATCH];
    double of_some[BATCH];
    size_t count = 0;

    if (large && own.accuracy == ACCURACY_AUTO)
        own.accuracy = AUTO_TOLERANCE;
    for (size_t i = 0; i < n; i++)
        if ((timed[i].plan->nops > EXACT_OPS) == large)
            some[count++] = timed[i];
    if (count && exec_times(of_some, m, some, count, &own, err) < 0)
        return -1;
    count = 0;
    for (size_t i = 0; i < n; i++)
        if ((timed[i].plan->nops > EXACT_OPS) == large)
            times[i] = of_some[count++];
    return 0;
}

/* Makes the plans of the points (n, at most BATCH) that have one of at most
 * max_ops operations (0 for any), moves these points to the front, and returns
 * their number. */
static size_t plans_make(struct plan *plans, struct measured_point **points,
                         size_t n, const struct machine *m, size_t max_ops)
{
    size_t made = 0;

    for (size_t i = 0; i < n; i++) {
        struct err err = {0};
        if (experiment_plan(&plans[made], m, &points[i]->x, &err) < 0) {
            snprintf(points[i]->why, sizeof points[i]->why, "%.159s", err.text);
            continue;
        }
        if (max_ops && plans[made].nops > max_ops) {
            plan_clear(&plans[made]);
            continue;
        }
        points[made++] = points[i];
    }
    return made;
}

/* Simulates the plans; if one of several fails, each is simulated alone, so
 * that the others do not fail. */
static int simulate_plans(double *times, const struct timed_plan *timed,
                          struct measured_point **points, size_t n,
                          const struct machine *m, const struct exec_options *o,
                          struct err *err)
{
    if (simulate_some(times, timed, n, false, m, o, err) == 0 &&
        simulate_some(times, timed, n, true, m, o, err) == 0)
        return 0;
    for (size_t i = 0; i < n && err->kind == ERR_INPUT; i++) {
        bool large = timed[i].plan->nops > EXACT_OPS;
        if (simulate_some(&times[i], &timed[i], 1, large, m, o, err) == 0)
            continue;
        snprintf(points[i]->why, sizeof points[i]->why, "%.159s", err->text);
    }
    return err->kind == ERR_INPUT ? 0 : -1;
}

static int simulate_batch(struct measured *f, const size_t *which, size_t n,
                          const struct machine *m, size_t max_ops,
                          const struct exec_options *o, struct err *err)
{
    struct plan plans[BATCH];
    struct timed_plan timed[BATCH];
    struct measured_point *points[BATCH];
    double times[BATCH];

    for (size_t i = 0; i < n; i++)
        points[i] = &f->points[which[i]];
    size_t made = plans_make(plans, points, n, m, max_ops);
    for (size_t i = 0; i < made; i++)
        timed[i] = (struct timed_plan){&plans[i],
                                       experiment_measure_of(&points[i]->x)};
    int result = simulate_plans(times, timed, points, made, m, o, err);
    for (size_t i = 0; i < made; i++) {
        if (result == 0 && !*points[i]->why) {
            points[i]->simulated_s =
                times[i] + experiment_extra_s(m, &points[i]->x);
            points[i]->baseline_s =
                baseline_s(f, (size_t)(points[i] - f->points), m, &plans[i]);
        }
        plan_clear(&plans[i]);
    }
    return result;
}

/* The points of calls by a library's choice, which are no plans in batches. */
struct calls {
    struct measured_point **points;
    size_t n;
    const struct machine *m;
    const struct exec_options *o;
};

static int simulate_call(void *arg, unsigned worker, size_t i, struct err *err)
{
    const struct calls *c = arg;
    struct measured_point *p = c->points[i];
    struct library_call call;

    (void)worker;
    if (library_call_run(&call, c->m, &p->x, c->o, err) == 0) {
        p->simulated_s = call.time_s;
        p->baseline_s = library_call_baseline(c->m, &p->x);
        return 0;
    }
    snprintf(p->why, sizeof p->why, "%.159s", err->text);
    return err->kind == ERR_INPUT ? 0 : -1;
}

/* Simulates the calls, and marks them as done. */
static int simulate_calls(struct measured *f, bool *done,
                          const struct machine *m, const struct exec_options *o,
                          struct err *err)
{
    struct calls c = {.points = xcalloc(f->npoints + 1, sizeof(void *)),
                      .m = m,
                      .o = o ? o : &exec_defaults};

    for (size_t i = 0; i < f->npoints; i++)
        if (f->points[i].x.of == &library_call_benchmark) {
            c.points[c.n++] = &f->points[i];
            done[i] = true;
        }
    int result = jobs_run(c.n, c.o->jobs, simulate_call, &c, err);
    free(c.points);
    return result;
}

int measured_simulate_some(struct measured *f, const struct machine *m,
                           size_t max_ops, const struct exec_options *o,
                           void (*progress)(size_t, size_t), struct err *err)
{
    bool *done = xcalloc(f->npoints, sizeof *done);
    size_t ndone = 0;
    int result = 0;

    for (size_t i = 0; i < f->npoints; i++) {
        *f->points[i].why = 0;
        f->points[i].simulated_s = 0;
    }
    result = simulate_calls(f, done, m, o, err);
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

int measured_simulate(struct measured *f, const struct machine *m,
                      size_t max_ops, const struct exec_options *o,
                      void (*progress)(size_t, size_t), struct err *err)
{
    if (measured_simulate_some(f, m, max_ops, o, progress, err) < 0)
        return -1;
    for (size_t i = 0; i < f->npoints; i++)
        if (*f->points[i].why)
            return fail(err, "%s:%u: %s", f->path, f->points[i].line,
                        f->points[i].why);
    return 0;
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

/* Collects every name of a group and of those above it, once. */
static size_t collect_names(struct error_summary **out,
                            const struct measured *files, size_t nfiles)
{
    struct error_summary *list = NULL;
    size_t n = 0;

    for (size_t f = 0; f < nfiles; f++)
        for (size_t i = 0; i < files[f].npoints; i++) {
            char name[264];
            snprintf(name, sizeof name, "%s", files[f].points[i].name);
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
    s->bias = gsl_stats_median_from_sorted_data(errors, 1, n);
    s->worst = errors[n - 1] >= -errors[0] ? errors[n - 1] : errors[0];
    for (size_t i = 0; i < n; i++)
        errors[i] = fabs(errors[i]);
    gsl_sort(errors, 1, n);
    s->median = gsl_stats_median_from_sorted_data(errors, 1, n);
    s->p90 = gsl_stats_quantile_from_sorted_data(errors, 1, n, 0.9);
}

static double median_of(double *v, size_t n)
{
    if (!n)
        return NAN;
    gsl_sort(v, 1, n);
    return gsl_stats_median_from_sorted_data(v, 1, n);
}

/* Room for one number of each row. */
struct numbers {
    double *errors, *noises, *baselines;
    size_t nerrors, nnoises, nbaselines;
};

/* Adds the noise of a point's repeats to that of its group. */
static void add_noises(struct numbers *v, const struct measured *f, size_t i)
{
    const struct measured_point *p = &f->points[i];

    if (p->nrows < 2 && !isnan(p->noise))
        v->noises[v->nnoises++] = p->noise;
    for (size_t k = 0; p->nrows > 1 && f->rows_s && k < p->nrows; k++)
        v->noises[v->nnoises++] = fabs(f->rows_s[i][k] / p->measured_s - 1);
}

static void summarise(struct error_summary *s, struct numbers *v,
                      const struct measured *files, size_t nfiles)
{
    v->nerrors = v->nnoises = v->nbaselines = 0;
    for (size_t f = 0; f < nfiles; f++)
        for (size_t i = 0; i < files[f].npoints; i++) {
            const struct measured_point *p = &files[f].points[i];
            if (!(p->simulated_s > 0) || !below(p->name, s->name))
                continue;
            v->errors[v->nerrors++] = p->simulated_s / p->measured_s - 1;
            if (!isnan(p->baseline_s))
                v->baselines[v->nbaselines++] =
                    fabs(p->baseline_s / p->measured_s - 1);
            add_noises(v, &files[f], i);
        }
    if (!v->nerrors) /* the caller drops it */
        return;
    error_summary_of(s, v->errors, v->nerrors);
    s->noise = median_of(v->noises, v->nnoises);
    s->baseline = median_of(v->baselines, v->nbaselines);
}

struct error_summary *measured_summary(const struct measured *files,
                                       size_t nfiles, size_t *n)
{
    struct error_summary *list;
    size_t points = 0, rows = 0, kept = 0;

    *n = collect_names(&list, files, nfiles);
    if (*n)
        qsort(list, *n, sizeof *list, summary_by_name);
    for (size_t f = 0; f < nfiles; f++)
        for (size_t i = 0; i < files[f].npoints; i++) {
            points++;
            rows += files[f].points[i].nrows;
        }
    struct numbers v = {.errors = xcalloc(points, sizeof(double)),
                        .noises = xcalloc(rows, sizeof(double)),
                        .baselines = xcalloc(points, sizeof(double))};
    for (size_t k = 0; k < *n; k++)
        summarise(&list[k], &v, files, nfiles);
    free(v.errors);
    free(v.noises);
    free(v.baselines);
    for (size_t k = 0; k < *n; k++)
        if (list[k].points)
            list[kept++] = list[k];
    *n = kept;
    return list;
}
