/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traverse.h - graph searches on real GPUs: what the command, the executions
 * and their kernels share.
 *
 * Each GPU has the rows of its own vertices. Its values are those of its own
 * vertices, by their number in the graph, then those of its ghosts: the heads
 * of its arcs that others own, one owner's after the other's, likewise. A head
 * in a row is a place there. A GPU's peers are the others, in their order.
 */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_H

#include <stddef.h>
#include <stdint.h>

enum {
    TRAVERSE_GPUS = 8, /* at most */
    TRAVERSE_PEERS = TRAVERSE_GPUS - 1
};

/* In GPU memory. */
struct graph_share {
    uint32_t own, ghosts, arcs;
    const uint32_t *first; /* own + 1 */
    const uint32_t *to;    /* arcs heads: places of values */
    const uint32_t *home;  /* of each ghost: its place at its owner */
    /* Of each peer: the end of its ghosts; beyond the last one all of them. */
    uint32_t ghosts_end[TRAVERSE_PEERS];
};

#ifdef __CUDACC__
#define ON_BOTH __host__ __device__
#else
#define ON_BOTH
#endif

/* The ghosts that a peer owns: from where on, and how many. */
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

/* How what is found for another GPU gets there. */
enum transfer {
    TRANSFER_NONE,  /* one GPU */
    TRANSFER_STORE, /* the kernel stores it in the owner's memory */
    TRANSFER_COPY,  /* the CPU copies it when the kernel has ended */
    TRANSFER_RING,  /* the same, by a host thread to the next GPU; of two */
    TRANSFERS
};

/*
 * Vertices that are to be visited, by their rows: `before` has the arcs of
 * those before. Each has an arc at least. One counter has both sums, so that
 * one atomic reserves both: vertices in the upper half, arcs in the lower.
 */
struct arc_item {
    uint32_t row, before;
};
struct arc_list {
    struct arc_item *items;
    struct list_counts *counts;
};
struct list_counts {
    unsigned long long both;
    unsigned long long leaves; /* found, without arcs: not in the list */
    unsigned long long remote; /* atomics on other GPUs' memory */
};

/* Vertices for another GPU, by their place there. */
struct send_list {
    uint32_t *items;
    unsigned long long *count;
};

/* Of a kernel, added up over the threads; counts of a run. */
struct traverse_counts {
    unsigned long long visits, arcs, pushes, received, remote_atomics, bytes;
};

#endif
