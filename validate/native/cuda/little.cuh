/* SPDX-License-Identifier: GPL-3.0-or-later */
/* little.cuh - kernels of small steps: one that does nothing, one of a few
 * accesses, a gate, and syncs of a grid. */
#ifndef VALIDATE_NATIVE_CUDA_LITTLE_CUH
#define VALIDATE_NATIVE_CUDA_LITTLE_CUH

#include "validate/native/cuda/access.cuh"

/* Because only grid_group::sync() is used, cooperative groups need not include
 * the C++ library of CUDA, which takes three quarters of the compiler's
 * time. */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

static __global__ void grid_sync(unsigned times, int check, uint32_t *counter,
                                 uint32_t *found)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();

    for (unsigned i = 0; i < times; i++) {
        if (check && threadIdx.x == 0)
            atomicAdd(counter, 1u);
        grid.sync();
        if (check && look(counter) < (i + 1) * gridDim.x)
            atomicAdd(found, 1u);
    }
}

static __global__ void gate(const uint32_t *flag)
{
    for (unsigned i = 0; i < 1000000 && look(flag) == 0; i++)
        __nanosleep(1000);
}

static __global__ void nothing(void)
{
}

struct little_padding {
    uint32_t words[50];
};

/* Executes instructions that the compiler can neither leave out nor put into a
 * loop: 512 of 16 bytes. */
static __device__ __forceinline__ uint32_t little_code(uint32_t x)
{
    uint32_t a = x, b = x + 1, c = x + 2, d = x + 3;
#define MIX                                                                    \
    asm volatile("mad.lo.u32 %0, %0, 5, 1;" : "+r"(a));                        \
    asm volatile("mad.lo.u32 %0, %0, 7, 1;" : "+r"(b));                        \
    asm volatile("mad.lo.u32 %0, %0, 9, 1;" : "+r"(c));                        \
    asm volatile("mad.lo.u32 %0, %0, 11, 1;" : "+r"(d));
#define MIX_8 MIX MIX MIX MIX MIX MIX MIX MIX
#define MIX_64 MIX_8 MIX_8 MIX_8 MIX_8 MIX_8 MIX_8 MIX_8 MIX_8
    MIX_64 MIX_64
#undef MIX_64
#undef MIX_8
#undef MIX
        return a ^
        b ^ c ^ d;
}

template <bool Code>
static __device__ __forceinline__ void little(const struct little_kernel &l,
                                              uint32_t more)
{
    extern __shared__ uint32_t little_memory[];
    uint32_t state = access_state(l.seed, threadIdx.x), before = 0, sum = 0;

    if (l.shared) {
        little_memory[threadIdx.x] = threadIdx.x;
        __syncthreads();
        sum = little_memory[(threadIdx.x + 32) % blockDim.x] !=
              (threadIdx.x + 32) % blockDim.x;
    }
    for (uint32_t i = 0; i < l.accesses; i++) {
        before =
            __ldcg(&l.words[(access_draw(&state) + before) & (l.nwords - 1)]);
        sum += before;
    }
    if (Code && little_code(state + more) == 0x12345678u)
        sum += l.nwords == 0;
    if (l.peer && threadIdx.x == 0) {
        uint32_t at = atomicAdd_system(l.peer, 1u);
        l.peer[1 + (at & (l.nwords / 2 - 1))] = at;
    }
    if (sum)
        atomicAdd(l.found, sum);
}

template <bool Code>
static __global__ void little_narrow(struct little_kernel l)
{
    little<Code>(l, 0);
}

template <bool Code>
static __global__ void little_wide(struct little_kernel l,
                                   struct little_padding p)
{
    little<Code>(l, p.words[l.seed % 50]);
}

#endif
