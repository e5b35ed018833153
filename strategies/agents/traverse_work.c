/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a GPU works, and when what it finds is known.
 *
 * Workers, blocks of threads, share the GPU: each does as many edges in a time
 * as the others, all together as many as the GPU can, and one alone no more
 * than its own threads can. So the GPU has a clock of its own: the edges that a
 * worker which was always active has done. Against it the end of every vertex
 * is known as soon as a worker takes it.
 */
#include "strategies/agents/traverse_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How finely the time of a chunk is cut: in parts of a dependent step. */
#define SLICES_PER_STEP 4

/* --- chunks --------------------------------------------------------------- */

static void make_room(struct tasks *list, size_t room)
{
    if (list->room >= room)
        return;
    while (list->room < room)
        list->room = list->room ? 2 * list->room : 64;
    list->list = xrealloc(list->list, list->room, sizeof *list->list);
}

void traverse_add_task(struct tasks *list, struct task p)
{
    make_room(list, list->n + 1);
    list->list[list->n++] = p;
}

static struct chunk *new_chunk(struct traversal *t, struct gpu *g)
{
    struct chunk *c = t->free_chunks;

    if (c) {
        t->free_chunks = c->next;
    } else {
        c = xcalloc(1, sizeof *c);
        c->number = t->nchunks++;
        t->chunks = xrealloc(t->chunks, t->nchunks, sizeof(struct chunk *));
        t->chunks[c->number] = c;
    }
    c->g = g;
    c->work.n = 0;
    c->edges = c->visits = 0;
    return c;
}

struct chunk *traverse_take(struct traversal *t, struct gpu *g)
{
    struct chunk *c = new_chunk(t, g);

    if (!traverse_pop(c, t, UINT64_MAX)) {
        traverse_free_chunk(t, c);
        return NULL;
    }
    if (t->ops->direct)
        t->ops->direct(t, c);
    g->stats->visits += c->visits;
    g->stats->edges += c->edges;
    t->r->steps++;
    c->begin_s = engine_now(t->engine);
    traverse_note_work(g, c->begin_s);
    traverse_queue_changed(g);
    return c;
}

void traverse_free_chunk(struct traversal *t, struct chunk *c)
{
    c->next = t->free_chunks;
    t->free_chunks = c;
}

double traverse_look_s(const struct traversal *t, const struct gpu *g,
                       bool looked)
{
    double s = t->in->x->dense_s_per_vertex * (double)g->vertices;

    /* Reading 8 bytes of every vertex. */
    if (looked && t->in->m->gpu.memory_Bps > 0)
        s += 8 * (double)g->vertices / t->in->m->gpu.memory_Bps;
    return s;
}

/* --- the GPU's clock -------------------------------------------------------
 */

/* How long an edge takes each of the active workers. */
static double worker_edge_s(const struct traversal *t, const struct gpu *g)
{
    return fmax(t->edge_s * g->active, t->in->x->worker_edge_s);
}

static void advance(struct traversal *t, struct gpu *g)
{
    double now = engine_now(t->engine);

    if (g->active)
        g->clock += (now - g->clock_s) / worker_edge_s(t, g);
    g->clock_s = now;
}

/* The one whose next slice ends first. */
static struct chunk *first_running(const struct traversal *t,
                                   const struct gpu *g)
{
    return t->chunks[g->running.items[0].id];
}

static void tick(void *arg);

/* Events are not taken back: one that comes too early, since workers were added
 * after it was set, sets the next. */
static void set_tick(struct traversal *t, struct gpu *g)
{
    double now = engine_now(t->engine);

    if (!g->running.n)
        return;
    double left = fmax(time_heap_first(&g->running) - g->clock, 0);
    double due = now + left * worker_edge_s(t, g);
    if (g->tick_s <= due)
        return;
    g->tick_s = due;
    engine_after(t->engine, due - now, tick, g);
}

/* --- slices ----------------------------------------------------------------
 */

