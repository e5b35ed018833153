/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws machines within the spreads of their numbers and times candidates on
 * them. */
#include "study/advise/draws.h"

#include "base/jobs.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

static gsl_rng *draws_random(uint64_t seed)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(random, (unsigned long)seed);
    return random;
}

double *draws_make(const struct parameters *p, size_t n, uint64_t seed)
{
    double *factors = xcalloc(n * p->n, sizeof *factors);
    size_t *part = xcalloc(n, sizeof *part);
    gsl_rng *random = draws_random(seed);

    for (size_t i = 0; i < p->n; i++) {
        for (size_t d = 0; d < n; d++)
            part[d] = d;
        gsl_ran_shuffle(random, part, n, sizeof *part);
        for (size_t d = 0; d < n; d++) {
            double u = gsl_rng_uniform_pos(random);
            factors[d * p->n + i] = spread_factor(
                &p->list[i].spread, ((double)part[d] + u) / (double)n);
        }
    }
    gsl_rng_free(random);
    free(part);
    return factors;
}

double *draws_nominal(const struct parameters *p)
{
    double *factors = xcalloc(p->n, sizeof *factors);

    for (size_t i = 0; i < p->n; i++)
        factors[i] = 1;
    return factors;
}

/* --- times ---------------------------------------------------------------- */

struct draws_worker {
    struct machine_maker maker;
    struct machine machine;
    struct node_routes *node_routes;
    size_t row;
    bool made, begun;
};

struct draws_work {
    double *times_s;
    const struct timed_candidates *of;
    const double *factors;
    const size_t *live;
    size_t nlive;
    struct draws_worker *workers;
};

static void worker_drop(struct draws_worker *w)
{
    if (!w->made)
        return;
    node_routes_free(w->node_routes);
    machine_clear(&w->machine);
    w->made = false;
}

/* Makes the machine of the row, unless it is there. Returns 1 if there can be
 * none. */
static int worker_row(struct draws_worker *w, const struct draws_work *work,
                      size_t row, struct err *err)
{
    const struct parameters *p = work->of->parameters;

    if (w->made && w->row == row)
        return 0;
    worker_drop(w);
    if (!w->begun)
        maker_init(&w->maker, p);
    w->begun = true;
    w->maker.exact = work->of->exact;
    if (maker_machine(&w->machine, &w->maker, work->factors + row * p->n, err) <
        0)
        return work->of->exact ? 1 : -1;
    w->node_routes = node_routes_new(&w->machine);
    w->row = row;
    w->made = true;
    return 0;
}

static int draws_nth(void *arg, unsigned worker, size_t i, struct err *err)
{
    const struct draws_work *work = arg;
    const struct timed_candidates *of = work->of;
    struct draws_worker *w = &work->workers[worker];
    size_t row = i / work->nlive, candidate = work->live[i % work->nlive];
    double *time_s = &work->times_s[row * of->n + candidate];

    int result = worker_row(w, work, row, err);
    if (result < 0)
        return -1;
    if (result == 0)
        result = of->time(time_s, of->of, candidate, &w->machine,
                          w->node_routes, err);
    if (result == 1)
        *time_s = NAN;
    if (of->how.tell)
        of->how.tell(of->how.teller, 0, 1);
    return result < 0 ? -1 : 0;
}

int draws_time(double *times_s, const struct timed_candidates *candidates,
               const double *factors, size_t nrows, const bool *live,
               struct err *err)
{
    unsigned nworkers = candidates->how.jobs ? candidates->how.jobs : 1;
    size_t *list = xcalloc(candidates->n, sizeof *list), n = 0;
    struct draws_worker *workers = xcalloc(nworkers, sizeof *workers);

    for (size_t i = 0; i < candidates->n; i++)
        if (!live || live[i])
            list[n++] = i;
    struct draws_work work = {times_s, candidates, factors, list, n, workers};
    if (candidates->how.tell)
        candidates->how.tell(candidates->how.teller, nrows * n, 0);
    int result = jobs_run(nrows * n, nworkers, draws_nth, &work, err);
    for (unsigned i = 0; i < nworkers; i++) {
        worker_drop(&workers[i]);
        if (workers[i].begun)
            maker_clear(&workers[i].maker);
    }
    free(workers);
    free(list);
    return result;
}
