/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.h - plans one behind the other, as rounds of one plan. */
#ifndef SIM_PLAN_CHAIN_H
#define SIM_PLAN_CHAIN_H

#include "sim/plan/plan.h"

/*
 * A rank begins its part of a round when its part of the last one is complete:
 * all that it sends (its buffers free), receives and does; other ranks may be
 * behind or ahead. Between the two it has an operation that takes no time.
 * Ranks that copy from or to one GPU go on together: the lowest of them hears
 * from each of the others, and tells them, by messages of no bytes.
 */
struct chain {
    struct plan *plan; /* borrowed */
    uint32_t *joint;   /* of each rank: behind it is its next round; or none */
    size_t round;      /* the newest round's first operation */
};

/* A plan as it is, of the first round. */
void chain_init(struct chain *c, struct plan *plan);
/* Behind it another of the same ranks. */
void chain_add(struct chain *c, const struct plan *next);
void chain_clear(struct chain *c);

#endif
