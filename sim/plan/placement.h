/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placement.h - on which node of the machine each rank is. The job's nodes are
 * numbered in order of their first ranks; a plan has its ranks in blocks of as
 * many as the fullest node has, so a rank gets a slot there: node *
 * ranks_per_node + its place on the node. */
#ifndef SIM_PLAN_PLACEMENT_H
#define SIM_PLAN_PLACEMENT_H

#include "platforms/node_names.h"
#include "sim/plan/loop.h"
#include "sim/plan/plan.h"

struct placement {
    char *path; /* of its file; NULL: it was made */
    uint32_t ranks;
    uint32_t *slot; /* of each rank */
    unsigned nodes, ranks_per_node;
    unsigned *node_at; /* of each of the job's nodes: the machine's */
    unsigned *core;    /* of each place on a node; NULL: not said */
    bool in_blocks;    /* slot[r] == r */
};

/*
 * Reads CSV with the columns rank and node (a number, or a name:
 * node_names.h), and perhaps `local`, the place on the node (else in order of
 * the ranks), and `core`, the same on all nodes for one place. Errors name file
 * and line: a rank that is there twice or missing, an unknown node, more ranks
 * on a node than it has cores.
 */
int placement_load(struct placement *p, const char *path,
                   const struct machine *m, struct err *err) MUST_CHECK;
/* Of the node of each rank, which the machine has. */
int placement_make(struct placement *p, const struct machine *m,
                   const unsigned *node_of_rank, uint32_t ranks,
                   struct err *err) MUST_CHECK;
void placement_clear(struct placement *p);

/* The machine as the job finds it: a shallow copy, never to be cleared, that
 * borrows both. */
struct machine placement_machine(const struct placement *p,
                                 const struct machine *m);
/* Puts a plan's ranks into their slots. A GPU goes with the rank that uses it:
 * it keeps its number within the node where the rank keeps its place. -1: a
 * rank of the plan has no node. */
int placement_apply(const struct placement *p, const struct machine *m,
                    struct plan *plan, struct err *err) MUST_CHECK;
/* The same; 1: the steps' partners turn by rank, unroll it first. */
int placement_apply_loop(const struct placement *p, const struct machine *m,
                         struct loop *loop, struct err *err) MUST_CHECK;

#endif
