/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_end.h - the statistics of a trace that need all its events counted. */
#ifndef WORKLOADS_TRACE_STATS_END_H
#define WORKLOADS_TRACE_STATS_END_H

#include "workloads/trace/stats.h"
#include "workloads/trace/tally.h"

enum trace_direction { TRACE_SENT, TRACE_RECEIVED };

/* Sets peers, pairs, and those whose ends do not agree, from each rank's
 * messages by (peer, enum trace_direction); sorts tags and names. */
void trace_stats_end(struct trace_stats *s, const struct tally *peers,
                     const struct tally *tags);

#endif
