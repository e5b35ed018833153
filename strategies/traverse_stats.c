/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strategies/traverse_state.h"

#include "sim/child.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Of the time: at least 327 for each of TRAVERSE_PARTS. */
#define BINS 65536

void traverse_stats_begin(struct traversal *t)
{
    time_bins_init(&t->used_B, BINS);
}

void traverse_note_use(struct traversal *t, double from_s, double to_s,
                       double bytes, double wire_B)
{
    int size = 0;

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
    w->since_s = s;
}

void traverse_note_work(struct gpu *g, double s)
{
    add_up(g, s);
    g->watch.at_work++;
}

void traverse_note_done(struct gpu *g, double s)
{
    assert(g->watch.at_work);
    add_up(g, s);
    g->watch.at_work--;
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
    time_bins_clear(&t->used_B);
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
        child_put(fd, links, n * sizeof *links) < 0)
        return;
}

int traverse_get_lists(struct traverse_result *r, int fd)
{
    if (child_get(fd, &r->nlinks, sizeof r->nlinks) < 0)
        return -1;
    r->links = xcalloc(r->nlinks, sizeof *r->links);
    return child_get(fd, r->links, r->nlinks * sizeof *r->links);
}
