/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce.cuh - sums of several buffers, two doubles per thread at a time. */
#ifndef VALIDATE_NATIVE_CUDA_REDUCE_CUH
#define VALIDATE_NATIVE_CUDA_REDUCE_CUH

#include "validate/native/cuda/lanes.cuh"
#include "validate/native/cuda/reduce.h"

static __global__ void reduce_add(double *out, struct reduce_inputs inputs,
                                  size_t doubles)
{
    FOR_GRID (i, doubles / 2) {
        double2 sum = ((const double2 *)inputs.in[0])[i];
        for (unsigned b = 1; b < inputs.n; b++) {
            double2 more = ((const double2 *)inputs.in[b])[i];
            sum.x += more.x;
            sum.y += more.y;
        }
        ((double2 *)out)[i] = sum;
    }
    if (GRID_ME == 0 && doubles % 2) {
        double sum = 0;
        for (unsigned b = 0; b < inputs.n; b++)
            sum += inputs.in[b][doubles - 1];
        out[doubles - 1] = sum;
    }
}

#endif
