/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution.h - how a graph algorithm is executed on GPUs: a point in the space
 * of the axes below. What a framework does is a preset of them, a JSON file of
 * strategies/presets; nothing else is known of frameworks. */
#ifndef STRATEGIES_AGENTS_EXECUTION_H
#define STRATEGIES_AGENTS_EXECUTION_H

#include "base/err.h"
#include "platforms/machine.h"
#include "strategies/agents/counts.h"
#include "strategies/agents/step.h"
#include "strategies/strategy.h"

#include <stdint.h>

/* The axes with a few points each. In JSON a point is a word (execution.c). */

/* A discrete kernel takes all that is queued, and the next begins when it has
 * ended; a persistent one takes work as soon as there is some, while the
 * results of earlier work are still on their way. */
enum kernel { KERNEL_DISCRETE, KERNEL_PERSISTENT, NKERNELS };

/* When the next discrete kernel is launched: after the one before has ended; or
 * as soon as there is something for it, on a stream of its own, while those
 * before it run. */
enum launch { LAUNCH_IN_TURN, LAUNCH_OVERLAPPED, NLAUNCHES };

/* Each GPU goes on by itself; or all wait for each other after each step,
 * exchange what they found, and begin the next (BSP). */
enum schedule { SCHEDULE_ASYNCHRONOUS, SCHEDULE_BULK_SYNCHRONOUS, NSCHEDULES };

/* Who starts a transfer to another GPU: its kernel, as it goes, or the CPU,
 * once the kernel has ended. */
enum control { CONTROL_GPU, CONTROL_CPU, NCONTROLS };

/* How updates get to their GPU: from the one that found them; or round a ring
 * of all GPUs, by their numbers, one way: each takes out what is its own and
 * passes on the rest. */
enum way { WAY_DIRECT, WAY_RING, NWAYS };

/* Breadth-first search only pushes; or it goes against the arcs where that is
 * less work, by the rule of Beamer et al. 2012, or of Gunrock v1.0. No other
 * algorithm knows of it. */
enum direction {
    DIRECTION_PUSH,
    DIRECTION_OPTIMISED,
    DIRECTION_GUNROCK,
    NDIRECTIONS
};

/* PageRank pushes residues until none is above a bound; or so, but each kernel
 * goes along all arcs of its GPU to find those that are (topology-driven); or
 * it computes the ranks of all vertices again and again, until none changes
 * much (sweeps, in supersteps). No other algorithm knows of it. */
enum pagerank_variant {
    PAGERANK_RESIDUAL,
    PAGERANK_TOPOLOGY,
    PAGERANK_SWEEP,
    NPAGERANK_VARIANTS
};

/* What other GPUs send waits with the GPU's own; or in a queue for each sender,
 * and workers take from all queues in turn. */
enum receive_queues { RECEIVE_SHARED, RECEIVE_PER_GPU, NRECEIVE_QUEUES };

/* First in, first out; or work whose key (BFS: depth) is below a threshold goes
 * first, and when none is left the threshold rises by priority_delta. */
enum order { ORDER_FIFO, ORDER_PRIORITY, NORDERS };

/* Of a persistent kernel's priority: each GPU has a threshold of its own; or
 * all have one, which rises when none has work below it, and then each does all
 * that it had put off. */
enum scope { SCOPE_GPU, SCOPE_ALL, NSCOPES };

/* How what other GPUs found passes the order by priority: as what the GPU found
 * itself; or it waits with what goes first, and the worker that takes it puts
 * it off if its key is not below the threshold; or it is worked on whatever its
 * key. */
enum received_order {
    RECEIVED_IN_ORDER,
    RECEIVED_CHECKED,
    RECEIVED_BYPASS,
    NRECEIVED
};

/* When workers of a persistent kernel look for what was put off: when all of
 * them are idle; or as soon as one is; or never, since a vertex is queued when
 * an addition lifts it above the threshold. */
enum scan { SCAN_ALL_IDLE, SCAN_SOME_IDLE, SCAN_NONE, NSCANS };

/* How a bulk-synchronous step exchanges if not by a strategy of the halo
 * exchanges: the CPU starts copies from GPU to GPU, and messages between nodes.
 */
enum exchange_by { EXCHANGE_COPIES, NEXCHANGES };

/* What PageRank's residues do that a GPU has for a vertex of another: what has
 * come up until the next transfer goes together; or what each arc gives by
 * itself; or a sum goes when it rises above the threshold, and stays below. Of
 * sums one update of a vertex waits at most, and is added to until it leaves.
 */
