/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective.h - collective operations as plans: what is asked of all ranks of
 * a job, and the table of algorithms. An algorithm is a row of phases, each of
 * which can be planned alone, as benchmarks time them; it is one file and one
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

/* How the ranks of an all-to-all exchange: in step i, from 0 on, rank r sends
 * to r + i and receives from r - i, itself first. */
enum collective_exchange {
    COLLECTIVE_PAIRWISE,    /* a send and a receive at a time (MPI_Sendrecv) */
    COLLECTIVE_NONBLOCKING, /* all posted at once, then waited for */
    NCOLLECTIVE_EXCHANGES
};
extern const char *const collective_exchange_names[NCOLLECTIVE_EXCHANGES];

/* What is asked for: rank r is on node r / ranks_per_node. */
struct collective {
    enum collective_kind kind;
    unsigned nodes, ranks_per_node;
    uint32_t
        ranks; /* 0: nodes * ranks_per_node; else the last node has fewer */
    uint64_t bytes;     /* as in struct collective_words */
    unsigned element_B; /* 0: 1 */
    uint32_t root;
    uint64_t segment_B; /* of pipelines; 0: what the algorithm takes */
    enum collective_memory memory;
    /* Each rank first copies what it brings; staged it is copied anyway. */
    bool out_of_place;
    bool mixed; /* ranks are not in blocks on nodes: somebody else will put the
                   plan's into their places (placement.h) */
    /* In GPU memory: ranks on each GPU, 0: 1. Local rank i is on GPU i /
     * per_gpu of its node and on that GPU's cores. */
    unsigned per_gpu;
    enum collective_exchange exchange;
    /* Leaders, or groups, of a node: each of ranks_per_node / groups
     * consecutive ranks, the first of which leads. 0, 1 for algorithms without.
     */
    unsigned groups;
    /* How often one after the other, as a benchmark's loop does, whose ranks
     * run ahead of each other; 0: once. */
    unsigned rounds;
    /* Rank r of n begins r / n of this late: with a time above 0 an operation
     * for each rank comes first. */
    double spread_s;
    /*
     * Operations carry pieces (plan.h). All-to-all: class_id is the rank that
     * has the block, `first` the rank that it is for. Else: class_id is what
     * happens to the elements (enum collective_action), `first` the first of
     * them in the vector, or in the result of an allgather. Elements that a
     * message brings to be added are added by the OP_REDUCE whose first
     * dependency it is. For checks, and for native runs.
     */
    bool pieces;
    /* Of ranks that share GPUs: what their copies move is noted there
     * (strategies/shared_gpu/shared_gpu.h), for checks; NULL: it is not. */
    struct shared_moves *moves;
    /* Of these, `static`: 1 + how many ranks of a GPU copy by way of the host;
     * 0: as many as are fastest. */
    unsigned host_copies;
};

struct collective_build; /* collective_build.h */

/* Steps that are all alike: build() plans one of them, of all ranks. A rank
 * that does nothing in it begins the next section that it takes part in by
 * receiving what comes of what it did before. */
struct collective_section {
    uint32_t (*steps)(const struct collective_build *b);
    void (*build)(struct collective_build *b);
};
enum { COLLECTIVE_SECTIONS = 8 };

struct collective_phase {
    /* What measurements call it; NULL: never alone (buffers are repacked). */
    const char *name;
    /* Nothing leaves a node: alone it is planned for one node of many, since
     * all do the same. */
    bool on_node;
    void (*build)(struct collective_build *b);
};
enum { COLLECTIVE_PHASES = 8 };

struct collective_algorithm {
    enum collective_kind kind;
    const char *name; /* one of its kind */
    const char *summary;
    /* Why it does not apply, or NULL. NULL: it always does. */
    const char *(*refuses)(const struct collective *c);
    bool by_node; /* looks at which ranks are on a node: not for mixed ones */
    bool grouped; /* looks at `groups` */
    bool leaders; /* hold what their whole group has */
    bool shared;  /* of ranks that share GPUs, by copies: strategies/shared_gpu
                   */
    struct collective_phase phases[COLLECTIVE_PHASES]; /* without build: end */
    /*
     * The whole as steps that are alike, which a run then simulates, for a
     * request that was checked. Where there are phases, too, the plan is
     * theirs; else it is that of all steps. Returns 1: the steps are not alike
     * here, take the phases. NULL: there are phases only.
     */
    bool in_switch; /* what is added is in switches, which plans do not have */
    enum runtime runtime; /* of its messages, where it is one of a runtime */
    int (*make_loop)(struct loop *l, const struct machine *m,
                     const struct collective_algorithm *a,
                     const struct collective *c, struct err *err);
    /*
     * Or, of equal blocks, sections of equal steps, whose operations and their
     * dependencies are those of the phases: what many ranks are run as. Where
     * the elements do not divide by the ranks all blocks are then as large as
     * the largest.
     */
    struct collective_section sections[COLLECTIVE_SECTIONS];
};

#define COLLECTIVE(x) extern const struct collective_algorithm x##_collective;
#include "strategies/collective/list.def"
#undef COLLECTIVE
extern const struct collective_algorithm *const collectives[];
extern const size_t ncollectives;

/* By kind and name; an unknown one is an error that lists the known. */
const struct collective_algorithm *collective_find(enum collective_kind kind,
                                                   const char *name,
                                                   struct err *err) MUST_CHECK;
uint32_t collective_ranks(const struct collective *c);
/* Of segment_B each, 0 where that is not said; and as many as plans take. */
uint64_t collective_segments(const struct collective *c);
uint64_t collective_most_segments(const struct collective *c);
/* The phase of this name, or NULL. */
const struct collective_phase *
collective_phase(const struct collective_algorithm *a, const char *name);

/*
 * The plan of one phase, or, where that is NULL, of the whole with its
 * repacking. Errors: an algorithm that does not apply, ranks or groups that do
 * not divide evenly, blocks of less than one element where each rank has one,
 * more ranks than the machine has cores, or GPUs. On -1 the plan is empty.
 */
int collective_plan(struct plan *p, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective_phase *phase,
                    const struct collective *c, struct err *err) MUST_CHECK;
/* The loop of an algorithm that has one. 1: it is to be planned, instead.
 * Errors as of the plan; unless it returns 0 the loop is empty. */
int collective_loop(struct loop *l, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective *c, struct err *err) MUST_CHECK;

/* Whether the blocks of its sections are larger than some of its phases. */
bool collective_rounds(const struct collective *c);

#endif
