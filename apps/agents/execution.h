/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution.h - the execution of a graph algorithm on GPUs: a point in the
 * space of the axes below. A framework is a preset of them, a JSON file of
 * apps/presets; nothing else is known of frameworks. */
#ifndef APPS_AGENTS_EXECUTION_H
#define APPS_AGENTS_EXECUTION_H

#include "base/err.h"
#include "platforms/machine.h"
#include "apps/agents/counts.h"
#include "apps/agents/step.h"
#include "strategies/strategy.h"

#include <stdint.h>

/* The axes with a few points each. In JSON a point is a word
 * (execution_axes.c). */

/* A discrete kernel works on all that is queued, and the next begins when it
 * has ended; a persistent one dequeues a vertex as soon as there is one, while
 * the results of earlier work are still on their way. */
enum kernel { KERNEL_DISCRETE, KERNEL_PERSISTENT, NKERNELS };

/* The launch of the next discrete kernel: after the one before has ended; or as
 * soon as there is work for it, on a stream of its own, while those before it
 * run. */
enum launch { LAUNCH_IN_TURN, LAUNCH_OVERLAPPED, NLAUNCHES };

/* Each GPU continues independently; or all wait for each other after each step,
 * exchange the updates that they found, and begin the next (BSP). */
enum schedule { SCHEDULE_ASYNCHRONOUS, SCHEDULE_BULK_SYNCHRONOUS, NSCHEDULES };

/* The initiator of a transfer to another GPU: its kernel, while it runs, or the
 * CPU, once the kernel has ended. */
enum control { CONTROL_GPU, CONTROL_CPU, NCONTROLS };

/* The route of updates to their GPU: directly from the GPU that found them; or
 * round a ring of all GPUs, by their numbers, in one direction: each removes
 * its own updates and forwards the rest. */
enum forwarding { FORWARDING_DIRECT, FORWARDING_RING, NWAYS };

/* Breadth-first search only pushes; or it pulls, against the direction of arcs,
 * if that is less work, by the rule of Beamer et al. 2012, or of Gunrock v1.0.
 * No other algorithm uses this axis. */
enum direction {
    DIRECTION_PUSH,
    DIRECTION_OPTIMISED,
    DIRECTION_GUNROCK,
    NDIRECTIONS
};

/* PageRank pushes residues until none is above a bound; or the same, but each
 * kernel visits all arcs of its GPU to find those that are (topology-driven);
 * or it computes the ranks of all vertices again and again, until none changes
 * much (sweeps, in supersteps). No other algorithm uses this axis. */
enum pagerank_variant {
    PAGERANK_RESIDUAL,
    PAGERANK_TOPOLOGY,
    PAGERANK_SWEEP,
    NPAGERANK_VARIANTS
};

/* Updates of other GPUs wait in the GPU's own queue; or there is a queue for
 * each sender, and workers dequeue from all queues in turn. */
enum receive_queues { RECEIVE_SHARED, RECEIVE_PER_GPU, NRECEIVE_QUEUES };

/* First in, first out; or vertices whose key (BFS: depth) is below a threshold
 * go first, and if none is left the threshold rises by priority_delta. */
enum order { ORDER_FIFO, ORDER_PRIORITY, NORDERS };

/* For the priority order of a persistent kernel: each GPU has a threshold of
 * its own; or all share one, which rises if none has work below it, after which
 * each does all that it had put off. */
enum scope { SCOPE_GPU, SCOPE_ALL, NSCOPES };

/* The place of other GPUs' updates in the order by priority: they enter it like
 * the GPU's own; or they wait with the vertices that go first, and the worker
 * that dequeues one puts it off if its key is not below the threshold; or they
 * are worked on whatever their key. */
enum received_order {
    RECEIVED_IN_ORDER,
    RECEIVED_CHECKED,
    RECEIVED_BYPASS,
    NRECEIVED
};

/* The time at which workers of a persistent kernel look for vertices that were
 * put off: once all of them are idle; or as soon as one is; or never, because a
 * vertex is queued when an addition lifts it above the threshold. */
enum scan { SCAN_ALL_IDLE, SCAN_SOME_IDLE, SCAN_NONE, NSCANS };

/* The exchange of a bulk-synchronous step if it is not a strategy of the halo
 * exchanges: the CPU starts copies from GPU to GPU, and messages between
 * nodes. */
enum exchange_by { EXCHANGE_COPIES, NEXCHANGES };

/*
 * The residues of PageRank that a GPU has for a vertex of another: the shares
 * that accumulate until the next transfer are sent together; or the share of
 * each arc is sent separately; or a sum is sent once it rises above the
 * threshold, and otherwise stays. With sums at most one update per vertex
 * waits, and shares are added to it until it leaves.
 */
