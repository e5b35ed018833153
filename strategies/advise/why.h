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

/* What one percent of a parameter does to a time, in percent: as of --set
 * KEY=x1.01, and =x0.99. NAN: there is no such machine, or no second way. */
#define WHY_MORE 1.01
#define WHY_LESS 0.99
struct elasticity {
    size_t parameter;
    double first, less;         /* of the fastest way: of more, and of less */
    double second, second_less; /* of the next */
    /* Of the variance of the logarithm of their ratio that comes from machine
     * numbers, this one's part, by the slope between less and more; NAN: there
     * is no second way. */
    double share;
};

/*
 * Parameters of which none alone makes the fastest way faster, because the
 * others are as slow as it is; a percent of all of them does: factors[i] of
 * list[i].
 */
struct tied {
    size_t *list;
    size_t n;
    double first, alone; /* of all, and the best that one of them does */
};

/* What a parameter would have to be for another way to be the fastest: the
 * nearest factor, of four digits for a group; of a single number its value has
 * four. There the way is the fastest, and nearer by 2 % it is not. */
struct flip_side {
    double factor, value; /* NAN: none within a factor of WHY_FAR */
    size_t way;
};
struct flip {
    size_t parameter;
    struct flip_side below, above;
};

struct why {
    struct elasticity *list; /* largest effect on the fastest way first */
    size_t n;
    size_t rest;   /* costs that no time depends on */
    size_t limits; /* of segments: they are drawn, but not changed here */
    struct tied *tied;
    size_t ntied;
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
/* The factor of one percent that makes a parameter's part of a time less. */
double why_better(const struct parameter *p);
/* The tied ones of a why that has its elasticities; why_find() does it. */
int why_tied(struct why *w, const struct advice *a,
             const struct timed_ways *ways, struct err *err) MUST_CHECK;
/* The flips of a why that has its elasticities; why_find() does it. */
int why_flips(struct why *w, const struct advice *a,
              const struct timed_ways *ways, struct err *err) MUST_CHECK;

#endif
