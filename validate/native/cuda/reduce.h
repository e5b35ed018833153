/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce.h - sums of several buffers of doubles in GPU memory. */
#ifndef VALIDATE_NATIVE_CUDA_REDUCE_H
#define VALIDATE_NATIVE_CUDA_REDUCE_H

#include <stddef.h>

enum { REDUCE_MOST = 16 };

struct reduce_inputs {
    const double *in[REDUCE_MOST]; /* each aligned to 16 bytes */
    unsigned n;                    /* from 1 to REDUCE_MOST */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Computes out[i] = in[0][i] + in[1][i] + ...; out may be one of the inputs.
 * Returns a cudaError_t. */
int reduce_start(double *out, struct reduce_inputs inputs, size_t doubles,
                 void *stream);

#ifdef __cplusplus
}
#endif

#endif