enum residues { RESIDUES_SUMMED, RESIDUES_EACH, RESIDUES_ABOVE, NRESIDUES };

/* The updates that the aggregator gathers into one batch: those for one GPU; or
 * those for all GPUs of a node, through the GPU of it that has the sender's
 * number in the node, which forwards the ones that are not its own. */
enum batch_group { BATCH_PER_GPU, BATCH_PER_NODE, NBATCH_GROUPS };

struct json;

struct execution {
    char *name, *about;

    enum kernel kernel;
    enum launch launch;
    enum schedule schedule;
    enum control control;
    enum forwarding forwarding;
    /* The runtime of transfers (platforms/runtimes.def, sim/transport). If left
     * out, it is shmem if the GPU controls, otherwise cpu_copy;
     * bulk-synchronous steps have only the latter, because it is the runtime of
     * their plans. */
    enum runtime runtime;
    enum direction direction;
    enum pagerank_variant pagerank;
    enum residues residues;
    /* For direction gunrock: the quotient of predicted visits of pushing and of
     * pulling above which the search begins to pull, and above which it
     * continues to pull (do-a and do-b). */
    double pull_above, pull_on_above;
    enum receive_queues receive_queues;
    enum order order;
    enum scope scope;
    enum received_order received;
    enum scan scan;
    enum batch_group batch_group;

    /* The strategy of the halo exchanges that exchanges a bulk-synchronous
     * step's updates; NULL with EXCHANGE_COPIES. */
    const struct strategy *exchange;

    uint32_t max_iterations; /* for PageRank by sweeps; 0 if unbounded */
    uint32_t priority_delta; /* above 0 with ORDER_PRIORITY, else 0 */
    uint32_t threshold;      /* the initial one; 0 if it is priority_delta */
    uint64_t queue_capacity; /* vertices a GPU can hold; 0 if unbounded */
    double poll_s;           /* seconds of a step for each sender's queue */
    /* For persistent kernels: vertices that a GPU finds can be dequeued after
     * nobody has pushed for the time of so many accesses, one after the other;
     * at once if 0. Threads that push together, one arc each. */
    double quiet;
    uint32_t push_threads;
    /* Threads that share the arcs of a vertex, while other such groups have
     * other vertices; 0 if the arcs of all vertices are distributed evenly over
     * the whole GPU. */
    uint32_t worker_threads;
    uint32_t fetch; /* vertices that a worker dequeues at once */

    /* Between nodes, if the GPU controls: updates for one GPU are gathered
     * until they fill a batch, or until the aggregator has looked at them
     * wait_visits times. If 0, every update is sent separately. */
    uint64_t batch_B; /* 0 if updates are not gathered */
    uint32_t wait_visits;
    double visit_s; /* seconds between two looks of the aggregator */

    /* Between nodes, for an asynchronous execution: the additional time of a
     * round (a kernel and its exchange) for each doubling of the GPUs; and the
     * number of such times between the arrival of an update and the time when
     * it is known. */
    double sync_s;
    uint32_t sync_rounds[NALGORITHMS];

    /* The calls of the framework, by algorithm, on one GPU and on several; if
     * not given, they are step_plain() if the CPU takes part. */
    struct step steps[NALGORITHMS][2];

    /* A step (of BSP, or a kernel's turn) takes round_s in addition to its
     * calls; the cost of vertices and arcs follows from the accesses to memory
     * that each algorithm makes. */
    double round_s;
    struct work_counts work[NALGORITHMS];
    uint32_t update_B; /* a vertex and its value, in transfers */
    char *source;      /* the source of the numbers */
    char *sync_source; /* the source of sync; NULL if there is no sync */
};

/* The presets that are installed with sluice (executions.def); a user's own
 * file works as well. By default a graph is run with the first
 * NEXECUTIONS_BY_DEFAULT. */
enum {
#define EXECUTION(X, name) EXECUTION_##X,
#include "apps/agents/executions.def"
    NEXECUTIONS,
    NEXECUTIONS_BY_DEFAULT = EXECUTION_ATOS_PERSISTENT + 1
#undef EXECUTION
};
extern const char *const execution_names[NEXECUTIONS];

/* Reads the execution `name`, a preset or a path, after each of `sets`, a
 * KEY=VALUE, has changed it. On an error x is cleared. */
int execution_load(struct execution *x, const char *name,
                   const char *const *sets, size_t nsets,
                   struct err *err) MUST_CHECK;
/* Reads an execution from a document. On an error a part of it is read, which
 * execution_clear() frees. */
int execution_read(struct execution *x, const struct json *doc,
                   struct err *err) MUST_CHECK;
void execution_clear(struct execution *x);

/* Returns whether each step has calls of the CPU, because the kernel is
 * discrete, or the CPU has control, or it makes all GPUs wait for each
 * other. */
bool execution_has_calls(const struct execution *x);

#endif
