/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_direction.h - a level of a breadth-first search that pulls: the interface
 * of C and the kernels. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_DIRECTION_H
#define VALIDATE_NATIVE_CUDA_BFS_DIRECTION_H

#include "validate/native/cuda/bfs_push.h"

struct pull_level {
    struct push_level push;       /* its depths, `next` and `out` */
    const uint32_t *first, *from; /* the tails of the in-arcs of own vertices */
    unsigned long long *looked;   /* number of in-arcs that were inspected */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the kernel; returns a cudaError_t. */
int pull_start(const struct pull_level *l, unsigned ctas, void *stream);

#ifdef __cplusplus
}
#endif

#endif