/* The clock's time at the end of a slice, since the chunk began. */
static double slice_end(const struct chunk *c, uint32_t slice)
{
    if (slice < c->slices)
        return c->span * (slice + 1) / c->slices;
    return c->span + c->tail * (slice + 1 - c->slices) / c->tails;
}

static uint8_t slice_at(const struct chunk *c, double end)
{
    double slice = end <= c->span || !c->tails
                       ? end * c->slices / c->span
                       : c->slices + (end - c->span) * c->tails / c->tail;
    double last = c->slices + c->tails;

    return (uint8_t)(fmin(fmax(ceil(slice), 1), last) - 1);
}

/* Adds a vertex: in parts, one a slice at most, when its worker takes long. */
static void place(struct chunk *c, struct task p, double begin, double length)
{
    double parts = length * c->slices / c->span;

    p.parts = (uint8_t)fmin(fmax(parts, 1), MOST_SLICES);
    for (p.part = 0; p.part < p.parts; p.part++) {
        p.slice = slice_at(c, begin + length * (p.part + 1) / p.parts);
        c->first[p.slice + 1]++;
        traverse_add_task(&c->placed, p);
    }
}

/* In the order of their slices; within one they stay in order. */
static void sort_tasks(struct chunk *c)
{
    size_t at[MOST_SLICES + TAIL_SLICES];
    struct tasks was = c->work;

    for (uint32_t i = 0; i < c->slices + c->tails; i++) {
        c->first[i + 1] += c->first[i];
        at[i] = c->first[i];
    }
    c->work = c->placed;
    c->placed = was;
    make_room(&c->placed, c->work.n);
    for (size_t i = 0; i < c->work.n; i++)
        c->placed.list[at[c->work.list[i].slice]++] = c->work.list[i];
    c->placed.n = c->work.n;
}

/* What a vertex takes a worker, in edges. */
static double edges_of(const struct traversal *t, uint32_t v)
{
    return (double)graph_degree(t->in->g, v) + t->vertex_edges;
}

/* How long the longest of the workers takes; all of them together into `sum`.
 */
static double longest(const struct chunk *c, const struct traversal *t,
                      double *sum)
{
    double one = 0, most = 0;

    *sum = 0;
    for (size_t i = 0; i < c->work.n; i++) {
        if (i % t->fetch == 0)
            one = 0;
        double edges = edges_of(t, c->work.list[i].u.v);
        one += edges;
        *sum += edges;
        most = fmax(most, one);
    }
    return most;
}

/* Slices up to twice the time of a worker in the mean, and coarser ones for
 * those who take longer. */
static void choose_slices(struct chunk *c, const struct traversal *t)
{
    double sum, most = longest(c, t, &sum);
    double slice = t->step_s / SLICES_PER_STEP / worker_edge_s(t, c->g);

    c->span = fmin(most, 2 * sum / c->nworkers);
    c->tail = most - c->span;
    c->slices = (uint32_t)fmin(fmax(ceil(c->span / slice), 1), MOST_SLICES);
    c->tails =
        c->tail > 0 ? (uint32_t)fmin(ceil(c->tail / slice), TAIL_SLICES) : 0;
    /* What the CPU is to send goes when the kernel has ended. */
    if (t->in->x->cpu_control) {
        c->slices = 1;
        c->tails = 0;
        c->span = most;
    }
}

/* The vertices are dealt to workers in order, a fetch each. */
static void cut_in_slices(struct chunk *c, const struct traversal *t)
{
    double done = 0;

    choose_slices(c, t);
    memset(c->first, 0, sizeof c->first);
    memset(c->ended, 0, sizeof c->ended);
    c->placed.n = 0;
    for (size_t i = 0; i < c->work.n; i++) {
        double edges = edges_of(t, c->work.list[i].u.v);
        place(c, c->work.list[i], done, edges);
        done += edges;
        if ((i + 1) % t->fetch == 0 || i + 1 == c->work.n) {
            c->ended[slice_at(c, done)]++;
            done = 0;
        }
    }
    sort_tasks(c);
}

