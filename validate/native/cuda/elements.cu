// SPDX-License-Identifier: GPL-3.0-or-later
/* Fills GPU memory with what a rank of a collective contributes, and counts
 * results that are not the sums of the ranks'. */
#include "validate/native/cuda/elements.h"

static const unsigned CTA = 256, MOST_CTAS = 4096;

static unsigned ctas_for(size_t threads)
{
    size_t ctas = (threads + CTA - 1) / CTA;

    return (unsigned)(ctas < 1 ? 1 : ctas > MOST_CTAS ? MOST_CTAS : ctas);
}

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

int elements_fill(float *to, size_t n, uint64_t first, unsigned rank,
                  void *stream)
{
    fill<<<ctas_for(n), CTA, 0, (cudaStream_t)stream>>>(to, n, first, rank);
    return cudaGetLastError();
}

int elements_wrong(const float *of, size_t n, uint64_t first, unsigned low,
                   unsigned high, unsigned long long *wrong, void *stream)
{
    count<<<ctas_for(n), CTA, 0, (cudaStream_t)stream>>>(of, n, first, low,
                                                         high, wrong);
    return cudaGetLastError();
}
