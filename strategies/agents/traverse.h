/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse.h - a graph algorithm that runs for real on simulated GPUs: what a
 * vertex gets, and when, follows from the simulated times of work and
 * transfers.
 *
 * Who includes whom among the parts below this header, downwards only:
 *
 *     traverse.c
 *         supersteps      all GPUs in step, exchanging by plans
 *         agent           a GPU: where the parts below meet
 *             workers     when work ends      -> task
 *             costs       what work takes     -> sector_cache, search
 *                 prices  of what was seen    -> counts
 *             observer    what is reported    -> time_bins, traverse_trace
 *             algorithm   bfs, bfs_pull, pagerank, pagerank_sweep: what a
 *                         vertex does
 *                 queues  what waits on a GPU
 *                 outbox  what it sends       -> channel, update, sparse
 *                 task    vertices that were taken -> update
 *
 * Outbox and workers call the agent back by functions that it gives them;
 * channel.c alone calls the observer besides. */
#ifndef STRATEGIES_AGENTS_TRAVERSE_H
#define STRATEGIES_AGENTS_TRAVERSE_H

#include "platforms/machine.h"
#include "sim/plan/exec.h"
#include "strategies/agents/execution.h"
#include "workloads/graph/graph.h"

struct task_trace_report;

struct costs;

struct traverse_input {
    const struct machine *m;
    const struct graph *g;
    const uint32_t *part; /* the GPU of each vertex, below ngpus */
    uint32_t ngpus;       /* on the first nodes, each node full */
    const struct execution *x;
    enum algorithm algorithm;
    double edge_s;    /* of an edge on one GPU; 0: by the accesses */
    uint32_t source;  /* BFS */
    double damping;   /* PageRank: above 0, below 1 */
    double threshold; /* PageRank: a vertex is done when its residue is not
                         above this part of 1 - damping; sweeps end when no rank
                         has changed by more than this part of itself */
    /* PageRank: what traverse_plain_pagerank() gives at a change of a
     * thousandth of the threshold, where it is known; NULL: it is computed. */
    const double *plain_rank;
    uint32_t max_iterations; /* PageRank by sweeps; 0: the execution's */
    /* Put in by hand: the last of several GPUs begins so much later, and what
     * goes to another GPU takes so much longer. */
    double skew_s, latency_s;
    bool timeline;                   /* the result is to have a trace */
    const struct exec_options *exec; /* NULL: exec_defaults */
    const struct costs *costs;       /* traverse_run()'s */
};

/* What the framework calls for the algorithm. */
static inline const struct step *traverse_step(const struct traverse_input *in)
{
    return &in->x->steps[in->algorithm][in->ngpus > 1];
}

/* A step of bulk-synchronous GPUs, of all of them. */
struct traverse_level {
    uint64_t visits, edges;
    double time_s;
};

/*
 * At every moment from 0 to the end a GPU is one of three:
 * busy: vertices that it took are at work, until the last of what was found by
 *     them is there, or, with supersteps, its kernel has ended;
 * waiting: it is not busy, and has vertices queued (it may not take them before
 *     there is room for its updates), or updates are on their way to it: found
 *     by another GPU, gathered or sent, and not there yet. By way of a third
 *     GPU they count from when that one has passed them on. With supersteps:
 *     until all GPUs have exchanged what they found;
 * idle: the rest: nothing was found for it yet, or nothing more will be.
 */
struct traverse_gpu {
    double busy_s, waiting_s, idle_s; /* their sum is the whole time */
    uint64_t visits, edges;
    uint64_t updates, received; /* sent to other GPUs; from them */
    /* In transfers, not on the wire. What the CPUs of a node send to those of
     * another counts for the first GPU of each. */
    uint64_t sent_B, received_B;
    uint64_t queue_most; /* vertices waiting */
    double queue_mean;   /* over the whole time */
    /* The aggregator's memory: the most that was gathered at once for all
     * destinations, and not yet sent; and a buffer of a batch for each of them.
     * The first is above the second when batches have to wait for those before
     * them. 0: nothing is gathered. */
    uint64_t gathered_most_B, buffers_B;
};

/* How the network was used: the whole time in so many equal parts. What is
 * reported of a part can be off by what was used within 1/300 of it at its two
 * ends (time_bins.h). */
#define TRAVERSE_PARTS 100
/* Transfers by size: below 2, 4, 8, ... bytes. */
#define TRAVERSE_SIZES 40

struct traverse_result {
    /* It failed because it did 100 times the work of a plain computation. */
    bool endless;
    double time_s;
    enum runtime runtime;          /* that carried its transfers */
    uint64_t visits, edges, steps; /* steps: kernels or supersteps, of all
                                     GPUs; persistent: fetches at one time */
    uint64_t reached;              /* vertices that got a result */
    double workload;               /* visits by reached vertices */
    double edge_s; /* what an edge takes a GPU in the mean, with its vertex */
    uint64_t transfers, transfer_B, wire_B; /* wire: with packets' headers */
    uint64_t flushed_full, flushed_waited;  /* batches of the aggregator */
    double used_B[TRAVERSE_PARTS]; /* on the wire in each part of the time */
    double peak_over_mean;         /* of these; 0: nothing was sent */
    uint64_t sizes[TRAVERSE_SIZES];
    struct link_use *links; /* that carried anything, most utilised first */
    size_t nlinks;
    struct traverse_level *levels; /* of bulk-synchronous steps; else none */
    size_t nlevels;
    struct task_trace_report *trace; /* traverse_trace.h; NULL: not asked for */
    double wall_s, check_wall_s; /* what simulating took, and the comparison */
    uint64_t plain_edges;        /* that the comparison's computation visited */
    double last_change; /* PageRank by sweeps: of a rank in the last sweep, by
                           itself, at most */
    uint32_t ngpus;
    struct traverse_gpu *gpus;
    /* Of each vertex what the algorithm found. BFS: hops,
     * UINT32_MAX where not reached; PageRank: ranks, their sum 1. NULL for
     * other algorithms. */
    void *values;
    size_t values_B;
    uint32_t *depth;
    double *rank;
    uint32_t n;
};

/* With SimGrid in a child process. After it the result is compared with a plain
 * computation of the same: a difference is an error. */
int traverse_run(struct traverse_result *r, const struct traverse_input *in,
                 struct err *err) MUST_CHECK;
void traverse_result_clear(struct traverse_result *r);

/* The plain computations: serial BFS; power iteration until no rank changes by
 * more than `change` of itself (dangling vertices give to all equally). How
 * many edges they have visited. */
uint64_t traverse_plain_bfs(uint32_t *depth, const struct graph *g,
                            uint32_t source);
uint64_t traverse_plain_pagerank(double *rank, const struct graph *g,
                                 double damping, double change);

#endif
