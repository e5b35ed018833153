/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_direction.h - a level of a breadth-first search, pulling; what C and the
 * kernels share. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_DIRECTION_H
#define VALIDATE_NATIVE_CUDA_BFS_DIRECTION_H

#include "validate/native/cuda/bfs_push.h"

struct pull_level {
    struct push_level push;       /* its depths, `next` and `out` */
    const uint32_t *first, *from; /* the in-arcs of own vertices: their tails */
    unsigned long long *looked;   /* in-arcs that were looked at */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Begins the kernel; returns a cudaError_t. */
int pull_start(const struct pull_level *l, unsigned ctas, void *stream);

#ifdef __cplusplus
}
#endif

#endif
