/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_run.h - the operations of NCCL that are timed: their start, and the data
 * of the ranks before and after. */
#ifndef VALIDATE_NATIVE_CUDA_NCCL_RUN_H
#define VALIDATE_NATIVE_CUDA_NCCL_RUN_H

#include "validate/native/cuda/cuda_bench.h"
#include "validate/native/cuda/nccl.h"

enum { NCCL_MOST_BATCHES = 100 };

struct nccl_run {
    const struct native *n;
    struct nccl nccl;
    void *comm;
    struct gpu_clock clock;
    struct gpu_pieces pieces;
    float *send, *receive; /* each of the largest size, on this rank's GPU */
    float *from, *to;      /* buffers of the current operation */
    unsigned long long *wrong;
    size_t elements; /* elements of the largest buffer of a rank */
    const struct nccl_operation *op;
    bool in_place;
    cudaGraphExec_t graph;
    double events_s[NCCL_MOST_BATCHES + 2]; /* one per batch, by events */
    size_t nevents;
};

/* The data that a rank has, or must get, in elements; nothing is required if n
 * is 0. */
struct nccl_share {
    uint64_t first, n;
    unsigned low, high; /* the sum over these ranks' elements */
};

struct nccl_operation {
    const char *name;
    bool divides; /* the buffer is a block for each rank */
    bool never_in_place;
    bool in_block; /* in place: the smaller buffer is this rank's block */
    int (*start)(struct nccl_run *r);
};

enum { NCCL_OPERATIONS = 8 };
extern const struct nccl_operation nccl_operations[NCCL_OPERATIONS];

/* Returns the elements of a rank's block. */
static inline size_t nccl_block(const struct nccl_run *r)
{
    return r->elements / (size_t)r->n->ranks;
}

/* Sets the buffers that the current operation reads and writes. */
void nccl_place(struct nccl_run *r);
/* Returns the rank's own elements in its send buffer. */
struct nccl_share nccl_has(const struct nccl_run *r);
/* Returns part `i` of the data that a rank must get, at element i *
 * nccl_block() of `to`. */
struct nccl_share nccl_wants(const struct nccl_run *r, unsigned i);

#endif
