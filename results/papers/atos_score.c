/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores simulated cells of Chen et al. 2022 by errors and by winners. */
#include "results/papers/atos_score.h"

#include "base/doubles.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double near_factor = 1.3, tie = 1.1, apart = 1.05;

static double ms(const struct cell *c, bool printed)
{
    return !c ? NAN : printed ? c->printed_ms : c->ms;
}

static bool comparable(const struct cell *a, const struct cell *b, bool printed)
{
    return printed || (a && b && cells_same_scale(a->scale, b->scale));
}

double atos_speedup(const struct cells *c, const struct cell_key *k,
                    bool printed)
{
    const struct cell *one =
        cells_find(c, k->application, k->machine, k->framework, k->graph, 1);
    const struct cell *this = cells_find(c, k->application, k->machine,
                                         k->framework, k->graph, k->gpus);

    return comparable(one, this, printed) ? ms(one, printed) / ms(this, printed)
                                          : NAN;
}

const struct cell *atos_winner(const struct cells *c,
                               const struct study_choice *x,
                               const struct cell_key *k, bool printed)
{
    const struct cell *best = NULL;

    for (size_t f = 0; f < x->frameworks.n; f++) {
        const struct cell *one =
            cells_find(c, k->application, k->machine, x->frameworks.items[f],
                       k->graph, k->gpus);
        if (!one)
            continue;
        if (isnan(ms(one, printed)) ||
            (best && !comparable(one, best, printed)))
            return NULL;
        if (!best || ms(one, printed) < ms(best, printed))
            best = one;
    }
    return best;
}

bool atos_ties(const struct cells *c, const struct study_choice *x,
               const struct cell *cell, bool printed)
{
    const struct cell *best = atos_winner(c, x, &cell->key, printed);

    return best && ms(cell, printed) <= tie * ms(best, printed);
}

/* --- adding up ------------------------------------------------------------ */

static bool counts(const struct cell *c, const struct study_choice *x,
                   const char *application)
{
    return c->key.gpus > 1 && !strcmp(c->key.application, application) &&
           study_wants(x, &c->key);
}

static size_t number_of(const struct study_choice *x, const char *framework)
{
    size_t f = 0;

    while (strcmp(x->frameworks.items[f], framework) != 0)
        f++;
    return f;
}

/* Returns the cell of the f-th framework on the same graph and GPUs; NULL if
 * there is none. */
static const struct cell *rival(const struct cells *c,
                                const struct study_choice *x,
                                const struct cell_key *k, size_t f)
{
    return cells_find(c, k->application, k->machine, x->frameworks.items[f],
                      k->graph, k->gpus);
}

/* Returns whether all frameworks' cells on this graph and GPUs have full
 * size. */
static bool all_full_size(const struct cells *c, const struct study_choice *x,
                          const struct cell_key *k)
{
    for (size_t f = 0; f < x->frameworks.n; f++) {
        const struct cell *one = rival(c, x, k, f);
        if (one && !cells_full_size(one))
            return false;
    }
    return true;
}

/* Returns the second fastest printed cell of the race; NULL if there is
 * none. */
static const struct cell *second(const struct cells *c,
                                 const struct study_choice *x,
                                 const struct cell *winner)
{
    const struct cell *best = NULL;

    for (size_t f = 0; f < x->frameworks.n; f++) {
        const struct cell *one = rival(c, x, &winner->key, f);
        if (one && one != winner && !isnan(one->printed_ms) &&
            (!best || one->printed_ms < best->printed_ms))
            best = one;
    }
    return best;
}

/* Returns the framework that is printed to be the fastest with one GPU, among
 * those that have a cell here. */
static const char *winner_of_one(const struct cells *c,
                                 const struct study_choice *x,
                                 const struct cell_key *k)
{
    struct cell_key one = *k;
    const struct cell *best = NULL;

    one.gpus = 1;
    for (size_t f = 0; f < x->frameworks.n; f++) {
        const struct cell *cell = rival(c, x, &one, f);
        if (cell && rival(c, x, k, f) && !isnan(cell->printed_ms) &&
            (!best || cell->printed_ms < best->printed_ms))
            best = cell;
    }
    return best ? best->key.framework : "";
}

