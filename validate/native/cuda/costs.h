/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costs.h - the parts of the command `graph-costs`, which one rank runs. */
#ifndef VALIDATE_NATIVE_CUDA_COSTS_H
#define VALIDATE_NATIVE_CUDA_COSTS_H

#include "validate/native/cuda/cuda_bench.h"

enum { COSTS_NO_GPU = -1, COSTS_GPUS = 2 };

struct costs {
    const struct native *n;
    struct table *t;
    unsigned samples;   /* samples of a point */
    double per_point_s; /* no further sample after this time */
    struct sizes footprints;
    int gpus; /* 1 or 2: the first is this rank's own */
    int gpu[COSTS_GPUS];
    cudaStream_t stream[COSTS_GPUS]; /* one per GPU */
    struct gpu_clock clock;          /* the first GPU's */
    double *times_s; /* times of one point: room for `samples` */
    /* A flag in host memory that the GPU sees: it blocks a stream. */
    volatile uint32_t *gate;
    uint32_t *gate_there;
};

/* The keys of a row: `bytes` is the footprint, or the bytes copied. */
struct costs_point {
    const char *operation;
    int gpu_b; /* COSTS_NO_GPU for none */
    uint64_t bytes;
    unsigned threads, together, in_flight;
};

/* Measures a point: `sample` returns the seconds of one operation. It is called
 * once without being counted, then up to `samples` times. Writes a row with
 * median and 90th percentile. */
void costs_measure(struct costs *c, struct costs_point point,
                   double (*sample)(void *arg), void *arg);
/* Writes the row of times that exist already; sorts them. */
void costs_row(struct costs *c, struct costs_point point, double *times_s,
               size_t n);

/* Block and release the first GPU's stream. Together they keep the operations
 * that are timed on a stream from waiting for the CPU. */
void costs_hold(struct costs *c, cudaStream_t stream);
void costs_release(struct costs *c);

/* Measures random accesses, reads in order, and one counter, in own memory and
 * in the other GPU's. */
int costs_access(struct costs *c, struct err *err) MUST_CHECK;
/* Measures calls: their time on the CPU and on a stream. */
int costs_calls(struct costs *c, struct err *err) MUST_CHECK;
/* Fails if this process may run on one core only, because threads that share a
 * core would wait for its time slices. */
int costs_two_cores(const char *part, struct err *err) MUST_CHECK;
/* Measures two threads of the host that wake and wait for each other. */
int costs_threads(struct costs *c, struct err *err) MUST_CHECK;
/* Measures calls of two threads at once, each with its own GPU; does nothing
 * with one GPU. */
int costs_both(struct costs *c, struct err *err) MUST_CHECK;

#endif
