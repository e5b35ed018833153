/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traverse_team.h - the host threads that drive the GPUs of a search, one for
 * each GPU, and what they know of each other.
 *
 * What fails in them ends the program (native_die()); a thread that waits for
 * another for too long does so too.
 */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_TEAM_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_TEAM_H

#include "validate/native/cuda/traverse.h"
#include "validate/native/native.h"
#include "validate/native/try.h"
#include "workloads/graph/graph.h"

#include <stdatomic.h>

struct traverse_execution;
struct traverse_team;

/* What one level took, of all GPUs. */
struct measured_level {
    uint64_t frontier, arcs;
    double time_s;
};

enum { SIDE_PIECES = 48, SIDE_WORDS = 32 };

/* One GPU and its host thread. */
struct traverse_side {
    struct traverse_team *team;
    unsigned gpu;
    int device;       /* its number for CUDA */
    unsigned sharers; /* sides on this device: 1, but where that is asked for */
    struct graph_share share;
    uint32_t *number; /* on the host: the graph's number of each own vertex */
    cudaStream_t stream;
    uint64_t *words; /* SIDE_WORDS of pinned memory: counters that are read */
    void *pieces[SIDE_PIECES];    /* GPU memory */
    size_t npieces, graph_pieces; /* the first ones: the graph's */
    void *state;                  /* the execution's */

    struct traverse_counts counts; /* of a run; set by the execution */
    double busy_s;                 /* from launches to their ends */
    double begin_s;                /* of the last launch; 0: it has ended */
    double start_s, end_s;         /* of the run here */
};

/* Of PageRank. */
#define TRAVERSE_DAMPING 0.85

/* How one case is run. */
struct traverse_case {
    const struct traverse_execution *x;
    unsigned gpus;
    enum transfer transfer;
    uint32_t delta;
    double threshold;        /* PageRank: as of --threshold */
    uint32_t max_iterations; /* of sweeps */
    double skew_s;           /* the last GPU begins so much later */
    double latency_s;        /* put on each transfer */
};

struct traverse_team {
    const struct native *n;
    const struct graph *g; /* all of it, on the host */
    struct traverse_case how;
    uint32_t source_gpu, source; /* the latter: its place there */
    struct traverse_side sides[TRAVERSE_GPUS];

    struct measured_level *levels; /* of a run; by the first thread */
    size_t nlevels, levels_room;

    atomic_uint arrived, round; /* where the threads meet */
    /* What a thread tells the others before they meet. */
    _Atomic uint64_t told[TRAVERSE_GPUS][SIDE_WORDS];
};

/* Bytes of the GPU's memory, freed with all others of the case; NULL and err
 * when there is no room. */
void *side_piece(struct traverse_side *s, uint64_t bytes,
                 struct err *err) MUST_CHECK;

/* How many of the CTAs that a device holds at once are this side's: kernels
 * that wait for each other must all be there. */
int side_ctas(const struct traverse_side *s, unsigned *ctas,
              struct err *err) MUST_CHECK;

/* How many others there are. */
static inline unsigned side_peers(const struct traverse_side *s)
{
    return s->team->how.gpus - 1;
}
static inline struct traverse_side *side_peer(const struct traverse_side *s,
                                              unsigned peer)
{
    return &s->team->sides[peer + (peer >= s->gpu)];
}
/* Which of its peer's peers this one is. */
static inline unsigned side_as_peer(const struct traverse_side *s,
                                    unsigned peer)
{
    return s->gpu - (peer < s->gpu);
}

/* While a thread looks at what another is to change: a test of more threads
 * than cores lets the others on. */
#ifndef WHILE_LOOKING
#define WHILE_LOOKING()
#endif

/* Waits until all threads are here. */
void team_meet(struct traverse_team *t);
void team_tell(struct traverse_side *s, unsigned word, uint64_t value);
uint64_t team_told(const struct traverse_team *t, unsigned gpu, unsigned word);
/* The sum of what all have told. */
uint64_t team_sum(const struct traverse_team *t, unsigned word);

/* Busy for so long. */
void spin_for(double time_s);

/* By the first thread. */
void team_level(struct traverse_team *t, uint64_t frontier, uint64_t arcs,
                double time_s);

/* Launches, then waits for the stream; what is between counts as busy. */
void side_begin_work(struct traverse_side *s);
void side_sync(struct traverse_side *s);

/* The execution's memory on all GPUs; the state that a run begins with; the end
 * of it, also after a failure. */
int team_begin(struct traverse_team *t, struct err *err) MUST_CHECK;
void team_reset(struct traverse_team *t);
void team_end(struct traverse_team *t);

/* All threads do one run; the time from when all are ready until the last has
 * ended. */
double team_run(struct traverse_team *t);

#endif
