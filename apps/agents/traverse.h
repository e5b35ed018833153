/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traverse.h - a graph algorithm that is really executed, on simulated GPUs:
 * the value of a vertex, and its time, follow from the simulated times of work
 * and transfers.
 *
 * The parts below this header include each other downwards only:
 *
 *     traverse.c
 *         supersteps      all GPUs in step, exchanging by plans
 *         agent           a GPU: where the parts below meet
 *             workers     the end of work        -> task
 *             costs       the cost of work       -> sector_cache, search
 *                 prices  costs by samples       -> counts
 *             observer    statistics             -> time_bins, traverse_trace
 *             algorithm   bfs, bfs_pull, pagerank, pagerank_sweep: the work
 *                         on a vertex
 *                 queues  vertices that wait on a GPU
 *                 outbox  updates that it sends  -> channel, update, sparse
 *                 task    dequeued vertices      -> update
 *
 * Outbox and workers call the agent back by functions that it gives them; only
 * channel.c calls the observer as well.
 */
#ifndef APPS_AGENTS_TRAVERSE_H
#define APPS_AGENTS_TRAVERSE_H

#include "platforms/machine.h"
#include "sim/plan/exec.h"
#include "apps/agents/execution.h"
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
    double edge_s;   /* seconds per edge on one GPU; 0 to use the accesses */
    uint32_t source; /* BFS */
    double damping;  /* PageRank: above 0, below 1 */
    /* PageRank: a vertex is done if its residue is not above this part of 1 -
     * damping; sweeps end if no rank has changed by more than this part of
     * itself. */
    double threshold;
    /* PageRank: the result of traverse_plain_pagerank() for a change of a
     * thousandth of the threshold, if it is known; NULL to compute it. */
    const double *plain_rank;
    uint32_t max_iterations; /* PageRank by sweeps; 0 to use the execution's */
    /* Perturbations: the last of several GPUs starts skew_s later, and each
     * transfer to another GPU takes latency_s longer. */
    double skew_s, latency_s;
    bool timeline;                   /* the result shall have a trace */
    const struct exec_options *exec; /* NULL for exec_defaults */
    const struct costs *costs;       /* set by traverse_run() */
};

/* Returns the calls of the framework for the algorithm. */
static inline const struct step *traverse_step(const struct traverse_input *in)
{
    return &in->x->steps[in->algorithm][in->ngpus > 1];
}

/* A bulk-synchronous step, summed over all GPUs. */
struct traverse_level {
    uint64_t visits, edges;
    double time_s;
};

/*
 * At every moment from 0 to the end a GPU is in one of three states:
 * busy: vertices that it dequeued are being worked on, until the last of their
 *     updates has arrived, or, with supersteps, its kernel has ended;
 * waiting: it is not busy, and has vertices queued (it may be unable to
 *     dequeue them because there is no room for its updates), or updates are
 *     under way to it: found by another GPU, gathered or sent, and not there
 *     yet. Updates that a third GPU forwards count from the time at which it
 *     has forwarded them. With supersteps: until all GPUs have exchanged;
 * idle: otherwise, because nothing was found for it yet, or nothing will be.
 */
struct traverse_gpu {
    double busy_s, waiting_s, idle_s; /* their sum is the whole time */
    uint64_t visits, edges;
    uint64_t updates, received; /* sent to other GPUs; from them */
    /* Bytes of transfers, not of the wire. A message between the CPUs of two
     * nodes counts for the first GPU of each. */
    uint64_t sent_B, received_B;
    uint64_t queue_most; /* most vertices that waited at once */
    double queue_mean;   /* mean over the whole time */
    /* The aggregator's memory: the most updates that were gathered at once for
     * all destinations and not yet sent; and one batch buffer for each
     * destination. The first exceeds the second if batches have to wait for
     * those before them. 0 if nothing is gathered. */
    uint64_t gathered_most_B, buffers_B;
};

/* The use of the network: the whole time in TRAVERSE_PARTS equal parts. The
 * value of a part can be off by the use within 1/300 of a part at its two ends
 * (time_bins.h). */
#define TRAVERSE_PARTS 100
/* Transfers by size: below 2, 4, 8, ... bytes. */
#define TRAVERSE_SIZES 40

struct traverse_result {
    /* It failed because it did 100 times the work of a plain computation. */
    bool endless;
    double time_s;
    enum runtime runtime; /* the runtime of its transfers */
    /* Steps are kernels or supersteps, of all GPUs; with a persistent kernel,
     * the fetches, where those of one time are one. */
    uint64_t visits, edges, steps;
    uint64_t reached; /* vertices that got a result */
    double workload;  /* visits divided by reached vertices */
    double edge_s;    /* mean seconds per edge on a GPU, its vertex included */
    /* wire: includes packets' headers. */
    uint64_t transfers, transfer_B, wire_B;
    uint64_t flushed_full, flushed_waited; /* batches of the aggregator */
    /* Bytes on the wire in each part of the time. */
    double used_B[TRAVERSE_PARTS];
    double peak_over_mean; /* maximum of used_B by its mean; 0 if none */
    uint64_t sizes[TRAVERSE_SIZES];
    struct link_use *links; /* links with traffic, most utilised first */
    size_t nlinks;
    struct traverse_level *levels; /* bulk-synchronous steps; otherwise none */
    size_t nlevels;
    /* traverse_trace.h; NULL if not asked for. */
    struct task_trace_report *trace;
    double wall_s, check_wall_s; /* real time of simulation and of comparison */
    uint64_t plain_edges; /* arcs visited by the comparison's computation */
    /* PageRank by sweeps: the largest change of a rank in the last sweep,
     * relative to the rank. */
    double last_change;
    uint32_t ngpus;
    struct traverse_gpu *gpus;
    /* The result of each vertex. BFS: hops, UINT32_MAX if not reached;
     * PageRank: ranks, whose sum is 1. The pointer is NULL for other
     * algorithms. */
    void *values;
    size_t values_B;
    uint32_t *depth;
    double *rank;
    uint32_t n;
};

/* Simulates a run, with SimGrid in a child process, and compares the result
 * with a plain computation of the same; a difference is an error. The caller
 * frees r with traverse_result_clear(). */
int traverse_run(struct traverse_result *r, const struct traverse_input *in,
                 struct err *err) MUST_CHECK;
void traverse_result_clear(struct traverse_result *r);

/* The plain computations: serial BFS; and power iteration until no rank changes
 * by more than `change` of itself (dangling vertices give to all equally). They
 * return the number of edges that they have visited. */
uint64_t traverse_plain_bfs(uint32_t *depth, const struct graph *g,
                            uint32_t source);
uint64_t traverse_plain_pagerank(double *rank, const struct graph *g,
                                 double damping, double change);

#endif
