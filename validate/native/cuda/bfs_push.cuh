/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bfs_push.cuh - one level of a breadth-first search that pushes: the arcs of
 * the frontier are divided evenly among the CTAs, whatever the degrees.
 *
 * Accesses of an arc: its head, 4 bytes of a row; the head's depth, 4 bytes at
 * random; an atomicCAS on it if it has none yet. Accesses of a head that is
 * won: its row's two ends, 8 bytes at random, and 8 bytes into the next
 * frontier; of a ghost: its home, 4 bytes at random, and 4 bytes into the list
 * for its owner. Accesses of a tile of arcs in which a head is won: one
 * atomicAdd on the counter of the next frontier, one on that of each list.
 */
#ifndef VALIDATE_NATIVE_CUDA_BFS_PUSH_CUH
#define VALIDATE_NATIVE_CUDA_BFS_PUSH_CUH

#include "validate/native/cuda/bfs_push.h"
#include "validate/native/cuda/traverse.cuh"

enum {
    PUSH_PER = 4, /* arcs of a thread in a tile */
    PUSH_TILE = PUSH_CTA * PUSH_PER,
    /* Items of a tile, of which the first may have no more arcs in it. */
    PUSH_ITEMS = PUSH_TILE + 1,
    /* Sums of several lists are in one word, each up to PUSH_TILE. */
    PUSH_BITS = 12,
    PUSH_SUMS = 64 / PUSH_BITS
};

/* The memory of a CTA: the items of a tile, and words for the sums. */
struct push_memory {
    uint32_t row[PUSH_ITEMS], before[PUSH_ITEMS];
    wide box[WARP + 1], one;
    uint32_t at[PUSH_SUMS]; /* places reserved in lists */
};

/* Returns the sum of `mine` over the threads before this one in the CTA; *total
 * is that of all. `box` has a word for each warp. All threads must call it
 * together. */
static __device__ wide cta_sum_before(wide mine, wide *box, wide *total)
{
    wide sum = sum_upto(mine), before = 0, all = 0;

    __syncthreads(); /* so that all have read the box of the call before */
    if (lane_id() == WARP - 1)
        box[warp_id()] = sum;
    __syncthreads();
    for (unsigned w = 0; w < blockDim.x / WARP; w++) {
        before += w < warp_id() ? box[w] : 0;
        all += box[w];
    }
    *total = all;
    return before + sum - mine;
}

/* Returns the value of thread 0 in all threads. */
static __device__ wide cta_spread(wide value, wide *box)
{
    __syncthreads();
    if (threadIdx.x == 0)
        *box = value;
    __syncthreads();
    return *box;
}

/* The heads that a thread has won in a tile. Sums are packed in one word, each
 * below 2^12, arcs below 2^40. */
struct push_won {
    uint32_t row[PUSH_PER], degree[PUSH_PER], home[PUSH_PER];
    unsigned peer;       /* a byte for each */
    unsigned own, ghost; /* a bit for each */

    __device__ unsigned peer_of(unsigned k) const
    {
        return peer >> 8 * k & 0xff;
    }
};

/* The counts of a thread in a kernel. */
struct push_tally {
    wide leaves, sends;
};

static __device__ wide push_sum(const struct push_won *w)
{
    wide arcs = 0;

    for (unsigned k = 0; k < PUSH_PER; k++)
        arcs += w->own >> k & 1 ? w->degree[k] : 0;
    return (wide)__popc(w->ghost) << 52 | (wide)__popc(w->own) << 40 | arcs;
}

/* Writes the lists of the peers from `first` on, as many as a word has sums of:
 * one thread per list reserves its places, then all write theirs. */
static __device__ void push_some_lists(const struct push_level &l,
                                       unsigned first, const struct push_won *w,
                                       struct push_tally *tally,
                                       struct push_memory *m)
{
    const wide mask = (1ull << PUSH_BITS) - 1;
    wide mine = 0, all;

