/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_push.h - a level of a breadth-first search that pushes or pulls: the
 * interface of C and the kernels. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_PUSH_H
#define VALIDATE_NATIVE_CUDA_BFS_PUSH_H

#include "validate/native/cuda/traverse.h"

#include <stdbool.h>

enum { PUSH_CTA = 256 };

struct push_level {
    struct graph_share g;
    uint32_t *depth; /* depths of the own vertices and the ghosts */
    uint32_t next;   /* depth of the heads */
    const struct arc_item *in;
    uint32_t items, arcs;
    uint32_t share;      /* arcs per CTA; push_arcs_start() computes it */
    struct arc_list out; /* own vertices that were found */
    unsigned peers;
    /* Ghosts that were found, by owner. */
    struct send_list send[TRAVERSE_PEERS];
    bool stores; /* these lists are in other GPUs' memory */
};

/* The places received from each peer: counts[peer] of them or, if counts is
 * NULL, n[peer]. */
struct push_inbox {
    const uint32_t *items[TRAVERSE_PEERS];
    const unsigned long long *counts;
    uint32_t n[TRAVERSE_PEERS];
};

struct pull_level {
    struct push_level push;       /* its depths, `next` and `out` */
    const uint32_t *first, *from; /* the tails of the in-arcs of own vertices */
    unsigned long long *looked;   /* number of in-arcs that were inspected */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Start a level's kernel with at most `ctas` CTAs (thread blocks). Return a
 * cudaError_t. */
int push_arcs_start(const struct push_level *l, unsigned ctas, void *stream);
int push_received_start(const struct push_level *l, const struct push_inbox *in,
                        unsigned ctas, void *stream);
int pull_start(const struct pull_level *l, unsigned ctas, void *stream);
/* Sets *ctas to the CTAs that the GPU in use holds at once. */
int push_resident(unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
