/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crowd.h - the cost of additions to one head, which the GPU serialises. */
#ifndef APPS_AGENTS_CROWD_H
#define APPS_AGENTS_CROWD_H

#include "apps/agents/costs.h"

/*
 * The arcs under way at once are as many as a GPU has threads, in the order of
 * their tails. If the additions to one of their heads, one after the other
 * (gpu.access.float_same_address_ns), take longer than the arcs, then the arcs
 * take that long: costs_crowd() raises vertex[] and the sums. It does nothing
 * for a machine without that number. O(vertices + arcs).
 */
void costs_crowd(struct costs *c, const struct traverse_input *in);

#endif
