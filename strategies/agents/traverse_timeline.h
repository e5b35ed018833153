/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_timeline.h - a traversal in time, to look at. */
#ifndef STRATEGIES_AGENTS_TRAVERSE_TIMELINE_H
#define STRATEGIES_AGENTS_TRAVERSE_TIMELINE_H

#include "strategies/agents/traverse.h"

#include <stdio.h>

/*
 * For chrome://tracing and Perfetto; microseconds. A process for each node: the
 * steps of its GPUs (visits, edges) and how long their queues are. One for the
 * network: transfers between GPUs and messages between nodes (bytes), copies
 * to and from hosts, and how much is on the wire. What overlaps is on threads
 * of its own; what a persistent kernel takes within the time of two steps is
 * shown as one. Where there would be too many, steps or transfers that follow
 * each other are shown as one too: "otherData" says within what time.
 */
void traverse_timeline_write(FILE *to, const struct traverse_input *in,
                             const struct traverse_result *r);

/* The same into a file, which appears only when it is whole. */
int traverse_timeline_save(const char *path, const struct traverse_input *in,
                           const struct traverse_result *r,
                           struct err *err) MUST_CHECK;

#endif
