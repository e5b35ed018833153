/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_trace.h - where the time of the ranks of a replayed trace went. */
#ifndef CLI_PRINT_TRACE_H
#define CLI_PRINT_TRACE_H

#include "cli/print_run.h"

/* Sums, and the ranks that waited longest; details: all ranks. */
void print_rank_times(const struct outcome *o, bool details);
void add_rank_times(struct json *o, const struct replay_times *t);
/* A line for each rank of each outcome, with a head. */
void print_rank_times_csv(const struct run_results *r);

#endif
