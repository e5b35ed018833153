/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts what each GPU and link does during a traversal, and hands the sums to
 * the parent process. */
#include "strategies/agents/traverse_state.h"

#include "base/child.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Of the time: at least 327 for each of TRAVERSE_PARTS. */
#define BINS 65536
/* Of a timeline: what viewers show with ease, and some ten MB as a file. */
#define TRACE_EVENTS 65536

void traverse_stats_begin(struct traversal *t)
{
    unsigned per_node = t->in->m->ngpus;
    struct trace_tracks tracks = {t->in->ngpus,
                                  (t->in->ngpus + per_node - 1) / per_node};

    time_bins_init(&t->used_B, BINS);
    if (t->in->timeline)
        t->trace = trace_new(tracks, TRACE_EVENTS,
                             t->in->x->persistent ? 2 * t->step_s : 0);
}

static void trace(struct traversal *t, struct track track, double from_s,
                  double to_s, uint64_t amount, uint64_t more)
{
    if (!t->trace)
        return;
    uint32_t number = track_number(&t->trace->tracks, track);
    trace_add(t->trace,
              (struct trace_event){from_s, to_s, number, 1, amount, more});
}

void traverse_note_copy(struct traversal *t, uint32_t gpu, double from_s,
                        double to_s, double bytes)
{
    trace(t, (struct track){TRACK_HOST, gpu, gpu}, from_s, to_s,
          (uint64_t)bytes, (uint64_t)bytes);
}

void traverse_note_use(struct traversal *t, struct track track, double from_s,
                       double to_s, double bytes, double wire_B)
{
    int size = 0;

    trace(t, track, from_s, to_s, (uint64_t)bytes, (uint64_t)wire_B);
    time_bins_add(&t->used_B, from_s, to_s, wire_B);
    while (size + 1 < TRAVERSE_SIZES && bytes >= ldexp(2, size))
        size++;
    t->r->sizes[size]++;
    t->r->transfers++;
    t->r->transfer_B += (uint64_t)bytes;
    t->r->wire_B += (uint64_t)wire_B;
}

/* Until now the GPU had what it has. */
static void add_up(struct gpu *g, double s)
{
    struct gpu_watch *w = &g->watch;
    double took = s - w->since_s;

    assert(took >= 0);
    if (w->at_work)
        g->stats->busy_s += took;
    else if (w->coming || w->queued)
        g->stats->waiting_s += took;
    else
        g->stats->idle_s += took;
    w->queue_s += (double)w->queued * took;
    if (g->t->trace && w->queued)
        time_bins_add(&g->t->trace->queued[g->number], w->since_s, s,
                      (double)w->queued * took);
    w->since_s = s;
}

void traverse_note_work(struct gpu *g, double s)
{
    add_up(g, s);
    g->watch.at_work++;
}

void traverse_note_done(struct gpu *g, double from_s, double to_s,
                        uint64_t visits, uint64_t edges)
{
    assert(g->watch.at_work);
    add_up(g, to_s);
    g->watch.at_work--;
    trace(g->t, (struct track){TRACK_STEPS, g->number, g->number}, from_s, to_s,
          visits, edges);
}

void traverse_note_queue(struct gpu *g, double s, uint64_t length)
{
    add_up(g, s);
    g->watch.queued = length;
}

void traverse_note_coming(struct gpu *g, double s)
{
    add_up(g, s);
    g->watch.coming++;
}

void traverse_note_arrived(struct gpu *g, double s)
{
    assert(g->watch.coming);
    add_up(g, s);
    g->watch.coming--;
}

void traverse_note_gathered(struct gpu *g, uint64_t more)
{
    g->watch.gathered += more;
    uint64_t bytes = g->watch.gathered * g->t->in->x->update_B;
    if (bytes > g->stats->gathered_most_B)
        g->stats->gathered_most_B = bytes;
}

void traverse_note_sent(struct gpu *g, uint64_t updates)
{
    assert(updates <= g->watch.gathered);
    g->watch.gathered -= updates;
}

static void end_gpu(struct gpu *g, double time_s)
{
    assert(!g->watch.at_work && !g->watch.coming && !g->watch.queued &&
           !g->watch.gathered);
    g->stats->buffers_B = traverse_destinations(g->t, g) * g->t->in->x->batch_B;
    add_up(g, time_s);
    g->stats->queue_mean = time_s > 0 ? g->watch.queue_s / time_s : 0;
}

static void share_use(struct traversal *t)
{
    double all = 0, most = 0;

    time_bins_share(&t->used_B, t->r->used_B, TRAVERSE_PARTS, t->r->time_s);
    for (int i = 0; i < TRAVERSE_PARTS; i++) {
        all += t->r->used_B[i];
        most = fmax(most, t->r->used_B[i]);
    }
    t->r->peak_over_mean = all > 0 ? most / (all / TRAVERSE_PARTS) : 0;
}

void traverse_stats_end(struct traversal *t)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        end_gpu(&t->gpus[i], t->r->time_s);
    share_use(t);
}

void traverse_put_lists(const struct traversal *t, int fd)
{
    struct link_use *links;
    size_t n = engine_links_used(t->engine, &links);

    if (child_put(fd, &n, sizeof n) < 0 ||
        child_put(fd, links, n * sizeof *links) < 0 ||
        (t->trace && trace_put(t->trace, &t->used_B, t->r->time_s, fd) < 0))
        return;
}

int traverse_get_lists(struct traverse_result *r, bool with_trace, int fd)
{
    if (child_get(fd, &r->nlinks, sizeof r->nlinks) < 0)
        return -1;
    r->links = xcalloc(r->nlinks, sizeof *r->links);
    if (child_get(fd, r->links, r->nlinks * sizeof *r->links) < 0)
        return -1;
    r->trace = with_trace ? trace_get(fd) : NULL;
    return with_trace && !r->trace ? -1 : 0;
}
