/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-up, a clock of CUDA events, and memory that is freed together, for the
 * benchmarks of GPUs. */
#include "validate/native/cuda/cuda_bench.h"

#include <assert.h>

int cuda_begin(struct native *n, struct bench_options *o, int argc, char **argv,
               const char *usage, const struct opt *more, bool *helped,
               struct err *err)
{
    const char *why = "--no-gpu was given";
    int result = 0;

    if (bench_begin(n, o, argc, argv, usage, more, helped, err) < 0)
        return -1;
    if (*helped)
        return 0;
    if (n->gpu == &gpu_host_api) {
        gpu_cuda_api(&why);
        result = fail(err, "%s: needs a GPU: %s", argv[0], why);
    }
    return native_agree(n, result, err);
}

struct repeat cuda_repeat(const struct bench_options *o)
{
    return (struct repeat){.most = 30, .per_point_s = o->native.per_point_s};
}

int gpu_clock_init(struct gpu_clock *c, struct err *err)
{
    if (CUDA_TRY(err, cudaStreamCreateWithFlags(&c->stream,
                                                cudaStreamNonBlocking)) < 0 ||
        CUDA_TRY(err, cudaEventCreate(&c->begin)) < 0 ||
        CUDA_TRY(err, cudaEventCreate(&c->end)) < 0)
        return -1;
    return 0;
}

void gpu_clock_clear(struct gpu_clock *c)
{
    cudaEventDestroy(c->begin);
    cudaEventDestroy(c->end);
    cudaStreamDestroy(c->stream);
}

void gpu_clock_start(struct gpu_clock *c)
{
    CUDA_DIE(cudaEventRecord(c->begin, c->stream));
}

double gpu_clock_stop(struct gpu_clock *c)
{
    float ms;

    CUDA_DIE(cudaEventRecord(c->end, c->stream));
    CUDA_DIE(cudaEventSynchronize(c->end));
    CUDA_DIE(cudaEventElapsedTime(&ms, c->begin, c->end));
    return 1e-3 * (double)ms;
}

void *gpu_piece(struct gpu_pieces *p, size_t bytes, struct err *err)
{
    void *new = NULL;

    assert(p->n < sizeof p->all / sizeof p->all[0]);
    if (CUDA_TRY(err, cudaMalloc(&new, bytes ? bytes : 1)) < 0) {
        err_widen(err, "%zu bytes of GPU memory", bytes);
        return NULL;
    }
    p->all[p->n++] = new;
    return new;
}

void gpu_pieces_clear(struct gpu_pieces *p)
{
    for (size_t i = 0; i < p->n; i++)
        cudaFree(p->all[i]);
    p->n = 0;
}
