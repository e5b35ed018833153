/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_trace.h - the events of a traversal over time, in bounded memory:
 * for its timeline. */
#ifndef APPS_AGENTS_TRAVERSE_TRACE_H
#define APPS_AGENTS_TRAVERSE_TRACE_H

#include "base/err.h"
#include "apps/agents/time_bins.h"

#include <stddef.h>
#include <stdint.h>

/* Tracks by number: the steps of each GPU; transfers from each GPU to each;
 * messages from the CPUs of each node to those of each; copies between each GPU
 * and its host. */
struct task_trace_tracks {
    uint32_t ngpus, nodes;
};
enum track_kind { TRACK_STEPS, TRACK_GPUS, TRACK_NODES, TRACK_HOST };
struct track {
    enum track_kind kind;
    uint32_t from, to; /* GPUs, or nodes; steps and copies have one GPU */
};
uint32_t track_number(const struct task_trace_tracks *t, struct track track);
struct track track_of_number(const struct task_trace_tracks *t,
                             uint32_t number);

/* A step, or a transfer; or several consecutive ones of one track. */
struct task_trace_event {
    double from_s, to_s;
    uint32_t track, n; /* n: number of merged events */
    /* Steps: visits and edges. Transfers: bytes, and bytes on the wire. */
    uint64_t amount, more;
};

struct task_trace {
    struct task_trace_tracks tracks;
    struct task_trace_event *events;
    size_t n, room, limit;
    uint32_t *last; /* the newest event of each track */
    /* Consecutive events of a track are merged if together they are not longer
     * than this. It is 0 at first, and grows when there are too many events. */
    double merged_s;
    /* The same for steps, at least this, because they may overlap. */
    double steps_s;
    struct time_bins *queued; /* one per GPU: vertices times seconds */
};

/* Makes a trace of at most `limit` events, unless more than half as many tracks
 * are in use. */
struct task_trace *task_trace_new(struct task_trace_tracks tracks, size_t limit,
                                  double steps_s);
void task_trace_free(struct task_trace *t);
void task_trace_add(struct task_trace *t, struct task_trace_event e);

/* The report of a trace: the events, and TRACE_PARTS parts of the time with
 * each GPU's mean queue length and the bytes on the wire. */
#define TRACE_PARTS 1000
struct task_trace_report {
    struct task_trace_tracks tracks;
    size_t n;
    double merged_s, steps_s;
    struct task_trace_event *events;
    double *used_B, *queued; /* TRACE_PARTS values; per GPU in queued */
};
struct task_trace_report *task_trace_tell(const struct task_trace *t,
                                          const struct time_bins *used_B,
                                          double time_s);
/* Send and receive a report from one process to another. */
int task_trace_put(const struct task_trace_report *t, int fd) MUST_CHECK;
/* Returns NULL if the other is gone. */
struct task_trace_report *task_trace_get(int fd);
void task_trace_report_free(struct task_trace_report *t);

#endif
