/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows and checks of measurements on GPUs. */
#include "validate/native/cuda/gpu_run.h"

#include "validate/native/cuda/work.h"

#include <stdio.h>

void gpu_rows(struct gpu_run *r, const char *operation, int gpu_b,
              uint64_t bytes, unsigned threads, repeat_batch *batch, void *arg)
{
    struct samples s;
    char b[16] = "";

    if (gpu_b != NO_GPU)
        snprintf(b, sizeof b, "%d", gpu_b);
    repeat(&s, r->n, &r->how, batch, arg);
    for (size_t i = 0; i < s.n; i++)
        table_row(r->t, "%s,%d,%s,%llu,%u,%u,%.6e", operation, r->gpu, b,
                  (unsigned long long)bytes, threads, s.iterations, s.s[i]);
    samples_clear(&s);
}

unsigned long long gpu_wrong(const void *words, uint64_t bytes, uint64_t seed,
                             unsigned long long *there, cudaStream_t stream)
{
    unsigned long long wrong;

    CUDA_DIE(cudaMemsetAsync(there, 0, sizeof wrong, stream));
    CUDA_DIE(work_wrong(words, bytes / 8, seed, there, stream));
    CUDA_DIE(cudaMemcpyAsync(&wrong, there, sizeof wrong,
                             cudaMemcpyDeviceToHost, stream));
    CUDA_DIE(cudaStreamSynchronize(stream));
    return wrong;
}
