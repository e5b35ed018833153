/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_trace.h - what happened when in a traversal, in bounded memory: for
 * its timeline. */
#ifndef STRATEGIES_AGENTS_TRAVERSE_TRACE_H
#define STRATEGIES_AGENTS_TRAVERSE_TRACE_H

#include "base/err.h"
#include "strategies/agents/time_bins.h"

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
    uint32_t from, to; /* GPUs, or nodes; steps and copies: one GPU */
};
uint32_t track_number(const struct task_trace_tracks *t, struct track track);
struct track track_of_number(const struct task_trace_tracks *t,
                             uint32_t number);

/* A step, or a transfer; or some of a track that followed each other. */
struct task_trace_event {
    double from_s, to_s;
    uint32_t track, n; /* n: how many */
    /* Steps: visits and edges. Transfers: bytes, and bytes on the wire. */
    uint64_t amount, more;
};

struct task_trace {
    struct task_trace_tracks tracks;
    struct task_trace_event *events;
    size_t n, room, limit;
    uint32_t *last; /* of each track, its newest event */
    /* Events of a track that follow each other are one when all of it is not
     * longer than this. 0 at first; it grows when there are too many. */
    double merged_s;
    double steps_s; /* the same of steps, at least this: they may overlap */
    struct time_bins *queued; /* of each GPU: vertices, times seconds */
};

/* At most so many events, unless more tracks than half of that are in use. */
struct task_trace *task_trace_new(struct task_trace_tracks tracks, size_t limit,
                                  double steps_s);
void task_trace_free(struct task_trace *t);
void task_trace_add(struct task_trace *t, struct task_trace_event e);

/* What is reported of it: the events, and so many parts of the time of each
 * GPU's mean queue length and of the bytes on the wire. */
#define TRACE_PARTS 1000
struct task_trace_report {
    struct task_trace_tracks tracks;
    size_t n;
    double merged_s, steps_s;
    struct task_trace_event *events;
    double *used_B, *queued; /* TRACE_PARTS; for each GPU so many */
};
struct task_trace_report *task_trace_tell(const struct task_trace *t,
                                          const struct time_bins *used_B,
                                          double time_s);
/* From one process to another. */
int task_trace_put(const struct task_trace_report *t, int fd) MUST_CHECK;
struct task_trace_report *task_trace_get(int fd); /* NULL: the other is gone */
void task_trace_report_free(struct task_trace_report *t);

#endif
