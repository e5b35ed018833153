/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gather.cuh - kernels that gather values by an index, and scatter them, one
 * value per thread at a time. */
#ifndef VALIDATE_NATIVE_CUDA_GATHER_CUH
#define VALIDATE_NATIVE_CUDA_GATHER_CUH

#include "validate/native/cuda/lanes.cuh"
#include "validate/native/gather.h"

static __global__ void pack_kernel(uint64_t *to, const uint64_t *from,
                                   const uint32_t *index, size_t n)
{
    FOR_GRID (i, n)
        to[i] = from[index[i]];
}

static __global__ void unpack_kernel(uint64_t *to, const uint64_t *from,
                                     const uint32_t *index, size_t n)
{
    FOR_GRID (i, n)
        to[index[i]] = from[i];
}

#endif
