/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.h - decisions between several candidates for the same task: the one
 * that was measured to be the fastest, the one that the simulator advises, and
 * the regret of its advice. */
#ifndef VALIDATE_MEASURE_DECISIONS_H
#define VALIDATE_MEASURE_DECISIONS_H

#include "validate/measure/measured.h"

/* Points of a file that differ only in their choice; at least two. */
struct decision {
    const struct measured *file;
    const struct measured_point **candidates; /* nways of them, borrowed */
    size_t nways;
    const struct measured_point *winner; /* fastest measured */
    const struct measured_point
        *advised; /* fastest simulated; of equal ones the best measured */
    /* NULL if a candidate has no baseline */
    const struct measured_point *by_baseline;
    /* The winner leads the next by more than the sum of their noises; false if
     * a noise is not known. */
    bool clear;
};

struct decisions {
    struct decision *list;
    size_t n;
};

/* Returns the decisions of files that are simulated, in order; borrows the
 * files. */
struct decisions decisions_of(const struct measured *files, size_t nfiles);
void decisions_clear(struct decisions *d);

/* Returns the regret of an advice: the measured time of the advised candidate
 * divided by that of the winner, minus 1. */
double decision_regret(const struct decision *d,
                       const struct measured_point *advised);

struct decision_score {
    char name[264];
    size_t cases, right, clear, clear_right;
    double mean, p90, worst; /* regret of the advice */
    /* Mean regret of the clear cases; NAN if there are none. */
    double clear_mean;
    double baseline; /* mean regret of the baselines' advice, or NAN */
    /* The choice that has the least mean regret if it is always made, of those
     * that all cases have, and this regret; "" and NAN if there is none. */
    char always[64];
    double always_mean;
    const struct decision *worst_case;
};

/* Returns a score for all decisions and, if there are several, one for every
 * file and kind in it. The caller frees them. */
struct decision_score *decision_scores(const struct decisions *d, size_t *n);

#endif
