/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes one number of a machine at a time: by a little for elasticities, by
 * much to find the numbers on which a time depends. */
#include "study/advise/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* PROBE is a change that no other cost hides, UNCHANGED the least change that
 * counts. */
#define PROBE 10.0
#define UNCHANGED 1e-9

struct prober {
    const struct advice *a;
    const struct timed_candidates *of;
    struct why *why;
    bool *live; /* the candidates that are timed */
    double *factors, *times_s;
    size_t nrows, room;
};

static bool near_first(const struct advice *a, size_t candidate)
{
    return a->candidates[candidate].time_s <=
           WHY_FAR * a->candidates[a->order[0]].time_s;
}

bool why_has_second(const struct advice *a)
{
    return advice_has_next(a) && near_first(a, advice_next(a));
}

static size_t np_of(const struct prober *p)
{
    return p->of->parameters->n;
}

/* Appends a row of ones, which the caller changes. */
static double *prober_row(struct prober *p)
{
    if (p->nrows == p->room) {
        p->room = p->room ? 2 * p->room : 16;
        p->factors =
            xrealloc(p->factors, p->room * np_of(p), sizeof *p->factors);
    }
    double *row = p->factors + p->nrows++ * np_of(p);
    for (size_t i = 0; i < np_of(p); i++)
        row[i] = 1;
    return row;
}

static double row_time(const struct prober *p, size_t row, size_t candidate)
{
    return p->times_s[row * p->of->n + candidate];
}

/* Times all rows; prober_next() removes them. */
static int prober_run(struct prober *p, struct err *err)
{
    size_t n = p->nrows * p->of->n, live = 0;

    p->times_s = xrealloc(p->times_s, n ? n : 1, sizeof *p->times_s);
    for (size_t i = 0; i < n; i++)
        p->times_s[i] = NAN;
    for (size_t i = 0; i < p->of->n; i++)
        live += p->live[i];
    p->why->simulations += p->nrows * live;
    return draws_time(p->times_s, p->of, p->factors, p->nrows, p->live, err);
}

static void prober_next(struct prober *p)
{
    p->nrows = 0;
}

/* Selects the fastest candidate, and the next that does not tie with it. */
static void prober_take(struct prober *p, bool next)
{
    memset(p->live, 0, p->of->n * sizeof *p->live);
    p->live[p->a->order[0]] = true;
    if (next)
        p->live[advice_next(p->a)] = true;
}

/* --- numbers that matter -------------------------------------------------- */

/* Parameters `from` to `to` - 1, which are all made slower together. */
struct range {
    size_t from, to;
};

static bool row_differs(const struct prober *p, size_t row)
{
    for (size_t i = 0; i < p->a->n; i++) {
        size_t candidate = p->a->order[i];
        if (p->live[candidate] &&
            !(fabs(row_time(p, row, candidate) /
                       p->a->candidates[candidate].time_s -
                   1) < UNCHANGED))
            return true;
    }
    return false;
}

static void slow_down(struct prober *p, struct range r)
{
    double *row = prober_row(p);

    for (size_t i = r.from; i < r.to; i++)
        row[i] = p->of->parameters->list[i].rate ? 1 / PROBE : PROBE;
}

/* Sequential bifurcation (Bettonvil and Kleijnen 1997): groups that change no
 * time together are discarded together, others are divided. *list gets the
 * parameters that matter alone, in ascending order. */
static int find_used(struct prober *p, size_t *list, size_t *n, struct err *err)
{
    size_t np = parameters_costs(p->of->parameters), nranges = 1;
    struct range *now = xcalloc(2 * np + 2, sizeof *now);
    struct range *next = xcalloc(2 * np + 2, sizeof *next);
    int result = 0;

    *n = 0;
    now[0] = (struct range){0, np};
    while (nranges > 0 && result == 0) {
        size_t nnext = 0;
        prober_next(p);
        for (size_t i = 0; i < nranges; i++)
            slow_down(p, now[i]);
        result = prober_run(p, err);
        for (size_t i = 0; i < nranges && result == 0; i++) {
            size_t half = (now[i].from + now[i].to) / 2;
            if (!row_differs(p, i))
                continue;
            if (now[i].to - now[i].from == 1) {
                list[(*n)++] = now[i].from;
                continue;
            }
            next[nnext++] = (struct range){now[i].from, half};
            next[nnext++] = (struct range){half, now[i].to};
        }
        struct range *swap = now;
        now = next;
        next = swap;
        nranges = nnext;
    }
    free(now);
    free(next);
    return result;
}

