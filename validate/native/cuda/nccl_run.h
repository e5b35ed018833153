/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_run.h - the operations of NCCL that are timed: their start, the data of
 * the ranks before and after, and the ways to time them. */
#ifndef VALIDATE_NATIVE_CUDA_NCCL_RUN_H
#define VALIDATE_NATIVE_CUDA_NCCL_RUN_H

#include "validate/native/cuda/cuda_bench.h"
#include "validate/native/cuda/nccl.h"
#include "validate/native/repeat.h"

#include <pthread.h>

enum { NCCL_MOST_BATCHES = 100, NCCL_MOST_GPUS = 16 };

/* A rank: a communicator of NCCL on a GPU. */
struct nccl_run {
    const struct nccl *nccl;
    unsigned rank, ranks;
    int device;
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
    volatile uint32_t *gate; /* the GPU's stream waits until it is 1 */
    uint32_t *gate_there;    /* the same by the GPU's address */
    double events_s[NCCL_MOST_BATCHES + 2]; /* one per batch, by events */
    size_t nevents;
};

/* Times the operation of n ranks by one thread of the CPU; returns the seconds
 * of one, by the CPU's clock. */
struct nccl_process;
typedef double nccl_time(struct nccl_process *t, struct nccl_run *runs,
                         unsigned n, unsigned iterations);

/* The ways to drive the GPUs of a node: by a process each, by a thread each of
 * one process, or by one thread, whose calls are then in a group. */
enum nccl_launch { BY_PROCESSES, BY_THREADS, BY_ONE, NNCCL_LAUNCHES };
extern const char *const nccl_launch_names[NNCCL_LAUNCHES];

/* The ranks of this process. */
struct nccl_process {
    const struct native *n;
    enum nccl_launch launch;
    struct nccl_run runs[NCCL_MOST_GPUS];
    unsigned nruns;
    nccl_time *method;
    pthread_barrier_t meet; /* of BY_THREADS */
};

/* The methods by their names; repeat() takes nccl_batch() with the process,
 * whose `method` is one of them. */
struct nccl_method {
    const char *name;
    nccl_time *time;
    bool in_graph; /* nccl_capture() first */
};
enum { NCCL_METHODS = 5 };
extern const struct nccl_method nccl_methods[NCCL_METHODS];
repeat_batch nccl_batch;
/* Starts the operation of n ranks once, by this thread. */
void nccl_once(struct nccl_run *runs, unsigned n);
/* Makes a graph of a few operations of each of the ranks. */
void nccl_capture(struct nccl_run *runs, unsigned n);
/* Makes a rank's GPU the one to which this thread's calls refer. */
void nccl_use(const struct nccl_run *r);

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
    return r->elements / r->ranks;
}

/* Sets the buffers that the current operation reads and writes. */
void nccl_place(struct nccl_run *r);
/* Returns the rank's own elements in its send buffer. */
struct nccl_share nccl_has(const struct nccl_run *r);
/* Returns part `i` of the data that a rank must get, at element i *
 * nccl_block() of `to`. */
struct nccl_share nccl_wants(const struct nccl_run *r, unsigned i);

#define NCCL_TRY(l, err, call) nccl_library_check((l), (call), #call, (err))
#define NCCL_DIE(l, call) DIE_TRY(nccl_library_check((l), (call), #call, DIE))

#endif
