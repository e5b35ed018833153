/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the numbers that are bottlenecks together: none of them alone makes the
 * fastest candidate faster. */
#include "study/advise/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NOTICED is the least effect, in percent, of one percent of a parameter that
 * counts. A parameter is held back by others if its gain is less than HELD_BACK
 * of its loss. */
#define NOTICED 0.1
#define HELD_BACK 0.5
enum { MOST_TIED = 8 };

struct tied_work {
    const struct advice *a;
    const struct timed_candidates *of;
    bool *live;
    size_t list[MOST_TIED]; /* parameters that are held back */
    size_t n;
    struct why *why;
};

double why_better(const struct parameter *p)
{
    return p->rate ? WHY_MORE : WHY_LESS;
}

/* Computes by how many percent the fastest candidate becomes faster with a
 * percent of each chosen parameter. */
static int gain(double *percent, const struct tied_work *w, const bool *chosen,
                struct err *err)
{
    const struct parameters *p = w->of->parameters;
    size_t first = w->a->order[0];
    double *row = draws_nominal(p);
    double *times_s = xcalloc(w->a->nways, sizeof *times_s);

    for (size_t i = 0; i < w->n; i++)
        if (chosen[i])
            row[w->list[i]] = why_better(&p->list[w->list[i]]);
    int result = draws_time(times_s, w->of, row, 1, w->live, err);
    *percent = 100 * (1 - times_s[first] / w->a->candidates[first].time_s);
    w->why->simulations++;
    free(times_s);
    free(row);
    return result;
}

/* Computes the part that one of the chosen adds to the gain of the others. */
static int added(double *percent, const struct tied_work *w, bool *chosen,
                 size_t one, struct err *err)
{
    double with, without;

    if (gain(&with, w, chosen, err) < 0)
        return -1;
    chosen[one] = false;
    int result = gain(&without, w, chosen, err);
    chosen[one] = true;
    *percent = with - without;
    return result;
}

/* Removes parameters as long as `one` adds almost as much as with all. */
static int fewest(bool *chosen, const struct tied_work *w, size_t one,
                  double all, struct err *err)
{
    for (size_t i = 0; i < w->n; i++) {
        double left;
        if (i == one || !chosen[i])
            continue;
        chosen[i] = false;
        if (added(&left, w, chosen, one, err) < 0)
            return -1;
        chosen[i] = !(left > 0.9 * all);
    }
    return 0;
}

static int add_tied(const struct tied_work *w, const bool *chosen, double alone,
                    struct err *err)
{
    struct why *why = w->why;
    struct tied one = {.alone = alone};
    double percent;

    if (gain(&percent, w, chosen, err) < 0)
        return -1;
    one.first = -percent;
    one.list = xcalloc(w->n, sizeof *one.list);
    for (size_t i = 0; i < w->n; i++)
        if (chosen[i])
            one.list[one.n++] = w->list[i];
    why->tied = xrealloc(why->tied, why->ntied + 1, sizeof *why->tied);
    why->tied[why->ntied++] = one;
    return 0;
}

/* Returns the gain of a parameter alone, in percent. */
static double alone_of(const struct why *w, const struct parameters *p,
                       size_t parameter)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->list[i].parameter == parameter)
            return p->list[parameter].rate ? -w->list[i].first
                                           : -w->list[i].less;
    return 0;
}

/* Finds the group that holds a parameter back, if it is a group. */
static int find_tied(const struct tied_work *w, bool *done, size_t one,
                     struct err *err)
{
    bool chosen[MOST_TIED];
    double all, alone = 0;
    size_t n = 0;

    for (size_t i = 0; i < MOST_TIED; i++)
        chosen[i] = i < w->n;
    if (added(&all, w, chosen, one, err) < 0)
        return -1;
    done[one] = true;
    if (!(all > NOTICED + alone_of(w->why, w->of->parameters, w->list[one])))
        return 0;
    if (fewest(chosen, w, one, all, err) < 0)
        return -1;
    for (size_t i = 0; i < w->n; i++) {
        n += chosen[i];
        done[i] |= chosen[i];
        if (chosen[i])
            alone =
                fmax(alone, alone_of(w->why, w->of->parameters, w->list[i]));
    }
    return n < 2 ? 0 : add_tied(w, chosen, alone, err);
}

/* Finds the parameters whose increase costs time, but whose decrease gains much
 * less. */
static void find_held_back(struct tied_work *w)
{
    for (size_t i = 0; i < w->why->n && w->n < MOST_TIED; i++) {
        const struct elasticity *e = &w->why->list[i];
        const struct parameter *p = &w->of->parameters->list[e->parameter];
        double worse = p->rate ? e->less : e->first;
        double better = p->rate ? -e->first : -e->less;
        if (!p->shares && worse > NOTICED && better < HELD_BACK * worse)
            w->list[w->n++] = e->parameter;
    }
}

int why_tied(struct why *w, const struct advice *a,
             const struct timed_candidates *candidates, struct err *err)
{
    struct tied_work work = {.a = a, .of = candidates, .why = w};
    bool done[MOST_TIED] = {false};
    int result = 0;

    find_held_back(&work);
    if (work.n < 2)
        return 0;
    work.live = xcalloc(candidates->n, sizeof *work.live);
    work.live[a->order[0]] = true;
    for (size_t i = 0; i < work.n && result == 0; i++)
        if (!done[i])
            result = find_tied(&work, done, i, err);
    free(work.live);
    return result;
}
