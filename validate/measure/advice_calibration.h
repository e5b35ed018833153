/* SPDX-License-Identifier: GPL-3.0-or-later */
/* advice_calibration.h - the calibration of advice: compares the probability
 * that it states for measured decisions with the candidates that were the
 * fastest. */
#ifndef VALIDATE_MEASURE_ADVICE_CALIBRATION_H
#define VALIDATE_MEASURE_ADVICE_CALIBRATION_H

#include "study/advise/advise.h"
#include "study/advise/model_error.h"
#include "validate/measure/measured.h"
#include "validate/measure/native_results.h"
#include "validate/measure/traverse_cases.h"

/* A decision (decisions.h): its candidates as they were measured, as they are
 * simulated, and as they are on drawn machines. */
struct calibration_case {
    char platform[40], machine[40], file[80], name[160];
    size_t nways;
    char (*choices)[64];
    double *measured_s, *nominal_s, *times_s; /* the last: one row per draw */
    /* The first measured candidate leads by more than the sum of both
     * noises. */
    bool clear;
    enum decided kind;
    unsigned nodes;
    uint64_t bytes;  /* as in struct decided_case */
    unsigned *paths; /* paths of the candidates */
};

struct calibration {
    struct calibration_case *list;
    size_t n, draws;
    uint64_t seed;
};
void calibration_clear(struct calibration *s);

/* Adds the decisions of a file, simulated on the machine and on s->draws others
 * that are drawn within the parameters' spreads. A point with a placement of
 * its own is left out, because its machine is another. */
int calibration_add(struct calibration *s, const struct measured *f,
                    const struct machine *m, const struct parameters *p,
                    size_t max_ops, const struct exec_options *exec,
                    struct err *err) MUST_CHECK;

/* Adds halo exchanges of real ranks, all on this machine. */
int calibration_add_native(struct calibration *s, struct native_results *r,
                           const struct machine *m, const struct parameters *p,
                           const struct exec_options *exec,
                           struct err *err) MUST_CHECK;

/* Adds graph searches. Each is simulated on this machine alone, and its time on
 * the drawn ones is assumed to be equal, because a search on each would take
 * too long. */
void calibration_add_traverse(struct calibration *s,
                              const struct traverse_cases *t,
                              const struct machine *m);

/* The advice of a case, and its measured times. */
struct calibration_answer {
    /* Probability that the advised candidate is the fastest, or one of those
     * that tie with it. */
    double probability;
    double lead;   /* simulated, as in struct advice */
    double regret; /* measured: the advised divided by the fastest, minus 1 */
    double of_winner; /* stated probability of the fastest candidate */
    size_t advised, winner;
    /* Candidates that tie with the advised one, itself included: if above 1,
     * nothing is advised. */
    size_t tied;
    bool right; /* the winner is the advised candidate */
};
struct calibration_answer calibration_answer(const struct calibration *s,
                                             const struct calibration_case *c,
                                             const struct model_error *e);

/* The cases that are counted, and the errors by which their probabilities are
 * stated. */
struct calibration_view {
    const char *platform; /* NULL for all */
    enum decided kind;    /* NDECIDED for all */
    double given;   /* error of each candidate, 0.1; NAN to use the table */
    bool held_back; /* as if the machine had no rows of its own */
};
struct model_error calibration_error(const struct calibration_case *c,
                                     const struct calibration_view *v);

/* Cases are counted by the fifth that contains their stated probability. */
enum { CALIBRATION_BINS = 5 };
struct calibration_bins {
    size_t n[CALIBRATION_BINS], right[CALIBRATION_BINS];
    double stated[CALIBRATION_BINS]; /* mean; NAN if there is no case */
    size_t cases;
    double score; /* mean logarithm of of_winner */
};
struct calibration_bins calibration_bins(const struct calibration *s,
                                         const struct calibration_view *v);

/* Returns the rows of model_error.h for these cases, one for each machine, kind
 * and class; their platforms are borrowed. The caller frees the rows. */
struct model_error_row *calibration_rows(const struct calibration *s,
                                         size_t *n);

#endif
