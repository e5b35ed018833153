// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels that gather and scatter values; callable from C. */
#include "validate/native/cuda/gather.cuh"

static const unsigned CTA = 256, MOST_CTAS = 4096;

static unsigned ctas_for(size_t n)
{
    size_t ctas = (n + CTA - 1) / CTA;

    return (unsigned)(ctas < 1 ? 1 : ctas > MOST_CTAS ? MOST_CTAS : ctas);
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
