/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell_test.h - what a claim says of the cells of Chen et al.'s tables, as a
 * quantity of them and where it is to lie. */
#ifndef RESULTS_PAPERS_CELL_TEST_H
#define RESULTS_PAPERS_CELL_TEST_H

#include "results/papers/cells.h"
#include "results/papers/claim_lab.h"

enum measure {
    TIME,
    WORKLOAD,  /* visits by vertices */
    REDUNDANT, /* the same, less the one visit that is needed */
    VISITS,    /* not printed */
    LEVEL_us,  /* time by levels of the search, in microseconds */
};

/* Base: with one GPU less. */
#define ONE_LESS UINT32_MAX

/*
 * The quantity: a measure of a framework on a graph with from to `to` GPUs,
 * for each of the frameworks and graphs. Divided by (LEVEL_us: less) the
 * measure with other GPUs where there is a base, as a speed-up is: base over
 * cell. Divided by the same of another framework, or of another graph, or both:
 * (framework / than on a graph) / (framework / than on another).
 */
struct cell_test {
    const char *claim;
    const char *application, *machine;
    const char *const *frameworks, *const *graphs; /* NULL at the end */
    unsigned from, to;
    enum measure measure;
    unsigned base;                       /* GPUs; 0: none */
    const char *than, *than_application; /* NULL: the same */
    const char *const *than_graphs;
    /* Wanted of each, or of the geometric mean: above and below (0: no bound);
     * a number within a factor, and on its side of 1; without a number, what
     * the printed cells give, within a factor. */
    bool average;
    double above, below, number, within;
};

/* One line of evidence: holds, fails, or is not run where cells have not been
 * simulated at full size and those that have do not fail already. */
void cell_test_run(struct verdict *v, const struct cell_test *test,
                   const struct cells *cells);

#endif
