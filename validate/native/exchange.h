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

/*
 * The ranks of a node are dealt to its GPUs in blocks of `per_gpu`. Of a GPU,
 * rank q handles the blocks that go to GPUs d with d = own + q (mod per_gpu),
 * and those that come from GPUs s with s = own - q, where all of them take part
 * (EXTRA_MESSAGE, DUP_DEVPTR); else rank 0 handles all. Blocks of one rank are
 * side by side in the GPU's memory, in the order of the GPUs.
 */
struct exchange {
    const struct native *n;
    unsigned gpus, per_node, per_gpu; /* GPUs in all, of a node; ranks of one */
    unsigned own, q;                  /* this rank's GPU (of all), and place */
    MPI_Comm on_gpu;                  /* the ranks of this GPU */
    enum exchange_strategy strategy;
    uint64_t bytes; /* of a block, now */

    /* The GPU's memory, one for all of its ranks; and this rank's own. */
    char *device_out, *device_in, *host_out, *host_in;
    void *stream;
    MPI_Win windows[2]; /* where host memory stands for the GPU's */
    MPI_Request *requests;
};

/* Room for blocks up to `most` bytes. All ranks call these. per_node must
 * divide the ranks of a node. */
int native_exchange_init(struct exchange *x, const struct native *n,
                         unsigned per_node, uint64_t most,
                         struct err *err) MUST_CHECK;
void native_exchange_clear(struct exchange *x);

/* A repeat_batch. */
double native_exchange_batch(void *arg, unsigned iterations);
/* One exchange of known blocks; ends the ranks when others arrive. */
void native_exchange_check(struct exchange *x);

#endif
