/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pagerank_residual.cuh - PageRank by residues: a vertex whose residue is above
 * the bound is queued, once for each time that it gets there. The worker that
 * dequeues it adds the residue to its rank and distributes damping times the
 * residue to its neighbours.
 *
 * Accesses of a visit: 4 bytes of the queue in order, and at random an
 * atomicExch of its residue, an atomicAdd of a float on its rank and 8 bytes of
 * the rows' ends. Accesses of an arc: its head, 4 bytes of a row; an atomicAdd
 * of a float on the head's residue. The thread that lifts it above the bound
 * pushes the head: a warp's at once, by three or four atomics on a queue's
 * counters, and 4 bytes in order. A ghost's residue is summed here; the thread
 * that lifts it above the bound sends all of it: 4 bytes of the homes and an
 * atomicExch at random, an atomicAdd of a float in its owner's memory and, if
 * that lifts it above the bound there, a push into the owner's receive queue.
 */
#ifndef VALIDATE_NATIVE_CUDA_PAGERANK_RESIDUAL_CUH
#define VALIDATE_NATIVE_CUDA_PAGERANK_RESIDUAL_CUH

#include "validate/native/cuda/pagerank_residual.h"
#include "validate/native/cuda/persistent_loop.cuh"

static __device__ bool residual_crosses(const struct residual &r, float before,
                                        float more)
{
    return before <= r.bound && before + more > r.bound;
}

/* Takes all of a residue and leaves 0; returns it. */
static __device__ float residual_take(const struct search &s, uint32_t place)
{
    return __uint_as_float(atomicExch(&s.depth[place], 0u));
}

/* Loads the rows of the vertices items[at..at + n) and the share that each of
 * their arcs carries; called by the first warp. */
static __device__ void residual_load(const struct search &s,
                                     const struct residual &r,
                                     const uint32_t *items,
                                     struct search_batch *b)
{
    uint32_t i = lane_id(), degree = 0;

    if (i < b->n) {
        uint32_t v = __ldcg(&items[b->at + i]);
        float residue = residual_take(s, v);
        atomicAdd(&r.rank[v], residue);
        b->row[i] = s.g.first[v];
        degree = s.g.first[v + 1] - b->row[i];
        float share = degree ? r.damping * residue / (float)degree : 0;
        b->next[i] = __float_as_uint(share);
    }
    batch_sum(b, degree);
}

/* Sends those ghosts of a warp whose sums are above the bound. */
static __device__ void residual_send(const struct search &s,
                                     const struct residual &r, bool crosses,
                                     uint32_t ghost, struct search_tally *tally)
{
    uint32_t home = crosses ? s.g.home[ghost] : 0;
    float all = crosses ? residual_take(s, s.g.own + ghost) : 0;
    unsigned peer = crosses ? ghost_peer(s.g, ghost) : 0;

    if (search_carried(s)) {
        outbox_put(s, crosses, peer, home, __float_as_uint(all), tally);
        return;
    }
    if (crosses) {
        float *there = (float *)s.peer[peer].depth + home;
        crosses = residual_crosses(r, atomicAdd_system(there, all), all);
        tally->remote++;
    }
    if (__ballot_sync(ALL_LANES, crosses))
        peer_push(s, crosses, peer, home, tally);
}

static __device__ void residual_arcs(const struct search &s,
                                     const struct residual &r,
                                     const struct search_batch *b,
                                     struct search_tally *tally)
{
    uint32_t arcs = b->before[SEARCH_FETCH];

    for (uint32_t from = 0; from < arcs; from += blockDim.x) {
        uint32_t arc = from + threadIdx.x, place = 0;
        bool crosses = false;
        if (arc < arcs) {
            uint32_t i = batch_item(b, arc);
            float share = __uint_as_float(b->next[i]);
            place = s.g.to[b->row[i] + (arc - b->before[i])];
            float before = atomicAdd((float *)s.depth + place, share);
            crosses = residual_crosses(r, before, share);
        }
        bool ghost = crosses && place >= s.g.own;
        batch_push<false>(s, crosses && !ghost, place, 0);
        if (__ballot_sync(ALL_LANES, ghost))
            residual_send(s, r, ghost, place - s.g.own, tally);
    }
    if (threadIdx.x == 0)
        tally->arcs += arcs;
}

struct residual_work {
    const struct search &s;
    const struct residual &r;

    __device__ void load(struct search_batch *b, struct search_tally *) const
    {
        residual_load(s, r, batch_items(s, b), b);
    }
    __device__ void arcs(const struct search_batch *b,
                         struct search_tally *tally) const
    {
        residual_arcs(s, r, b, tally);
    }
    __device__ bool news(const struct search_update &u) const
    {
        float more = __uint_as_float(u.depth);
        float before = atomicAdd((float *)s.depth + u.place, more);

        return residual_crosses(r, before, more);
    }
};

__global__ void residual_first(struct search s, struct residual r)
{
    uint32_t values = s.g.own + s.g.ghosts;

    for (uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < values;
         v += gridDim.x * blockDim.x) {
        s.depth[v] = __float_as_uint(v < s.g.own ? r.base : 0);
        if (v >= s.g.own)
            continue;
        r.rank[v] = 0;
        s.local.items[v] = v;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        s.local.at->end.value = s.local.at->end_alloc.value =
            s.local.at->end_max.value = s.local.at->end_count.value = s.g.own;
}

__global__ void residual_persistent(struct search s, struct residual r)
{
    CTA_MEMORY(struct search_batch, b);
    struct residual_work work = {s, r};

    persistent_loop(s, work, b);
}

__global__ void residual_discrete(struct search s, struct residual r,
                                  struct search_range range)
{
    CTA_MEMORY(struct search_batch, b);
    struct residual_work work = {s, r};

    discrete_step(s, range, work, b);
}

__global__ void residual_received(struct search s, struct residual r,
                                  const struct search_update *list, uint32_t n)
{
    struct residual_work work = {s, r};

    discrete_receive(s, work, list, n);
}

#endif
