/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traverse_group.h - the host threads that drive the GPUs of a search, one for
 * each GPU, and the data that they share.
 *
 * A failure in a thread ends the program (native_die()); a thread that waits
 * too long for another does so too.
 */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_GROUP_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_GROUP_H

#include "validate/native/cuda/traverse.h"
#include "validate/native/native.h"
#include "validate/native/try.h"
#include "workloads/graph/graph.h"

#include <stdatomic.h>

struct traverse_execution;
struct traverse_group;

/* One level, over all GPUs. */
struct measured_level {
    uint64_t frontier, arcs;
    double time_s;
};

enum { SIDE_PIECES = 48, SIDE_WORDS = 32 };

/* One GPU and its host thread. */
struct traverse_side {
    struct traverse_group *group;
    unsigned gpu;
    int device;       /* its number for CUDA */
    unsigned sharers; /* sides on this device: 1 unless --devices is given */
    struct graph_share share;
    uint32_t *number; /* on the host: the graph's number of each own vertex */
    cudaStream_t stream;
    /* SIDE_WORDS of pinned memory, for counters that are read */
    uint64_t *words;
    void *pieces[SIDE_PIECES];    /* GPU memory */
    size_t npieces, graph_pieces; /* the first ones are the graph's */
    void *state;                  /* the execution's, freed with the case */
    const uint32_t *values; /* values of the own vertices, in GPU memory */

    struct traverse_counts counts; /* counts of a run; set by the execution */
    double busy_s;                 /* from launches to their ends */
    double begin_s;        /* time of the last launch; 0 once it has ended */
    double start_s, end_s; /* start and end of the run here */
};

/* The damping of PageRank. */
#define TRAVERSE_DAMPING 0.85

/* The parameters of one case. */
struct traverse_case {
    const struct traverse_execution *x;
    unsigned gpus;
    enum transfer transfer;
    uint32_t delta;
    double threshold;        /* PageRank: as in --threshold */
    uint32_t max_iterations; /* most sweeps */
    double skew_s;           /* the last GPU begins this much later */
    double latency_s;        /* added to each transfer */
};

struct traverse_group {
    const struct native *n;
    const struct graph *g; /* all of it, on the host */
    struct traverse_case how;
    uint32_t source_gpu, source; /* source: its place at its owner */
    struct traverse_side sides[TRAVERSE_GPUS];

    /* Levels of a run; set by the first thread. */
    struct measured_level *levels;
    size_t nlevels, levels_room;

    atomic_uint arrived, round; /* for group_meet() */
    /* Words that a thread publishes for the others before they meet. */
    _Atomic uint64_t published[TRAVERSE_GPUS][SIDE_WORDS];
};

/* Allocates bytes of the GPU's memory, which are freed with all others of the
 * case; returns NULL and err if there is no room. */
void *side_piece(struct traverse_side *s, uint64_t bytes,
                 struct err *err) MUST_CHECK;

/* Reduces *ctas, the CTAs that a device holds at once, to this side's share,
 * because kernels that wait for each other must all be resident. */
int side_ctas(const struct traverse_side *s, unsigned *ctas,
              struct err *err) MUST_CHECK;

/* Returns the number of other GPUs. */
static inline unsigned side_peers(const struct traverse_side *s)
{
    return s->group->how.gpus - 1;
}
static inline struct traverse_side *side_peer(const struct traverse_side *s,
                                              unsigned peer)
{
    return &s->group->sides[peer + (peer >= s->gpu)];
}
/* Returns the number of this side among its peer's peers. */
static inline unsigned side_as_peer(const struct traverse_side *s,
                                    unsigned peer)
{
    return s->gpu - (peer < s->gpu);
}

/* Runs while a thread polls a value that another changes: a test with more
 * threads than cores uses it to let the others run. */
#ifndef WHILE_LOOKING
#define WHILE_LOOKING()
#endif

/* Waits until all threads are here. group_publish() publishes a word, which the
 * others read by group_word(). */
void group_meet(struct traverse_group *t);
void group_publish(struct traverse_side *s, unsigned word, uint64_t value);
uint64_t group_word(const struct traverse_group *t, unsigned gpu,
                    unsigned word);
/* Returns the sum of a word over all GPUs. */
uint64_t group_sum(const struct traverse_group *t, unsigned word);

/* Waits actively for this time. */
void spin_for(double time_s);

/* Adds a level; called by the first thread. */
void group_level(struct traverse_group *t, uint64_t frontier, uint64_t arcs,
                 double time_s);

/* side_begin_work() is called before launches, side_sync() waits for the
 * stream; the time between them counts as busy. */
void side_begin_work(struct traverse_side *s);
void side_sync(struct traverse_side *s);

/* Copies from the GPU to its pinned words, on its stream. */
void side_read(struct traverse_side *s, unsigned word, const void *from,
               size_t bytes);

/* group_begin() allocates the execution's memory on all GPUs; group_reset()
 * sets the state at the start of a run; group_end() frees it, also after a
 * failure. */
int group_begin(struct traverse_group *t, struct err *err) MUST_CHECK;
void group_reset(struct traverse_group *t);
void group_end(struct traverse_group *t);

/* Does one run in all threads; returns the time from the moment when all are
 * ready until the last has ended. */
double group_run(struct traverse_group *t);

#endif
