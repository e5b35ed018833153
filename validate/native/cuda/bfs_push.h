/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_push.h - a level of a breadth-first search, pushing; what C and the
 * kernels share. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_PUSH_H
#define VALIDATE_NATIVE_CUDA_BFS_PUSH_H

#include "validate/native/cuda/traverse.h"

#include <stdbool.h>

enum { PUSH_CTA = 256 };

struct push_level {
    struct graph_share g;
    uint32_t *depth; /* of the own vertices and the ghosts */
    uint32_t next;   /* what the heads get */
    const struct arc_item *in;
    uint32_t items, arcs;
    uint32_t share;      /* arcs of a CTA */
    struct arc_list out; /* own vertices that were found */
    unsigned peers;
    struct send_list send[TRAVERSE_PEERS]; /* ghosts, by owner */
    bool stores; /* the latter are in other GPUs' memory */
};

/* What came from each peer: as many as counts[peer] says, or, where counts is
 * NULL, n[peer]. */
struct push_inbox {
    const uint32_t *items[TRAVERSE_PEERS];
    const unsigned long long *counts;
    uint32_t n[TRAVERSE_PEERS];
};

#ifdef __cplusplus
extern "C" {
#endif

/* Begin a level's kernel; l->share is set here, for at most `ctas` CTAs. Return
 * a cudaError_t. */
int push_arcs_start(const struct push_level *l, unsigned ctas, void *stream);
int push_received_start(const struct push_level *l, const struct push_inbox *in,
                        unsigned ctas, void *stream);
/* How many CTAs the GPU in use holds at once. */
int push_resident(unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
