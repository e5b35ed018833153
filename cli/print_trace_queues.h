/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_trace_queues.h - prints the matching queues that sluice show trace
 * --queues rebuilds. */
#ifndef CLI_PRINT_TRACE_QUEUES_H
#define CLI_PRINT_TRACE_QUEUES_H

#include "workloads/trace/queues.h"

#include <stdbool.h>

/* Prints a line over all ranks for each quantity, and the ranks of the longest
 * queues; with details also a line for each rank. */
void trace_queues_print(const struct trace_queues *q, const struct trace *t,
                        bool details);
/* Prints a line for each rank that the trace has. */
void trace_queues_print_csv(const struct trace_queues *q,
                            const struct trace *t);

#endif
