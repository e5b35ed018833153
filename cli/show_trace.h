/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_trace.h - the statistics of a trace as text, JSON and CSV. */
#ifndef CLI_SHOW_TRACE_H
#define CLI_SHOW_TRACE_H

#include "workloads/trace/stats.h"

/* Prints the statistics; with details all names of calls, all tags, all
 * ranks. */
void trace_stats_print(const struct trace_stats *s, bool details);
/* Prints the parts that the trace lacks or that are not understood; nothing if
 * there are none. */
void trace_stats_print_lacks(const struct trace_stats *s);
/* Prints a line for each rank. */
void trace_stats_print_ranks(const struct trace_stats *s);
/* Prints how quickly the trace was read, as one line. The arguments are the CPU
 * seconds of reading every event, and of also counting them. */
void trace_stats_print_speed(const struct trace_stats *s, double read_s,
                             double count_s);
void trace_stats_print_json(const struct trace_stats *s);
/* Prints a line for each rank. */
void trace_stats_print_csv(const struct trace_stats *s);

/* Returns the bytes of the ranks' files as they are on disk. */
uint64_t trace_file_bytes(const struct trace *t);
/* Returns the number of ranks that are there but have no MPI_Finalize; 0 if no
 * rank has one, because the trace is not of MPI calls. */
uint32_t trace_cut_off(const struct trace_stats *s);
/* Returns the share of a rank's time that it computes, or NAN. */
double trace_computing_share(const struct trace_rank_stats *k);
/* Returns the share of the most frequent (source, tag) among the messages to a
 * rank, or NAN. */
double trace_tuple_share(const struct trace_rank_stats *k);

#endif
