/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies.h - copies of one rank between host and GPU memory, or between two
 * GPUs, one after the other on a stream of its own. */
#ifndef VALIDATE_NATIVE_COPIES_H
#define VALIDATE_NATIVE_COPIES_H

#include "platforms/machine.h"
#include "validate/native/native.h"

#include <stdint.h>

/* Where nothing else is said, without GPUs host memory stands for so many of a
 * node: enough for copies between two. */
enum { COPIES_GPUS = 2 };

/* What memcpy and memcpy_mult have in common. */
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
    bool active; /* this rank */
    enum copy_dir dir;
    void *host, *device, *peer; /* peer: on another GPU, for D2D, or NULL */
    void *stream;
    uint64_t bytes;
};

/* How many GPUs of a node are meant: `asked`, or all that there are (0). */
int copies_gpus(unsigned *out, const struct native *n, unsigned asked,
                struct err *err) MUST_CHECK;

/*
 * Memory for so many bytes, of this rank's GPU `gpu` (and of `peer`, -1: none).
 * Every rank calls it; on those that are not active there is none.
 */
int copies_init(struct copies *c, const struct native *n, bool active,
                unsigned gpu, int peer, uint64_t bytes,
                struct err *err) MUST_CHECK;
void copies_clear(struct copies *c);

/* A repeat_batch; arg: a struct copies with direction and bytes. */
double copies_batch(void *arg, unsigned iterations);
/* One copy, and whether the bytes came; ends the ranks when not. */
void copies_check(const struct copies *c);

#endif
