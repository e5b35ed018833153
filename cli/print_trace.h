/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_trace.h - prints the distribution of the time of the ranks of a
 * replayed trace. */
#ifndef CLI_PRINT_TRACE_H
#define CLI_PRINT_TRACE_H

#include "cli/print_run.h"

/* Prints sums, and the ranks that waited longest; with details, all ranks. */
void print_rank_times(const struct outcome *o, bool details);
void add_rank_times(struct json *o, const struct replay_times *t);
/* Prints a line for each rank of each outcome, after a head. */
void print_rank_times_csv(const struct run_results *r);

#endif
