/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costs.h - the parts of the command `graph-costs`, which one rank runs. */
#ifndef VALIDATE_NATIVE_CUDA_COSTS_H
#define VALIDATE_NATIVE_CUDA_COSTS_H

#include "validate/native/cuda/cuda_bench.h"

enum { COSTS_NO_GPU = -1, COSTS_GPUS = 2 };

struct costs {
    const struct native *n;
    struct table *t;
    unsigned samples;   /* of a point */
    double per_point_s; /* no further sample after so long */
    struct sizes footprints;
    int gpus; /* 1 or 2: the first is the one that this rank has */
    int gpu[COSTS_GPUS];
    cudaStream_t stream[COSTS_GPUS]; /* of each GPU */
    struct gpu_clock clock;          /* of the first */
    double *times_s;                 /* of one point: room for `samples` */
    /* In host memory that the GPU sees: what holds a stream back. */
    volatile uint32_t *gate;
    uint32_t *gate_there;
};

/* What a row is of: `bytes` is the footprint, or what is copied. */
struct costs_point {
    const char *operation;
    int gpu_b; /* COSTS_NO_GPU: none */
    uint64_t bytes;
    unsigned threads, together, in_flight;
};

/*
 * Up to `samples` times: `sample` gives the seconds of one operation. One
 * sample before does not count. Writes the row of median and 90th percentile.
 */
void costs_measure(struct costs *c, struct costs_point point,
                   double (*sample)(void *arg), void *arg);
/* The same of times that are there; sorts them. */
void costs_row(struct costs *c, struct costs_point point, double *times_s,
               size_t n);

/* Streams of GPU and their order: holds the first GPU's stream, and lets it
 * go. Together they keep what is timed on a stream from waiting for the CPU. */
void costs_hold(struct costs *c, cudaStream_t stream);
void costs_release(struct costs *c);

/* Random accesses, reads in order, one counter: own memory and the other's. */
int costs_access(struct costs *c, struct err *err) MUST_CHECK;
/* Calls: of the CPU, and what they take on a stream. */
int costs_calls(struct costs *c, struct err *err) MUST_CHECK;
/* Threads that share a core would wait for its turns: an error. */
int costs_two_cores(const char *part, struct err *err) MUST_CHECK;
/* Two threads of the host that wake and wait for each other. */
int costs_threads(struct costs *c, struct err *err) MUST_CHECK;
/* Calls of two threads at once, each with its own GPU; with one GPU nothing. */
int costs_both(struct costs *c, struct err *err) MUST_CHECK;

#endif
