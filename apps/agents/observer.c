/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up how each GPU and the network spent the time. */
#include "apps/agents/observer.h"

#include "apps/agents/traverse.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bins of the whole time: at least 327 for each of TRAVERSE_PARTS. */
#define BINS 65536
/* Events of a timeline: a number that viewers show with ease, some ten MB as a
 * file. */
#define TRACE_EVENTS 65536

struct observer_gpu {
    double since_s; /* time until which all is added up */
    uint32_t at_work, coming;
    uint64_t queued, gathered;
    double queue_s; /* vertices times the seconds that they waited */
};

void observer_begin(struct observer *o, struct traverse_result *r,
                    struct task_trace_tracks tracks, uint32_t update_B,
                    bool timeline, double steps_s)
{
    *o = (struct observer){.r = r,
                           .ngpus = tracks.ngpus,
                           .update_B = update_B,
                           .per_node = (tracks.ngpus + tracks.nodes - 1) /
                                       tracks.nodes};
    o->gpus = xcalloc(o->ngpus, sizeof *o->gpus);
    time_bins_init(&o->used_B, BINS);
    if (timeline)
        o->trace = task_trace_new(tracks, TRACE_EVENTS, steps_s);
}

void observer_clear(struct observer *o)
{
    free(o->gpus);
    time_bins_clear(&o->used_B);
    task_trace_free(o->trace);
    memset(o, 0, sizeof *o);
}

/* --- the timeline and the network ----------------------------------------- */

static void observer_trace(struct observer *o, struct track track,
                           double from_s, double to_s, uint64_t amount,
                           uint64_t more)
{
    if (!o->trace)
        return;
    uint32_t number = track_number(&o->trace->tracks, track);
    task_trace_add(o->trace, (struct task_trace_event){from_s, to_s, number, 1,
                                                       amount, more});
}

void observer_copy(struct observer *o, uint32_t gpu, double from_s, double to_s,
                   double bytes)
{
    observer_trace(o, (struct track){TRACK_HOST, gpu, gpu}, from_s, to_s,
                   (uint64_t)bytes, (uint64_t)bytes);
}

void observer_use(struct observer *o, struct track track, double from_s,
                  double to_s, double bytes, double wire_B)
{
    size_t gpus = track.kind == TRACK_NODES ? o->per_node : 1;
    int size = 0;

    o->r->gpus[track.from * gpus].sent_B += (uint64_t)bytes;
    o->r->gpus[track.to * gpus].received_B += (uint64_t)bytes;
    observer_trace(o, track, from_s, to_s, (uint64_t)bytes, (uint64_t)wire_B);
    time_bins_add(&o->used_B, from_s, to_s, wire_B);
    while (size + 1 < TRAVERSE_SIZES && bytes >= ldexp(2, size))
        size++;
    o->r->sizes[size]++;
    o->r->transfers++;
    o->r->transfer_B += (uint64_t)bytes;
    o->r->wire_B += (uint64_t)wire_B;
}

/* --- GPUs ----------------------------------------------------------------- */

void observer_step(struct observer *o)
{
    o->r->steps++;
}

void observer_visits(struct observer *o, uint32_t gpu, uint64_t visits,
                     uint64_t edges)
{
    o->r->gpus[gpu].visits += visits;
    o->r->gpus[gpu].edges += edges;
}

void observer_updates(struct observer *o, uint32_t gpu, uint64_t sent)
{
    o->r->gpus[gpu].updates += sent;
}

void observer_received(struct observer *o, uint32_t gpu, uint64_t received)
{
    o->r->gpus[gpu].received += received;
}

/* Adds the time since the last change to the GPU's state until now. */
static struct observer_gpu *observer_advance(struct observer *o, uint32_t gpu,
                                             double s)
{
    struct observer_gpu *g = &o->gpus[gpu];
    struct traverse_gpu *stats = &o->r->gpus[gpu];
    double took = s - g->since_s;

    assert(took >= 0);
    if (g->at_work)
        stats->busy_s += took;
    else if (g->coming || g->queued)
        stats->waiting_s += took;
    else
        stats->idle_s += took;
    g->queue_s += (double)g->queued * took;
    if (o->trace && g->queued)
        time_bins_add(&o->trace->queued[gpu], g->since_s, s,
                      (double)g->queued * took);
    g->since_s = s;
    return g;
}

void observer_work(struct observer *o, uint32_t gpu, double s)
{
    observer_advance(o, gpu, s)->at_work++;
}

void observer_done(struct observer *o, uint32_t gpu, double from_s, double to_s,
                   uint64_t visits, uint64_t edges)
{
    struct observer_gpu *g = observer_advance(o, gpu, to_s);

    assert(g->at_work);
    g->at_work--;
    observer_trace(o, (struct track){TRACK_STEPS, gpu, gpu}, from_s, to_s,
                   visits, edges);
}

void observer_queue(struct observer *o, uint32_t gpu, double s, uint64_t length)
{
    observer_advance(o, gpu, s)->queued = length;
}

void observer_coming(struct observer *o, uint32_t gpu, double s)
{
    observer_advance(o, gpu, s)->coming++;
}

void observer_arrived(struct observer *o, uint32_t gpu, double s)
{
    struct observer_gpu *g = observer_advance(o, gpu, s);

    assert(g->coming);
    g->coming--;
}

/* --- the aggregator ------------------------------------------------------- */

void observer_gathered(struct observer *o, uint32_t gpu, uint64_t more)
{
    struct traverse_gpu *stats = &o->r->gpus[gpu];

    o->gpus[gpu].gathered += more;
    uint64_t bytes = o->gpus[gpu].gathered * o->update_B;
    if (bytes > stats->gathered_most_B)
        stats->gathered_most_B = bytes;
}

void observer_sent(struct observer *o, uint32_t gpu, uint64_t updates)
{
    assert(updates <= o->gpus[gpu].gathered);
    o->gpus[gpu].gathered -= updates;
}

void observer_flush(struct observer *o, bool full)
{
    full ? o->r->flushed_full++ : o->r->flushed_waited++;
}

/* --- the end -------------------------------------------------------------- */

void observer_sizes(struct observer *o, uint32_t gpu, uint64_t queue_most,
                    uint64_t buffers_B)
{
    o->r->gpus[gpu].queue_most = queue_most;
    o->r->gpus[gpu].buffers_B = buffers_B;
}

static void observer_end_gpu(struct observer *o, uint32_t gpu, double time_s)
{
    const struct observer_gpu *g = observer_advance(o, gpu, time_s);

    assert(!g->at_work && !g->coming && !g->queued && !g->gathered);
    o->r->gpus[gpu].queue_mean = time_s > 0 ? g->queue_s / time_s : 0;
    o->r->visits += o->r->gpus[gpu].visits;
    o->r->edges += o->r->gpus[gpu].edges;
}

static void observer_share_use(struct observer *o)
{
    double all = 0, most = 0;

    time_bins_share(&o->used_B, o->r->used_B, TRAVERSE_PARTS, o->r->time_s);
    for (int i = 0; i < TRAVERSE_PARTS; i++) {
        all += o->r->used_B[i];
        most = fmax(most, o->r->used_B[i]);
    }
    o->r->peak_over_mean = all > 0 ? most / (all / TRAVERSE_PARTS) : 0;
}

void observer_end(struct observer *o)
{
    struct traverse_result *r = o->r;

    for (uint32_t i = 0; i < o->ngpus; i++)
        observer_end_gpu(o, i, r->time_s);
    r->workload = r->reached ? (double)r->visits / (double)r->reached : 0;
    observer_share_use(o);
}
