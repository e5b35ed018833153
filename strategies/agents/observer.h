/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observer.h - what a run reports besides its result: how the time of each GPU
 * and the network was spent, and its timeline. All others call it; it calls
 * none of them, and changes nothing of the run. */
#ifndef STRATEGIES_AGENTS_OBSERVER_H
#define STRATEGIES_AGENTS_OBSERVER_H

#include "strategies/agents/time_bins.h"
#include "strategies/agents/traverse_trace.h"

#include <stdbool.h>

struct traverse_result;

struct observer {
    struct traverse_result *r; /* its counters are written here */
    uint32_t ngpus, update_B;
    uint32_t per_node;         /* GPUs */
    struct observer_gpu *gpus; /* what each has at this time */
    struct time_bins used_B;   /* on the wire */
    struct task_trace *trace;  /* NULL: no timeline is wanted */
};

/* timeline: it is wanted, and steps within steps_s of each other are one. */
void observer_begin(struct observer *o, struct traverse_result *r,
                    struct task_trace_tracks tracks, uint32_t update_B,
                    bool timeline, double steps_s);
void observer_clear(struct observer *o);
/* The most vertices that waited on a GPU at once; its aggregator's buffers. */
void observer_sizes(struct observer *o, uint32_t gpu, uint64_t queue_most,
                    uint64_t buffers_B);
/* After that, once r->time_s is known. */
void observer_end(struct observer *o);

/* A kernel, a superstep, or a fetch of a persistent kernel. */
void observer_step(struct observer *o);
void observer_visits(struct observer *o, uint32_t gpu, uint64_t visits,
                     uint64_t edges);
void observer_updates(struct observer *o, uint32_t gpu, uint64_t sent);
void observer_received(struct observer *o, uint32_t gpu, uint64_t received);

/* What a GPU has changes at a time; the times of a GPU must not decrease.
 * Something is at work; it has ended, all of it. */
void observer_work(struct observer *o, uint32_t gpu, double s);
void observer_done(struct observer *o, uint32_t gpu, double from_s, double to_s,
                   uint64_t visits, uint64_t edges);
/* So many vertices wait. Once for all that happens at one time. */
void observer_queue(struct observer *o, uint32_t gpu, double s,
                    uint64_t length);
/* Something is under way to it; it has arrived. */
void observer_coming(struct observer *o, uint32_t gpu, double s);
void observer_arrived(struct observer *o, uint32_t gpu, double s);

/* The aggregator holds so many updates more; it has sent so many; a batch went
 * because it was full, or had waited. */
void observer_gathered(struct observer *o, uint32_t gpu, uint64_t more);
void observer_sent(struct observer *o, uint32_t gpu, uint64_t updates);
void observer_flush(struct observer *o, bool full);

/* A transfer of so many bytes took so many on the wire, in this time. */
void observer_use(struct observer *o, struct track track, double from_s,
                  double to_s, double bytes, double wire_B);
/* For the timeline alone: a copy between a GPU and its host. */
void observer_copy(struct observer *o, uint32_t gpu, double from_s, double to_s,
                   double bytes);

#endif
