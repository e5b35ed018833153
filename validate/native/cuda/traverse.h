/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traverse.h - graph searches on real GPUs: the types that the command, the
 * executions and their kernels share.
 *
 * Each GPU has the rows of its own vertices. Its values are those of its own
 * vertices, by their number in the graph, then those of its ghosts: the heads
 * of its arcs that others own, by owner, then by number. A head in a row is a
 * place among these values. A GPU's peers are the other GPUs, in their order.
 */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_H

#include <stddef.h>
#include <stdint.h>

enum {
    TRAVERSE_GPUS = 8, /* at most */
    TRAVERSE_PEERS = TRAVERSE_GPUS - 1
};

/* The share of one GPU; arrays are in GPU memory. */
struct graph_share {
    uint32_t own, ghosts, arcs;
    const uint32_t *first; /* own + 1 of them */
    const uint32_t *to;    /* arcs of them: heads, as places of values */
    const uint32_t *home;  /* place of each ghost at its owner */
    /* The end of each peer's ghosts; after the last peer, the number of all. */
    uint32_t ghosts_end[TRAVERSE_PEERS];
};

#ifdef __CUDACC__
#define ON_BOTH __host__ __device__
#else
#define ON_BOTH
#endif

/* Return the first of the ghosts that a peer owns, and their number. */
static inline ON_BOTH uint32_t share_ghosts_from(const struct graph_share *g,
                                                 unsigned peer)
{
    return peer ? g->ghosts_end[peer - 1] : 0;
}
static inline ON_BOTH uint32_t share_ghosts_of(const struct graph_share *g,
                                               unsigned peer)
{
    return g->ghosts_end[peer] - share_ghosts_from(g, peer);
}

#define TRAVERSE_NONE 0xffffffffu /* no depth */

/* The transfer of vertices found for another GPU. */
enum transfer {
    TRANSFER_NONE,  /* one GPU */
    TRANSFER_STORE, /* the kernel stores it in the owner's memory */
    TRANSFER_COPY,  /* the CPU copies it once the kernel has ended */
    TRANSFER_RING,  /* a host thread copies it to the next GPU, of two */
    TRANSFERS
};

/* Vertices to visit, by their rows: `before` is the number of arcs of the
 * vertices before it. Each has at least one arc. One counter has both sums, so
 * that one atomic reserves both: vertices in the upper half, arcs in the
 * lower. */
struct arc_item {
    uint32_t row, before;
};
struct arc_list {
    struct arc_item *items;
    struct list_counts *counts;
};
struct list_counts {
    unsigned long long both;
    /* Found vertices without arcs, not in the list. */
    unsigned long long leaves;
    unsigned long long remote; /* atomics on other GPUs' memory */
};

/* Vertices for another GPU, by their place there. */
struct send_list {
    uint32_t *items;
    unsigned long long *count;
};

/* Counts of a run, summed over the threads of its kernels. */
struct traverse_counts {
    unsigned long long visits, arcs, pushes, received, remote_atomics, bytes;
};

#endif
