/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_levels.cuh - the kernels of a level that pushes: one for the frontier's
 * arcs, and one for received vertices. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_LEVELS_CUH
#define VALIDATE_NATIVE_CUDA_BFS_LEVELS_CUH

#include "validate/native/cuda/bfs_push.cuh"

/* Pushes along the frontier's arcs; each CTA has equally many consecutive
 * ones. */
__global__ void push_arcs(struct push_level l)
{
    CTA_MEMORY(struct push_memory, m);
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
        /* The last one's arcs may continue in the next tile. */
        item += n - 1;
        from = to;
    }
    push_end(l, &tally);
}

/* Handles received vertices, places of own ones, each to be won as above. The
 * CTAs continue with a list after the end of the one before. */
__global__ void push_received(struct push_level l, IN_PLACE struct push_inbox in)
{
    CTA_MEMORY(struct push_memory, m);
    struct push_tally tally = {};
    uint32_t turn = blockIdx.x; /* turn of this CTA in a list */

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
