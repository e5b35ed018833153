/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collective.h - collective operations as plans: a request to all ranks of a
 * job, and the table of algorithms. An algorithm is a list of phases; each can
 * be planned alone, because benchmarks time them alone. It is one file and one
 * line in list.def. The node-aware all-to-alls are those of mpi_advance (Bienz,
 * Schafer, Skjellum, MPI Advance, 2023; github.com/mpi-advance/locality_aware).
 */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/loop.h"
#include "workloads/collective.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of messages in an exchange of all ranks: in step i, from 0 on, rank
 * r sends to r + i and receives from r - i, so that it starts with itself. */
enum collective_exchange {
    COLLECTIVE_PAIRWISE, /* one send and one receive at a time (MPI_Sendrecv) */
    COLLECTIVE_NONBLOCKING, /* all are posted at once, then waited for */
    NCOLLECTIVE_EXCHANGES
};
extern const char *const collective_exchange_names[NCOLLECTIVE_EXCHANGES];

/* A request. Rank r is on node r / ranks_per_node. */
struct collective {
    enum collective_kind kind;
    unsigned nodes, ranks_per_node;
    /* If 0, there are nodes * ranks_per_node ranks; else the last node has
     * fewer. */
    uint32_t ranks;
    uint64_t bytes;     /* defined as in struct collective_words */
    unsigned element_B; /* bytes of an element; 0 means 1 */
    uint32_t root;
    uint64_t segment_B; /* bytes of a pipeline's segments; 0: the default */
    enum collective_memory memory;
    /* Each rank first copies its input to the buffer of the result. Staged data
     * are copied in any case. */
    bool out_of_place;
    /* Consecutive ranks are not on one node, because the caller maps the plan's
     * ranks to their places (placement.h). */
    bool mixed;
    /* For GPU memory: the number of ranks on each GPU; 0 means 1. Local rank i
     * uses GPU i / per_gpu of its node and a core near that GPU. */
    unsigned per_gpu;
    enum collective_exchange exchange;
    /* The number of leaders, or groups, of a node. A group is ranks_per_node /
     * groups consecutive ranks, of which the first is the leader. 0 or 1 for
     * algorithms without groups. */
    unsigned groups;
    /* The number of repetitions without a barrier between them, as in a
     * benchmark's loop, whose ranks run ahead of each other; 0 means 1. */
    unsigned rounds;
    /* The number of GPUs whose NCCL kernels a thread of the CPU launches, one
     * after the other; 0 means 1. */
    unsigned by_thread;
    enum collective_calls calls;
    /* Seconds: rank r of n begins r / n of this time late. If it is above 0, an
     * operation of each rank precedes the others. */
    double spread_s;
    /*
     * If true, operations carry pieces (plan.h), for checks and for native
     * runs. In an all-to-all a piece's class_id is the rank whose block it is,
     * and `first` the rank that the block is for. In other collectives class_id
     * is the action on the elements (enum collective_action), and `first` the
     * first of them in the vector, or in the result of an allgather. If a
     * message's elements are to be added, the OP_REDUCE whose first dependency
     * is that message adds them, or, in a kernel, the OP_WORK with their
     * pieces.
     */
    bool pieces;
    /* For ranks that share GPUs: the copies of the plan are recorded here for
     * checks (strategies/shared_gpu/shared_gpu.h); NULL if they are not. */
    struct shared_moves *moves;
    /* For the algorithm `static` of ranks that share GPUs: 1 + the number of a
     * GPU's ranks that copy through the host; 0 for the fastest number. */
    unsigned host_copies;
};

struct collective_build; /* collective_build.h */

/* A run of equal steps: build() plans one step of all ranks, steps() returns
 * their number. A rank that is idle in a section must begin its next section
 * with the receive of a message that depends on its earlier operations, because
 * the loop forgets those (collective_loop.c). */
struct collective_section {
    uint32_t (*steps)(const struct collective_build *b);
    void (*build)(struct collective_build *b);
};
enum { COLLECTIVE_SECTIONS = 8 };

