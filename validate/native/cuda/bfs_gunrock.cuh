/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bfs_gunrock.cuh - the kernels of a level as Gunrock v1.0 has them: degrees, a
 * scan of them, an advance over all arcs that writes a slot for each, a filter
 * that keeps the found places; between GPUs a split of these, a copy, and an
 * expansion of the received ones.
 *
 * Accesses. Degrees: 4 bytes of the frontier in order, 8 of the rows' ends at
 * random, 4 written in order. Scan: 4 bytes read and 4 written in order, and 8
 * bytes of the tile's state written twice and read by the tiles after it.
 * Advance: for an item 8 bytes in order and 4 of the rows at random; for an arc
 * its head, 4 bytes of a row, an atomicMin on the head's depth, and its slot, 4
 * bytes in order. Filter: for a slot 4 bytes in order; for a found place 4
 * bytes in order; an atomicAdd on one counter for 1024 slots. Split: 4 bytes
 * read and 4 written in order, for a ghost 4 of the homes at random, and an
 * atomicAdd on one counter of each list for 256 places.
 */
#ifndef VALIDATE_NATIVE_CUDA_BFS_GUNROCK_CUH
#define VALIDATE_NATIVE_CUDA_BFS_GUNROCK_CUH

#include "validate/native/cuda/bfs_gunrock.h"
#include "validate/native/cuda/bfs_push.cuh"

static_assert((int)GUNROCK_TILE == (int)PUSH_TILE, "a thread's items");

/* The frontier's items for push_load() and item_of(). */
struct gunrock_items {
    static const bool WITHOUT_ARCS = true;
    struct gunrock_level l;

    __device__ uint32_t before(uint32_t i) const
    {
        return i ? l.ends[i - 1] : 0;
    }
    __device__ struct arc_item item(uint32_t i) const
    {
        struct arc_item at = {l.g.first[l.frontier[i]], before(i)};

        return at;
    }
};

__global__ void gunrock_degrees(struct gunrock_level l)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= l.items)
        return;
    uint32_t v = l.frontier[i];
    l.degrees[i] = l.g.first[v + 1] - l.g.first[v];
}

__global__ void gunrock_clear(struct gunrock_level l)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < gunrock_tiles(l.items))
        l.tiles[i] = 0;
}

/* The upper half of a tile's state says that the lower one has the tile's sum,
 * or the sum of all tiles up to it. */
enum { SCAN_OF_TILE = 1, SCAN_OF_ALL = 2 };

static __device__ void scan_publish(const struct gunrock_level &l,
                                    unsigned mark, uint32_t sum)
{
    *(volatile wide *)&l.tiles[blockIdx.x] = (wide)mark << 32 | sum;
    MEANWHILE();
}

/* Returns the sum of the tiles before this one (Merrill and Garland 2016): the
 * lanes of the first warp look at one tile each, the nearest first, until one
 * has the sum of all up to it. */
static __device__ uint32_t scan_before(const struct gunrock_level &l)
{
    uint32_t sum = 0;

    for (uint32_t end = blockIdx.x;; end -= WARP) {
        wide state = 0;
        if (lane_id() >= end)
            state = (wide)SCAN_OF_ALL << 32;
        while (!(state >> 32))
            state = look_wide(&l.tiles[end - 1 - lane_id()]);
        unsigned all = __ballot_sync(ALL_LANES, state >> 32 == SCAN_OF_ALL);
        bool counts = !all || (int)lane_id() < __ffs((int)all);
        uint32_t upto = sum_upto(counts ? (uint32_t)state : 0);
        sum += __shfl_sync(ALL_LANES, upto, (int)WARP - 1);
        if (all)
            return sum;
    }
}

/* Sums the degrees of each tile, and adds the sum of the tiles before. */
__global__ void gunrock_scan(struct gunrock_level l)
{
    CTA_MEMORY(struct push_memory, m);
    uint32_t from = blockIdx.x * GUNROCK_TILE + threadIdx.x * PUSH_PER;
    uint32_t upto[PUSH_PER], sum = 0, at = 0;
    wide all;

    UNROLL
    for (unsigned k = 0; k < PUSH_PER; k++)
        upto[k] = sum += from + k < l.items ? l.degrees[from + k] : 0;
    uint32_t before = (uint32_t)cta_sum_before(sum, m->box, &all);
    if (threadIdx.x == 0)
        scan_publish(l, blockIdx.x ? SCAN_OF_TILE : SCAN_OF_ALL, (uint32_t)all);
    if (warp_id() == 0)
        at = scan_before(l);
    if (threadIdx.x == 0)
        scan_publish(l, SCAN_OF_ALL, at + (uint32_t)all);
    before += (uint32_t)cta_spread(at, &m->one);
    UNROLL
    for (unsigned k = 0; k < PUSH_PER; k++)
        if (from + k < l.items)
            l.ends[from + k] = before + upto[k];
}

