/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_persistent.cuh - Atos' persistent search: one kernel. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_PERSISTENT_CUH
#define VALIDATE_NATIVE_CUDA_BFS_PERSISTENT_CUH

#include "validate/native/cuda/persistent_loop.cuh"

__global__ void search_persistent(struct search s)
{
    CTA_MEMORY(struct search_batch, b);
    struct depth_work<false> work = {
        s
    };

    persistent_loop(s, work, b);
}

#endif
