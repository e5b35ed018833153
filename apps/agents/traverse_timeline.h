/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_timeline.h - writes the timeline of a traversal for a viewer. */
#ifndef APPS_AGENTS_TRAVERSE_TIMELINE_H
#define APPS_AGENTS_TRAVERSE_TIMELINE_H

#include "apps/agents/traverse.h"

#include <stdio.h>

/*
 * The format is that of chrome://tracing and Perfetto; times are in
 * microseconds. There is one process per node: the steps of its GPUs (visits,
 * edges) and the lengths of their queues. Another process is the network:
 * transfers between GPUs and messages between nodes (bytes), copies to and from
 * hosts, and the bytes on the wire. Events that overlap are on threads of their
 * own; fetches of a persistent kernel within the time of two steps are shown as
 * one. If there would be too many, consecutive steps or transfers are shown as
 * one too: "otherData" has the time within which they are merged.
 */
void traverse_timeline_write(FILE *to, const struct traverse_input *in,
                             const struct traverse_result *r);

/* Does the same into a file, which appears only once it is complete. */
int traverse_timeline_save(const char *path, const struct traverse_input *in,
                           const struct traverse_result *r,
                           struct err *err) MUST_CHECK;

#endif
