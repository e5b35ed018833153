/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_search.cuh - the kernels of Atos' searches: one that stays; and with
 * priority, a kernel at a time, whose workers handle 32 each of the vertices
 * that are queued when the kernel begins. A vertex that is found below the
 * threshold goes to the near queue, others to the far one. Received vertices
 * are handled whatever their depth. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_SEARCH_CUH
#define VALIDATE_NATIVE_CUDA_BFS_SEARCH_CUH

#include "validate/native/cuda/persistent_loop.cuh"

__global__ void search_persistent(struct search s)
{
    CTA_MEMORY(struct search_batch, b);
    struct depth_work<false> work = {
        s
    };

    persistent_loop(s, work, b);
}

__global__ void search_discrete(struct search s, struct search_range r)
{
    CTA_MEMORY(struct search_batch, b);
    struct depth_work<true> work = {
        s
    };

    discrete_step(s, r, work, b);
}

__global__ void search_raise(struct search s, uint32_t from, uint32_t n)
{
    struct warp_worker w;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    bool there = i < n;
    uint32_t v = there ? __ldcg(&s.far.items[from + i]) : 0;
    bool near = there && __ldcg(&s.depth[v]) < s.threshold;

    if (__ballot_sync(ALL_LANES, near))
        queue_push<atos_queue>(s.local, w, near, v);
    if (__ballot_sync(ALL_LANES, there && !near))
        queue_push<atos_queue>(s.far, w, there && !near, v);
}

__global__ void search_received(struct search s,
                                const struct search_update *list, uint32_t n)
{
    struct depth_work<true> work = {
        s
    };

    discrete_receive(s, work, list, n);
}

#endif
