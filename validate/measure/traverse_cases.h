/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_cases.h - graph searches as `sluice-native traverse` timed them,
 * simulated by the preset of the same name, and scored. */
#ifndef VALIDATE_MEASURE_TRAVERSE_CASES_H
#define VALIDATE_MEASURE_TRAVERSE_CASES_H

#include "platforms/machine.h"
#include "strategies/agents/traverse.h"

/* One search, in all of its runs: what a file's rows are equal in. */
struct traverse_case {
    char *algorithm,
        *graph; /* the words of the workload; files without folder */
    char *execution, *partition, *transfer; /* "-" on one GPU */
    uint32_t gpus, source, delta;           /* delta 0: no priority */
    uint32_t devices;  /* fewer than gpus: they shared them */
    uint32_t vertices; /* of the graph that was searched */
    uint64_t arcs, seed;
    double threshold; /* of PageRank */
    double skew_s, latency_s;

    double time_s, visits, reached; /* of the median */
    struct traverse_level *levels;  /* visits, edges, and the runs' median */
    size_t nlevels;

    char *why; /* it is not simulated; NULL: it is */
    double simulated_s, simulated_visits;
    struct traverse_level *simulated;
    size_t nsimulated;
};

struct traverse_cases {
    struct traverse_case *cases; /* in order of first appearance */
    size_t n;
};

/* Of several files; errors name file, line and column. */
int traverse_cases_load(struct traverse_cases *t, const char *const *paths,
                        size_t npaths, struct err *err) MUST_CHECK;
void traverse_cases_clear(struct traverse_cases *t);

/* Simulates all on the machine. Files of graphs are looked for in the folders,
 * then among those that come with sluice. Graphs that are not found or
 * not those that were searched, presets that are not there, rings and GPUs that
 * shared devices are left out, with why. */
int traverse_cases_simulate(struct traverse_cases *t, const struct machine *m,
                            const char *const *folders, size_t nfolders,
                            const struct exec_options *exec,
                            void (*progress)(size_t done, size_t all),
                            struct err *err) MUST_CHECK;

/* Of the errors |simulated / measured - 1| of some: how many, their median, and
 * the share within a factor 1.3. */
struct traverse_errors {
    size_t n;
    double median, within;
};

struct traverse_score {
    struct traverse_errors levels;   /* of 10^4 arcs and more */
    struct traverse_errors total[2]; /* on one GPU; on more */
    struct traverse_errors speedup;  /* from one GPU to more */
    /* Of visits by reached vertices: the largest difference, and the share of
     * the cases in which it is at most 0.05. */
    struct traverse_errors visits;
    /* Of level-synchronous cases, those with all frontiers equal. */
    size_t synchronous, exact;
    /* Of pairs of executions of one search whose measured times differ by more
     * than 5 %, those that the simulation orders as measured. */
    size_t pairs, right;
};
struct traverse_score traverse_cases_score(const struct traverse_cases *t);

/* Whether two cases, both of them simulated, are ways to do the same search on
 * the same GPUs and parts: executions, and how they send. */
bool traverse_cases_compete(const struct traverse_case *a,
                            const struct traverse_case *b);

#define TRAVERSE_LEVEL_ARCS 10000

#endif
