// SPDX-License-Identifier: GPL-3.0-or-later
/* Small kernels that the benchmarks measure: empty, flags, patterns, reads,
 * writes, atomic additions. */
#include "validate/native/cuda/work.h"
#include "validate/native/cuda/start.cuh"

static const unsigned CTA = 256, MOST_CTAS = 4096;

/* This thread's number, and the number of threads. */
#define ME ((size_t)blockIdx.x * blockDim.x + threadIdx.x)
#define ALL ((size_t)gridDim.x * blockDim.x)

static __global__ void nothing(void)
{
}

static __global__ void flag_kernel(volatile uint32_t *flag, uint32_t value)
{
    *flag = value;
}

static __global__ void fill(uint64_t *words, size_t n, uint64_t seed)
{
    for (size_t i = ME; i < n; i += ALL)
        words[i] = seed + i;
}

static __global__ void wrong_kernel(const uint64_t *words, size_t n,
                                    uint64_t seed, unsigned long long *wrong)
{
    unsigned long long mine = 0;

    for (size_t i = ME; i < n; i += ALL)
        mine += words[i] != seed + i;
    if (mine)
        atomicAdd(wrong, mine);
}

static __global__ void read_kernel(const uint4 *from, size_t n, uint32_t never,
                                   uint32_t *sum)
{
    uint32_t mine = 0;

    for (size_t i = ME; i < n; i += ALL) {
        uint4 v = from[i];
        mine += v.x + v.y + v.z + v.w;
    }
    /* Without this use the compiler would remove the reads. */
    if (mine == never)
        *sum = mine;
}

static __global__ void write_kernel(uint4 *to, size_t n, uint32_t value)
{
    for (size_t i = ME; i < n; i += ALL)
        to[i] = make_uint4(value, value, value, value);
}

static __global__ void copy_kernel(uint4 *to, const uint4 *from, size_t n)
{
    for (size_t i = ME; i < n; i += ALL)
        to[i] = from[i];
}

static __global__ void add_kernel(unsigned long long *to, size_t stride,
                                  unsigned threads, unsigned times)
{
    if (ME >= threads)
        return;
    for (unsigned i = 0; i < times; i++)
        atomicAdd(to + ME * stride, 1ull);
}

static __global__ void add_chained(unsigned long long *to, size_t stride,
                                   unsigned threads, unsigned times)
{
    unsigned long long before = 0;

    if (ME >= threads)
        return;
    /* The top bit is never set, so that 1 is added, but this is only known at
     * run time. */
    for (unsigned i = 0; i < times; i++)
        before = atomicAdd(to + ME * stride, 1 + (before >> 63));
}

static __global__ void put(uint64_t *to, size_t n, uint64_t seed,
                           unsigned threads)
{
    if (ME >= threads)
        return;
    for (size_t i = ME; i < n; i += threads)
        to[i] = seed + i;
    __threadfence_system();
}

/* Starts a kernel for `n` items. */
#define EACH(kernel, n, ...)                                                   \
    START(kernel, ctas_for((n), CTA, MOST_CTAS), CTA, 0, stream, __VA_ARGS__)

int work_nothing(void *stream)
{
    return START(nothing, 1, 1, 0, stream);
}

int work_flag(uint32_t *flag, uint32_t value, void *stream)
{
    return START(flag_kernel, 1, 1, 0, stream, flag, value);
}

int work_fill(uint64_t *words, size_t n, uint64_t seed, void *stream)
{
    return EACH(fill, n, words, n, seed);
}

int work_wrong(const uint64_t *words, size_t n, uint64_t seed,
               unsigned long long *wrong, void *stream)
{
    return EACH(wrong_kernel, n, words, n, seed, wrong);
}

int work_read(const void *from, size_t bytes, uint32_t never, uint32_t *sum,
              void *stream)
{
    return EACH(read_kernel, bytes / 16, (const uint4 *)from, bytes / 16, never,
                sum);
}

int work_write(void *to, size_t bytes, uint32_t value, void *stream)
{
    return EACH(write_kernel, bytes / 16, (uint4 *)to, bytes / 16, value);
}

int work_copy(void *to, const void *from, size_t bytes, void *stream)
{
    return EACH(copy_kernel, bytes / 16, (uint4 *)to, (const uint4 *)from,
                bytes / 16);
}

int work_add(unsigned long long *to, size_t stride, unsigned threads,
             unsigned times, int chained, void *stream)
{
    return START((chained ? add_chained : add_kernel), ctas_for(threads, CTA),
                 CTA, 0, stream, to, stride, threads, times);
}

int work_put(uint64_t *to, size_t n, uint64_t seed, unsigned threads,
             void *stream)
{
    return START(put, ctas_for(threads, CTA), CTA, 0, stream, to, n, seed,
                 threads);
}
