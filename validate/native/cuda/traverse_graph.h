/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_graph.h - partitions a graph into shares, one for each GPU, by a
 * part vector. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_GRAPH_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_GRAPH_H

#include "validate/native/cuda/traverse.h"
#include "workloads/graph/graph.h"

/* A share on the host, like struct graph_share on the GPU. */
struct host_share {
    uint32_t own, ghosts, arcs;
    uint32_t *first, *to, *home;
    uint32_t *number; /* the graph's number of each own vertex */
    uint32_t ghosts_end[TRAVERSE_PEERS];
};

/* Makes the shares. `place` has room for g->n: the place of each vertex at its
 * owner. Fails if a GPU would have 2^32 arcs or more. */
int host_shares(struct host_share *shares, uint32_t *place,
                const struct graph *g, const uint32_t *part, unsigned gpus,
                struct err *err) MUST_CHECK;
void host_share_clear(struct host_share *s);
/* Returns the bytes of GPU memory of a share. */
uint64_t host_share_B(const struct host_share *s);

#endif
