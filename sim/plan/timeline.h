/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.h - a simulated plan in time, to look at. */
#ifndef SIM_PLAN_TIMELINE_H
#define SIM_PLAN_TIMELINE_H

#include "sim/plan/exec.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"

#include <stdio.h>

/*
 * For chrome://tracing and Perfetto: a process for each node, in it a track for
 * each rank's CPU (of a message the parts that its ends' CPUs take, an arrow
 * from one to the other), for the kernels of each GPU and for its copy engines;
 * a row for messages under way of each locality, from first to last moment; a
 * counter of these for each NIC and direction. Microseconds. Needs a result
 * with details. What overlaps on a track (what a CPU does hidden behind a wait,
 * work beside it) is on lanes of its own.
 */
void timeline_write(FILE *to, const struct machine *m, const struct plan *p,
                    const struct exec_result *x);

/* The same into a file, which appears only when it is whole. */
int timeline_save(const char *path, const struct machine *m,
                  const struct plan *p, const struct exec_result *x,
                  struct err *err) MUST_CHECK;

/*
 * Something on a track: of those that overlap each is on a lane of its own.
 * timeline_lanes() sorts them by track and start, and finds the lanes; it
 * returns the number of lanes of the track with most of them.
 */
struct timeline_span {
    uint32_t track, what;
    double from_s, to_s;
    uint32_t lane;
};
uint32_t timeline_lanes(struct timeline_span *spans, size_t n);
/* Says what a lane shows: "TRACK", "TRACK (2)", ... */
void timeline_name_lane(FILE *to, uint32_t process, uint32_t thread,
                        const char *track, uint32_t lane);

#endif
