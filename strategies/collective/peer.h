/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer.h - common functions of collectives whose kernels access each other's
 * memory (sim/transport/peer.c), block by block. */
#ifndef STRATEGIES_COLLECTIVE_PEER_H
#define STRATEGIES_COLLECTIVE_PEER_H

#include "sim/transport/transport.h"
#include "strategies/collective/collective_build.h"

/* Returns the reason why kernels cannot reach the data, or NULL. */
const char *peer_refuses(const struct collective *c);
/* Is the make_loop() of these algorithms: fails if the machine has no message
 * tables of them, else returns 1, because their plans come from phases. */
int peer_check(struct loop *l, const struct machine *m,
               const struct collective_algorithm *a, const struct collective *c,
               struct err *err);
/* Lets the plan begin with the launch of the kernel. */
void peer_launch(struct collective_build *b);
/* Plans for this step that the kernel of rank `to` moves these elements out of
 * the memory of rank `from`, by so many blocks. */
void peer_access(struct collective_build *b, uint32_t from, uint32_t to,
                 struct collective_range range, enum collective_action action,
                 unsigned blocks);
/* Plans a step in which each rank stores a flag in the memory of each other and
 * waits for all of theirs. With `releases` others see the writes before it. */
void peer_barrier(struct collective_build *b, bool releases);

#endif
