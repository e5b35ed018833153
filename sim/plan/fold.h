/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fold.h - a loop of one operation of each class of operations that are alike:
 * that cost the same, wait for operations that are alike, and share links and
 * NICs with operations that are alike. All of a class then begin and end at the
 * same time, so it is enough to simulate one of them: of a ring on N equal
 * nodes the messages of one node, of trees on nodes with G equal GPUs those of
 * one rail.
 *
 * The classes are the coarsest ones with that property, by refinement (Paige,
 * Tarjan 1987; Grohe et al., Dimension reduction via colour refinement, 2014).
 * The max-min rates of flows are unique, therefore equal in a class, and those
 * of the folded loop: each of its links carries one flow of each class, as do
 * the links that it stands for.
 */
#ifndef SIM_PLAN_FOLD_H
#define SIM_PLAN_FOLD_H

#include "sim/plan/loop.h"
#include "sim/network/engine.h"

struct fold {
    struct loop loop; /* operations keep their ranks and GPUs */
    /* The link, by its number in the engine, and the NIC, by its number in the
     * fabric, that stand for each. */
    uint32_t *links, *nics;
};

/* Returns whether the loop consists of pushes between GPUs in one part; others
 * are not folded. */
bool fold_may(const struct loop *l);
/* Folds a loop on an engine whose clock is at 0. Returns false, and makes
 * nothing, if not fold_may(), if routes depend on the load, or if too few
 * operations are alike; also if two that are alike share a link or a NIC,
 * because one of them has it first. A loop of one node (loop.h) is folded
 * already: its links and NICs stand for those of all. */
bool fold_make(struct fold *out, const struct machine *m, const struct loop *l,
               struct engine *e);
void fold_clear(struct fold *fold);

/* Sets the traffic of all links to that of all operations. */
void fold_carry(const struct fold *fold, const struct machine *m,
                const struct loop *l, struct engine *e);

#endif
