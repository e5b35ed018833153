/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_run.h - the parts of the command `gpu`. All ranks call each part; rank 0
 * alone measures, but for CUDA IPC. */
#ifndef VALIDATE_NATIVE_CUDA_GPU_RUN_H
#define VALIDATE_NATIVE_CUDA_GPU_RUN_H

#include "validate/native/cuda/cuda_bench.h"

enum { NO_GPU = -1 };

struct gpu_run {
    const struct native *n;
    struct table *t;
    struct repeat how;
    struct sizes sizes;
    int own;       /* this rank's GPU */
    int gpu, gpus; /* rank 0's, and how many it sees: as all ranks know */
    struct gpu_clock clock;
    struct gpu_pieces pieces;
};

/* Measures an operation and writes its rows. gpu_b: NO_GPU where there is no
 * second one. arg: what `batch` takes. */
void gpu_rows(struct gpu_run *r, const char *operation, int gpu_b,
              uint64_t bytes, unsigned threads, repeat_batch *batch, void *arg);

/* What the CPU does: launches, waits, events. */
int gpu_calls(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Copies and accesses to memory: of one GPU, and to others. */
int gpu_memory(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Copies, puts and atomics from every GPU to each other one, of the smallest
 * and the largest size. */
int gpu_memory_pairs(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Copies at once: between GPUs, each to the next one, each to all others; with
 * host memory, of one GPU, of two, of all. */
int gpu_together(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Kernels of few and many CTAs that move and sum, also into another GPU's
 * memory, and messages between two GPUs by stores and flags. */
int gpu_peer(struct gpu_run *r, struct err *err) MUST_CHECK;
/* Whether two processes of a host can share GPU memory, and what it costs. -1:
 * they cannot, or there is one rank only; err says it on rank 0. */
int gpu_ipc_try(struct gpu_run *r, struct err *err) MUST_CHECK;
int gpu_ipc(struct gpu_run *r, struct err *err) MUST_CHECK;

#endif
