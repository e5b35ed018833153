/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaders.h - what all-to-alls by leaders begin and end with: all that a group
 * has goes to its first rank, and all that is for it comes from there. */
#ifndef STRATEGIES_COLLECTIVE_LEADERS_H
#define STRATEGIES_COLLECTIVE_LEADERS_H

#include "strategies/collective/collective_build.h"

void leaders_gather(struct collective_build *b);
void leaders_scatter(struct collective_build *b);
/* All leaders copy what they hold, in parts of so many blocks. */
void leaders_repack(struct collective_build *b, unsigned blocks);
/* Every leader with all leaders: the blocks of its group for theirs. */
void leaders_exchange(struct collective_build *b);

#endif
