/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange.h - one exchange in which every GPU sends a block to every GPU,
 * itself included, by one of four strategies. */
#ifndef VALIDATE_NATIVE_EXCHANGE_H
#define VALIDATE_NATIVE_EXCHANGE_H

#include "validate/native/native.h"

#include <stdint.h>

enum exchange_strategy {
    CUDA_AWARE,
    COPY_TO_CPU,
    EXTRA_MESSAGE,
    DUP_DEVPTR,
    NEXCHANGES
};
extern const char *const exchange_names[NEXCHANGES];

/* The ranks of a node are assigned to its GPUs in blocks of `per_gpu`. If all
 * ranks of a GPU take part (EXTRA_MESSAGE, DUP_DEVPTR), rank q of a GPU handles
 * the blocks that go to GPUs d with d = own + q (mod per_gpu), and those that
 * come from GPUs s with s = own - q; otherwise rank 0 handles all. Blocks of
 * one rank are contiguous in the GPU's memory, in the order of the GPUs. */
struct exchange {
    const struct native *n;
    /* All GPUs, GPUs per node, ranks per GPU. */
    unsigned gpus, per_node, per_gpu;
    unsigned own, q; /* this rank's GPU (of all), and its number there */
    MPI_Comm on_gpu; /* the ranks of this GPU */
    enum exchange_strategy strategy;
    uint64_t bytes; /* present size of a block */

    /* Memory of the GPU, which all of its ranks share; and this rank's own host
     * memory. */
    char *device_out, *device_in, *host_out, *host_in;
    void *stream;
    MPI_Win windows[2]; /* if host memory represents the GPU's */
    MPI_Request *requests;
};

/* Allocates blocks of up to `most` bytes; fails if per_node does not divide the
 * ranks of a node. All ranks call both functions. */
int native_exchange_init(struct exchange *x, const struct native *n,
                         unsigned per_node, uint64_t most,
                         struct err *err) MUST_CHECK;
void native_exchange_clear(struct exchange *x);

/* Exchanges in a batch for repeat(). */
double native_exchange_batch(void *arg, unsigned iterations);
/* Does one exchange of known blocks; ends all ranks if other bytes arrive. */
void native_exchange_check(struct exchange *x);

#endif
