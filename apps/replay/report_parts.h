/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_parts.h - the part that the two reports of a replay share: the report
 * of ranks with an order of their own (report.c), and that of graphs. */
#ifndef APPS_REPLAY_REPORT_PARTS_H
#define APPS_REPLAY_REPORT_PARTS_H

#include "apps/replay/report.h"

/* The time for which an operation occupies the CPU of one of its ends: from the
 * start of a send, until the end of a receive, for the whole of any other
 * operation. Hidden parts of a receive do not count. */
struct replay_busy {
    uint32_t rank; /* rank of the plan */
    double from_s, to_s;
};
/* Finds the occupied CPUs of an operation; returns their number, 0 to 2. */
int replay_busy_of(struct replay_busy of[2], const struct machine *m,
                   const struct plan *p, const struct exec_result *x,
                   uint32_t op);

/* Computes the times of a graph's ranks: computing, messages, and the rest;
 * end_s is known already. */
void replay_graph_times(struct replay_times *t, const struct machine *m,
                        const struct plan *p, const struct exec_result *x);

#endif
