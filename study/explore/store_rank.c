/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks the runs of a database: finds those that do the same work, and the best
 * of each work. */
#include "study/explore/store_read.h"

#include "study/run/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the same work -------------------------------------------------------- */

/* Returns whether the value of an axis is part of the work. */
static bool axis_is_work(const struct axis *a, bool grows)
{
    return a->option && (opt_in_list(REQUEST_WORK, a->option) ||
                         (grows && opt_in_list(REQUEST_WORK_SIZE, a->option)));
}

static bool run_grows(const struct stored_run *r)
{
    struct err ignored; /* the run failed because of it */
    const struct workload *w =
        r->run.workload ? workload_find(r->run.workload, &ignored) : NULL;

    return w && workload_grows(w);
}

bool stored_axis_is_work(const struct stored *t, size_t axis)
{
    const struct axis *a = &t->space.axes[axis];
    bool is_work = axis_is_work(a, false);

    if (is_work || !axis_is_work(a, true))
        return is_work;
    for (size_t i = 0; i < t->nruns && !is_work; i++)
        is_work = run_grows(&t->runs[i]);
    return is_work;
}

struct works {
    const struct stored *t;
    const bool *grows; /* one per run */
};

/* Orders runs by the values of those axes that are part of the work. */
static int compare_work(const struct works *w, size_t i, size_t k)
{
    const struct space *s = &w->t->space;

    for (size_t a = 0; a < s->naxes; a++) {
        bool of_i = axis_is_work(&s->axes[a], w->grows[i]);
        bool of_k = axis_is_work(&s->axes[a], w->grows[k]);
        int order = strcmp(of_i ? w->t->runs[i].values[a] : "",
                           of_k ? w->t->runs[k].values[a] : "");
        if (order)
            return order;
    }
    return 0;
}

static int by_work(const void *a, const void *b, void *arg)
{
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    int order = compare_work(arg, i, k);

    return order ? order : i < k ? -1 : i > k;
}

/* Gives each work a number, in the order of its first run. */
static void number_works(struct stored *t, const struct works *w,
                         const size_t *order)
{
    size_t *first = xcalloc(t->nruns, sizeof *first);

    for (size_t i = 0, begin = 0; i < t->nruns; i++) {
        if (compare_work(w, order[begin], order[i]) != 0)
            begin = i;
        first[order[i]] = order[begin];
    }
    t->nworks = 0;
    for (size_t i = 0; i < t->nruns; i++)
        t->runs[i].work = first[i] == i ? t->nworks++ : t->runs[first[i]].work;
    free(first);
}

void stored_find_works(struct stored *t)
{
    bool several = false;

    t->nworks = 1;
    for (size_t a = 0; a < t->space.naxes; a++)
        several |= axis_is_work(&t->space.axes[a], true);
    if (!several || !t->nruns)
        return;
    bool *grows = xcalloc(t->nruns, sizeof *grows);
    size_t *order = xcalloc(t->nruns, sizeof *order);
    struct works w = {t, grows};
    for (size_t i = 0; i < t->nruns; i++) {
        grows[i] = run_grows(&t->runs[i]);
        order[i] = i;
    }
    qsort_r(order, t->nruns, sizeof *order, by_work, &w);
    number_works(t, &w, order);
    free(order);
    free(grows);
}

/* --- ranking -------------------------------------------------------------- */

double stored_objective(const struct stored_run *r, enum objective o)
{
    return r->run.error ? NAN : r->run.values[objective_fields[o]];
}

double *stored_best(const struct stored *s, enum objective o)
{
    double *best = xcalloc(s->nworks, sizeof *best);

    for (size_t i = 0; i < s->nworks; i++)
        best[i] = NAN;
    for (size_t i = 0; i < s->nruns; i++) {
        const struct stored_run *r = &s->runs[i];
        best[r->work] = fmin(best[r->work], stored_objective(r, o));
    }
    return best;
}

double stored_times(double value, double best)
{
    return value == best ? 1 : value / best;
}

struct ranking {
    const struct stored *t;
    enum objective by;
};

/* Orders runs by work, then by objective; of equal runs the first in the
 * database comes first. */
static int by_objective(const void *a, const void *b, void *arg)
{
    const struct ranking *r = arg;
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    const struct stored_run *a_run = &r->t->runs[i], *b_run = &r->t->runs[k];
    double x = stored_objective(a_run, r->by);
    double y = stored_objective(b_run, r->by);

    if (a_run->work != b_run->work)
        return a_run->work < b_run->work ? -1 : 1;
    if (x != y)
        return x < y ? -1 : 1;
    return i < k ? -1 : i > k;
}

size_t *stored_ranked(const struct stored *s, enum objective o, size_t *n)
{
    size_t *list = xcalloc(s->nruns + 1, sizeof *list);
    struct ranking r = {s, o};

    *n = 0;
    for (size_t i = 0; i < s->nruns; i++)
        if (!isnan(stored_objective(&s->runs[i], o)))
            list[(*n)++] = i;
    qsort_r(list, *n, sizeof *list, by_objective, &r);
    return list;
}

/* Returns whether run a is at least as good as b in all objectives, and better
 * in one. */
static bool beats(const struct stored *s, const struct stored_run *a,
                  const struct stored_run *b)
{
    bool better = false;

    for (size_t i = 0; i < s->space.nobjectives; i++) {
        double x = stored_objective(a, s->space.objectives[i]);
        double y = stored_objective(b, s->space.objectives[i]);
        if (!(x <= y))
            return false;
        better |= x < y;
    }
    return better;
}

/* Adds a run to the Pareto-optimal ones of its work, list[first] to list[n -
 * 1], and returns the new n. Runs come in the order of the first objective, so
 * that a later run dominates an earlier one only if both are equal in it;
 * therefore the new run is compared with the list, and the list with it. */
static size_t pareto_add(const struct stored *s, size_t *list, size_t first,
                         size_t n, size_t run)
{
    const struct stored_run *r = &s->runs[run];
    size_t kept = first;

    for (size_t k = first; k < n; k++)
        if (beats(s, &s->runs[list[k]], r))
            return n;
    for (size_t k = first; k < n; k++)
        if (!beats(s, r, &s->runs[list[k]]))
            list[kept++] = list[k];
    list[kept++] = run;
    return kept;
}

size_t *stored_pareto(const struct stored *s, size_t *n)
{
    size_t all, *list = stored_ranked(s, s->space.objectives[0], &all);
    size_t first = 0;

    *n = 0;
    for (size_t i = 0; i < all; i++) {
        size_t run = list[i];
        if (*n && s->runs[list[*n - 1]].work != s->runs[run].work)
            first = *n;
        *n = pareto_add(s, list, first, *n, run);
    }
    return list;
}
