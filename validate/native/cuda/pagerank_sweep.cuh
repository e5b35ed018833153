/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pagerank_sweep.cuh - PageRank by sweeps, as Gunrock v1.0 does it: every
 * vertex's rank from the sum that it received, and then along every arc the
 * share of its tail.
 *
 * Accesses of an arc: its tail and head, 8 bytes in order; the tail's share, 4
 * bytes, the same for consecutive arcs; an atomicAdd of a float on the head's
 * sum. Accesses of a vertex: its row's end, sum, rank and share, 16 bytes in
 * order read and 12 written, and an atomicMax of a warp on one word. Accesses
 * of a ghost: its sum and home, 8 bytes in order read and 4 written, and an
 * atomicAdd of a float in its owner's memory.
 */
#ifndef VALIDATE_NATIVE_CUDA_PAGERANK_SWEEP_CUH
#define VALIDATE_NATIVE_CUDA_PAGERANK_SWEEP_CUH

#include "validate/native/cuda/lanes.cuh"
#include "validate/native/cuda/pagerank_sweep.h"
#include "validate/native/cuda/traverse.cuh"

#define SWEEP_ME (blockIdx.x * blockDim.x + threadIdx.x)
#define SWEEP_ALL (gridDim.x * blockDim.x)

/* Sets the tails, by a warp for each vertex. */
__global__ void sweep_tails(struct sweep s)
{
    for (uint32_t v = SWEEP_ME / WARP; v < s.g.own; v += SWEEP_ALL / WARP)
        for (uint32_t a = s.g.first[v] + lane_id(); a < s.g.first[v + 1];
             a += WARP)
            s.tail[a] = v;
}

static __device__ void sweep_set(const struct sweep &s, uint32_t v, float rank)
{
    uint32_t degree = s.g.first[v + 1] - s.g.first[v];

    s.rank[v] = rank;
    s.share[v] = degree ? s.damping * rank / (float)degree : 0;
    s.sum[v] = s.base;
}

__global__ void sweep_first(struct sweep s)
{
    for (uint32_t v = SWEEP_ME; v < s.g.own; v += SWEEP_ALL)
        sweep_set(s, v, s.base);
    for (uint32_t i = SWEEP_ME; i < s.g.ghosts; i += SWEEP_ALL)
        s.sum[s.g.own + i] = 0;
}

/* The maximum is taken of the floats' bits, because these are in the same order
 * if no float is negative. */
__global__ void sweep_ranks(struct sweep s)
{
    float worst = 0;

    for (uint32_t v = SWEEP_ME; v < s.g.own; v += SWEEP_ALL) {
        float old = s.rank[v], rank = s.sum[v];
        float change = (rank > old ? rank - old : old - rank) / old;
        worst = change > worst ? change : worst;
        sweep_set(s, v, rank);
    }
    uint32_t bits = __float_as_uint(worst);
    for (unsigned d = WARP / 2; d; d /= 2) {
        uint32_t other = __shfl_sync(ALL_LANES, bits, (int)(lane_id() ^ d));
        bits = other > bits ? other : bits;
    }
    if (lane_id() == 0 && bits)
        atomicMax(s.worst, bits);
}

__global__ void sweep_arcs(struct sweep s)
{
    for (uint32_t a = SWEEP_ME; a < s.g.arcs; a += SWEEP_ALL) {
        uint32_t head = s.g.to[a];
        atomicAdd(&s.sum[head], s.share[s.tail[a]]);
        if (s.g.arcs - a <= SWEEP_ALL) /* the next one may be beyond 2^32 */
            break;
    }
}

__global__ void sweep_send(struct sweep s)
{
    for (uint32_t i = SWEEP_ME; i < s.g.ghosts; i += SWEEP_ALL) {
        float *to = s.to[ghost_peer(s.g, i)];
        atomicAdd_system(&to[s.g.home[i]], s.sum[s.g.own + i]);
        s.sum[s.g.own + i] = 0;
    }
}

__global__ void sweep_received(struct sweep s, const float *sums,
                               const uint32_t *home, uint32_t n)
{
    for (uint32_t i = SWEEP_ME; i < n; i += SWEEP_ALL)
        atomicAdd(&s.sum[home[i]], sums[i]);
}

#endif
