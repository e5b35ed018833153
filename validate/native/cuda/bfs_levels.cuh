/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_levels.cuh - the kernels of a pushed level: of the frontier's arcs, and
 * of what was received. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_LEVELS_CUH
#define VALIDATE_NATIVE_CUDA_BFS_LEVELS_CUH

#include "validate/native/cuda/bfs_push.cuh"

/* Each CTA has as many arcs, one after the other. */
__global__ void push_arcs(struct push_level l)
{
    CTA_MEMORY(struct push_memory, cta_bytes);
    struct push_memory *m = cta_bytes;
    struct push_tally tally = {};
    uint32_t from = blockIdx.x * l.share;
    uint32_t end = l.arcs - from < l.share ? l.arcs : from + l.share;

    const struct item_list in = {l.in};
    uint32_t item = 0;
    if (warp_id() == 0)
        item = item_of(in, l.items, from);
    item = (uint32_t)cta_spread(item, &m->one);
    while (from < end) {
        uint32_t to = end - from < PUSH_TILE ? end : from + PUSH_TILE;
        uint32_t n = push_load(in, l.items, item, to, m);
        push_tile(l, from, to, n, &tally, m);
        item += n - 1; /* the last one's arcs may go on */
        from = to;
    }
    push_end(l, &tally);
}

/* What was received: places of own vertices, each to be won as above. The CTAs
 * go on with a list where the one before has ended. */
__global__ void push_received(struct push_level l, IN_PLACE struct push_inbox in)
{
    CTA_MEMORY(struct push_memory, cta_bytes);
    struct push_memory *m = cta_bytes;
    struct push_tally tally = {};
    uint32_t turn = blockIdx.x; /* of this CTA in a list */

    for (unsigned p = 0; p < l.peers; p++) {
        uint32_t n = in.counts ? (uint32_t)in.counts[p] : in.n[p];
        while (turn * PUSH_CTA < n) {
            struct push_won w = {};
            uint32_t i = turn * PUSH_CTA + threadIdx.x;
            if (i < n) {
                uint32_t place = __ldcg(&in.items[p][i]);
                if (push_wins(l, place))
                    push_found(l, place, 0, &w, &tally);
            }
            push_write(l, &w, &tally, m);
            turn += gridDim.x;
        }
        turn -= (n + PUSH_CTA - 1) / PUSH_CTA;
    }
    push_end(l, &tally);
}

#endif
