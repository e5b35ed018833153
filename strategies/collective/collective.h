/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective.h - all-to-alls of host memory as plans: every rank has a block
 * for every rank. An algorithm is a row of phases, each of which can be planned
 * alone, as benchmarks time them; it is one file and one line in list.def. The
 * node-aware ones are those of mpi_advance (Bienz, Schafer, Skjellum, MPI
 * Advance, 2023; github.com/mpi-advance/locality_aware). */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the ranks of a communicator exchange: in step i, from 0 on, rank r sends
 * to r + i and receives from r - i, itself first. */
enum collective_exchange {
    COLLECTIVE_PAIRWISE,    /* a send and a receive at a time (MPI_Sendrecv) */
    COLLECTIVE_NONBLOCKING, /* all posted at once, then waited for */
    NCOLLECTIVE_EXCHANGES
};
extern const char *const collective_exchange_names[NCOLLECTIVE_EXCHANGES];

/* What is asked for: rank r is on node r / ranks_per_node. */
struct collective {
    unsigned nodes, ranks_per_node;
    uint64_t bytes; /* of each pair of ranks */
    enum collective_exchange exchange;
    /* Leaders, or groups, of a node: each of ranks_per_node / groups
     * consecutive ranks, the first of which leads. 1 for algorithms without. */
    unsigned groups;
    /* How often one after the other, as a benchmark's loop does, whose ranks
     * run ahead of each other; 0: once. */
    unsigned rounds;
    /* Rank r of n begins r / n of this late: with a time above 0 an operation
     * for each rank comes first. */
    double spread_s;
    /* Messages carry pieces (plan.h): class_id is the rank that has the block,
     * `first` the rank that it is for. For checks. */
    bool pieces;
};

struct collective_build; /* collective_build.h */

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
    const char *name;
    const char *summary;
    bool grouped; /* looks at `groups` */
    bool leaders; /* hold what their whole group has */
    struct collective_phase phases[COLLECTIVE_PHASES]; /* without build: end */
};

#define COLLECTIVE(x) extern const struct collective_algorithm x##_collective;
#include "strategies/collective/list.def"
#undef COLLECTIVE
extern const struct collective_algorithm *const collectives[];
extern const size_t ncollectives;

/* By name; an unknown one is an error that lists the known. */
const struct collective_algorithm *collective_find(const char *name,
                                                   struct err *err) MUST_CHECK;
/* The phase of this name, or NULL. */
const struct collective_phase *
collective_phase(const struct collective_algorithm *a, const char *name);

/*
 * The plan of one phase, or, where that is NULL, of the whole with its
 * repacking. Errors: ranks or groups that do not divide evenly, more ranks than
 * the machine has cores. On -1 the plan is empty.
 */
int collective_plan(struct plan *p, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective_phase *phase,
                    const struct collective *c, struct err *err) MUST_CHECK;

#endif
