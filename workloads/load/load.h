/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - a workload made ready for a machine: the halo, plan, graph or
 * collective that its words describe. */
#ifndef WORKLOADS_LOAD_LOAD_H
#define WORKLOADS_LOAD_LOAD_H

#include "workloads/graph/graph.h"
#include "workloads/halo.h"
#include "workloads/workload.h"

struct load {
    enum shape shape;
    unsigned nodes, gpus; /* gpus is 0 if the workload has ranks, not GPUs */
    /* SHAPE_PLAN: highest rank named, plus 1; SHAPE_COLLECTIVE and SHAPE_TRACE:
     * all ranks. */
    uint32_t ranks;
    char *partition; /* NULL if there is nothing to partition */
    /* Bytes to move between GPUs or ranks; a value counts once for each that
     * needs it. NAN if they are known only from the simulation. */
    double bytes;
    struct halo halo;
    /* The halo under the partition for comparison; `compared` is NULL if none
     * is wanted. */
    char *compared;
    bool compared_unasked;    /* its failure is not a failure of the run */
    struct err *compared_why; /* the reason if it was not made, else NULL */
    struct halo compared_halo;
    struct plan plan; /* for a trace: empty, on the nodes of its ranks */
    struct loop loop; /* used instead of the plan if it has steps */
    struct collective_words collective;
    unsigned ranks_per_node; /* for a collective or a trace */
    bool ranks_are_gpus;     /* for a trace: each rank has a GPU of its own */
    struct graph graph;
    uint32_t *part; /* GPU of each vertex */
    uint32_t source;
    double damping, threshold;
    unsigned max_iterations; /* 0 if not given */
};

/* Makes a load, which load_clear() frees. On -1 there is nothing to clear. */
int load_make(struct load *l, const struct workload *w, const struct machine *m,
              const struct workload_request *r, struct err *err) MUST_CHECK;
void load_clear(struct load *l);

#endif