/* Finds the heads of a tile's arcs, and writes a slot for each. */
static __device__ void gunrock_tile(const struct gunrock_level &l,
                                    uint32_t from, uint32_t to, uint32_t n,
                                    const struct push_memory *m)
{
    UNROLL
    for (unsigned k = 0; k < PUSH_PER; k++) {
        uint32_t arc = from + k * PUSH_CTA + threadIdx.x;
        if (arc >= to)
            continue;
        uint32_t i = push_item(m, n, arc);
        uint32_t place = l.g.to[m->row[i] + (arc - m->before[i])];
        bool news = atomicMin(&l.depth[place], l.next) > l.next;
        l.slots[arc] = news ? place : TRAVERSE_NONE;
    }
}

__global__ void gunrock_advance(struct gunrock_level l, uint32_t share)
{
    CTA_MEMORY(struct push_memory, m);
    const struct gunrock_items in = {l};

    push_share(in, l.items, l.arcs, share, m,
               [&](uint32_t from, uint32_t to, uint32_t n) {
                   gunrock_tile(l, from, to, n, m);
               });
}

/* Reserves room in a list for the threads of a CTA that want it, by one atomic;
 * returns this thread's first place. */
static __device__ uint32_t gunrock_room(unsigned wants, wide *length,
                                        struct push_memory *m)
{
    wide all, before = cta_sum_before(wants, m->box, &all), at = 0;

    if (threadIdx.x == 0 && all)
        at = atomicAdd(length, all);
    return (uint32_t)(cta_spread(at, &m->one) + before);
}

__global__ void gunrock_filter(struct gunrock_level l)
{
    CTA_MEMORY(struct push_memory, m);

    for (uint32_t from = blockIdx.x * PUSH_TILE; from < l.arcs;
         from += gridDim.x * PUSH_TILE) {
        uint32_t place[PUSH_PER];
        unsigned found = 0;
        UNROLL
        for (unsigned k = 0; k < PUSH_PER; k++) {
            uint32_t arc = from + k * PUSH_CTA + threadIdx.x;
            place[k] = arc < l.arcs ? l.slots[arc] : TRAVERSE_NONE;
            found += place[k] != TRAVERSE_NONE;
        }
        uint32_t at = gunrock_room(found, &l.lengths->found, m);
        UNROLL
        for (unsigned k = 0; k < PUSH_PER; k++)
            if (place[k] != TRAVERSE_NONE)
                l.found[at++] = place[k];
    }
}

__global__ void gunrock_split(struct gunrock_level l)
{
    CTA_MEMORY(struct push_memory, m);
    uint32_t n = (uint32_t)l.parameters->items;

    for (uint32_t from = blockIdx.x * GUNROCK_CTA; from < n;
         from += gridDim.x * GUNROCK_CTA) {
        uint32_t i = from + threadIdx.x;
        uint32_t place = i < n ? l.found[i] : 0;
        bool ghost = i < n && place >= l.g.own, own = i < n && !ghost;
        uint32_t at = gunrock_room(own, &l.lengths->own, m);
        if (own)
            l.own[at] = place;
        unsigned owner = ghost ? ghost_peer(l.g, place - l.g.own) : 0;
        for (unsigned p = 0; p < l.peers; p++) {
            bool to = ghost && owner == p;
            at = gunrock_room(to, &l.lengths->ghosts[p], m);
            if (to)
                l.send[share_ghosts_from(&l.g, p) + at] =
                    l.g.home[place - l.g.own];
        }
    }
}

__global__ void gunrock_copy(struct gunrock_level l, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        l.frontier[i] = l.own[i];
}

__global__ void gunrock_expand(struct gunrock_level l, const uint32_t *list,
                               uint32_t n)
{
    CTA_MEMORY(struct push_memory, m);
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t place = i < n ? list[i] : 0;
    bool news = i < n && atomicMin(&l.depth[place], l.next) > l.next;
    uint32_t at = gunrock_room(news, &l.lengths->own, m);

    if (news)
        l.frontier[at] = place;
}

#endif
