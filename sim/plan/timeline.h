/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.h - a simulated plan in time, to look at. */
#ifndef SIM_PLAN_TIMELINE_H
#define SIM_PLAN_TIMELINE_H

#include "sim/plan/exec.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "sim/plan/rests_on.h"

#include <stdio.h>

/* In so many parts of a run at most, and in more than half as many, rates of
 * links are kept. */
#define TIMELINE_BINS 256

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

/*
 * A track for each rank's CPU, of a message the parts that its ends' CPUs take,
 * and for the kernels of each GPU and its copy engines. What overlaps on a
 * track (what a CPU does hidden behind a wait, work beside it) is on lanes of
 * its own.
 */
enum timeline_resource { RESOURCE_CPU, RESOURCE_KERNELS, RESOURCE_ENGINE };
struct timeline {
    const struct machine *m;
    const struct plan *p;
    const struct exec_result *x;
    struct path_ways ways;
    uint32_t ranks;
    struct timeline_span *spans; /* `what`: the operation */
    size_t n;
    uint32_t lanes; /* of the track with most of them */
};
/* Borrows all; needs a result with details. */
void timeline_make(struct timeline *t, const struct machine *m,
                   const struct plan *p, const struct exec_result *x);
void timeline_clear(struct timeline *t);
enum timeline_resource timeline_resource(const struct timeline *t,
                                         uint32_t track);
uint32_t timeline_node(const struct timeline *t, uint32_t track);
/* "rank 3, core 12", "GPU 0, kernels" */
void timeline_name(char *text, size_t room, const struct timeline *t,
                   uint32_t track);

/* What an operation waited for last. */
enum cause timeline_cause(const struct timeline *t, uint32_t op);

/* What sends and what receives it: the same operation, or two. */
struct timeline_message {
    uint32_t send, recv;
    double from_s, to_s;
};
/* False: the operation ends no message between two processes. */
bool timeline_message(struct timeline_message *one, const struct timeline *t,
                      uint32_t op);

/* A message more or less (-1) under way by a NIC, sorted by NIC and time. The
 * caller frees. */
struct timeline_change {
    uint32_t counter; /* (node * NICs + NIC) * 2, + 1: receives */
    double at_s;
    int by;
};
struct timeline_change *timeline_nics(const struct timeline *t, size_t *n);

/*
 * For chrome://tracing and Perfetto: a process for each node, in it the tracks,
 * with an arrow from a message's sender to its receiver; a row for messages
 * under way of each locality, from first to last moment; counters of these for
 * each NIC and direction, and of what each link of the node carries; those of
 * the network are in a process of their own. Microseconds.
 */
void timeline_write(FILE *to, const struct timeline *t);
/* The same into a file, which appears only when it is whole. */
int timeline_save(const char *path, const struct timeline *t,
                  struct err *err) MUST_CHECK;
/* Says what a lane shows: "TRACK", "TRACK (2)", ... */
void timeline_name_lane(FILE *to, uint32_t process, uint32_t thread,
                        const char *track, uint32_t lane);

#endif
