/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why.h - on which numbers of a machine an advice rests: elasticities, what
 * would change the choice, and which number to measure. */
#ifndef STRATEGIES_ADVISE_WHY_H
#define STRATEGIES_ADVISE_WHY_H

#include "strategies/advise/advise.h"

/* A factor of ten each way is how far a flip is looked for. That many times a
 * number makes a time so many times itself at most: ways that are farther
 * behind are not looked at. */
#define WHY_FAR 10.0
/* Whether there is a second way to look at. */
bool why_has_second(const struct advice *a);
enum { WHY_RIVALS = 8, WHY_FLIPS = 8 };

/* One more percent of a parameter: how many percent of time. By central
 * differences of 1 %, in logarithms; NAN: there is no second way. */
struct elasticity {
    size_t parameter;
    double first, second; /* of the fastest way, and of the next; NAN: none is
                             looked at */
    /* Of the variance of the logarithm of their ratio that comes from machine
     * numbers, this one's part; NAN: there is no second way. */
    double share;
};

/* What a parameter would have to be for another way to be the fastest. */
struct flip {
    size_t parameter;
    /* The nearest value below and above, and the way that is the fastest
     * there; NAN: none within a factor of WHY_FAR. */
    double below, above;
    size_t way_below, way_above;
};

struct why {
    struct elasticity *list; /* largest effect on the fastest way first */
    size_t n;
    double sum;         /* of the fastest way's, bandwidths counted against */
    size_t rest;        /* parameters that no time depends on */
    struct flip *flips; /* of those that matter to the choice, nearest first */
    size_t nflips;
    size_t settle; /* the parameter whose spread is most of the doubt; SIZE_MAX:
                      none */
    double settle_share; /* of the variance, as of struct elasticity */
    size_t simulations;
};

/* Borrows nothing. Where there is one way there are no flips. */
int why_find(struct why *w, const struct advice *a,
             const struct timed_ways *ways, struct err *err) MUST_CHECK;
void why_clear(struct why *w);
/* The flips of a why that has its elasticities; why_find() does it. */
int why_flips(struct why *w, const struct advice *a,
              const struct timed_ways *ways, struct err *err) MUST_CHECK;

#endif