/* One slice: the whole GPU does what may be other than the arcs of vertices. */
static void leave_whole(struct chunk *c, const struct traversal *t)
{
    struct tasks was = c->placed;

    c->placed = c->work;
    c->work = was;
    c->span = (double)c->edges + t->vertex_edges * (double)c->visits;
    c->tail = 0;
    c->slices = 1;
    c->tails = 0;
    c->first[0] = 0;
    c->first[1] = c->placed.n;
    c->ended[0] = 1;
}

/* --- chunks in time ---------------------------------------------------------
 */

static bool slice_is_empty(const struct chunk *c, uint32_t i)
{
    return c->first[i] == c->first[i + 1] && !c->ended[i];
}

static void skip_empty(const struct chunk *c, uint32_t *slice)
{
    while (*slice < c->slices + c->tails && slice_is_empty(c, *slice))
        ++*slice;
}

/* Idle workers begin with what the chunk has. */
static void begin_chunk(struct traversal *t, struct chunk *c)
{
    struct gpu *g = c->g;

    if (t->ops->direct)
        t->ops->direct(t, c);
    g->stats->visits += c->visits;
    g->stats->edges += c->edges;
    g->kernel_visits += c->visits;
    g->kernel_edges += c->edges;
    if (!c->work.n && !t->ops->direct) {
        traverse_free_chunk(t, c);
        return;
    }
    if (t->in->x->persistent) {
        t->r->steps++;
        c->begin_s = engine_now(t->engine);
        traverse_note_work(g, c->begin_s);
    }
    advance(t, g);
    if (!g->running.n)
        g->clock = 0;
    c->nworkers =
        t->ops->direct ? 1 : (uint32_t)((c->work.n + t->fetch - 1) / t->fetch);
    g->active += c->nworkers;
    if (t->ops->direct)
        leave_whole(c, t);
    else
        cut_in_slices(c, t);
    c->begin = g->clock;
    c->slice = 0;
    skip_empty(c, &c->slice);
    c->applied = c->slice;
    time_heap_set(&g->running, c->number, c->begin + slice_end(c, c->slice));
}

static void end_kernel(struct traversal *t, struct gpu *g)
{
    if (t->in->x->persistent || g->active || g->unapplied ||
        g->kernel.first < g->kernel.n)
        return;
    g->busy = false;
    t->last_s = engine_now(t->engine);
    traverse_note_done(g, g->kernel_s, t->last_s, g->kernel_visits,
                       g->kernel_edges);
}

/* All that its workers found is known. */
static void end_chunk(struct traversal *t, struct chunk *c)
{
    if (t->in->x->persistent)
        traverse_note_done(c->g, c->begin_s, engine_now(t->engine), c->visits,
                           c->edges);
    traverse_free_chunk(t, c);
}

static void apply(void *arg)
{
    struct chunk *c = arg;
    struct gpu *g = c->g;
    struct traversal *t = g->t;
    uint32_t slice = c->applied++;

    t->last_s = engine_now(t->engine);
    t->ops->apply(t, g, &c->placed.list[c->first[slice]],
                  c->first[slice + 1] - c->first[slice]);
    traverse_queue_changed(g);
    skip_empty(c, &c->applied);
    if (c->applied == c->slices + c->tails)
        end_chunk(t, c);
    g->unapplied--;
    traverse_send(t, g);
    end_kernel(t, g);
    traverse_start(t, g);
}

/* The first of the running chunks has ended its next slice. What it found is
 * known at once, or in a persistent kernel a dependent step later. */
static void end_slice(struct traversal *t, struct gpu *g)
{
    struct chunk *c = first_running(t, g);

    g->active -= c->ended[c->slice++];
    skip_empty(c, &c->slice);
    if (c->slice == c->slices + c->tails)
        time_heap_pop(&g->running);
    else
        time_heap_set(&g->running, c->number,
                      c->begin + slice_end(c, c->slice));
    g->unapplied++;
    engine_after(t->engine, t->in->x->persistent ? t->step_s : 0, apply, c);
}

/* Within a millionth of a step, or what the clock cannot tell apart, it is the
 * same time. */
