/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access.cuh - the kernels of access.h, except those that need a grid. */
#ifndef VALIDATE_NATIVE_CUDA_ACCESS_CUH
#define VALIDATE_NATIVE_CUDA_ACCESS_CUH

#include "validate/native/cuda/access.h"
#include "validate/native/cuda/lanes.cuh"

/* PCG's output function (RXS M XS, 32 bits) of a linear congruential
 * sequence. */
static __device__ __forceinline__ uint32_t access_draw(uint32_t *state)
{
    uint32_t x = *state;

    *state = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

/* Returns the state of a sequence that differs by thread and seed. */
static __device__ __forceinline__ uint32_t access_state(uint32_t seed,
                                                        uint32_t thread)
{
    uint32_t state = seed * 0x9e3779b9u + thread;

    access_draw(&state);
    return access_draw(&state) ^ thread * 0x85ebca6bu;
}

/* Returns the value of word i for reads; the top bit is never set. */
static __device__ __forceinline__ uint32_t access_word(uint64_t i)
{
    return (uint32_t)i * 2654435761u & 0x7fffffffu;
}

template <enum access_operation Operation>
static __device__ __forceinline__ uint32_t access_once(uint32_t *word)
{
    if (Operation == ACCESS_READ)
        return __ldcg(word);
    if (Operation == ACCESS_ATOMIC_MIN)
        return atomicMin(word, ACCESS_LEAST);
    if (Operation == ACCESS_FLOAT_ADD)
        return __float_as_uint(atomicAdd((float *)word, 1.0f));
    if (Operation == ACCESS_FLOAT_SUM)
        atomicAdd((float *)word, 1.0f);
    else
        *(volatile uint32_t *)word = ACCESS_LEAST;
    return 0;
}

template <enum access_operation Operation>
static __device__ __forceinline__ uint32_t access_counted(uint32_t got,
                                                          uint32_t at)
{
    if (Operation == ACCESS_READ)
        return got != access_word(at);
    if (Operation == ACCESS_ATOMIC_MIN)
        return got == ACCESS_MOST;
    if (Operation == ACCESS_FLOAT_SUM)
        return 1;
    /* The result is used, so that the addition must wait for it. */
    return Operation == ACCESS_FLOAT_ADD ? 1 + (got >> 31) : 0;
}

template <enum access_operation Operation, int InFlight>
__global__ void access_kernel(uint32_t *words, uint32_t mask, unsigned threads,
                              unsigned together, unsigned accesses,
                              uint32_t seed, uint32_t one_lane, uint32_t *found)
{
    uint32_t me = (uint32_t)GRID_ME, counted = 0, before = 0;
    uint32_t in_group = me & (together - 1);
    uint32_t groups = mask & ~(uint32_t)(together - 1);

    if (me >= threads || (one_lane && lane_id() > 0))
        return;
    uint32_t state = access_state(seed, me / together);
    for (unsigned i = 0; i < accesses; i += InFlight) {
        uint32_t at[InFlight], got[InFlight];
        UNROLL
        for (int k = 0; k < InFlight; k++)
            at[k] = ((access_draw(&state) & groups) | in_group) + before;
        UNROLL
        for (int k = 0; k < InFlight; k++)
            got[k] = access_once<Operation>(words + at[k]);
        UNROLL
        for (int k = 0; k < InFlight; k++)
            counted += access_counted<Operation>(got[k], at[k]);
        /* The top bit is never set, but this is only known at run time. */
        if (InFlight == 1)
            before = got[0] >> 31;
    }
    found[me] += counted;
}

template <enum access_operation Operation>
__global__ void access_fill_kernel(uint32_t *words, uint64_t nwords)
{
    FOR_GRID (i, nwords)
        words[i] =
            Operation == ACCESS_READ ? access_word(i)
            : Operation == ACCESS_FLOAT_ADD || Operation == ACCESS_FLOAT_SUM
                ? 0
                : ACCESS_MOST;
}

template <enum access_operation Operation>
__global__ void access_sum_kernel(const uint32_t *words, uint64_t nwords,
                                  double *sum)
{
    double mine = 0;

    FOR_GRID (i, nwords)
        mine += Operation == ACCESS_FLOAT_ADD || Operation == ACCESS_FLOAT_SUM
                    ? (double)__uint_as_float(words[i])
                    : (double)(words[i] == ACCESS_LEAST);
    if (mine != 0)
        atomicAdd(sum, mine);
}

__global__ void access_stream_words(const uint32_t *words, uint64_t nwords,
                                    unsigned passes, unsigned long long *sums)
{
    unsigned long long mine = 0;

    for (unsigned p = 0; p < passes; p++)
        FOR_GRID (i, nwords)
            mine += __ldcg(words + i);
    sums[GRID_ME] = mine;
}

__global__ void access_stream_fours(const uint4 *fours, uint64_t nfours,
                                    unsigned passes, unsigned long long *sums)
{
    unsigned long long mine = 0;

    for (unsigned p = 0; p < passes; p++)
        FOR_GRID (i, nfours) {
            uint4 v = __ldcg(fours + i);
            mine += (unsigned long long)v.x + v.y + v.z + v.w;
        }
    sums[GRID_ME] = mine;
}

/* Adds by one atomic per thread. atomicAdd() will not do, because the compiler
 * may combine the additions of a warp. */
#ifndef ADD_ALONE
static __device__ __forceinline__ uint32_t add_alone(uint32_t *p, uint32_t v)
{
    uint32_t old;

    asm volatile("atom.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(v)
                 : "memory");
    return old;
}
#define ADD_ALONE add_alone
#endif

/* If aggregated, only full warps are allowed. */
template <bool Aggregated>
__global__ void access_count_kernel(uint32_t *counter, unsigned threads,
                                    unsigned times, uint32_t *found)
{
    uint32_t me = (uint32_t)GRID_ME, before = 0, wrong = 0;

    if (me >= threads)
        return;
    for (unsigned i = 0; i < times; i++) {
        uint32_t got = 0;
        if (!Aggregated)
            got = ADD_ALONE(counter, 1u);
        else if (lane_id() == 0)
            got = ADD_ALONE(counter, WARP);
        if (Aggregated)
            got = __shfl_sync(ALL_LANES, got, 0) + lane_id();
        /* The comparison also holds if the counter has wrapped around to 0. */
        wrong += i > 0 && (int32_t)(got - before) < 0;
        before = got;
    }
    found[me] += wrong;
}

#endif
