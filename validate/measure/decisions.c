/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the decisions of measured files and scores the simulator's
 * advice. */
#include "validate/measure/decisions.h"

#include "base/faster.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_decision(const struct measured_point *a,
                          const struct measured_point *b)
{
    return !strcmp(a->decision, b->decision) && !strcmp(a->apart, b->apart) &&
           !strcmp(a->mpi, b->mpi);
}

/* --- collection ----------------------------------------------------------- */

static void add_candidate(struct decisions *d, const struct measured *file,
                          size_t first, const struct measured_point *p)
{
    size_t i = first;

    while (i < d->n && !same_decision(d->list[i].candidates[0], p))
        i++;
    if (i == d->n) {
        d->list = xrealloc(d->list, d->n + 1, sizeof *d->list);
        d->list[d->n++] = (struct decision){.file = file};
    }
    struct decision *to = &d->list[i];
    to->candidates = xrealloc(to->candidates, to->nways + 1, sizeof(void *));
    to->candidates[to->nways++] = p;
}

static bool ahead(const struct measured_point *first,
                  const struct measured_point *second)
{
    double noise =
        first->noise * first->measured_s + second->noise * second->measured_s;

    return second->measured_s - first->measured_s > noise; /* false for NAN */
}

/* Returns the fastest candidate of the simulation; of equal ones the fastest of
 * the measurement. */
static const struct measured_point *advised_of(const struct decision *d)
{
    const struct measured_point *best = NULL;
    double least_s = INFINITY;

    for (size_t i = 0; i < d->nways; i++)
        least_s = fmin(least_s, d->candidates[i]->simulated_s);
    for (size_t i = 0; i < d->nways; i++)
        if (!faster(least_s, d->candidates[i]->simulated_s) &&
            (!best || d->candidates[i]->measured_s < best->measured_s))
            best = d->candidates[i];
    return best;
}

static void decide(struct decision *d)
{
    const struct measured_point *second = NULL, *base = d->candidates[0];

    d->winner = d->candidates[0];
    for (size_t i = 1; i < d->nways; i++)
        if (d->candidates[i]->measured_s < d->winner->measured_s)
            d->winner = d->candidates[i];
    for (size_t i = 0; i < d->nways; i++) {
        const struct measured_point *p = d->candidates[i];
        if (p != d->winner && (!second || p->measured_s < second->measured_s))
            second = p;
        if (base && isnan(p->baseline_s))
            base = NULL;
        if (base && p->baseline_s < base->baseline_s)
            base = p;
    }
    d->clear = second && ahead(d->winner, second);
    d->advised = advised_of(d);
    d->by_baseline = base;
}

struct decisions decisions_of(const struct measured *files, size_t nfiles)
{
    struct decisions d = {0};
    size_t kept = 0;

    for (size_t f = 0; f < nfiles; f++) {
        size_t first = d.n;
        for (size_t i = 0; i < files[f].npoints; i++)
            if (*files[f].points[i].choice &&
                files[f].points[i].simulated_s > 0)
                add_candidate(&d, &files[f], first, &files[f].points[i]);
    }
    for (size_t i = 0; i < d.n; i++) {
        if (d.list[i].nways < 2) {
            free(d.list[i].candidates);
            continue;
        }
        decide(&d.list[i]);
        d.list[kept++] = d.list[i];
    }
    d.n = kept;
    return d;
}

void decisions_clear(struct decisions *d)
{
    for (size_t i = 0; i < d->n; i++)
        free(d->list[i].candidates);
    free(d->list);
    memset(d, 0, sizeof *d);
}

/* --- scores --------------------------------------------------------------- */

double decision_regret(const struct decision *d,
                       const struct measured_point *advised)
{
    return advised->measured_s / d->winner->measured_s - 1;
}

