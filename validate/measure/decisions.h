/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.h - which of several ways to do the same was measured to be the
 * fastest, which one the simulator advises, and what following it costs. */
#ifndef VALIDATE_MEASURE_DECISIONS_H
#define VALIDATE_MEASURE_DECISIONS_H

#include "validate/measure/measured.h"

/* Points of a file that differ in nothing but their choice; two at least. */
struct decision {
    const struct measured *file;
    const struct measured_point **ways; /* nways, borrowed */
    size_t nways;
    const struct measured_point *winner; /* measured */
    const struct measured_point
        *advised; /* simulated; of equal ones the best */
    const struct measured_point *by_baseline; /* NULL: some way has none */
    /* The winner is ahead of the next by more than both their noises; false
     * where a noise is not known. */
    bool clear;
};

struct decisions {
    struct decision *list;
    size_t n;
};

/* The decisions of files that are simulated, in order; borrows them. */
struct decisions decisions_of(const struct measured *files, size_t nfiles);
void decisions_clear(struct decisions *d);

/* What an advice costs: measured time of the advised over that of the winner,
 * less 1. */
double decision_regret(const struct decision *d,
                       const struct measured_point *advised);

struct decision_score {
    char name[264];
    size_t cases, right, clear, clear_right;
    double mean, p90, worst; /* regret */
    double clear_mean;       /* over the clear cases; NAN: there are none */
    double baseline;         /* mean regret of the baselines' advice, or NAN */
    /* The one way that costs least when it is always chosen, of those that all
     * cases have, and its mean regret; "" and NAN: there is none. */
    char always[64];
    double always_mean;
    const struct decision *worst_case;
};

/* One for all, then for every file and kind in it, where there are several.
 * The caller frees. */
struct decision_score *decision_scores(const struct decisions *d, size_t *n);

#endif
