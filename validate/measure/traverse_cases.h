/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_cases.h - graph searches as `sluice-native traverse` timed them,
 * simulated by the preset of the same name, and scored. */
#ifndef VALIDATE_MEASURE_TRAVERSE_CASES_H
#define VALIDATE_MEASURE_TRAVERSE_CASES_H

#include "platforms/machine.h"
#include "apps/agents/traverse.h"

/* One search, in all of its runs: these keys are equal in the rows of a
 * case. */
struct traverse_case {
    char *algorithm,
        /* The words of the workload; a file is named without its folder. */
        *graph;
    char *execution, *partition, *transfer; /* "-" on one GPU */
    uint32_t gpus, source, delta;           /* delta is 0 without priority */
    uint32_t devices;  /* if fewer than gpus, they were shared */
    uint32_t vertices; /* vertices of the graph that was searched */
    uint64_t arcs, seed;
    double threshold; /* for PageRank */
    double skew_s, latency_s;

    double time_s, visits, reached; /* values of the median run */
    /* Visits, edges, and the median time of the runs. */
    struct traverse_level *levels;
    size_t nlevels;

    char *why; /* why it is not simulated; NULL if it is */
    double simulated_s, simulated_visits;
    struct traverse_level *simulated;
    size_t nsimulated;
};

struct traverse_cases {
    struct traverse_case *cases; /* in order of first appearance */
    size_t n;
};

/* Reads several files; errors name file, line and column. */
int traverse_cases_load(struct traverse_cases *t, const char *const *paths,
                        size_t npaths, struct err *err) MUST_CHECK;
void traverse_cases_clear(struct traverse_cases *t);

/* Simulates all cases on the machine. Files of graphs are searched in the
 * folders, then among those that come with sluice. A case is left out, with
 * `why`, if its graph is not found or differs from the one that was searched,
 * if there is no preset of its name, if the transfer was a ring, or if GPUs
 * shared devices. */
int traverse_cases_simulate(struct traverse_cases *t, const struct machine *m,
                            const char *const *folders, size_t nfolders,
                            const struct exec_options *exec,
                            void (*progress)(size_t done, size_t all),
                            struct err *err) MUST_CHECK;

/* The errors |simulated / measured - 1| of some cases: number, median, and the
 * share within a factor of 1.3. */
struct traverse_errors {
    size_t n;
    double median, within;
};

struct traverse_score {
    struct traverse_errors levels;   /* levels of 10^4 arcs and more */
    struct traverse_errors total[2]; /* on one GPU; on several */
    struct traverse_errors speedup;  /* from one GPU to several */
    /* Visits divided by reached vertices: the largest difference, and the share
     * of the cases in which it is at most 0.05. */
    struct traverse_errors visits;
    /* Level-synchronous cases, and those of them with all frontiers equal. */
    size_t synchronous, exact;
    /* Pairs of executions of one search whose measured times differ by more
     * than 5 %, and those of them that the simulation orders as measured. */
    size_t pairs, right;
};
struct traverse_score traverse_cases_score(const struct traverse_cases *t);

/* Returns whether two cases, both of them simulated, are candidates for the
 * same search on the same GPUs and parts: they differ in execution or
 * transfer. */
bool traverse_cases_compete(const struct traverse_case *a,
                            const struct traverse_case *b);

#define TRAVERSE_LEVEL_ARCS 10000

#endif
