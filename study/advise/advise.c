/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates candidates on drawn machines and counts how often each is the
 * fastest. */
#include "study/advise/advise.h"

#include "base/faster.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each draw represents this many, which differ in their model errors, because
 * those cost no simulation. */
enum { MODEL_DRAWS = 64 };

/* --- the nominal machine -------------------------------------------------- */

static void advise_order(struct advice *a)
{
    for (size_t i = 0; i < a->nways; i++) {
        size_t k = a->n;
        if (isnan(a->candidates[i].time_s))
            continue;
        for (; k > 0 &&
               a->candidates[i].time_s < a->candidates[a->order[k - 1]].time_s;
             k--)
            a->order[k] = a->order[k - 1];
        a->order[k] = i;
        a->n++;
    }
}

/* Fails with the reason of the first candidate, which is tried again for it. */
static int none_can(const struct timed_candidates *candidates, struct err *err)
{
    double ignored;

    (void)candidates->time(&ignored, candidates->of, 0, candidates->machine,
                           NULL, err);
    return fail_in(err, "%s can do none of the candidates",
                   candidates->machine->name);
}

static int advise_nominal(struct advice *a,
                          const struct timed_candidates *candidates,
                          struct err *err)
{
    double *one = draws_nominal(candidates->parameters);
    double *times_s = xcalloc(candidates->n, sizeof *times_s);
    int result = draws_time(times_s, candidates, one, 1, NULL, err);

    for (size_t i = 0; i < candidates->n; i++)
        a->candidates[i].time_s = result < 0 ? NAN : times_s[i];
    free(times_s);
    free(one);
    if (result < 0)
        return -1;
    advise_order(a);
    if (a->n == 0)
        return none_can(candidates, err);
    if (!(a->candidates[a->order[0]].time_s > 0))
        return fail(err,
                    "the fastest candidate takes no time: nothing has to be "
                    "sent, so that there is nothing to choose");
    a->simulations = candidates->n;
    return 0;
}

/* --- draws ---------------------------------------------------------------- */

/* Returns the factor by which the deviation that n draws show is increased, so
 * that a new draw exceeds it with the probability of ADVISE_NEVER for a known
 * deviation. */
static double student(size_t n)
{
    double t =
        gsl_cdf_tdist_Qinv(gsl_cdf_ugaussian_Q(ADVISE_NEVER), (double)n - 1);

    return t / ADVISE_NEVER * sqrt(1 + 1 / (double)n);
}

/* Returns by how many standard deviations of the logarithm of their ratio a
 * candidate is slower than another in the first draws. */
static double behind(const struct advice *a, size_t candidate, size_t other,
                     size_t draws, double model_error)
{
    double ratio[ADVISE_LAST_TRIAL];
    size_t n = 0;

    for (size_t d = 0; d < draws; d++) {
        const double *row = a->times_s + d * a->nways;
        if (!isnan(row[candidate]) && !isnan(row[other]))
            ratio[n++] = log(row[candidate] / row[other]);
    }
    if (n < 3)
        return 0;
    double sd = gsl_stats_sd(ratio, 1, n) * student(n);
    return gsl_stats_mean(ratio, 1, n) /
           (hypot(sd, M_SQRT2 * model_error) + 1e-12);
}

/* Returns the model error of two candidates that share neither path nor
 * kind. */
static double error_of_both(const struct advise_options *o)
{
    return hypot(o->model_error, o->path_error);
}

double advise_hopeless_from(const struct parameters *p,
                            const struct advise_options *o)
{
    double largest = 0;

    for (size_t i = 0; i < p->n; i++)
        largest = fmax(largest, spread_sigma(&p->list[i].spread));
    return exp(ADVISE_NEVER * M_SQRT2 * hypot(largest, error_of_both(o)));
}

/* Selects the candidates that may be the fastest on some draw. */
static void take_hopeful(struct advice *a, bool *live)
{
    double first_s = a->candidates[a->order[0]].time_s;

    for (size_t i = 0; i < a->n; i++) {
        size_t candidate = a->order[i];
        live[candidate] =
            a->candidates[candidate].time_s <= a->hopeless_from * first_s;
        a->hopeless += !live[candidate];
    }
}

static void drop_behind(struct advice *a, bool *live, size_t draws,
                        double model_error)
{
    for (size_t i = 1; i < a->n; i++) {
        size_t candidate = a->order[i];
        if (!live[candidate] || behind(a, candidate, a->order[0], draws,
                                       model_error) < ADVISE_NEVER)
            continue;
        live[candidate] = false;
        a->dropped++;
    }
}

static size_t count_live(const bool *live, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += live[i];
    return count;
}

/* Returns the draw up to which candidates are simulated before slow ones are
 * dropped. */
static size_t next_look(size_t from, size_t draws)
{
    size_t next = from ? 3 * from : ADVISE_FIRST_TRIAL;

    return next > ADVISE_LAST_TRIAL || next > draws ? draws : next;
}

