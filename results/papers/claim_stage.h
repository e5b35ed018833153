/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claim_stage.h - a graph on a machine, for claims about its traversal. */
#ifndef RESULTS_PAPERS_CLAIM_STAGE_H
#define RESULTS_PAPERS_CLAIM_STAGE_H

#include "strategies/agents/traverse.h"
#include "results/papers/claim_lab.h"

/* One of the study's graphs, and the words of the synthetic graph in its
 * place. */
struct stage_graph {
    const char *name, *words;
};

struct stage {
    const struct lab *lab;
    /* The graph's, for the cost of its edges (edge_costs.h). */
    const char *name;
    struct machine m;
    struct graph g;
    uint32_t *part; /* METIS' partition */
    struct traverse_input in;
};

struct outcome {
    double time_s, wire_B;
};

/* Loads a platform with the lab's changes except those of executions, and with
 * `set`, unless that is NULL. */
int stage_machine(struct machine *m, const struct lab *lab,
                  const char *platform, const char *set,
                  struct err *err) MUST_CHECK;
int stage_open(struct stage *s, const struct lab *lab, const char *platform,
               const char *set, const struct stage_graph *graph, uint32_t ngpus,
               struct err *err) MUST_CHECK;
void stage_close(struct stage *s);
/* Runs the algorithm from the vertex of most arcs, with the lab's changes of
 * executions after `set`. */
int stage_run(struct outcome *o, const struct stage *s, enum algorithm a,
              const char *execution, const char *set,
              struct err *err) MUST_CHECK;

#endif
