/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_graph.h - a graph's shares, one for each GPU, by a part vector. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_GRAPH_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_GRAPH_H

#include "validate/native/cuda/traverse.h"
#include "workloads/graph/graph.h"

/* On the host, as struct graph_share has it on the GPU. */
struct host_share {
    uint32_t own, ghosts, arcs;
    uint32_t *first, *to, *home;
    uint32_t *number; /* the graph's number of each own vertex */
    uint32_t ghosts_end[TRAVERSE_PEERS];
};

/* `place` has room for g->n: where each vertex lies at its owner. Fails where a
 * GPU would have 2^32 arcs or more. */
int host_shares(struct host_share *shares, uint32_t *place,
                const struct graph *g, const uint32_t *part, unsigned gpus,
                struct err *err) MUST_CHECK;
void host_share_clear(struct host_share *s);
/* GPU memory that it takes. */
uint64_t host_share_B(const struct host_share *s);

#endif
