/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.cuh - small kernels: flags, patterns, reads, writes, additions. */
#ifndef VALIDATE_NATIVE_CUDA_WORK_CUH
#define VALIDATE_NATIVE_CUDA_WORK_CUH

#include "validate/native/cuda/lanes.cuh"
#include "validate/native/cuda/work.h"

static __global__ void word_flag(volatile uint32_t *flag, uint32_t value)
{
    *flag = value;
}

static __global__ void words_fill(uint64_t *words, size_t n, uint64_t seed)
{
    FOR_GRID (i, n)
        words[i] = seed + i;
}

static __global__ void words_wrong(const uint64_t *words, size_t n,
                                   uint64_t seed, unsigned long long *wrong)
{
    unsigned long long mine = 0;

    FOR_GRID (i, n)
        mine += words[i] != seed + i;
    if (mine)
        atomicAdd(wrong, mine);
}

static __global__ void words_read(const uint4 *from, size_t n, uint32_t never,
                                  uint32_t *sum)
{
    uint32_t mine = 0;

    FOR_GRID (i, n) {
        uint4 v = from[i];
        mine += v.x + v.y + v.z + v.w;
    }
    /* Without this use the compiler would remove the reads. */
    if (mine == never)
        *sum = mine;
}

static __global__ void words_write(uint4 *to, size_t n, uint32_t value)
{
    FOR_GRID (i, n)
        to[i] = make_uint4(value, value, value, value);
}

static __global__ void words_copy(uint4 *to, const uint4 *from, size_t n)
{
    FOR_GRID (i, n)
        to[i] = from[i];
}

static __global__ void words_add(unsigned long long *to, size_t stride,
                                 unsigned threads, unsigned times)
{
    if (GRID_ME >= threads)
        return;
    for (unsigned i = 0; i < times; i++)
        atomicAdd(to + GRID_ME * stride, 1ull);
}

static __global__ void words_add_chained(unsigned long long *to, size_t stride,
                                         unsigned threads, unsigned times)
{
    unsigned long long before = 0;

    if (GRID_ME >= threads)
        return;
    /* The top bit is never set, so that 1 is added, but this is only known at
     * run time. */
    for (unsigned i = 0; i < times; i++)
        before = atomicAdd(to + GRID_ME * stride, 1 + (before >> 63));
}

static __global__ void words_put(uint64_t *to, size_t n, uint64_t seed,
                                 unsigned threads)
{
    if (GRID_ME >= threads)
        return;
    for (size_t i = GRID_ME; i < n; i += threads)
        to[i] = seed + i;
    __threadfence_system();
}

#endif