static bool any_fitted(const struct cells *c, const struct study_choice *x,
                       const struct cell_key *k)
{
    for (size_t f = 0; f < x->frameworks.n; f++) {
        const struct cell *one = rival(c, x, k, f);
        if (one && one->fitted_ms)
            return true;
    }
    return false;
}

/* Adds a race, which is counted at the cell that won it in print. */
static void add_race(struct atos_score *s, const struct cells *c,
                     const struct study_choice *x, const struct cell *at)
{
    if (atos_winner(c, x, &at->key, true) != at)
        return;
    const struct cell *next = second(c, x, at);
    if (!next || next->printed_ms <= tie * at->printed_ms) {
        s->races_tied += next != NULL;
        return;
    }
    if (!all_full_size(c, x, &at->key)) {
        s->races_not_run++;
        return;
    }
    if (any_fitted(c, x, &at->key)) {
        s->races_fitted++;
        return;
    }
    s->races++;
    s->same_winner += atos_winner(c, x, &at->key, false) == at;
    s->baseline_winner +=
        !strcmp(winner_of_one(c, x, &at->key), at->key.framework);
}

/* Adds a pair, which is counted at the cell that is faster in print. */
static void add_pair(struct atos_score *s, const struct cells *c,
                     const struct cell *at, const struct cell *slower)
{
    struct cell_key k = at->key, j = slower->key;

    if (!(slower->printed_ms > apart * at->printed_ms) ||
        !cells_full_size(at) || !cells_full_size(slower))
        return;
    if (at->fitted_ms || slower->fitted_ms) {
        s->pairs_fitted++;
        return;
    }
    const struct cell *one =
        cells_find(c, k.application, k.machine, k.framework, k.graph, 1);
    const struct cell *other =
        cells_find(c, j.application, j.machine, j.framework, j.graph, 1);
    s->pairs++;
    s->ordered += at->ms < slower->ms;
    s->baseline_ordered += one && other && one->printed_ms < other->printed_ms;
}

static void add_print_pairs(struct atos_score *s, const struct cells *c,
                            const struct study_choice *x, const struct cell *at)
{
    for (size_t f = 0; f < x->frameworks.n; f++) {
        const struct cell *other = rival(c, x, &at->key, f);
        if (other)
            add_pair(s, c, at, other);
    }
}

static void add_speedup(struct atos_score *s, const struct cells *c,
                        const struct study_choice *x, const struct cell *at,
                        double *errors)
{
    double printed = atos_speedup(c, &at->key, true);
    double predicted = atos_speedup(c, &at->key, false);
    size_t f = number_of(x, at->key.framework);

    if (isnan(printed))
        return;
    if (isnan(predicted) || !cells_full_size(at)) {
        s->speedups_not_run++;
        return;
    }
    if (at->fitted_ms) {
        s->speedups_fitted++;
        return;
    }
    double ratio = predicted / printed;
    bool near = ratio < near_factor && ratio > 1 / near_factor;
    s->speedups[f]++;
    s->near[f] += near;
    s->near_speedups += near;
    errors[s->all_speedups++] = fabs(ratio - 1);
}

struct atos_score atos_score(const struct cells *c,
                             const struct study_choice *x,
                             const char *application)
{
    struct atos_score s = {0};
    double *speedups = xcalloc(c->n, sizeof *speedups);
    double *times = xcalloc(c->n, sizeof *times);

    assert(x->frameworks.n <= ATOS_FRAMEWORKS);
    for (size_t i = 0; i < c->n; i++) {
        const struct cell *at = &c->list[i];
        if (!counts(at, x, application))
            continue;
        add_race(&s, c, x, at);
        add_print_pairs(&s, c, x, at);
        add_speedup(&s, c, x, at, speedups);
        if (cells_full_size(at) && !isnan(at->printed_ms) && !at->fitted_ms)
            times[s.times++] = fabs(at->ms / at->printed_ms - 1);
    }
    s.speedup_error = doubles_median(speedups, s.all_speedups);
    s.time_error = doubles_median(times, s.times);
    free(speedups);
    free(times);
    return s;
}
