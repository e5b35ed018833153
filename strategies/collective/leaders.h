/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaders.h - steps of all-to-alls with leaders: the first rank of a group
 * collects the blocks of its group, and later distributes the blocks for it. */
#ifndef STRATEGIES_COLLECTIVE_LEADERS_H
#define STRATEGIES_COLLECTIVE_LEADERS_H

#include "strategies/collective/collective_build.h"

/* Each leader collects all blocks from the ranks of its group;
 * leaders_scatter() sends each of them the blocks for it. */
void leaders_gather(struct collective_build *b);
void leaders_scatter(struct collective_build *b);
/* Each leader copies its blocks between two buffers, in parts of `blocks`
 * blocks. */
void leaders_repack(struct collective_build *b, unsigned blocks);
/* Each leader sends each leader the blocks of its group for the other's
 * group. */
void leaders_exchange(struct collective_build *b);

#endif
