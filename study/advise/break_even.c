/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for break-even values: the value of one number at which another
 * candidate becomes the fastest. */
#include "study/advise/why.h"

#include "base/faster.h"
#include "base/jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* STEPS steps of a quarter of a factor of ten, then bisections to 1 %. */
enum { STEPS = 4, HALVINGS = 6 };

struct break_even_work {
    const struct advice *a;
    /* It runs one simulation at a time, because searches run in parallel. */
    struct timed_candidates one;
    bool *live;
    struct break_even *break_evens;
    size_t *simulations; /* simulations of each search */
};

/* One search. It has its own set of candidates, because those that turn out to
 * win are added. */
struct break_even_search {
    struct break_even_work *of;
    size_t nth;
    bool *live;
};

/* Returns the value with four digits, as it is printed. */
static double printed(double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

static bool is_single(const struct parameter *p)
{
    return p->nplaces == 1 && !p->shares;
}

/* Returns a multiple of a parameter; that of a single number has four
 * digits. */
static double printed_value(const struct parameter *p, double factor)
{
    return is_single(p) ? printed(p->value * factor) : p->value * factor;
}

static double printed_factor(const struct parameter *p, double factor)
{
    return is_single(p) ? printed_value(p, factor) / p->value : printed(factor);
}

/* Returns the fastest of the timed candidates, SIZE_MAX if none can be run. A
 * candidate that is faster than the first only by rounding does not count. */
static size_t fastest_of(const struct advice *a, const double *times_s)
{
    size_t first = a->order[0], candidate = SIZE_MAX;

    for (size_t i = 1; i < a->n; i++) {
        size_t at = a->order[i];
        if (!isnan(times_s[at]) &&
            (candidate == SIZE_MAX || times_s[at] < times_s[candidate]))
            candidate = at;
    }
    if (isnan(times_s[first]))
        return candidate;
    return candidate != SIZE_MAX && faster(times_s[candidate], times_s[first])
               ? candidate
               : first;
}

/* Sets *way to the fastest candidate of `live` if the parameter is multiplied
 * by the factor; SIZE_MAX if there is no such machine. */
static int fastest_at(size_t *candidate, const struct break_even_search *s,
                      const bool *live, double factor, struct err *err)
{
    struct break_even_work *w = s->of;
    const struct advice *a = w->a;
    double *row = draws_nominal(w->one.parameters);
    double *times_s = xcalloc(a->nways, sizeof *times_s);

    for (size_t i = 0; i < a->nways; i++) {
        times_s[i] = NAN;
        w->simulations[s->nth] += live[i];
    }
    row[w->break_evens[s->nth].parameter] = factor;
    int result = draws_time(times_s, &w->one, row, 1, live, err);
    *candidate = result < 0 ? SIZE_MAX : fastest_of(a, times_s);
    free(row);
    free(times_s);
    return result;
}

/* Bisects between a factor at which the choice stands and one at which it does
 * not. */
static int halve(const struct break_even_search *s, double *stands,
                 double *falls, struct err *err)
{
    const struct break_even_work *w = s->of;
    const struct parameter *p =
        &w->one.parameters->list[w->break_evens[s->nth].parameter];

    for (int i = 0; i < HALVINGS; i++) {
        double middle = printed_factor(p, sqrt(*stands * *falls));
        size_t at;
        if (fastest_at(&at, s, s->live, middle, err) < 0)
            return -1;
        *(at == w->a->order[0] || at == SIZE_MAX ? stands : falls) = middle;
    }
    return 0;
}

/* Returns 1 if the choice changes between *stands and *falls, and 0 if it
 * stands up to `far`, or as far as machines exist. */
static int find_change(const struct break_even_search *s, double far,
                       double *stands, double *falls, struct err *err)
{
    const struct break_even_work *w = s->of;
    const struct parameter *p =
        &w->one.parameters->list[w->break_evens[s->nth].parameter];

    *stands = 1;
    for (int k = 1; k <= STEPS; k++) {
        size_t candidate;
        *falls = printed_factor(p, pow(far, (double)k / STEPS));
        if (fastest_at(&candidate, s, s->live, *falls, err) < 0)
            return -1;
        if (candidate == SIZE_MAX)
            return 0;
        if (candidate != w->a->order[0])
            return halve(s, stands, falls, err) < 0 ? -1 : 1;
        *stands = *falls;
    }
    return 0;
}

/* Selects the candidates that can win within the factor, because a time changes
 * at most by the factor of the number. */
static void take_reachable(bool *near, const struct advice *a, double factor)
{
    double most = 1.01 * fmax(factor, 1 / factor);

    for (size_t i = 0; i < a->n; i++)
        near[a->order[i]] = a->candidates[a->order[i]].time_s <=
                            most * a->candidates[a->order[0]].time_s;
}

/* Finds the nearest change in one direction. If the choice stands among the
 * compared candidates, another one may still be the fastest; then that one is
 * compared from then on. */
static int find_side_of(struct break_even_side *side,
                        const struct break_even_search *s, double far,
                        bool *near, struct err *err)
{
    const struct advice *a = s->of->a;
    size_t other = a->order[0];
    double stands, falls;
    int changes;

    *side = (struct break_even_side){NAN, NAN, 0};
    do {
        changes = find_change(s, far, &stands, &falls, err);
        if (changes <= 0)
            return changes;
        take_reachable(near, a, falls);
        if (fastest_at(&other, s, near, stands, err) < 0)
            return -1;
        if (other != a->order[0] && other != SIZE_MAX && s->live[other])
            return 0; /* a tie but for rounding */
        if (other != SIZE_MAX)
            s->live[other] = true;
    } while (other != a->order[0] && other != SIZE_MAX);
    if (fastest_at(&side->candidate, s, near, falls, err) < 0)
        return -1;
    side->factor = falls;
    return 0;
}

static int find_side(struct break_even_side *side,
                     const struct break_even_search *s, double far,
                     struct err *err)
{
    bool *near = xcalloc(s->of->a->nways, sizeof *near);
    int result = find_side_of(side, s, far, near, err);

    free(near);
    return result;
}

static int break_even_nth(void *arg, unsigned worker, size_t i, struct err *err)
{
    struct break_even_work *w = arg;
    struct break_even *f = &w->break_evens[i];
    struct break_even_search s = {w, i, xcalloc(w->a->nways, sizeof *s.live)};
    const struct parameter *p = &w->one.parameters->list[f->parameter];

    (void)worker;
    memcpy(s.live, w->live, w->a->nways * sizeof *s.live);
    int result = find_side(&f->below, &s, 1 / WHY_FAR, err);
    if (result == 0)
        result = find_side(&f->above, &s, WHY_FAR, err);
    f->below.value = printed_value(p, f->below.factor);
    f->above.value = printed_value(p, f->above.factor);
    free(s.live);
    return result;
}

/* Returns the difference of the effects of a percent on the first two
 * candidates: of more of it, or of less. */
static double differs(const struct elasticity *e)
{
    double more = fabs(e->first - e->second);
    double less = fabs(e->less - e->second_less);

    return fmax(isnan(more) ? 0 : more, isnan(less) ? 0 : less);
}

/* Chooses the parameters whose effects on the two fastest candidates differ
 * most. */
static size_t choose_break_evens(struct break_even *break_evens,
                                 const struct why *w)
{
    bool *taken = xcalloc(w->n, sizeof *taken);
    size_t n = 0;

    for (; n < WHY_BREAK_EVENS && n < w->n; n++) {
        size_t most = SIZE_MAX;
        for (size_t i = 0; i < w->n; i++)
            if (!taken[i] && (most == SIZE_MAX ||
                              differs(&w->list[i]) > differs(&w->list[most])))
                most = i;
        taken[most] = true;
        break_evens[n].parameter = w->list[most].parameter;
    }
    free(taken);
    return n;
}

/* Selects the rivals of the fastest. Candidates that were left out of draws are
 * assumed not to win by a change of one number either, but the next one is
 * compared in any case. */
static void take_rivals(bool *live, const struct advice *a)
{
    for (size_t i = 0; i < a->n && i < WHY_RIVALS; i++) {
        const struct advised_candidate *candidate = &a->candidates[a->order[i]];
        live[a->order[i]] = i <= a->tied || candidate->draws == a->ndraws;
    }
}

static double nearness(const struct break_even *f)
{
    return fmin(isnan(f->below.factor) ? INFINITY : 1 / f->below.factor,
                isnan(f->above.factor) ? INFINITY : f->above.factor);
}

static void nearest_first(struct break_even *break_evens, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i;
             k > 0 && nearness(&break_evens[k]) < nearness(&break_evens[k - 1]);
             k--) {
            struct break_even swap = break_evens[k];
            break_evens[k] = break_evens[k - 1];
            break_evens[k - 1] = swap;
        }
}

int why_break_evens(struct why *w, const struct advice *a,
                    const struct timed_candidates *candidates, struct err *err)
{
    struct break_even_work work = {.a = a, .one = *candidates};

    w->break_evens = xcalloc(WHY_BREAK_EVENS, sizeof *w->break_evens);
    w->nflips = choose_break_evens(w->break_evens, w);
    work.one.how.jobs = 1;
    work.live = xcalloc(candidates->n, sizeof *work.live);
    work.break_evens = w->break_evens;
    work.simulations = xcalloc(w->nflips, sizeof *work.simulations);
    take_rivals(work.live, a);
    int result =
        jobs_run(w->nflips, candidates->how.jobs, break_even_nth, &work, err);
    for (size_t i = 0; i < w->nflips; i++)
        w->simulations += work.simulations[i];
    nearest_first(w->break_evens, w->nflips);
    free(work.live);
    free(work.simulations);
    return result;
}
