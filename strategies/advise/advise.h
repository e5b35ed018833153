/* SPDX-License-Identifier: GPL-3.0-or-later */
/* advise.h - which of several ways to take, how sure that is while every number
 * of the machine may be another within its spread, and what it costs to be
 * wrong. */
#ifndef STRATEGIES_ADVISE_ADVISE_H
#define STRATEGIES_ADVISE_ADVISE_H

#include "strategies/advise/draws.h"

struct advise_options {
    size_t draws; /* machines; 0: the nominal one alone */
    uint64_t seed;
    /* Standard deviations of what the simulator leaves out (model_error.h): of
     * a kind of way, and of a path; 0: none. */
    double model_error, path_error;
    /* Ways that share what the simulator leaves out: their kind, by way; NULL:
     * each its own. Their path, 0 or 1; NULL: all have one. */
    const unsigned *kinds, *paths;
    double most; /* no probability is stated above; 0: 1 */
};

struct advised_way {
    double time_s; /* on the machine as it is; NAN: it cannot do it */
    double low_s,
        high_s;   /* 5 and 95 % of the draws that it was in; NAN: none */
    double best;  /* the probability that no other is faster */
    size_t draws; /* that it was in */
};

/*
 * Ways that are as good as never the fastest are not simulated on all draws.
 * Where a way is behind by more standard deviations of the logarithm of the
 * ratio of both times, it is the fastest in less than one of 30,000 draws.
 */
#define ADVISE_NEVER 4.0
/*
 * Before any draw: the deviation is at most that of two times each of which
 * rests on one number alone, the one of the largest spread. For times grow at
 * most as much as the costs that they are made of, and the deviation of a sum
 * of independent ones is less than that of its parts. Ways that take so many
 * times the fastest's time, as the machine is, are on no draw. Bandwidths that
 * are shared, where less of one may be faster, are taken to be like sums.
 */
double advise_hopeless_from(const struct parameters *p,
                            const struct advise_options *o);
/* Then after so many draws, each three times those before, by the deviation
 * that they show: Student's t, as a few show it badly. */
enum { ADVISE_FIRST_TRIAL = 8, ADVISE_LAST_TRIAL = 72 };

struct advice {
    struct advised_way *ways;
    size_t *order; /* of the ways that can be done, fastest first */
    /* By way: the first one that takes the same time, but for rounding, on the
     * machine as it is and on every draw. Such ways are one plan under several
     * names, of which the simulator leaves out the same. */
    size_t *like;
    size_t tied; /* so many of order, from the first on, are like the first */
    size_t n, nways;
    size_t ndraws, simulations;
    size_t dropped;       /* ways, after a trial */
    size_t hopeless;      /* ways, on no draw, as they take more than ... */
    double hopeless_from; /* ... so many times the fastest's time */
    double *factors;      /* of the draws; draws.h */
    double *times_s;      /* of the draws; NAN: left out */
    double lead; /* of the fastest before the next that does not tie with it:
                    0.1: that takes a tenth longer; NAN: there is none */
    /* Of the fastest: the probability that it is, with its standard error; that
     * it is faster than the next; how much longer it takes than the best of a
     * draw, as a part, and where it is not the best. */
    double best, best_error, before_second;
    bool not_sure; /* before_second was below ADVISE_SURE before it was bounded
                      by the options' `most` */
    double regret, regret_if_wrong;
};

/* Less is a tie, or a winner that is one by chance. */
#define ADVISE_TIE 0.02
#define ADVISE_SURE 0.6667
/* Several are like the fastest, or the next is a tie with it. */
bool advice_is_tie(const struct advice *a);
bool advice_next_ties(const struct advice *a);
/* The way behind the fastest and those that tie with it, if there is one. */
bool advice_has_next(const struct advice *a);
size_t advice_next(const struct advice *a);

/* -1 too when no way can be done. */
int advise(struct advice *a, const struct timed_ways *ways,
           const struct advise_options *o, struct err *err) MUST_CHECK;
/* The same of times that are known: of each way on the machine as it is, and
 * on o->draws others, row by row. Nothing is simulated. */
void advice_of_times(struct advice *a, const double *nominal_s,
                     const double *times_s, size_t nways,
                     const struct advise_options *o);
void advice_clear(struct advice *a);

#endif
