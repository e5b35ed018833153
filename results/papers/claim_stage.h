/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claim_stage.h - a graph on a machine, for claims about how it is searched. */
#ifndef RESULTS_PAPERS_CLAIM_STAGE_H
#define RESULTS_PAPERS_CLAIM_STAGE_H

#include "strategies/agents/traverse.h"
#include "results/papers/claim_lab.h"

/* One of the study's graphs, and the synthetic graph in its place. */
struct stage_graph {
    const char *name, *words;
};

struct stage {
    const struct lab *lab;
    const char *name; /* of the graph: its edges' cost (edge_costs.h) */
    struct machine m;
    struct graph g;
    uint32_t *part; /* by METIS */
    struct traverse_input in;
};

struct outcome {
    double time_s, wire_B;
};

/* A platform with the lab's changes but those of executions, and `set` (NULL:
 * nothing more). */
int stage_machine(struct machine *m, const struct lab *lab,
                  const char *platform, const char *set,
                  struct err *err) MUST_CHECK;
int stage_open(struct stage *s, const struct lab *lab, const char *platform,
               const char *set, const struct stage_graph *graph, uint32_t ngpus,
               struct err *err) MUST_CHECK;
void stage_close(struct stage *s);
/* From the vertex of most arcs; the lab's changes of executions after `set`. */
int stage_run(struct outcome *o, const struct stage *s, enum algorithm a,
              const char *execution, const char *set,
              struct err *err) MUST_CHECK;

#endif
