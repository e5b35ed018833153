/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observer.h - the statistics of a run besides its result: how each GPU and the
 * network spent the time, and the timeline. All other parts call it; it calls
 * none of them, and never affects the run. */
#ifndef APPS_AGENTS_OBSERVER_H
#define APPS_AGENTS_OBSERVER_H

#include "apps/agents/time_bins.h"
#include "apps/agents/traverse_trace.h"

#include <stdbool.h>

struct traverse_result;

struct observer {
    struct traverse_result *r; /* its counters are written here */
    uint32_t ngpus, update_B;
    uint32_t per_node;         /* GPUs per node */
    struct observer_gpu *gpus; /* the present state of each */
    struct time_bins used_B;   /* bytes on the wire */
    struct task_trace *trace;  /* NULL if no timeline is wanted */
};

/* Starts to observe a run. `timeline` if one is wanted, in which case steps
 * within steps_s of each other are merged. */
void observer_begin(struct observer *o, struct traverse_result *r,
                    struct task_trace_tracks tracks, uint32_t update_B,
                    bool timeline, double steps_s);
void observer_clear(struct observer *o);
/* Notes the most vertices that waited on a GPU at once, and the buffers of its
 * aggregator. */
void observer_sizes(struct observer *o, uint32_t gpu, uint64_t queue_most,
                    uint64_t buffers_B);
/* Completes the statistics, once r->time_s is known; after observer_sizes(). */
void observer_end(struct observer *o);

/* Counts a kernel, a superstep, or a fetch of a persistent kernel. */
void observer_step(struct observer *o);
void observer_visits(struct observer *o, uint32_t gpu, uint64_t visits,
                     uint64_t edges);
void observer_updates(struct observer *o, uint32_t gpu, uint64_t sent);
void observer_received(struct observer *o, uint32_t gpu, uint64_t received);

/* The following change the state of a GPU at time s; the times of one GPU must
 * not decrease. observer_work() is called when work begins, observer_done()
 * when it has ended, all of it. */
void observer_work(struct observer *o, uint32_t gpu, double s);
void observer_done(struct observer *o, uint32_t gpu, double from_s, double to_s,
                   uint64_t visits, uint64_t edges);
/* Notes the number of waiting vertices; called once per time, after all of its
 * events. */
void observer_queue(struct observer *o, uint32_t gpu, double s,
                    uint64_t length);
/* Note that an update is under way to a GPU, and that it has arrived. */
void observer_coming(struct observer *o, uint32_t gpu, double s);
void observer_arrived(struct observer *o, uint32_t gpu, double s);

/* Note that the aggregator holds `more` updates more; that it has sent
 * `updates`; and that it sent a batch because it was full, or because it had
 * waited. */
void observer_gathered(struct observer *o, uint32_t gpu, uint64_t more);
void observer_sent(struct observer *o, uint32_t gpu, uint64_t updates);
void observer_flush(struct observer *o, bool full);

/* Adds a transfer of `bytes` that took wire_B on the wire, from from_s to
 * to_s. */
void observer_use(struct observer *o, struct track track, double from_s,
                  double to_s, double bytes, double wire_B);
/* Adds a copy between a GPU and its host, for the timeline only. */
void observer_copy(struct observer *o, uint32_t gpu, double from_s, double to_s,
                   double bytes);

#endif
