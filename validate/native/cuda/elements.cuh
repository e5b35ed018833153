/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements.cuh - fills GPU memory with the elements that a rank of a collective
 * contributes, adds them, and counts results that differ from their sums. */
#ifndef VALIDATE_NATIVE_CUDA_ELEMENTS_CUH
#define VALIDATE_NATIVE_CUDA_ELEMENTS_CUH

#include "validate/native/cuda/lanes.cuh"
#include "validate/native/elements.h"

static __device__ float4 sum_of_four(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static __global__ void element_fill(float *to, size_t n, uint64_t first,
                                    unsigned rank)
{
    FOR_GRID (i, n)
        to[i] = (float)element_of(first + i, rank);
}

static __global__ void element_count(const float *of, size_t n, uint64_t first,
                                     unsigned low, unsigned high,
                                     unsigned long long *wrong)
{
    unsigned long long mine = 0;

    FOR_GRID (i, n)
        mine += of[i] != (float)element_sum(first + i, low, high);
    if (mine)
        atomicAdd(wrong, mine);
}

static __global__ void element_add(float *to, struct elements_inputs in,
                                   size_t first, size_t n)
{
    for (size_t i = first + GRID_ME; i < n; i += GRID_ALL) {
        float sum = to[i];
        for (unsigned k = 0; k < in.n; k++)
            sum += in.from[k][i];
        to[i] = sum;
    }
}

static __global__ void element_add_four(float4 *to, struct elements_inputs in,
                                        size_t n)
{
    FOR_GRID (i, n) {
        float4 sum = to[i];
        for (unsigned k = 0; k < in.n; k++) {
            sum = sum_of_four(sum, ((const float4 *)in.from[k])[i]);
        }
        to[i] = sum;
    }
}

#endif
