/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for the value of one number at which another way becomes the fastest.
 */
#include "strategies/advise/why.h"

#include "base/jobs.h"

#include <math.h>
#include <stdlib.h>

/* Steps of a factor of ten to the quarter, then halving to 1 %. */
enum { STEPS = 4, HALVINGS = 6 };

struct flip_work {
    const struct advice *a;
    struct timed_ways
        one; /* one simulation at a time: parameters are several */
    bool *live;
    struct flip *flips;
    size_t *simulations; /* of each flip */
};

/* The fastest way where a parameter is so many times itself. */
static int fastest_at(size_t *way, struct flip_work *w, size_t nth,
                      double factor, struct err *err)
{
    const struct advice *a = w->a;
    double *row = draws_nominal(w->one.parameters);
    double *times_s = xcalloc(a->nways, sizeof *times_s);

    row[w->flips[nth].parameter] = factor;
    int result = draws_time(times_s, &w->one, row, 1, w->live, err);
    *way = a->order[0];
    for (size_t i = 0; i < a->n && result == 0; i++) {
        size_t at = a->order[i];
        w->simulations[nth] += w->live[at];
        if (w->live[at] && times_s[at] < times_s[*way])
            *way = at;
    }
    free(row);
    free(times_s);
    return result;
}

/* Between a factor where the choice stands and one where it does not. */
static int halve(double *factor, size_t *way, struct flip_work *w, size_t nth,
                 double stands, double falls, struct err *err)
{
    for (int i = 0; i < HALVINGS; i++) {
        double middle = sqrt(stands * falls);
        size_t at;
        if (fastest_at(&at, w, nth, middle, err) < 0)
            return -1;
        if (at == w->a->order[0]) {
            stands = middle;
        } else {
            falls = middle;
            *way = at;
        }
    }
    *factor = sqrt(stands * falls);
    return 0;
}

/* *factor is NAN where the choice stands all the way. */
static int find_one(double *factor, size_t *way, struct flip_work *w,
                    size_t nth, double far, struct err *err)
{
    double stands = 1;

    *factor = NAN;
    for (int k = 1; k <= STEPS; k++) {
        double next = pow(far, (double)k / STEPS);
        if (fastest_at(way, w, nth, next, err) < 0)
            return -1;
        if (*way != w->a->order[0])
            return halve(factor, way, w, nth, stands, next, err);
        stands = next;
    }
    return 0;
}

static int flip_nth(void *arg, unsigned worker, size_t i, struct err *err)
{
    struct flip_work *w = arg;
    struct flip *f = &w->flips[i];
    double value = w->one.parameters->list[f->parameter].value, factor;

    (void)worker;
    if (find_one(&factor, &f->way_below, w, i, 1 / WHY_FAR, err) < 0)
        return -1;
    f->below = value * factor;
    if (find_one(&factor, &f->way_above, w, i, WHY_FAR, err) < 0)
        return -1;
    f->above = value * factor;
    return 0;
}

/* Of those whose effects on the fastest two ways differ most. */
static size_t choose_flips(struct flip *flips, const struct why *w)
{
    bool *taken = xcalloc(w->n, sizeof *taken);
    size_t n = 0;

    for (; n < WHY_FLIPS && n < w->n; n++) {
        size_t most = SIZE_MAX;
        for (size_t i = 0; i < w->n; i++)
            if (!taken[i] &&
                (most == SIZE_MAX ||
                 fabs(w->list[i].first - w->list[i].second) >
                     fabs(w->list[most].first - w->list[most].second)))
                most = i;
        taken[most] = true;
        flips[n].parameter = w->list[most].parameter;
    }
    free(taken);
    return n;
}

/* Ways that were left out of draws do not win by one number's change either, it
 * is taken; the second is looked at in any case. */
static void take_rivals(bool *live, const struct advice *a)
{
    for (size_t i = 0; i < a->n && i < WHY_RIVALS; i++) {
        const struct advised_way *way = &a->ways[a->order[i]];
        live[a->order[i]] = i < 2 || way->draws == a->ndraws;
    }
}

static double nearness(const struct flip *f, const struct parameters *p)
{
    double v = p->list[f->parameter].value;

    return fmin(isnan(f->below) ? INFINITY : v / f->below,
                isnan(f->above) ? INFINITY : f->above / v);
}

static void nearest_first(struct flip *flips, size_t n,
                          const struct parameters *p)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i;
             k > 0 && nearness(&flips[k], p) < nearness(&flips[k - 1], p);
             k--) {
            struct flip swap = flips[k];
            flips[k] = flips[k - 1];
            flips[k - 1] = swap;
        }
}

int why_flips(struct why *w, const struct advice *a,
              const struct timed_ways *ways, struct err *err)
{
    struct flip_work work = {.a = a, .one = *ways};

    w->flips = xcalloc(WHY_FLIPS, sizeof *w->flips);
    w->nflips = choose_flips(w->flips, w);
    work.one.how.jobs = 1;
    work.live = xcalloc(ways->n, sizeof *work.live);
    work.flips = w->flips;
    work.simulations = xcalloc(w->nflips, sizeof *work.simulations);
    take_rivals(work.live, a);
    int result = jobs_run(w->nflips, ways->how.jobs, flip_nth, &work, err);
    for (size_t i = 0; i < w->nflips; i++)
        w->simulations += work.simulations[i];
    nearest_first(w->flips, w->nflips, ways->parameters);
    free(work.live);
    free(work.simulations);
    return result;
}
