/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.h - a simulated plan over time, for a viewer. */
#ifndef SIM_PLAN_TIMELINE_H
#define SIM_PLAN_TIMELINE_H

#include "sim/plan/exec.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "sim/plan/rests_on.h"

#include <stdio.h>

/* The rates of links are kept in at most this many bins of a run, and in more
 * than half as many. */
#define TIMELINE_BINS 256

/* An event on a track; each of those that overlap is on a lane of its own.
 * timeline_lanes() sorts them by track and start, and finds the lanes; it
 * returns the number of lanes of the track with most of them. */
struct timeline_span {
    uint32_t track, what;
    double from_s, to_s;
    uint32_t lane;
};
uint32_t timeline_lanes(struct timeline_span *spans, size_t n);

/* There is a track for each rank's CPU, which has the occupancies of messages'
 * ends, and for the kernels of each GPU and its copy engines. Events that
 * overlap on a track (work hidden behind a wait of the CPU, work outside it)
 * are on lanes of their own. */
enum timeline_resource { RESOURCE_CPU, RESOURCE_KERNELS, RESOURCE_ENGINE };
struct timeline {
    const struct machine *m;
    const struct plan *p;
    const struct exec_result *x;
    struct path_context context;
    uint32_t ranks;
    struct timeline_span *spans; /* `what` is an operation */
    size_t n;
    uint32_t lanes; /* lanes of the track with most of them */
};
/* Makes a timeline of a result with details; it borrows all of its
 * arguments. */
void timeline_make(struct timeline *t, const struct machine *m,
                   const struct plan *p, const struct exec_result *x);
void timeline_clear(struct timeline *t);
enum timeline_resource timeline_resource(const struct timeline *t,
                                         uint32_t track);
uint32_t timeline_node(const struct timeline *t, uint32_t track);
/* "rank 3, core 12", "GPU 0, kernels" */
void timeline_name(char *text, size_t room, const struct timeline *t,
                   uint32_t track);

/* Returns the cause of an operation's last wait. */
enum cause timeline_cause(const struct timeline *t, uint32_t op);

/* The operations that send and receive a message: the same one, or two. */
struct timeline_message {
    uint32_t send, recv;
    double from_s, to_s;
};
/* Finds the message that the operation ends; returns false if it ends none
 * between two processes. */
bool timeline_message(struct timeline_message *one, const struct timeline *t,
                      uint32_t op);

/* One more message under way at a NIC, or one less (-1), sorted by NIC and
 * time. The caller frees the list. */
struct timeline_change {
    uint32_t counter; /* (node * NICs + NIC) * 2, + 1: receives */
    double at_s;
    int by;
};
struct timeline_change *timeline_nics(const struct timeline *t, size_t *n);

/*
 * Writes the format of chrome://tracing and Perfetto, in microseconds: a
 * process for each node, which has the tracks, with an arrow from a message's
 * sender to its receiver; a row for the messages under way of each locality,
 * from first to last moment; counters of these for each NIC and direction, and
 * of the rate of each link of the node. The links of the network are in a
 * process of their own.
 */
void timeline_write(FILE *to, const struct timeline *t);
/* Does the same into a file, which appears only once it is complete. */
int timeline_save(const char *path, const struct timeline *t,
                  struct err *err) MUST_CHECK;
/* Writes the name of a lane: "TRACK", "TRACK (2)", ... */
void timeline_name_lane(FILE *to, uint32_t process, uint32_t thread,
                        const char *track, uint32_t lane);

#endif
