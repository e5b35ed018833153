/* SPDX-License-Identifier: GPL-3.0-or-later */
/* advise.h - advice between several candidates (struct timed_candidates): the
 * fastest one, the probability that it is, given the spreads of the machine's
 * numbers, and the expected regret. */
#ifndef STUDY_ADVISE_ADVISE_H
#define STUDY_ADVISE_ADVISE_H

#include "study/advise/draws.h"

struct advise_options {
    /* Number of drawn machines; 0 for the nominal one only. */
    size_t draws;
    uint64_t seed;
    /* Standard deviations of the model error (model_error.h), which no number
     * of the machine covers: of the candidates of a kind, and of those of a
     * path; 0 for none. */
    double model_error, path_error;
    /* kinds[i] is the kind of candidate i: candidates of a kind share their
     * model error. NULL if each is its own kind. paths[i] is its path, 0 or 1;
     * NULL if all have one path. */
    const unsigned *kinds, *paths;
    double most; /* upper bound of stated probabilities; 0 means 1 */
};

struct advised_candidate {
    double time_s; /* on the nominal machine; NAN if it cannot run it */
    /* The 5 % and 95 % quantiles over its draws; NAN if it had none. */
    double low_s, high_s;
    double best;  /* the probability that no other is faster */
    size_t draws; /* draws in which it was simulated */
};

/* Candidates that are never the fastest, for practical purposes, are not
 * simulated on all draws. If a candidate is slower by more than this many
 * standard deviations of the logarithm of the ratio of both times, it is the
 * fastest in less than one of 30,000 draws. */
#define ADVISE_NEVER 4.0

/*
 * Returns the ratio to the fastest nominal time from which a candidate is
 * simulated on no draw. It needs no draw, because the deviation has a bound:
 * that of two times that each depend on one number only, the one of the largest
 * spread. Times grow at most as much as the costs in them, and the deviation of
 * a sum of independent costs is less than that of its parts. Shared bandwidths,
 * for which less of one may be faster, are treated like sums.
 */
double advise_hopeless_from(const struct parameters *p,
                            const struct advise_options *o);
/* Then candidates are dropped after this many draws, each time three times as
 * many as before, by the deviation that these show. Student's t is used,
 * because a few draws show it badly. */
enum { ADVISE_FIRST_TRIAL = 8, ADVISE_LAST_TRIAL = 72 };

struct advice {
    struct advised_candidate *candidates;
    /* The candidates that the machine can run, the fastest first. */
    size_t *order;
    /* like[i] is the first candidate whose times equal those of candidate i,
     * but for rounding, on the nominal machine and on every draw. Such
     * candidates are one plan under several names, so they share their model
     * error. */
    size_t *like;
    size_t tied; /* the first `tied` ones of order are like the first */
    size_t n, nways;
    size_t ndraws, simulations;
    size_t dropped; /* candidates dropped after a trial */
    /* Candidates without draws, because they take more than hopeless_from times
     * the fastest's time. */
    size_t hopeless;
    double hopeless_from;
    double *factors; /* factors of the draws (draws.h) */
    double *times_s; /* times on the draws; NAN if left out */
    /* The relative lead of the fastest over the next one that does not tie with
     * it: 0.1 if that takes a tenth longer; NAN if there is none. */
    double lead;
    /* For the fastest: the probability that it is, and its standard error; the
     * probability that it is faster than the next. */
    double best, best_error, before_second;
    /* before_second was below ADVISE_CERTAIN before the options' `most` bounded
     * it. */
    bool uncertain;
    /* The expected relative excess over the best time of a draw, over all draws
     * and over those in which it is not the best. */
    double regret, regret_if_wrong;
};

/* A lead below ADVISE_TIE is a tie, and a probability below ADVISE_CERTAIN
 * makes a winner by chance. */
#define ADVISE_TIE 0.02
#define ADVISE_CERTAIN 0.6667
/* advice_is_tie() returns whether several candidates are like the fastest or
 * the next one ties with it; advice_next_ties() returns the latter only. */
bool advice_is_tie(const struct advice *a);
bool advice_next_ties(const struct advice *a);
/* Return whether there is a candidate after the fastest and those that are like
 * it, and which. */
bool advice_has_next(const struct advice *a);
size_t advice_next(const struct advice *a);

/* Simulates the candidates and fills the advice. Fails also if the machine can
 * run none of them. advice_clear() frees it. */
int advise(struct advice *a, const struct timed_candidates *candidates,
           const struct advise_options *o, struct err *err) MUST_CHECK;
/* Does the same for known times, without simulation: nominal_s[i] of each
 * candidate on the nominal machine, and times_s[draw * nways + i] on o->draws
 * others. */
void advice_of_times(struct advice *a, const double *nominal_s,
                     const double *times_s, size_t nways,
                     const struct advise_options *o);
void advice_clear(struct advice *a);

#endif
