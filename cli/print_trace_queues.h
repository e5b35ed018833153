/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_trace_queues.h - the queues of matching that sluice show trace --queues
 * rebuilds. */
#ifndef CLI_PRINT_TRACE_QUEUES_H
#define CLI_PRINT_TRACE_QUEUES_H

#include "workloads/trace/queues.h"

#include <stdbool.h>

/* A line of all ranks for each quantity, and the ranks of the longest queues;
 * details: also a line for each rank. */
void trace_queues_print(const struct trace_queues *q, const struct trace *t,
                        bool details);
/* A line for each rank that is there. */
void trace_queues_print_csv(const struct trace_queues *q,
                            const struct trace *t);

#endif