    for (unsigned k = 0; k < PUSH_PER; k++)
        if (w->ghost >> k & 1 && w->peer_of(k) - first < PUSH_SUMS)
            mine += 1ull << PUSH_BITS * (w->peer_of(k) - first);
    wide before = cta_sum_before(mine, m->box, &all);
    if (threadIdx.x < PUSH_SUMS) {
        wide n = all >> PUSH_BITS * threadIdx.x & mask;
        if (n)
            m->at[threadIdx.x] =
                (uint32_t)atomicAdd(l.send[first + threadIdx.x].count, n);
        tally->sends += n != 0;
    }
    __syncthreads();
    for (unsigned k = 0; k < PUSH_PER; k++) {
        unsigned i = w->peer_of(k) - first;
        if (!(w->ghost >> k & 1) || i >= PUSH_SUMS)
            continue;
        uint32_t place = m->at[i] + (uint32_t)(before >> PUSH_BITS * i & mask);
        l.send[first + i].items[place] = w->home[k];
        before += 1ull << PUSH_BITS * i;
    }
}

static __device__ void push_lists(const struct push_level &l,
                                  const struct push_won *w,
                                  struct push_tally *tally,
                                  struct push_memory *m)
{
    for (unsigned first = 0; first < l.peers; first += PUSH_SUMS)
        push_some_lists(l, first, w, tally, m);
}

/* Writes the heads that the CTA has won: one atomic per list reserves the
 * places, then all threads write theirs. */
static __device__ void push_write(const struct push_level &l,
                                  const struct push_won *w,
                                  struct push_tally *tally,
                                  struct push_memory *m)
{
    const wide arcs_mask = (1ull << 40) - 1;
    wide all, before = cta_sum_before(push_sum(w), m->box, &all), at = 0;
    wide own = all >> 40 & 0xfff, ghosts = all >> 52;

    if (own) {
        if (threadIdx.x == 0)
            at = atomicAdd(&l.out.counts->both, own << 32 | (all & arcs_mask));
        at = cta_spread(at, &m->one);
        uint32_t place = (uint32_t)((at >> 32) + (before >> 40 & 0xfff));
        uint32_t arcs = (uint32_t)at + (uint32_t)(before & arcs_mask);
        for (unsigned k = 0; k < PUSH_PER; k++)
            if (w->own >> k & 1) {
                struct arc_item item = {w->row[k], arcs};
                l.out.items[place++] = item;
                arcs += w->degree[k];
            }
    }
    if (ghosts && l.peers > 1)
        push_lists(l, w, tally, m);
    else if (ghosts) {
        if (threadIdx.x == 0) {
            at = atomicAdd(l.send[0].count, ghosts);
            tally->sends++;
        }
        uint32_t place = (uint32_t)(cta_spread(at, &m->one) + (before >> 52));
        for (unsigned k = 0; k < PUSH_PER; k++)
            if (w->ghost >> k & 1)
                l.send[0].items[place++] = w->home[k];
    }
}

/* Notes the list to which a place that was won belongs. */
static __device__ void push_found(const struct push_level &l, uint32_t place,
                                  unsigned k, struct push_won *w,
                                  struct push_tally *tally)
{
    if (place >= l.g.own) {
        w->home[k] = l.g.home[place - l.g.own];
        w->peer |= ghost_peer(l.g, place - l.g.own) << 8 * k;
        w->ghost |= 1u << k;
        return;
    }
    w->row[k] = l.g.first[place];
    w->degree[k] = l.g.first[place + 1] - w->row[k];
    if (w->degree[k])
        w->own |= 1u << k;
    else
        tally->leaves++;
}

static __device__ bool push_wins(const struct push_level &l, uint32_t place)
{
    return __ldcg(&l.depth[place]) == TRAVERSE_NONE &&
           atomicCAS(&l.depth[place], TRAVERSE_NONE, l.next) == TRAVERSE_NONE;
}

/* Loads the items of the arcs before `to`, from `item` on and at most `items`
 * in all, into the CTA's memory; returns their number. */
template <class Items>
static __device__ uint32_t push_load(const Items &in, uint32_t items,
                                     uint32_t item, uint32_t to,
                                     struct push_memory *m)
{
    uint32_t n = 0;

