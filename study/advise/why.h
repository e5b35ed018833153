/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why.h - the numbers of a machine on which an advice depends: elasticities,
 * break-even values, and the number to measure next. */
#ifndef STUDY_ADVISE_WHY_H
#define STUDY_ADVISE_WHY_H

#include "study/advise/advise.h"

/* Break-even values are searched within a factor of ten. A time changes at most
 * by the factor of the number, so candidates that are slower than that are
 * ignored. */
#define WHY_FAR 10.0
/* Returns whether there is a second candidate to compare with. */
bool why_has_second(const struct advice *a);
enum { WHY_RIVALS = 8, WHY_BREAK_EVENS = 8 };

/* The effect of one percent of a parameter on a time, in percent: that of --set
 * KEY=x1.01 and of KEY=x0.99. NAN if there is no such machine, or no second
 * candidate. */
#define WHY_MORE 1.01
#define WHY_LESS 0.99
struct elasticity {
    size_t parameter;
    double first, less; /* on the fastest candidate: of more, and of less */
    double second, second_less; /* on the next one */
    /* The variance of the logarithm of their ratio that comes from this number,
     * as a fraction of the variance from all numbers of the machine, by the
     * slope between less and more; NAN if there is no second candidate. */
    double share;
};

/* Parameters that are bottlenecks together: none of them alone makes the
 * fastest candidate faster, because the others are as slow, but a percent of
 * all of them does. */
struct tied {
    size_t *list;
    size_t n;
    /* The effects of all of them, and of the best single one. */
    double first, alone;
};

/* The break-even value of a parameter: the nearest factor at which another
 * candidate is the fastest, of four digits for a group; for a single number the
 * value has four digits. At the factor that candidate is the fastest, and
 * nearer by 2 % it is not. */
struct break_even_side {
    double factor, value; /* NAN if there is none within a factor of WHY_FAR */
    size_t candidate;
};
struct break_even {
    size_t parameter;
    struct break_even_side below, above;
};

struct why {
    /* The largest effect on the fastest candidate comes first. */
    struct elasticity *list;
    size_t n;
    size_t rest; /* costs on which no time depends */
    /* Limits of segments, which are drawn but not changed here. */
    size_t limits;
    struct tied *tied;
    size_t ntied;
    /* The nearest first, for parameters that matter to the choice. */
    struct break_even *break_evens;
    size_t nflips;
    /* The parameter whose spread is the largest part of the doubt; SIZE_MAX if
     * there is none. */
    size_t benchmarks;
    /* Its fraction of the variance, as in struct elasticity. */
    double benchmarks_share;
    size_t simulations;
};

/* Finds all of it; the result borrows nothing. If there is one candidate, there
 * are no break-even values. why_clear() frees the result. */
int why_find(struct why *w, const struct advice *a,
             const struct timed_candidates *candidates,
             struct err *err) MUST_CHECK;
void why_clear(struct why *w);
/* Returns the factor, of one percent, that reduces a parameter's part of a
 * time. */
double why_better(const struct parameter *p);
/* Finds the bottlenecks together, once the elasticities are known; why_find()
 * calls it. */
int why_tied(struct why *w, const struct advice *a,
             const struct timed_candidates *candidates,
             struct err *err) MUST_CHECK;
/* Finds the break-even values, once the elasticities are known; why_find()
 * calls it. */
int why_break_evens(struct why *w, const struct advice *a,
                    const struct timed_candidates *candidates,
                    struct err *err) MUST_CHECK;

#endif
