/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_parts.h - what the two reports of a replay have in common: that of
 * ranks with an order of their own (report.c), and that of graphs. */
#ifndef STRATEGIES_REPLAY_REPORT_PARTS_H
#define STRATEGIES_REPLAY_REPORT_PARTS_H

#include "strategies/replay/report.h"

/* When the CPUs of the ends of an operation were busy with it: from the start
 * of a send, up to the end of a receive, all of the rest. Of a message what it
 * costs alone: hidden parts of a receive are not in it. */
struct replay_busy {
    uint32_t rank; /* of the plan */
    double from_s, to_s;
};
/* One or two, or none. */
int replay_busy_of(struct replay_busy of[2], const struct machine *m,
                   const struct plan *p, const struct exec_result *x,
                   uint32_t op);

/* Of a graph: computing, messages, and what is neither; end_s is known. */
void replay_graph_times(struct replay_times *t, const struct machine *m,
                        const struct plan *p, const struct exec_result *x);

#endif
