/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - a workload made ready for a machine: what its words come down to. */
#ifndef WORKLOADS_LOAD_LOAD_H
#define WORKLOADS_LOAD_LOAD_H

#include "workloads/graph/graph.h"
#include "workloads/halo.h"
#include "workloads/workload.h"

struct load {
    enum shape shape;
    unsigned nodes, gpus; /* gpus 0: of ranks, not of GPUs */
    uint32_t ranks;       /* SHAPE_PLAN: those that are named; SHAPE_COLLECTIVE:
                             all that take part; SHAPE_TRACE: all */
    char *partition;      /* NULL: there is nothing to divide */
    double bytes; /* to be brought from GPU to GPU or rank to rank, each value
                     once for each that needs it; NAN: shows as it runs */
    struct halo halo;
    /* The same under the partition to compare with; NULL: none is wanted. */
    char *compared;
    bool compared_unasked;    /* a failure of it is no failure of the run */
    struct err *compared_why; /* it was not made; NULL: it was */
    struct halo compared_halo;
    struct plan plan; /* of a trace: empty, on the nodes of its ranks */
    struct loop loop; /* in place of the plan, where it has steps */
    struct collective_words collective;
    unsigned ranks_per_node; /* of a collective, a trace */
    bool ranks_are_gpus;     /* of a trace: each has one of its own */
    struct graph graph;
    uint32_t *part; /* the GPU of each vertex */
    uint32_t source;
    double damping, threshold;
    unsigned max_iterations; /* 0: not said */
};

/* Nothing is left to clear on -1. */
int load_make(struct load *l, const struct workload *w, const struct machine *m,
              const struct workload_request *r, struct err *err) MUST_CHECK;
void load_clear(struct load *l);

#endif
