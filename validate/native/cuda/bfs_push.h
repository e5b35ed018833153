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
    uint32_t share;        /* arcs of a CTA */
    struct arc_list out;   /* own vertices that were found */
    struct send_list send; /* ghosts */
    bool stores;           /* the latter is in the other GPU's memory */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Begin a level's kernel; l->share is set here, for at most `ctas` CTAs. Return
 * a cudaError_t. */
int push_arcs_start(const struct push_level *l, unsigned ctas, void *stream);
/* As many as *count says, or `n` where it is NULL. */
int push_received_start(const struct push_level *l, const uint32_t *list,
                        const unsigned long long *count, uint32_t n,
                        unsigned ctas, void *stream);
/* How many CTAs the GPU in use holds at once. */
int push_resident(unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
