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
    double native_s; /* the samples' median */
    /*
     * How far the median may be off: 1.57 IQR / sqrt(n), half the notch of
     * McGill, Tukey and Larsen 1978 (Variations of box plots). Of two medians
     * further apart than the sum of theirs, one is the smaller at about 95 %.
     * Samples of one run are not independent, so of several runs it is at least
     * t sd / sqrt(2 k) of their k medians, with Student's t of k - 1 at 95 %:
     * the sum of two is then what the difference of two means is known to.
     * NAN of one sample, which says nothing of it.
     */
    double noise_s;
    double simulated_s; /* 0 until native_simulate() */
    const char *file;   /* where it was first met; borrowed */
    unsigned line;
};

/* What the strategies are compared in: equal but for the strategy. */
struct native_case {
    char *machine, *config, *workload;
    char *mpi;       /* "" in files that have no such column */
    char *partition; /* as --partition takes it */
    unsigned gpus, nodes, ranks_per_node;
    unsigned value_bytes;
    bool gpu_memory;           /* memory "gpu"; "host" stands for it */
    struct native_time *times; /* in order of strategies[] */
    size_t n;
};

struct native_results {
    struct native_case *cases; /* in order of first appearance */
    size_t n;
};
extern const char *const native_memory_names[2]; /* by gpu_memory */

/* Rows of one case in several files are one case. Errors name file, line and
 * column. The paths must live as long as the results. */
int native_load(struct native_results *r, const char *const *paths,
                size_t npaths, struct err *err) MUST_CHECK;
void native_clear(struct native_results *r);

/*
 * Simulates all of them on `m`, or, NULL, each on the machine that its rows
 * name, changed by `sets`. `progress` (may be NULL) is called with done, all.
 */
int native_simulate(struct native_results *r, const struct machine *m,
                    const char *const *sets, size_t nsets,
                    const struct exec_options *o,
                    void (*progress)(size_t, size_t),
                    struct err *err) MUST_CHECK;

/* Equal but for the bytes of a value. */
bool native_same_place(const struct native_case *a,
                       const struct native_case *b);

/* The strategy that is the fastest natively; the first of equal ones. */
const struct native_time *native_fastest(const struct native_case *c);
/* The one that is predicted to be; of those that are simulated equally fast,
 * which is one prediction, the one that is natively the fastest. */
const struct native_time *native_predicted(const struct native_case *c);
/* The two fastest natively differ by more than the sum of their noises. */
bool native_is_clear(const struct native_case *c);

/* Of the cases of one kind of memory, or, NULL, of all. Cases of one strategy
 * have no winner. */
struct native_score {
    size_t cases, right;       /* the predicted winner is the native one */
    size_t clear, clear_right; /* of them those with a clear native winner */
    /* How much slower the predicted winner is than the native one, over the
     * cases; worst_case: where it is the most. NAN, NULL without cases. */
    double median_regret, worst_regret;
    const struct native_case *worst_case;
    /* Pairs of strategies of a case that clearly differ natively; those whose
     * order is predicted (equal predictions are no order). */
    size_t pairs, pairs_right;
};
struct native_score native_score(const struct native_results *r,
                                 const char *memory);

/* |simulated / native - 1|: "all", each kind of memory, and each strategy below
 * it ("host/split+md"); the caller frees. */
struct error_summary *native_summary(const struct native_results *r, size_t *n);

#endif
