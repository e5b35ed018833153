/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_run.h - the operations of NCCL that are timed: how each starts, and what
 * the ranks hold before and after it. */
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
    float *send, *receive; /* of the largest size each, on this rank's GPU */
    float *from, *to;      /* of the operation at hand */
    unsigned long long *wrong;
    size_t elements; /* of the largest buffer of a rank */
    const struct nccl_operation *op;
    bool in_place;
    cudaGraphExec_t graph;
    double events_s[NCCL_MOST_BATCHES + 2]; /* of each batch, by events */
    size_t nevents;
};

/* What a rank holds and shall get, in elements; wants nothing where n is 0. */
struct nccl_share {
    uint64_t first, n;
    unsigned low, high; /* of these ranks' elements the sum */
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

/* Elements of the block of a rank. */
static inline size_t nccl_block(const struct nccl_run *r)
{
    return r->elements / (size_t)r->n->ranks;
}

/* Sets where the operation at hand reads and writes. */
void nccl_place(struct nccl_run *r);
/* Elements of its own that a rank has in the buffer that it sends from. */
struct nccl_share nccl_has(const struct nccl_run *r);
/* Part `i` of what a rank shall get, at element i x nccl_block() of `to`. */
struct nccl_share nccl_wants(const struct nccl_run *r, unsigned i);

#endif
