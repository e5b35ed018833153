/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.h - plans one after the other, as rounds of one plan. */
#ifndef SIM_PLAN_CHAIN_H
#define SIM_PLAN_CHAIN_H

#include "sim/plan/plan.h"

/*
 * A rank begins its part of a round once its part of the previous one is
 * complete: all its sends (its buffers are free), receives and work; other
 * ranks may be behind or ahead. Between the two rounds it has a joint, an
 * operation that takes no time. Ranks that copy from or to the same GPU
 * continue together: the lowest of them gets a message of no bytes from each of
 * the others, and answers it.
 */
struct chain {
    struct plan *plan; /* borrowed */
    uint32_t *joint;   /* each rank's joint, before its next round; or none */
    size_t round;      /* index of the newest round's first operation */
};

/* Starts a chain whose first round is the plan as it is. */
void chain_init(struct chain *c, struct plan *plan);
/* Appends another plan of the same ranks. */
void chain_add(struct chain *c, const struct plan *next);
void chain_clear(struct chain *c);

#endif
