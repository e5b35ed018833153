/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores predictions by native runs: errors, pairs in the right order,
 * regret. */
#include "validate/measure/native_results.h"

#include "base/faster.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct native_time *native_fastest(const struct native_case *c)
{
    const struct native_time *best = &c->times[0];

    for (size_t i = 1; i < c->n; i++)
        if (c->times[i].native_s < best->native_s)
            best = &c->times[i];
    return best;
}

const struct native_time *native_predicted(const struct native_case *c)
{
    const struct native_time *best = NULL;
    double least_s = INFINITY;

    for (size_t i = 0; i < c->n; i++)
        least_s = fmin(least_s, c->times[i].simulated_s);
    for (size_t i = 0; i < c->n; i++) {
        const struct native_time *t = &c->times[i];
        if (!faster(least_s, t->simulated_s) &&
            (!best || t->native_s < best->native_s))
            best = t;
    }
    return best;
}

static bool differ(const struct native_time *a, const struct native_time *b)
{
    return fabs(a->native_s - b->native_s) > a->noise_s + b->noise_s;
}

bool native_is_clear(const struct native_case *c)
{
    const struct native_time *first = native_fastest(c), *second = NULL;

    for (size_t i = 0; i < c->n; i++)
        if (&c->times[i] != first &&
            (!second || c->times[i].native_s < second->native_s))
            second = &c->times[i];
    return second && differ(first, second);
}

static bool is_of(const struct native_case *c, const char *memory)
{
    return !memory || !strcmp(memory, native_memory_names[c->gpu_memory]);
}

static void add_pairs(struct native_score *s, const struct native_case *c)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->n; k++) {
            const struct native_time *a = &c->times[i], *b = &c->times[k];
            if (a->native_s < b->native_s && differ(a, b)) {
                s->pairs++;
                s->pairs_right += faster(a->simulated_s, b->simulated_s);
            }
        }
}

static void add_case(struct native_score *s, double *regrets,
                     const struct native_case *c)
{
    const struct native_time *native = native_fastest(c);
    const struct native_time *predicted = native_predicted(c);
    bool clear = native_is_clear(c), right = native == predicted;
    double regret = predicted->native_s / native->native_s - 1;

    if (!s->cases || regret > s->worst_regret) {
        s->worst_regret = regret;
        s->worst_case = c;
    }
    regrets[s->cases++] = regret;
    s->right += right;
    s->clear += clear;
    s->clear_right += clear && right;
    add_pairs(s, c);
}

struct native_score native_score(const struct native_results *r,
                                 const char *memory)
{
    struct native_score s = {.median_regret = NAN, .worst_regret = NAN};
    double *regrets = xcalloc(r->n, sizeof *regrets);

    for (size_t i = 0; i < r->n; i++)
        if (is_of(&r->cases[i], memory) && r->cases[i].n > 1)
            add_case(&s, regrets, &r->cases[i]);
    if (s.cases) {
        gsl_sort(regrets, 1, s.cases);
        s.median_regret =
            gsl_stats_median_from_sorted_data(regrets, 1, s.cases);
    }
    free(regrets);
    return s;
}

/* --- errors --------------------------------------------------------------- */

/* Adds the summary of one kind of memory and strategy, each NULL for all, if
 * there are any cases. */
static void add_summary(struct error_summary *list, size_t *n, double *room,
                        const struct native_results *r, const char *memory,
                        const struct strategy *strategy)
{
    struct error_summary *s = &list[*n];
    size_t count = 0;

    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; is_of(&r->cases[i], memory) && k < r->cases[i].n;
             k++) {
            const struct native_time *t = &r->cases[i].times[k];
            if (!strategy || t->strategy == strategy)
                room[count++] = t->simulated_s / t->native_s - 1;
        }
    if (!count)
        return;
    snprintf(s->name, sizeof s->name, "%s%s%s", memory ? memory : "all",
             strategy ? "/" : "", strategy ? strategy->name : "");
    error_summary_of(s, room, count);
    ++*n;
}

struct error_summary *native_summary(const struct native_results *r, size_t *n)
{
    struct error_summary *list =
        xcalloc(1 + 2 * (1 + nstrategies), sizeof *list);
    double *room = xcalloc(r->n * nstrategies, sizeof *room);

    *n = 0;
    add_summary(list, n, room, r, NULL, NULL);
    for (int m = 0; m < 2; m++) {
        add_summary(list, n, room, r, native_memory_names[m], NULL);
        for (size_t i = 0; i < nstrategies; i++)
            add_summary(list, n, room, r, native_memory_names[m],
                        strategies[i]);
    }
    free(room);
    return list;
}
