/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.h - many machines drawn within the spreads of their numbers, and the
 * times of candidates on them. */
#ifndef STUDY_ADVISE_DRAWS_H
#define STUDY_ADVISE_DRAWS_H

#include "sim/network/node_routes.h"
#include "study/advise/parameters.h"

#include <stdint.h>

/*
 * Returns n rows of p->n factors by which the parameters are multiplied; NULL
 * if n is 0. They are a Latin hypercube: each parameter has one quantile in
 * each n-th part, in an order that is independent of the others' (McKay,
 * Beckman, Conover 1979). The generator is GSL's mt19937 with the seed. The
 * caller frees the array.
 */
double *draws_make(const struct parameters *p, size_t n, uint64_t seed);
/* Returns a row of ones, the nominal machine; the caller frees it. */
double *draws_nominal(const struct parameters *p);

/* Computes the time of the nth candidate on a machine. Returns 1 if the machine
 * cannot run it (err says why). */
typedef int candidate_time(double *time_s, const void *of, size_t nth,
                           const struct machine *m,
                           const struct node_routes *node_routes,
                           struct err *err);

/* The execution of simulations: `jobs` at a time. tell() is called with the
 * number of further simulations (todo) and with each that is done, from several
 * threads at once; NULL for no reports. */
struct draws_how {
    unsigned jobs;
    void (*tell)(void *teller, size_t todo, size_t done);
    void *teller;
};

struct timed_candidates {
    const struct parameters *parameters;
    size_t n;
    candidate_time *time;
    const void *of;
    struct draws_how how;
    const struct machine *machine; /* the nominal one */
    /* If true, a machine with a part of a cost above its whole can run nothing;
     * else the part is reduced to the whole. */
    bool exact;
};

/* Fills times_s[row * ways->n + i] for the candidates i whose live[i] is true
 * (all if live is NULL), and leaves the others as they are. The value is NAN if
 * the machine cannot run the candidate. The result does not depend on
 * ways->how. */
int draws_time(double *times_s, const struct timed_candidates *candidates,
               const double *factors, size_t nrows, const bool *live,
               struct err *err) MUST_CHECK;

#endif