static int advise_draw(struct advice *a,
                       const struct timed_candidates *candidates,
                       const struct advise_options *o, struct err *err)
{
    bool *live = xcalloc(a->nways, sizeof *live);
    int result = 0;

    a->factors = draws_make(candidates->parameters, o->draws, o->seed);
    a->times_s = xcalloc(o->draws * a->nways, sizeof *a->times_s);
    for (size_t i = 0; i < o->draws * a->nways; i++)
        a->times_s[i] = NAN;
    a->hopeless_from = advise_hopeless_from(candidates->parameters, o);
    take_hopeful(a, live);
    for (size_t from = 0, to; from < o->draws && result == 0; from = to) {
        if (from > 0)
            drop_behind(a, live, from, error_of_both(o));
        to = next_look(from, o->draws);
        result = draws_time(a->times_s + from * a->nways, candidates,
                            a->factors + from * candidates->parameters->n,
                            to - from, live, err);
        a->simulations += (to - from) * count_live(live, a->nways);
    }
    a->ndraws = o->draws;
    free(live);
    return result;
}

/* --- ties ------------------------------------------------------------------
 */

/* Returns whether two times are equal, but for rounding, or both unknown. */
static bool same_time(double a_s, double b_s)
{
    return isnan(a_s) == isnan(b_s) && !faster(a_s, b_s) && !faster(b_s, a_s);
}

/* Returns whether two candidates take the same time on every machine, which
 * those of one plan do. */
static bool same_times(const struct advice *a, size_t one, size_t other)
{
    bool same =
        same_time(a->candidates[one].time_s, a->candidates[other].time_s);

    for (size_t d = 0; d < a->ndraws && same; d++)
        same = same_time(a->times_s[d * a->nways + one],
                         a->times_s[d * a->nways + other]);
    return same;
}

/* Moves the candidates that are like the fastest to the front, in their
 * order. */
static void advise_find_ties(struct advice *a)
{
    a->lead = NAN;
    for (size_t i = 0; i < a->n; i++) {
        size_t candidate = a->order[i], k = 0;
        while (k < i && !same_times(a, a->order[k], candidate))
            k++;
        a->like[candidate] = k < i ? a->like[a->order[k]] : candidate;
        if (a->like[candidate] != a->order[0])
            continue;
        memmove(a->order + a->tied + 1, a->order + a->tied,
                (i - a->tied) * sizeof *a->order);
        a->order[a->tied++] = candidate;
    }
    if (advice_has_next(a))
        a->lead = a->candidates[advice_next(a)].time_s /
                      a->candidates[a->order[0]].time_s -
                  1;
}

bool advice_has_next(const struct advice *a)
{
    return a->tied < a->n;
}

size_t advice_next(const struct advice *a)
{
    return a->order[a->tied];
}

/* --- statistics of the draws ---------------------------------------------- */

static void candidate_quantiles(struct advice *a, size_t candidate)
{
    struct advised_candidate *w = &a->candidates[candidate];
    double *times = xcalloc(a->ndraws, sizeof *times);

    for (size_t d = 0; d < a->ndraws; d++)
        if (!isnan(a->times_s[d * a->nways + candidate]))
            times[w->draws++] = a->times_s[d * a->nways + candidate];
    gsl_sort(times, 1, w->draws);
    w->low_s = w->high_s = NAN;
    if (w->draws) {
        w->low_s =
            gsl_stats_quantile_from_sorted_data(times, 1, w->draws, 0.05);
        w->high_s =
            gsl_stats_quantile_from_sorted_data(times, 1, w->draws, 0.95);
    }
    free(times);
}

/* Sums over the model errors of one draw. */
struct tally {
    double best, before_second, regret, wrong;
};

/* Model errors: a factor for each kind and for each path. */
struct left_out {
    double *kind, path[2];
};

static void draw_left_out(struct left_out *l, size_t nways, gsl_rng *random,
                          const struct advise_options *o)
{
    for (size_t i = 0; i < nways; i++)
        l->kind[i] = exp(gsl_ran_gaussian(random, o->model_error));
    for (size_t i = 0; i < 2 && o->path_error > 0; i++)
        l->path[i] = exp(gsl_ran_gaussian(random, o->path_error));
}

/* Returns the model error of a candidate; candidates that are like another have
 * that one's. */
static double left_out_of(const struct left_out *l, const struct advice *a,
                          size_t candidate, const struct advise_options *o)
{
    size_t like = a->like[candidate];

    return l->kind[o->kinds ? o->kinds[like] : like] *
           l->path[o->paths ? o->paths[like] : 0];
}

