// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernel of a level that pulls; callable from C. */
#include "validate/native/cuda/bfs_direction.cuh"

int pull_start(const struct pull_level *l, unsigned ctas, void *stream)
{
    START(pull_arcs, ctas, PUSH_CTA, sizeof(struct push_memory), stream, *l);
    return cudaGetLastError();
}
