// SPDX-License-Identifier: GPL-3.0-or-later
/* Kernels that gather values into a buffer that is sent, and bring them back
 * from one that was received. */
#include "validate/native/gather.h"

static const unsigned CTA = 256, MOST_CTAS = 4096;

static unsigned ctas_for(size_t n)
{
    size_t ctas = (n + CTA - 1) / CTA;

    return (unsigned)(ctas < 1 ? 1 : ctas > MOST_CTAS ? MOST_CTAS : ctas);
}

/* This thread's number, and how many there are. */
#define ME ((size_t)blockIdx.x * blockDim.x + threadIdx.x)
#define ALL ((size_t)gridDim.x * blockDim.x)

static __global__ void pack_kernel(uint64_t *to, const uint64_t *from,
                                   const uint32_t *index, size_t n)
{
    for (size_t i = ME; i < n; i += ALL)
        to[i] = from[index[i]];
}

static __global__ void unpack_kernel(uint64_t *to, const uint64_t *from,
                                     const uint32_t *index, size_t n)
{
    for (size_t i = ME; i < n; i += ALL)
        to[index[i]] = from[i];
}

int gather_pack(uint64_t *to, const uint64_t *from, const uint32_t *index,
                size_t n, void *stream)
{
    pack_kernel<<<ctas_for(n), CTA, 0, (cudaStream_t)stream>>>(to, from, index,
                                                               n);
    return cudaGetLastError();
}

int gather_unpack(uint64_t *to, const uint64_t *from, const uint32_t *index,
                  size_t n, void *stream)
{
    unpack_kernel<<<ctas_for(n), CTA, 0, (cudaStream_t)stream>>>(to, from,
                                                                 index, n);
    return cudaGetLastError();
}
