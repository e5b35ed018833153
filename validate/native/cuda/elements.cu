// SPDX-License-Identifier: GPL-3.0-or-later
/* Fills GPU memory with the elements that a rank of a collective contributes,
 * and counts results that differ from the sums over the ranks. */
#include "validate/native/elements.h"
#include "validate/native/cuda/start.cuh"

static const unsigned CTA = 256, MOST_CTAS = 4096;

/* Starts a kernel for `n` items. */
#define EACH(kernel, n, ...)                                                   \
    START(kernel, ctas_for((n), CTA, MOST_CTAS), CTA, 0, stream, __VA_ARGS__)

static __global__ void fill(float *to, size_t n, uint64_t first, unsigned rank)
{
    size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (size_t i = me; i < n; i += (size_t)gridDim.x * blockDim.x)
        to[i] = (float)element_of(first + i, rank);
}

static __global__ void count(const float *of, size_t n, uint64_t first,
                             unsigned low, unsigned high,
                             unsigned long long *wrong)
{
    size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long mine = 0;

    for (size_t i = me; i < n; i += (size_t)gridDim.x * blockDim.x)
        mine += of[i] != (float)element_sum(first + i, low, high);
    if (mine)
        atomicAdd(wrong, mine);
}

static __global__ void add(float *to, struct elements_inputs in, size_t first,
                           size_t n)
{
    size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (size_t i = first + me; i < n; i += (size_t)gridDim.x * blockDim.x) {
        float sum = to[i];
        for (unsigned k = 0; k < in.n; k++)
            sum += in.from[k][i];
        to[i] = sum;
    }
}

static __global__ void add_four(float4 *to, struct elements_inputs in, size_t n)
{
    size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (size_t i = me; i < n; i += (size_t)gridDim.x * blockDim.x) {
        float4 sum = to[i];
        for (unsigned k = 0; k < in.n; k++) {
            float4 more = ((const float4 *)in.from[k])[i];
            sum = make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z,
                              sum.w + more.w);
        }
        to[i] = sum;
    }
}

/* Adds four elements at a time if all buffers are aligned to 16 bytes. */
int elements_add(float *to, struct elements_inputs in, size_t n, void *stream)
{
    uintptr_t any = (uintptr_t)to;

    for (unsigned k = 0; k < in.n; k++)
        any |= (uintptr_t)in.from[k];
    size_t fours = any % 16 == 0 ? n / 4 : 0;
    int code = cudaSuccess;
    if (fours)
        code = EACH(add_four, fours, (float4 *)to, in, fours);
    if (n > 4 * fours && code == cudaSuccess)
        code = EACH(add, n - 4 * fours, to, in, 4 * fours, n);
    return code;
}

int elements_fill(float *to, size_t n, uint64_t first, unsigned rank,
                  void *stream)
{
    return EACH(fill, n, to, n, first, rank);
}

int elements_wrong(const float *of, size_t n, uint64_t first, unsigned low,
                   unsigned high, unsigned long long *wrong, void *stream)
{
    return EACH(count, n, of, n, first, low, high, wrong);
}
