/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_trace.h - the statistics of a trace as text, JSON and CSV. */
#ifndef CLI_SHOW_TRACE_H
#define CLI_SHOW_TRACE_H

#include "workloads/trace/stats.h"

/* details: all names of calls, all tags, all ranks. */
void trace_stats_print(const struct trace_stats *s, bool details);
/* What it lacks, or what is not understood; nothing where nothing is. */
void trace_stats_print_lacks(const struct trace_stats *s);
/* A line for each rank. */
void trace_stats_print_ranks(const struct trace_stats *s);
/* How quickly it was read: a line. */
/* CPU seconds: of reading every event, and of counting what they hold too. */
void trace_stats_print_speed(const struct trace_stats *s, double read_s,
                             double count_s);
void trace_stats_print_json(const struct trace_stats *s);
/* A line for each rank. */
void trace_stats_print_csv(const struct trace_stats *s);

/* Of the ranks' files as they are on the disk. */
uint64_t trace_file_bytes(const struct trace *t);
/* Ranks that are there and have no MPI_Finalize; 0 where a trace has none at
 * all since it is of no MPI calls. */
uint32_t trace_cut_off(const struct trace_stats *s);
/* Share of a rank's time, or NAN. */
double trace_computing_share(const struct trace_rank_stats *k);
/* Share of the most frequent (source, tag) of the messages to it, or NAN. */
double trace_tuple_share(const struct trace_rank_stats *k);

#endif
