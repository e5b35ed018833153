/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes.cuh - the threads of a warp and of a CTA. Kernels are in headers, so
 * that a test can run them on the CPU (tests/cuda_on_cpu.h). */
#ifndef VALIDATE_NATIVE_CUDA_LANES_CUH
#define VALIDATE_NATIVE_CUDA_LANES_CUH

#include <stddef.h>
#include <stdint.h>

#define WARP 32u
#define ALL_LANES 0xffffffffu

/* Declares the memory that a CTA's threads share; its size is given at the
 * launch. */
#ifndef CTA_MEMORY
#define CTA_MEMORY(type, name) extern __shared__ type name[]
#endif

static __device__ __forceinline__ unsigned lane_id(void)
{
    return threadIdx.x % WARP;
}

static __device__ __forceinline__ unsigned warp_id(void)
{
    return threadIdx.x / WARP;
}

/* Returns how many lanes below this one are in the mask. */
static __device__ __forceinline__ unsigned lanes_below(unsigned mask)
{
    return (unsigned)__popc(mask & ((1u << lane_id()) - 1));
}

/* Returns the sum of `mine` over the lanes up to this one; called by a whole
 * warp. */
template <class T> static __device__ __forceinline__ T sum_upto(T mine)
{
    for (unsigned d = 1; d < WARP; d *= 2) {
        T other = __shfl_up_sync(ALL_LANES, mine, d);
        mine += lane_id() >= d ? other : 0;
    }
    return mine;
}

/* Marks a parameter that every thread would otherwise copy, because one of its
 * arrays is indexed. */
#ifndef IN_PLACE
#define IN_PLACE const __grid_constant__
#endif

/* This thread's number among all of the kernel, and the number of all. */
#define GRID_ME ((size_t)blockIdx.x * blockDim.x + threadIdx.x)
#define GRID_ALL ((size_t)gridDim.x * blockDim.x)
/* Divides the indices below n among all threads of the kernel. */
#define FOR_GRID(i, n) for (size_t i = GRID_ME; i < (n); i += GRID_ALL)

/* Unrolls a loop of a few iterations over an array in registers. */
#ifndef UNROLL
#define UNROLL _Pragma("unroll")
#endif

/* A test interleaves other threads here. */
#ifndef MEANWHILE
#define MEANWHILE()
#endif

/* Return nanoseconds since some time, equal on the GPUs of a host except for a
 * microsecond; and cycles of this multiprocessor. */
#ifndef CLOCKS
#define CLOCKS
static __device__ __forceinline__ unsigned long long clock_ns(void)
{
    unsigned long long ns;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

static __device__ __forceinline__ unsigned long long cycles(void)
{
    return (unsigned long long)clock64();
}
#endif

/* Reads a counter that other threads change: it bypasses the cache that is not
 * coherent. */
static __device__ __forceinline__ uint32_t look(const uint32_t *p)
{
    uint32_t value = *(const volatile uint32_t *)p;

    MEANWHILE();
    return value;
}

static __device__ __forceinline__ unsigned long long
look_wide(const unsigned long long *p)
{
    unsigned long long value = *(const volatile unsigned long long *)p;

    MEANWHILE();
    return value;
}

#endif
