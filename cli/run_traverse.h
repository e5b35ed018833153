/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_traverse.h - `sluice run` of graph algorithms on simulated GPUs. */
#ifndef CLI_RUN_TRAVERSE_H
#define CLI_RUN_TRAVERSE_H

#include "strategies/job.h"

#define TRAVERSE_OPTIONS(r)                                                    \
    {"source", OPT_TEXT, &(r).source, "V",                                     \
     "bfs: the first vertex (the one of most arcs)"},                          \
        {"damping", OPT_NUMBER, &(r).damping, "D", "pagerank (0.85)"},         \
        {"threshold", OPT_NUMBER, &(r).threshold, "T",                         \
         "pagerank: the part of a rank that may be missing (1e-6)"},           \
    {                                                                          \
        "edge-ns", OPT_NUMBER, &(r).edge_ns, "NS",                             \
            "bfs, pagerank: time of an edge on one GPU (by the graph's "       \
            "degrees)"                                                         \
    }

/* Whether a workload is bfs:GRAPH or pagerank:GRAPH. */
bool run_is_traverse(const char *workload);

struct run_form {
    bool json, csv, details, timings;
    const char *timeline; /* NULL: none */
};
int run_traverse(const struct job_request *r, const struct traverse_request *t,
                 struct run_form form, struct err *err) MUST_CHECK;

#endif