static bool is_due(const struct traversal *t, const struct gpu *g)
{
    if (!g->running.n)
        return false;
    double left = time_heap_first(&g->running) - g->clock, now = g->clock_s;
    double left_s = left * worker_edge_s(t, g);
    return left_s < 1e-6 * t->step_s || now + left_s <= now;
}

static void tick(void *arg)
{
    struct gpu *g = arg;
    struct traversal *t = g->t;

    if (g->tick_s <= engine_now(t->engine))
        g->tick_s = INFINITY;
    advance(t, g);
    while (is_due(t, g))
        end_slice(t, g);
    traverse_start(t, g);
    set_tick(t, g);
}

/* --- taking work ------------------------------------------------------------
 */

/* Workers that are idle take a fetch each. */
static void workers_take(struct traversal *t, struct gpu *g)
{
    while (g->active < t->workers) {
        struct chunk *c = new_chunk(t, g);
        uint64_t most = (t->workers - g->active) * (uint64_t)t->fetch;
        if (most > t->threads && t->in->x->persistent)
            most = t->threads;
        bool any = t->in->x->persistent ? traverse_pop(c, t, most)
                                        : traverse_pop_kernel(c, t, most);
        if (!any) {
            traverse_free_chunk(t, c);
            break;
        }
        begin_chunk(t, c);
    }
    traverse_queue_changed(g);
    set_tick(t, g);
}

static void launched(void *arg)
{
    struct gpu *g = arg;

    g->launching = false;
    workers_take(g->t, g);
    end_kernel(g->t, g);
    traverse_start(g->t, g);
}

/* The kernel takes all that is queued, and the next begins after its end. */
static void start_kernel(struct traversal *t, struct gpu *g)
{
    bool looked;

    if (t->ops->aim) {
        t->ops->aim(t, g);
        traverse_send(t, g);
    }
    if (!traverse_fill_kernel(t, g, &looked))
        return;
    t->r->steps++;
    g->busy = g->launching = true;
    g->kernel_s = engine_now(t->engine);
    g->kernel_visits = g->kernel_edges = 0;
    traverse_note_work(g, g->kernel_s);
    traverse_queue_changed(g);
    engine_after(t->engine, t->step_s + traverse_look_s(t, g, looked), launched,
                 g);
}

static void looked(void *arg)
{
    struct gpu *g = arg;

    g->launching = false;
    g->t->last_s = engine_now(g->t->engine);
    traverse_note_done(g, g->kernel_s, g->t->last_s, 0, 0);
    traverse_raise(g->t, g);
    traverse_start(g->t, g);
}

static void look(struct traversal *t, struct gpu *g)
{
    g->launching = true;
    g->kernel_s = engine_now(t->engine);
    traverse_note_work(g, g->kernel_s);
    engine_after(t->engine, t->step_s + traverse_look_s(t, g, true), looked, g);
}

/* Persistent workers take what there is; when all are idle and only what was
 * put off waits, they look for it. */
static void start_workers(struct traversal *t, struct gpu *g)
{
    if (traverse_near_is_empty(g) && !g->active && traverse_far_waits(g)) {
        if (!t->ops->key) {
            look(t, g);
            return;
        }
        traverse_raise(t, g);
    }
    workers_take(t, g);
}

void traverse_start(struct traversal *t, struct gpu *g)
{
    if (g->launching || t->overflow != NO_OVERFLOW)
        return;
    if (!t->in->x->persistent && g->busy)
        workers_take(t, g);
    else if (traverse_stalled(t, g))
        return;
    else if (t->in->x->persistent)
        start_workers(t, g);
    else
        start_kernel(t, g);
}

void traverse_deliver(struct traversal *t, struct gpu *g, uint32_t from,
                      const struct update *list, size_t n)
{
    g->into = t->nqueues > 1 ? from : 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t owner = t->in->part[list[i].v];
        if (owner == g->number || t->ops->aim)
            t->ops->receive(t, g, list[i]);
        else /* to be passed on */
            traverse_add_update(&g->channels[owner].out, list[i]);
    }
    g->into = t->nqueues > 1 ? g->number : 0;
    g->stats->received += n;
    traverse_queue_changed(g);
}
