// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the reduction kernel; callable from C. */
#include "validate/native/cuda/reduce.cuh"

static const unsigned CTA = 256, MOST_CTAS = 4096;

int reduce_start(double *out, struct reduce_inputs inputs, size_t doubles,
                 void *stream)
{
    size_t ctas = (doubles / 2 + CTA - 1) / CTA;

    ctas = ctas < 1 ? 1 : ctas > MOST_CTAS ? MOST_CTAS : ctas;
    reduce_add<<<(unsigned)ctas, CTA, 0, (cudaStream_t)stream>>>(out, inputs,
                                                                 doubles);
    return cudaGetLastError();
}
