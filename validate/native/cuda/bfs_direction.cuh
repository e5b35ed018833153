/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bfs_direction.cuh - one level of a breadth-first search that pulls: each
 * vertex without a depth looks along its in-arcs for a vertex of the frontier.
 *
 * Accesses of a vertex: its depth, 4 bytes in order; if it has none, the ends
 * of its in-row, 8 bytes in order. Accesses of an in-arc that is inspected: its
 * tail, 4 bytes of the row, and 4 bytes of the depths at random. Accesses of a
 * vertex that finds one: its depth, 4 bytes in order, and as in bfs_push.cuh
 * the row's ends and 8 bytes into the next frontier. A thread inspects the
 * first arcs alone, and a warp the rest of a long row.
 */
#ifndef VALIDATE_NATIVE_CUDA_BFS_DIRECTION_CUH
#define VALIDATE_NATIVE_CUDA_BFS_DIRECTION_CUH

#include "validate/native/cuda/bfs_push.cuh"

enum { PULL_ALONE = 32 }; /* arcs that a thread inspects alone */

static __device__ bool in_frontier(const struct pull_level &l, uint32_t arc)
{
    return __ldcg(&l.push.depth[l.from[arc]]) + 1 == l.push.next;
}

/* Returns whether one of the arcs of one lane is of the frontier; called by a
 * whole warp. */
static __device__ bool pull_together(const struct pull_level &l, uint32_t from,
                                     uint32_t end, wide *looked)
{
    for (; from < end; from += WARP) {
        uint32_t arc = from + lane_id();
        bool there = arc < end;
        *looked += there;
        if (__ballot_sync(ALL_LANES, there && in_frontier(l, arc)))
            return true;
    }
    return false;
}

/* Returns whether an arc of this lane is of the frontier. All lanes call it; a
 * lane with nothing to look for has from == end. */
static __device__ bool pull_one(const struct pull_level &l, uint32_t from,
                                uint32_t end, wide *looked)
{
    uint32_t alone = end - from < PULL_ALONE ? end : from + PULL_ALONE;
    bool found = false;

    for (; from < alone && !found; from++) {
        found = in_frontier(l, from);
        *looked += 1;
    }
    unsigned left = __ballot_sync(ALL_LANES, !found && from < end);
    while (left) {
        int lane = __ffs((int)left) - 1;
        uint32_t at = __shfl_sync(ALL_LANES, from, lane);
        uint32_t to = __shfl_sync(ALL_LANES, end, lane);
        bool got = pull_together(l, at, to, looked);
        if (lane_id() == (unsigned)lane)
            found = got;
        left &= left - 1;
    }
    return found;
}

__global__ void pull_arcs(struct pull_level l)
{
    CTA_MEMORY(struct push_memory, m);
    struct push_tally tally = {};
    wide looked = 0;
    uint32_t own = l.push.g.own;

    for (uint32_t base = blockIdx.x * PUSH_CTA; base < own;
         base += gridDim.x * PUSH_CTA) {
        struct push_won w = {};
        uint32_t v = base + threadIdx.x, from = 0, end = 0;
        if (v < own && __ldcg(&l.push.depth[v]) == TRAVERSE_NONE) {
            from = l.first[v];
            end = l.first[v + 1];
        }
        if (pull_one(l, from, end, &looked)) {
            l.push.depth[v] = l.push.next;
            push_found(l.push, v, 0, &w, &tally);
        }
        push_write(l.push, &w, &tally, m);
    }
    push_end(l.push, &tally);
    count_up(l.looked, looked);
}

#endif