/* Adds the times of a draw with one set of model errors. */
static void tally_one(struct tally *t, struct advice *a, const double *row,
                      const struct left_out *l, const struct advise_options *o)
{
    size_t first = a->order[0], fastest = first;
    double least_s = INFINITY, first_s = 0, second_s = NAN;

    for (size_t i = 0; i < a->n; i++) {
        size_t candidate = a->like[a->order[i]];
        double s = row[candidate] * left_out_of(l, a, candidate, o);
        if (i == 0)
            first_s = s;
        if (i == a->tied)
            second_s = s;
        if (s < least_s) {
            least_s = s;
            fastest = candidate;
        }
    }
    for (size_t i = 0; i < a->n; i++)
        a->candidates[a->order[i]].best += a->like[a->order[i]] == fastest;
    t->best += fastest == first;
    t->before_second += !(second_s < first_s);
    t->regret += first_s / least_s - 1;
    t->wrong += fastest != first;
}

/* Bounds the probabilities by the rate at which such advices were right. */
static void advise_bound(struct advice *a, double most)
{
    a->uncertain = a->before_second < ADVISE_CERTAIN;
    if (!(most > 0))
        return;
    a->best = fmin(a->best, most);
    a->before_second = fmin(a->before_second, most);
    for (size_t i = 0; i < a->nways; i++)
        a->candidates[i].best = fmin(a->candidates[i].best, most);
}

static void advise_tally(struct advice *a, const struct advise_options *o)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct left_out l = {.kind = xcalloc(a->nways, sizeof *l.kind),
                         .path = {1, 1}};
    double *best = xcalloc(a->ndraws, sizeof *best);
    struct tally all = {0};
    size_t each = error_of_both(o) > 0 ? MODEL_DRAWS : 1;
    double n = (double)(a->ndraws * each);

    for (size_t i = 0; i < a->n; i++)
        candidate_quantiles(a, a->order[i]);
    gsl_rng_set(random, (unsigned long)(o->seed ^ 0x9e3779b9u));
    for (size_t d = 0; d < a->ndraws; d++) {
        struct tally t = {0};
        for (size_t k = 0; k < each; k++) {
            draw_left_out(&l, a->nways, random, o);
            tally_one(&t, a, a->times_s + d * a->nways, &l, o);
        }
        best[d] = t.best / (double)each;
        all.best += t.best;
        all.before_second += t.before_second;
        all.regret += t.regret;
        all.wrong += t.wrong;
    }
    a->best = all.best / n;
    a->best_error = a->ndraws > 1 ? gsl_stats_sd(best, 1, a->ndraws) /
                                        sqrt((double)a->ndraws)
                                  : NAN;
    a->before_second = all.before_second / n;
    a->regret = all.regret / n;
    a->regret_if_wrong = all.wrong > 0 ? all.regret / all.wrong : 0;
    for (size_t i = 0; i < a->nways; i++)
        a->candidates[i].best /= n;
    advise_bound(a, o->most);
    gsl_rng_free(random);
    free(l.kind);
    free(best);
}

bool advice_is_tie(const struct advice *a)
{
    return a->tied > 1 || advice_next_ties(a);
}

bool advice_next_ties(const struct advice *a)
{
    if (!advice_has_next(a))
        return false;
    return a->lead < ADVISE_TIE || (a->ndraws && a->uncertain);
}

int advise(struct advice *a, const struct timed_candidates *candidates,
           const struct advise_options *o, struct err *err)
{
    *a = (struct advice){.nways = candidates->n};
    a->candidates = xcalloc(candidates->n, sizeof *a->candidates);
    a->order = xcalloc(candidates->n, sizeof *a->order);
    a->like = xcalloc(candidates->n, sizeof *a->like);
    if (advise_nominal(a, candidates, err) < 0 ||
        (o->draws && advise_draw(a, candidates, o, err) < 0)) {
        advice_clear(a);
        return -1;
    }
    advise_find_ties(a);
    if (o->draws)
        advise_tally(a, o);
    return 0;
}

void advice_of_times(struct advice *a, const double *nominal_s,
                     const double *times_s, size_t nways,
                     const struct advise_options *o)
{
    *a = (struct advice){.nways = nways, .ndraws = o->draws};
    a->candidates = xcalloc(nways, sizeof *a->candidates);
    a->order = xcalloc(nways, sizeof *a->order);
    a->like = xcalloc(nways, sizeof *a->like);
    a->times_s = xcalloc(o->draws * nways, sizeof *a->times_s);
    memcpy(a->times_s, times_s, o->draws * nways * sizeof *times_s);
    for (size_t i = 0; i < nways; i++)
        a->candidates[i].time_s = nominal_s[i];
    advise_order(a);
    advise_find_ties(a);
    if (o->draws)
        advise_tally(a, o);
}

void advice_clear(struct advice *a)
{
    free(a->candidates);
    free(a->order);
    free(a->like);
    free(a->factors);
    free(a->times_s);
    *a = (struct advice){0};
}