struct collective_phase {
    /* The name in measurements; NULL if the phase is never timed alone, as the
     * repacking of buffers. */
    const char *name;
    /* No message leaves a node. Then the phase alone is planned for one node,
     * because all nodes do the same. */
    bool on_node;
    void (*build)(struct collective_build *b);
};
enum { COLLECTIVE_PHASES = 8 };

struct collective_algorithm {
    enum collective_kind kind;
    const char *name; /* unique within its kind */
    const char *summary;
    /* Returns the reason why the algorithm does not apply, or NULL if it does;
     * NULL if it always applies. */
    const char *(*refuses)(const struct collective *c);
    /* It depends on which ranks share a node, so mixed ones are refused. */
    bool by_node;
    bool grouped; /* uses `groups` */
    bool leaders; /* leaders hold the data of their whole group */
    bool shared;  /* for ranks that share GPUs (strategies/shared_gpu) */
    /* The list ends with the first phase that has no build(). */
    struct collective_phase phases[COLLECTIVE_PHASES];
    bool in_switch; /* switches add the data, which plans do not represent */
    enum runtime runtime; /* RUNTIME_MPI unless its messages are another's */
    /*
     * Makes the whole as a loop of equal steps, which a run then simulates; the
     * request has been checked. If the algorithm has phases too, its plan comes
     * from them, else from all steps of the loop. Returns 1 if the steps are
     * not alike for this request, so that the caller uses the phases. NULL if
     * there are phases only.
     */
    int (*make_loop)(struct loop *l, const struct machine *m,
                     const struct collective_algorithm *a,
                     const struct collective *c, struct err *err);
    /* Or sections of equal steps with equal blocks; their operations and
     * dependencies are those of the phases. Runs of many ranks use them. If the
     * elements do not divide by the ranks, all blocks then have the size of the
     * largest. */
    struct collective_section sections[COLLECTIVE_SECTIONS];
};

#define COLLECTIVE(x) extern const struct collective_algorithm x##_collective;
#include "strategies/collective/list.def"
#undef COLLECTIVE
extern const struct collective_algorithm *const collectives[];
extern const size_t ncollectives;

/* Returns the algorithm of this kind and name. An unknown name is an error that
 * lists the known ones. */
const struct collective_algorithm *collective_find(enum collective_kind kind,
                                                   const char *name,
                                                   struct err *err) MUST_CHECK;
/* Returns the number of ranks of the request. */
uint32_t collective_ranks(const struct collective *c);
/* Returns the number of ranks on each GPU. */
static inline unsigned collective_per_gpu(const struct collective *c)
{
    return c->per_gpu ? c->per_gpu : 1;
}
/* Return the number of segments of segment_B bytes (0 if no size is given), and
 * the largest number that a plan may have. */
uint64_t collective_segments(const struct collective *c);
uint64_t collective_most_segments(const struct collective *c);
/* Returns the phase of this name, or NULL. */
const struct collective_phase *
collective_phase(const struct collective_algorithm *a, const char *name);

/*
 * Makes the plan of one phase, or, if `phase` is NULL, of the whole with its
 * repacking. Errors: the algorithm does not apply; ranks or groups do not
 * divide evenly; the vector, or each rank's block, is not a whole number of
 * elements; there are more ranks than the machine has cores or GPUs for. On -1
 * the plan is empty.
 */
int collective_plan(struct plan *p, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective_phase *phase,
                    const struct collective *c, struct err *err) MUST_CHECK;
/* Makes the loop of the algorithm. Returns 1 if it has none, so that the caller
 * has to plan it instead. Errors are those of collective_plan(). Unless 0 is
 * returned, the loop is empty. */
int collective_loop(struct loop *l, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective *c, struct err *err) MUST_CHECK;

/* Returns whether sections round the blocks up, so that some are larger than in
 * the phases. */
bool collective_rounds(const struct collective *c);

#endif