/* --- elasticities --------------------------------------------------------- */

static double most_of(const struct elasticity *e)
{
    return fmax(isnan(e->first) ? 0 : fabs(e->first),
                isnan(e->less) ? 0 : fabs(e->less));
}

static int by_effect(const void *a, const void *b)
{
    const struct elasticity *x = a, *y = b;
    double ex = most_of(x), ey = most_of(y);

    if (ex != ey)
        return ex > ey ? -1 : 1;
    return x->parameter < y->parameter ? -1 : x->parameter > y->parameter;
}

/* Returns the effect in percent; a difference by rounding is 0. */
static double effect(const struct prober *p, size_t row, size_t candidate)
{
    double part =
        row_time(p, row, candidate) / p->a->candidates[candidate].time_s - 1;

    return fabs(part) < UNCHANGED ? 0 : 100 * part;
}

static double slope(double more, double less)
{
    return isnan(more) ? -less : isnan(less) ? more : (more - less) / 2;
}

static void share_doubt(struct why *w, const struct parameters *p)
{
    double all = 0, most = 0;

    for (size_t i = 0; i < w->n; i++) {
        struct elasticity *e = &w->list[i];
        double s = spread_sigma(&p->list[e->parameter].spread);
        e->share = pow(
            s * (slope(e->first, e->less) - slope(e->second, e->second_less)),
            2);
        if (!isnan(e->share))
            all += e->share;
    }
    w->benchmarks = SIZE_MAX;
    for (size_t i = 0; i < w->n; i++) {
        struct elasticity *e = &w->list[i];
        e->share = all > 0 ? e->share / all : NAN;
        if (!(e->share > most))
            continue;
        most = e->share;
        w->benchmarks = e->parameter;
        w->benchmarks_share = most;
    }
}

static struct elasticity elasticity_of(const struct prober *p, size_t row,
                                       size_t parameter)
{
    size_t first = p->a->order[0];
    struct elasticity e = {.parameter = parameter,
                           .first = effect(p, row, first),
                           .less = effect(p, row + 1, first),
                           .second = NAN,
                           .second_less = NAN};

    if (why_has_second(p->a)) {
        e.second = effect(p, row, advice_next(p->a));
        e.second_less = effect(p, row + 1, advice_next(p->a));
    }
    return e;
}

static int find_elasticities(struct prober *p, struct why *w,
                             const size_t *used, size_t n, struct err *err)
{
    prober_next(p);
    for (size_t i = 0; i < n; i++) {
        prober_row(p)[used[i]] = WHY_MORE;
        prober_row(p)[used[i]] = WHY_LESS;
    }
    if (prober_run(p, err) < 0)
        return -1;
    w->list = xcalloc(n, sizeof *w->list);
    w->n = n;
    w->rest = parameters_costs(p->of->parameters) - n;
    w->limits = p->of->parameters->n - n - w->rest;
    for (size_t i = 0; i < n; i++)
        w->list[i] = elasticity_of(p, 2 * i, used[i]);
    share_doubt(w, p->of->parameters);
    qsort(w->list, n, sizeof *w->list, by_effect);
    return 0;
}

int why_find(struct why *w, const struct advice *a,
             const struct timed_candidates *candidates, struct err *err)
{
    struct timed_candidates exact = *candidates;
    struct prober p = {.a = a, .of = candidates, .why = w};
    size_t *used = xcalloc(candidates->parameters->n, sizeof *used), n = 0;

    *w = (struct why){.benchmarks = SIZE_MAX};
    p.live = xcalloc(candidates->n, sizeof *p.live);
    prober_take(&p, why_has_second(a));
    int result = find_used(&p, used, &n, err);
    exact.exact = true;
    p.of = &exact;
    if (result == 0)
        result = find_elasticities(&p, w, used, n, err);
    if (result == 0)
        result = why_tied(w, a, &exact, err);
    if (result == 0 && why_has_second(a))
        result = why_break_evens(w, a, &exact, err);
    free(used);
    free(p.live);
    free(p.factors);
    free(p.times_s);
    if (result < 0)
        why_clear(w);
    return result;
}

void why_clear(struct why *w)
{
    for (size_t i = 0; i < w->ntied; i++)
        free(w->tied[i].list);
    free(w->tied);
    free(w->list);
    free(w->break_evens);
    *w = (struct why){0};
}
