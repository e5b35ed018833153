/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell_test.h - tests a claim about the cells of Chen et al.'s tables: a
 * quantity of them, and the bounds in which it has to lie. */
#ifndef RESULTS_PAPERS_CELL_TEST_H
#define RESULTS_PAPERS_CELL_TEST_H

#include "results/papers/cells.h"
#include "results/papers/claim_lab.h"

enum measure {
    TIME,
    WORKLOAD,  /* visits divided by vertices */
    REDUNDANT, /* the same, minus the one visit that is needed */
    VISITS,    /* not printed */
    LEVEL_us,  /* time divided by levels of the search, microseconds */
};

/* A base with one GPU less than the cell. */
#define ONE_LESS UINT32_MAX

/*
 * The quantity is a measure of a framework on a graph with `from` to `to` GPUs,
 * for each of the frameworks and graphs.
 * If there is a base, the measure with that number of GPUs is divided by it, as
 * in a speed-up: base over cell (for LEVEL_us, the base is subtracted). If
 * `than` or `than_graphs` is set, the result is divided by the same of another
 * framework, or on another graph, or both: (framework / than on a graph) /
 * (framework / than on another).
 */
struct cell_test {
    const char *claim;
    const char *application, *machine;
    const char *const *frameworks, *const *graphs; /* NULL at the end */
    unsigned from, to;
    enum measure measure;
    unsigned base;                       /* number of GPUs; 0 if none */
    const char *than, *than_application; /* NULL if the same */
    const char *const *than_graphs;
    /* The bounds of each value or, if `average`, of the geometric mean: above
     * and below (0 for no bound); or, if `within` is set, the number, or the
     * printed value if there is no number, from which it differs by at most
     * that factor, on the same side of 1. */
    bool average;
    double above, below, number, within;
};

/* Adds one line of evidence to the verdict: it holds, fails, or is not run if
 * cells have not been simulated at full size and the others do not fail
 * already. */
void cell_test_run(struct verdict *v, const struct cell_test *test,
                   const struct cells *cells);

#endif
