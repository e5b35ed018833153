/* SPDX-License-Identifier: GPL-3.0-or-later */
/* native_results.h - halo exchanges as `sluice-native run` timed them, compared
 * with simulations of the same. */
#ifndef VALIDATE_MEASURE_NATIVE_RESULTS_H
#define VALIDATE_MEASURE_NATIVE_RESULTS_H

#include "base/err.h"
#include "strategies/strategy.h"
#include "validate/measure/measured.h"
#include "workloads/matrix.h"

#include <stdbool.h>
#include <stddef.h>

/* One strategy in one case. */
struct native_time {
    const struct strategy *strategy;
    size_t nsamples;
    double native_s; /* median of the samples */
    /* The uncertainty of the median: 1.57 IQR / sqrt(n), half the notch of
     * McGill, Tukey and Larsen 1978 (Variations of box plots). If two medians
     * differ by more than the sum of theirs, one is smaller at about 95 %.
     * Because samples of one run are not independent, it is for several runs at
     * least t sd / sqrt(2 k) of their k medians, with Student's t of k - 1 at
     * 95 %: the sum of two is then the uncertainty of the difference of two
     * means. NAN for one sample, which says nothing about it. */
    double noise_s;
    double simulated_s; /* 0 until native_simulate() */
    const char *file;   /* file of its first row; borrowed */
    unsigned line;
};

/* A comparison of strategies: its rows are equal but for the strategy. */
struct native_case {
    char *machine, *config, *workload;
    char *mpi;       /* "" in files without such a column */
    char *partition; /* as --partition accepts it */
    unsigned gpus, nodes, ranks_per_node;
    unsigned value_bytes;
    bool gpu_memory;           /* memory "gpu"; "host" represents it */
    struct native_time *times; /* in order of strategies[] */
    size_t n;
};

struct native_results {
    struct native_case *cases; /* in order of first appearance */
    size_t n;
};
extern const char *const native_memory_names[2]; /* indexed by gpu_memory */

/* Reads files; rows of one case in several files are one case. Errors name
 * file, line and column. The paths must live as long as the results. */
int native_load(struct native_results *r, const char *const *paths,
                size_t npaths, struct err *err) MUST_CHECK;
void native_clear(struct native_results *r);

/* Simulates all cases on `m` or, if it is NULL, each on the machine that its
 * rows name, changed by `sets`. `progress` (may be NULL) is called with done,
 * all. */
int native_simulate(struct native_results *r, const struct machine *m,
                    const char *const *sets, size_t nsets,
                    const struct exec_options *o,
                    void (*progress)(size_t, size_t),
                    struct err *err) MUST_CHECK;

/* Returns whether two cases are equal but for the bytes of a value. */
bool native_same_place(const struct native_case *a,
                       const struct native_case *b);

/* Returns the strategy that is measured to be the fastest; the first of equal
 * ones. */
const struct native_time *native_fastest(const struct native_case *c);
/* Returns the strategy that is predicted to be the fastest; of those that are
 * simulated as equally fast, which is one prediction, the one that is measured
 * to be the fastest. */
const struct native_time *native_predicted(const struct native_case *c);
/* Returns whether the two fastest measured strategies differ by more than the
 * sum of their noises. */
bool native_is_clear(const struct native_case *c);

/* The score of the cases of one kind of memory, or of all if it is NULL. Cases
 * of one strategy have no winner. */
struct native_score {
    size_t cases, right; /* the predicted winner is the measured one */
    /* Cases with a clear measured winner; right of them. */
    size_t clear, clear_right;
    /* The regret, over the cases: the measured time of the predicted winner
     * divided by that of the measured one, minus 1. worst_case is the case with
     * the largest. NAN and NULL without cases. */
    double median_regret, worst_regret;
    const struct native_case *worst_case;
    /* Pairs of strategies of a case that clearly differ in the measurement;
     * those whose order is predicted (equal predictions are no order). */
    size_t pairs, pairs_right;
};
struct native_score native_score(const struct native_results *r,
                                 const char *memory);

/* Returns summaries of |simulated / measured - 1|: "all", each kind of memory,
 * and each strategy below it ("host/split+md"); the caller frees them. */
struct error_summary *native_summary(const struct native_results *r, size_t *n);

#endif