enum residues { RESIDUES_SUMMED, RESIDUES_EACH, RESIDUES_ABOVE, NRESIDUES };

/* What the aggregator gathers into one batch: updates for one GPU; or for all
 * GPUs of a node, by way of its GPU of the sender's number in the node, which
 * passes on what is not its own. */
enum batch_group { BATCH_PER_GPU, BATCH_PER_NODE, NBATCH_GROUPS };

struct json;

struct execution {
    char *name, *about;

    enum kernel kernel;
    enum launch launch;
    enum schedule schedule;
    enum control control;
    enum way way;
    /* What carries transfers (platforms/runtimes.def, sim/transport). Left out:
     * shmem where the GPU controls, else cpu_copy; which is what the plans of
     * bulk-synchronous steps have. */
    enum runtime runtime;
    enum direction direction;
    enum pagerank_variant pagerank;
    enum residues residues;
    /* Of direction gunrock: visits predicted for pushing by those for pulling,
     * above which it begins to pull, and goes on with it (do-a and do-b). */
    double pull_above, pull_on_above;
    enum receive_queues receive_queues;
    enum order order;
    enum scope scope;
    enum received_order received;
    enum scan scan;
    enum batch_group batch_group;

    /* The strategy of the halo exchanges that a bulk-synchronous step exchanges
     * by; NULL with EXCHANGE_COPIES.
     */
    const struct strategy *exchange;

    uint32_t max_iterations; /* of PageRank by sweeps; 0: no bound */
    uint32_t priority_delta; /* above 0 with ORDER_PRIORITY, else 0 */
    uint32_t threshold;      /* at first; 0: priority_delta */
    uint64_t queue_capacity; /* vertices a GPU can hold; 0: no bound */
    double poll_s;           /* of a step, for each queue of a sender */
    /* Of persistent kernels: what a GPU finds can be taken from its queue when
     * nobody pushes during so many accesses, one after the other; 0: at once.
     * Threads that push together, an arc each. */
    double quiet;
    uint32_t push_threads;
    /* Threads that do the arcs of a vertex, while other such groups do others;
     * 0: the edges of all vertices are dealt evenly to the whole GPU. */
    uint32_t worker_threads;
    uint32_t fetch; /* vertices that a worker takes from a queue at once */

    /* Between nodes, when the GPU controls: updates for one GPU are gathered
     * until they fill a batch, or were looked at wait_visits times. 0: every
     * update is sent by itself. */
    uint64_t batch_B; /* 0: updates are not gathered */
    uint32_t wait_visits;
    double visit_s; /* between two looks of the aggregator */

    /* Between nodes, of an asynchronous execution: what a round (a kernel and
     * its exchange) takes besides, for each doubling of the GPUs; and how many
     * such times pass from when an update has arrived to when it is known. */
    double sync_s;
    uint32_t sync_rounds[NALGORITHMS];

    /* What the framework calls, by algorithm, on one GPU and on several; not
     * given: step_plain() where the CPU takes part. */
    struct step steps[NALGORITHMS][2];

    /* Work: a step (of BSP, or a kernel's turn) takes round_s besides its
     * calls; what vertices and arcs take follows from the accesses to memory
     * that each algorithm makes. */
    double round_s;
    struct work_counts work[NALGORITHMS];
    uint32_t update_B; /* of a vertex and its value, in transfers */
    char *source;      /* of the numbers */
    char *sync_source; /* NULL: there are none */
};

/* The presets that come with sluice (executions.def); a file of one's own
 * serves as well. By default a graph is run with the first so many. */
enum {
#define EXECUTION(X, name) EXECUTION_##X,
#include "strategies/agents/executions.def"
    NEXECUTIONS,
    NEXECUTIONS_BY_DEFAULT = EXECUTION_ATOS_PERSISTENT + 1
#undef EXECUTION
};
extern const char *const execution_names[NEXECUTIONS];

/* `name` of a preset, or a path; each of `sets` is KEY=VALUE. */
int execution_load(struct execution *x, const char *name,
                   const char *const *sets, size_t nsets,
                   struct err *err) MUST_CHECK;
/* From a document; on an error half is read, which execution_clear() frees. */
int execution_read(struct execution *x, const struct json *doc,
                   struct err *err) MUST_CHECK;
void execution_clear(struct execution *x);

/* Each step has calls of the CPU: the kernel is discrete, or the CPU has
 * control, or has all wait for each other. */
bool execution_has_calls(const struct execution *x);

#endif
