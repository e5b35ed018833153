/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda_bench.h - set-up, clock and memory that the GPU benchmarks share. Only
 * rank 0 measures unless stated otherwise. */
#ifndef VALIDATE_NATIVE_CUDA_CUDA_BENCH_H
#define VALIDATE_NATIVE_CUDA_CUDA_BENCH_H

#include "validate/native/bench.h"
#include "validate/native/try.h"

/* Does the same as bench_begin(), but it is an error if there is no GPU. */
int cuda_begin(struct native *n, struct bench_options *o, int argc, char **argv,
               const char *usage, const struct opt *more, bool *helped,
               struct err *err) MUST_CHECK;

/* Returns fewer batches than other benchmarks have, because there are many
 * points and GPU time is expensive. */
struct repeat cuda_repeat(const struct bench_options *o);

/* A stream and two events on it, which measure the GPU's own time between
 * them. */
struct gpu_clock {
    cudaStream_t stream;
    cudaEvent_t begin, end;
};

int gpu_clock_init(struct gpu_clock *c, struct err *err) MUST_CHECK;
void gpu_clock_clear(struct gpu_clock *c);
void gpu_clock_start(struct gpu_clock *c);
/* Waits for all work since the start; returns the seconds. */
double gpu_clock_stop(struct gpu_clock *c);

/* GPU memory of one benchmark: pieces that are freed together. gpu_piece()
 * returns NULL and err if there is no room. */
struct gpu_pieces {
    void *all[64];
    size_t n;
};

void *gpu_piece(struct gpu_pieces *p, size_t bytes, struct err *err) MUST_CHECK;
void gpu_pieces_clear(struct gpu_pieces *p);

#endif
