/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.h - many machines within the spreads of their numbers, and the times of
 * ways on them. */
#ifndef STRATEGIES_ADVISE_DRAWS_H
#define STRATEGIES_ADVISE_DRAWS_H

#include "sim/network/node_ways.h"
#include "strategies/advise/parameters.h"

#include <stdint.h>

/*
 * What every parameter is multiplied by, `n` times: rows of p->n factors. A
 * Latin hypercube: each parameter's quantiles are one in each n-th part,
 * shuffled apart from the others' (McKay, Beckman, Conover 1979), by GSL's
 * mt19937 from the seed. NULL of no draws; the caller frees.
 */
double *draws_make(const struct parameters *p, size_t n, uint64_t seed);
/* A row of ones: the machine as it is. */
double *draws_nominal(const struct parameters *p);

/* The time of the nth way on a machine. 1: the machine cannot do it (err). */
typedef int way_time(double *time_s, const void *of, size_t nth,
                     const struct machine *m, const struct node_ways *ways,
                     struct err *err);

/* How simulations are done: so many at a time; and who is told of more that are
 * to be done, and of each that is, from several threads at a time (tell NULL:
 * nobody). */
struct draws_how {
    unsigned jobs;
    void (*tell)(void *teller, size_t todo, size_t done);
    void *teller;
};

struct timed_ways {
    const struct parameters *parameters;
    size_t n;
    way_time *time;
    const void *of;
    struct draws_how how;
    const struct machine *machine; /* as it is */
    bool exact; /* a machine with a part above its whole can do nothing; else
                   the part is cut */
};

/*
 * Fills times_s[row * ways->n + way] for those ways whose `live` is true (NULL:
 * all); others stay as they are, and what a machine cannot do is NAN. The same
 * whatever `how` is.
 */
int draws_time(double *times_s, const struct timed_ways *ways,
               const double *factors, size_t nrows, const bool *live,
               struct err *err) MUST_CHECK;

#endif
