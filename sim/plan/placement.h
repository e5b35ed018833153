/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placement.h - the node of the machine for each rank. The job's nodes are
 * numbered in the order of their first ranks. A plan has its ranks in blocks
 * that are as large as the fullest node, so a rank gets a slot there: node *
 * ranks_per_node + its place on the node. */
#ifndef SIM_PLAN_PLACEMENT_H
#define SIM_PLAN_PLACEMENT_H

#include "platforms/node_names.h"
#include "sim/plan/loop.h"
#include "sim/plan/plan.h"

struct placement {
    char *path; /* path of its file; NULL if it has none */
    uint32_t ranks;
    uint32_t *slot; /* one per rank */
    unsigned nodes, ranks_per_node;
    unsigned *node_at; /* the machine's node for each of the job's */
    unsigned *core;    /* one per place on a node; NULL if not given */
    bool in_blocks;    /* slot[r] == r */
};

/*
 * Reads CSV with the columns rank and node (a number, or a name: node_names.h),
 * and optionally `local`, the place on the node (by default in the order of the
 * ranks), and `core`, the same on all nodes for one place. Errors name file and
 * line: a rank that is there twice or missing, an unknown node, more ranks on a
 * node than it has cores.
 */
int placement_load(struct placement *p, const char *path,
                   const struct machine *m, struct err *err) MUST_CHECK;
/* Makes a placement from the node of each rank; these are nodes of the
 * machine. */
int placement_make(struct placement *p, const struct machine *m,
                   const unsigned *node_of_rank, uint32_t ranks,
                   struct err *err) MUST_CHECK;
void placement_clear(struct placement *p);

/* Returns the machine as the job sees it: a shallow copy, which must not be
 * cleared because it borrows from both. */
struct machine placement_machine(const struct placement *p,
                                 const struct machine *m);
/* Moves a plan's ranks into their slots. A GPU moves with the rank that uses
 * it: it keeps its number within the node if the rank keeps its place. Returns
 * -1 if a rank of the plan has no node. */
int placement_apply(const struct placement *p, const struct machine *m,
                    struct plan *plan, struct err *err) MUST_CHECK;
/* Does the same for a loop; returns 1 if the steps' partners turn by rank, in
 * which case the caller has to unroll it first. */
int placement_apply_loop(const struct placement *p, const struct machine *m,
                         struct loop *loop, struct err *err) MUST_CHECK;

#endif
