/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_run.h - the parts of the command `gpu`. All ranks call each part; only
 * rank 0 measures, except for CUDA IPC. */
#ifndef VALIDATE_NATIVE_CUDA_GPU_RUN_H
#define VALIDATE_NATIVE_CUDA_GPU_RUN_H

#include "validate/native/cuda/cuda_bench.h"

enum { NO_GPU = -1 };

struct gpu_run {
    const struct native *n;
    struct table *t;
    struct repeat how;
    struct sizes sizes;
    int own; /* this rank's GPU */
    /* Rank 0's GPU, and the number that it sees; equal on all ranks. */
    int gpu, gpus;
    struct gpu_clock clock;
    struct gpu_pieces pieces;
};

/* Measures an operation and writes its rows. gpu_b is NO_GPU if there is no
 * second GPU; arg is the argument of `batch`. */
void gpu_rows(struct gpu_run *r, const char *operation, int gpu_b,
              uint64_t bytes, unsigned threads, repeat_batch *batch, void *arg);

/* Returns how many words differ from those of work_fill(), counted at *there in
 * the GPU's memory. */
unsigned long long gpu_wrong(const void *words, uint64_t bytes, uint64_t seed,
                             unsigned long long *there, cudaStream_t stream);

/* Measures calls of the CPU: launches, waits, events. */
int gpu_calls(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Measures copies and accesses to memory, of one GPU and to others. */
int gpu_memory(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Measures copies, puts and atomics from every GPU to each other one, of the
 * smallest and the largest size. */
int gpu_memory_pairs(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Measures simultaneous copies: between GPUs, each to the next one and each to
 * all others; with host memory, of one GPU, of two, of all. */
int gpu_together(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Measures kernels of few and many CTAs that move and sum, also into another
 * GPU's memory, and messages between two GPUs by stores and flags. */
int gpu_peer(struct gpu_run *r, struct err *err) MUST_CHECK;
/* gpu_ipc_try() tests whether two processes of a host can share GPU memory;
 * gpu_ipc() measures it. -1 means that they cannot, or that there is only one
 * rank; err says so on rank 0. */
int gpu_ipc_try(struct gpu_run *r, struct err *err) MUST_CHECK;
int gpu_ipc(struct gpu_run *r, struct err *err) MUST_CHECK;

#endif
