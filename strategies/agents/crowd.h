/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crowd.h - additions to one head, which follow each other there. */
#ifndef STRATEGIES_AGENTS_CROWD_H
#define STRATEGIES_AGENTS_CROWD_H

#include "strategies/agents/costs.h"

/*
 * As many arcs as a GPU has threads are under way at once, in the order of
 * their tails. Where the additions to one of their heads, one after the other
 * (gpu.access.float_same_address_ns), take longer than the arcs, so long take
 * these: vertex[] and the sums are made longer. Nothing on a machine without
 * that number. O(vertices + arcs).
 */
void costs_crowd(struct costs *c, const struct traverse_input *in);

#endif