    __syncthreads(); /* so that the tile before is done */
    for (;;) {
        uint32_t i = n + threadIdx.x;
        bool there = i < PUSH_ITEMS && item + i < items;
        if (there) {
            struct arc_item at = in.item(item + i);
            there = at.before < to;
            if (there) {
                m->row[i] = at.row;
                m->before[i] = at.before;
            }
        }
        uint32_t count = (uint32_t)__syncthreads_count(there);
        n += count;
        if (count < PUSH_CTA)
            return n;
    }
}

/* Returns which of the `n` items in the CTA's memory has the arc. */
static __device__ uint32_t push_item(const struct push_memory *m, uint32_t n,
                                     uint32_t arc)
{
    uint32_t low = 0;

    while (n - low > 1) {
        uint32_t middle = (low + n) / 2;
        if (m->before[middle] <= arc)
            low = middle;
        else
            n = middle;
    }
    return low;
}

/* Visits a CTA's share of the arcs of a frontier, tile by tile: visit(from, to,
 * n) is called for the arcs [from, to), whose n items are in the CTA's memory.
 * If a list has items without arcs, a tile may have more items than fit, and is
 * then made shorter. */
template <class Items, class Visit>
static __device__ void push_share(const Items &in, uint32_t items,
                                  uint32_t arcs, uint32_t share,
                                  struct push_memory *m, const Visit &visit)
{
    uint32_t from = blockIdx.x * share, item = 0;
    uint32_t end = arcs - from < share ? arcs : from + share;

    if (warp_id() == 0)
        item = item_of(in, items, from);
    item = (uint32_t)cta_spread(item, &m->one);
    while (from < end) {
        uint32_t to = end - from < PUSH_TILE ? end : from + PUSH_TILE;
        uint32_t n = push_load(in, items, item, to, m);
        bool full = Items::WITHOUT_ARCS && n == PUSH_ITEMS &&
                    item + n < items && in.before(item + n) < to;
        if (full)
            to = in.before(item + n);
        visit(from, to, n);
        /* The last one's arcs may continue in the next tile. */
        item += full ? n : n - 1;
        from = to;
    }
}

static __device__ void push_tile(const struct push_level &l, uint32_t from,
                                 uint32_t to, uint32_t n,
                                 struct push_tally *tally,
                                 struct push_memory *m)
{
    struct push_won w = {};
    uint32_t place[PUSH_PER];
    bool there[PUSH_PER];

    UNROLL
    for (unsigned k = 0; k < PUSH_PER; k++) {
        uint32_t arc = from + k * PUSH_CTA + threadIdx.x;
        there[k] = arc < to;
        if (there[k]) {
            uint32_t i = push_item(m, n, arc);
            place[k] = l.g.to[m->row[i] + (arc - m->before[i])];
        }
    }
    UNROLL
    for (unsigned k = 0; k < PUSH_PER; k++)
        there[k] = there[k] && push_wins(l, place[k]);
    UNROLL
    for (unsigned k = 0; k < PUSH_PER; k++)
        if (there[k])
            push_found(l, place[k], k, &w, tally);
    push_write(l, &w, tally, m);
}

static __device__ void push_end(const struct push_level &l,
                                const struct push_tally *tally)
{
    count_up(&l.out.counts->leaves, tally->leaves);
    count_up(&l.out.counts->remote, l.stores ? tally->sends : 0);
}

/* --- kernels -------------------------------------------------------------- */

/* Pushes along the frontier's arcs; each CTA has equally many consecutive
 * ones. */
__global__ void push_arcs(struct push_level l)
{
    CTA_MEMORY(struct push_memory, m);
    struct push_tally tally = {};
    const struct item_list in = {l.in};

    push_share(in, l.items, l.arcs, l.share, m,
               [&](uint32_t from, uint32_t to, uint32_t n) {
                   push_tile(l, from, to, n, &tally, m);
               });
    push_end(l, &tally);
}

/* Handles received vertices, places of own ones, each to be won as above. The
 * CTAs continue with a list after the end of the one before. */
__global__ void push_received(struct push_level l,
                              IN_PLACE struct push_inbox in)
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
