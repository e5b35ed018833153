/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies.h - copies by one rank between host and GPU memory, or between two
 * GPUs, one after the other on a stream of its own. */
#ifndef VALIDATE_NATIVE_COPIES_H
#define VALIDATE_NATIVE_COPIES_H

#include "platforms/machine.h"
#include "validate/native/native.h"

#include <stdint.h>

/* GPUs per node if there are none and --gpus is not given: host memory
 * represents them. Two are enough for copies between GPUs. */
enum { COPIES_GPUS = 2 };

/* The note and the options that memcpy and memcpy_mult share. */
#define COPIES_HOST_NOTE                                                       \
    "config=host_memory: there is no GPU, memcpy between host buffers, one "   \
    "of them standing for GPU memory"
#define COPIES_OPTIONS(mps, gpus)                                              \
    MPS_OPTION(mps),                                                           \
    {                                                                          \
        "gpus", OPT_COUNT, &(gpus), "N",                                       \
            "GPUs of a node (all; without any, host memory stands for 2)"      \
    }

struct copies {
    const struct native *n;
    bool active; /* this rank copies */
    enum copy_dir dir;
    /* peer: on another GPU, for D2D; otherwise NULL */
    void *host, *device, *peer;
    void *stream;
    uint64_t bytes;
};

/* Sets *out to the GPUs per node to use: `asked`, or all that there are if it
 * is 0. Fails if there are fewer. */
int copies_gpus(unsigned *out, const struct native *n, unsigned asked,
                struct err *err) MUST_CHECK;

/* Allocates buffers of this many bytes, on this rank's GPU `gpu` and on GPU
 * `peer` (-1 for none). Every rank calls it; ranks that are not active get
 * none. copies_clear() frees them. */
int copies_init(struct copies *c, const struct native *n, bool active,
                unsigned gpu, int peer, uint64_t bytes,
                struct err *err) MUST_CHECK;
void copies_clear(struct copies *c);

/* Copies in a batch for repeat(); arg is a struct copies with direction and
 * bytes. */
double copies_batch(void *arg, unsigned iterations);
/* Does one copy and checks the bytes; ends all ranks if they are wrong. */
void copies_check(const struct copies *c);

#endif