static bool of_kind(const struct decision *d, const struct decision *like)
{
    const char *a = d->candidates[0]->name, *b;

    if (!like)
        return true;
    b = like->candidates[0]->name;
    size_t n = strcspn(a, "/");
    return d->file == like->file && n == strcspn(b, "/") && !strncmp(a, b, n);
}

static const struct measured_point *candidate_named(const struct decision *d,
                                                    const char *choice)
{
    for (size_t i = 0; i < d->nways; i++)
        if (!strcmp(d->candidates[i]->choice, choice))
            return d->candidates[i];
    return NULL;
}

/* Returns the mean regret of always making the same choice; NAN if a case lacks
 * it. */
static double always_mean(const struct decisions *d,
                          const struct decision *like, const char *choice)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < d->n; i++) {
        if (!of_kind(&d->list[i], like))
            continue;
        const struct measured_point *p = candidate_named(&d->list[i], choice);
        if (!p)
            return NAN;
        sum += decision_regret(&d->list[i], p);
        n++;
    }
    return sum / (double)n;
}

static void best_always(struct decision_score *s, const struct decisions *d,
                        const struct decision *like)
{
    const struct decision *first = like ? like : &d->list[0];

    s->always_mean = NAN;
    for (size_t i = 0; i < first->nways; i++) {
        double mean = always_mean(d, like, first->candidates[i]->choice);
        if (isnan(mean) || !(isnan(s->always_mean) || mean < s->always_mean))
            continue;
        s->always_mean = mean;
        snprintf(s->always, sizeof s->always, "%s",
                 first->candidates[i]->choice);
    }
}

static void add_decision(struct decision_score *s, double *regrets,
                         const struct decision *d)
{
    double regret = decision_regret(d, d->advised);
    bool right = d->advised == d->winner;

    if (!s->cases || regret > s->worst) {
        s->worst = regret;
        s->worst_case = d;
    }
    regrets[s->cases++] = regret;
    s->mean += regret;
    s->right += right;
    s->clear += d->clear;
    s->clear_right += d->clear && right;
    if (d->clear)
        s->clear_mean += regret;
    s->baseline +=
        d->by_baseline ? decision_regret(d, d->by_baseline) : (double)NAN;
}

/* Scores the decisions of one file and kind; of all if `like` is NULL. */
static struct decision_score score_of(const struct decisions *d,
                                      const struct decision *like)
{
    struct decision_score s = {0};
    double *regrets = xcalloc(d->n, sizeof *regrets);

    for (size_t i = 0; i < d->n; i++)
        if (of_kind(&d->list[i], like))
            add_decision(&s, regrets, &d->list[i]);
    gsl_sort(regrets, 1, s.cases);
    s.p90 = gsl_stats_quantile_from_sorted_data(regrets, 1, s.cases, 0.9);
    s.mean /= (double)s.cases;
    s.clear_mean = s.clear ? s.clear_mean / (double)s.clear : (double)NAN;
    s.baseline /= (double)s.cases;
    best_always(&s, d, like);
    free(regrets);
    return s;
}

struct decision_score *decision_scores(const struct decisions *d, size_t *n)
{
    struct decision_score *list = xcalloc(d->n + 1, sizeof *list);

    *n = 0;
    if (!d->n)
        return list;
    list[(*n)++] = score_of(d, NULL);
    snprintf(list[0].name, sizeof list[0].name, "all");
    for (size_t i = 0; i < d->n; i++) {
        const struct decision *like = &d->list[i];
        size_t k = 0;
        while (k < i && !of_kind(&d->list[k], like))
            k++;
        if (k < i)
            continue;
        const char *name = like->candidates[0]->name;
        const char *slash = strrchr(like->file->path, '/');
        const char *file = slash ? slash + 1 : like->file->path;
        list[*n] = score_of(d, like);
        snprintf(list[*n].name, sizeof list[*n].name, "%.*s, %.*s",
                 (int)strcspn(name, "/"), name, (int)strcspn(file, "."), file);
        ++*n;
    }
    return list;
}
