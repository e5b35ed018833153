/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse.cuh - functions that the kernels of graph searches share: lists of
 * vertices with their arcs, and counters. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_CUH
#define VALIDATE_NATIVE_CUDA_TRAVERSE_CUH

#include "validate/native/cuda/lanes.cuh"
#include "validate/native/cuda/traverse.h"

typedef unsigned long long wide;

/* Returns the peer that owns a ghost. */
static __device__ unsigned ghost_peer(const struct graph_share &g,
                                      uint32_t ghost)
{
    unsigned peer = 0;

    UNROLL
    for (unsigned p = 0; p + 1 < TRAVERSE_PEERS; p++)
        peer += ghost >= g.ghosts_end[p];
    return peer;
}

/* Consecutive items; item(i) and before(i) read them. WITHOUT_ARCS: some may
 * have no arcs. */
struct item_list {
    static const bool WITHOUT_ARCS = false;
    const struct arc_item *items;

    __device__ struct arc_item item(uint32_t i) const
    {
        return items[i];
    }
    __device__ uint32_t before(uint32_t i) const
    {
        return __ldcg(&items[i].before);
    }
};

/* Returns the last of `end` items whose `before` is not above arc; the first
 * one's must not be. The lanes of a warp search together, 32 places at a
 * time. */
template <class Items>
static __device__ uint32_t item_of(const Items &items, uint32_t end,
                                   uint32_t arc)
{
    uint32_t low = 0;

    while (end - low > 1) {
        uint32_t step = (end - low + WARP - 1) / WARP;
        uint32_t at = low + lane_id() * step;
        bool below = at < end && items.before(at) <= arc;
        unsigned votes = __ballot_sync(ALL_LANES, below);
        unsigned last = (unsigned)__popc(votes) - 1;
        low += last * step;
        end = end - low < step ? end : low + step;
    }
    return low;
}

/* Adds a thread's count to a counter, by one atomic per warp, or none if all
 * counts are 0. */
static __device__ void count_up(wide *counter, wide mine)
{
    mine = sum_upto(mine);
    if (lane_id() == WARP - 1 && mine)
        atomicAdd(counter, mine);
}

#endif
