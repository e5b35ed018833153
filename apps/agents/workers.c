/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The times at which a GPU works, and at which its results are known.
 *
 * Workers, blocks of threads, share the GPU: each does as much in a time as the
 * others, all together as much as the GPU can, and one alone no more than its
 * own threads can. So the GPU has a clock of its own: the units of work that a
 * worker has done if it was always active. On this clock the end of every
 * vertex is known as soon as a worker dequeues it.
 */
#include "apps/agents/workers.h"

#include "sim/network/engine.h"
#include "apps/agents/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Slices of a chunk per dependent step. */
#define SLICES_PER_STEP 4

/* --- chunks --------------------------------------------------------------- */

struct chunk *chunk_new(struct workers *w)
{
    struct chunks *p = w->setup->chunks;
    struct chunk *c = p->free;

    if (c) {
        p->free = c->next;
    } else {
        c = xcalloc(1, sizeof *c);
        c->number = p->n++;
        p->all = xrealloc(p->all, p->n, sizeof(struct chunk *));
        p->all[c->number] = c;
    }
    c->on = w;
    c->work.tasks.n = 0;
    c->work.edges = c->work.visits = 0;
    c->work.units = 0;
    return c;
}

void chunk_free(struct chunk *c)
{
    struct chunks *p = c->on->setup->chunks;

    c->next = p->free;
    p->free = c;
}

void chunks_clear(struct chunks *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        free(p->all[i]->work.tasks.list);
        free(p->all[i]->placed.list);
        free(p->all[i]);
    }
    free(p->all);
    memset(p, 0, sizeof *p);
}

void workers_init(struct workers *w, const struct workers_setup *setup,
                  uint32_t gpu)
{
    *w = (struct workers){.setup = setup, .gpu = gpu, .tick_s = INFINITY};
}

void workers_clear(struct workers *w)
{
    time_heap_clear(&w->running);
    memset(w, 0, sizeof *w);
}

uint64_t workers_idle(const struct workers *w)
{
    return w->active < w->setup->workers ? w->setup->workers - w->active : 0;
}

bool workers_are_done(const struct workers *w)
{
    return !w->active && !w->unknown;
}

/* --- the GPU's clock ------------------------------------------------------ */

/* Returns the seconds that a unit takes each of the active workers; if they are
 * few, they cannot keep the whole GPU busy. */
static double worker_unit_s(const struct workers *w)
{
    const struct workers_setup *s = w->setup;

    return s->unit_s * fmax(w->active, s->gpus[w->gpu].full);
}

static void workers_advance(struct workers *w)
{
    double now = engine_now(w->setup->engine);

    if (w->active)
        w->clock += (now - w->clock_s) / worker_unit_s(w);
    w->clock_s = now;
}

/* Returns the running chunk whose next slice ends first. */
static struct chunk *first_running(const struct workers *w)
{
    return w->setup->chunks->all[w->running.items[0].id];
}

static void workers_tick(void *arg);

/* Sets an event for the next end of a slice. Events are not cancelled: one that
 * comes too early, because workers were added after it was set, sets the
 * next. */
void workers_wait(struct workers *w)
{
    double now = engine_now(w->setup->engine);

    if (!w->running.n)
        return;
    double left = fmax(time_heap_first(&w->running) - w->clock, 0);
    double due = now + left * worker_unit_s(w);
    if (w->tick_s <= due)
        return;
    w->tick_s = due;
    engine_after(w->setup->engine, due - now, workers_tick, w);
}

/* --- slices --------------------------------------------------------------- */

/* Returns the clock at the end of a slice, since the chunk began. */
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

/* Adds a vertex: in parts, at most one per slice, if its worker takes long. */
static void chunk_place(struct chunk *c, struct task p, double begin,
                        double length)
{
    double parts = length * c->slices / c->span;

    p.parts = (uint8_t)fmin(fmax(parts, 1), MOST_SLICES);
    for (p.part = 0; p.part < p.parts; p.part++) {
        p.slice = slice_at(c, begin + length * (p.part + 1) / p.parts);
        c->first[p.slice + 1]++;
        tasks_add(&c->placed, p);
    }
}

/* Sorts the tasks by their slices; within a slice they keep their order. */
static void chunk_sort(struct chunk *c)
{
    size_t at[MOST_SLICES + TAIL_SLICES];
    struct tasks was = c->work.tasks;

    for (uint32_t i = 0; i < c->slices + c->tails; i++) {
        c->first[i + 1] += c->first[i];
        at[i] = c->first[i];
    }
    c->work.tasks = c->placed;
    c->placed = was;
    struct tasks *tasks = &c->work.tasks;
    tasks_reserve(&c->placed, tasks->n);
    for (size_t i = 0; i < tasks->n; i++)
        c->placed.list[at[tasks->list[i].slice]++] = tasks->list[i];
    c->placed.n = tasks->n;
}

/* Returns the units that a worker waits for each fetch, whatever its tasks,
 * because of accesses that wait for each other. */
static double chain_units(const struct chunk *c)
{
    return c->on->setup->gpus[c->on->gpu].chain_s / worker_unit_s(c->on);
}

/* Returns the units of the worker that takes longest; *sum is that of all
 * together. */
static double longest(const struct chunk *c, const struct workers_setup *s,
                      double *sum)
{
    double first = chain_units(c), one = first, most = 0;

    *sum = first * c->nworkers;
    for (size_t i = 0; i < c->work.tasks.n; i++) {
        if (i % s->fetch == 0)
            one = first;
        double units = (double)s->vertex[c->work.tasks.list[i].u.v];
        one += units;
        *sum += units;
        most = fmax(most, one);
    }
    return most;
}

/* Cuts the chunk into slices up to twice the mean time of a worker, and coarser
 * ones for workers that take longer. */
static void choose_slices(struct chunk *c, const struct workers_setup *s)
{
    double sum, most = longest(c, s, &sum);
    double slice = s->step_s / SLICES_PER_STEP / worker_unit_s(c->on);

    c->span = fmin(most, 2 * sum / c->nworkers);
    c->tail = most - c->span;
    c->slices = (uint32_t)fmin(fmax(ceil(c->span / slice), 1), MOST_SLICES);
    c->tails =
        c->tail > 0 ? (uint32_t)fmin(ceil(c->tail / slice), TAIL_SLICES) : 0;
    if (s->at_end) {
        c->slices = 1;
        c->tails = 0;
        c->span = most;
    }
}

/* Cuts the chunk after its vertices are distributed to workers in order, a
 * fetch each. */
static void cut_in_slices(struct chunk *c, const struct workers_setup *s)
{
    double first = chain_units(c), done = first;

    choose_slices(c, s);
    memset(c->first, 0, sizeof c->first);
    memset(c->ended, 0, sizeof c->ended);
    c->placed.n = 0;
    for (size_t i = 0; i < c->work.tasks.n; i++) {
        double units = (double)s->vertex[c->work.tasks.list[i].u.v];
        chunk_place(c, c->work.tasks.list[i], done, units);
        done += units;
        if ((i + 1) % s->fetch == 0 || i + 1 == c->work.tasks.n) {
            c->ended[slice_at(c, done)]++;
            done = first;
        }
    }
    chunk_sort(c);
}

/* Makes one slice, because the whole GPU may do other work than the arcs of
 * vertices. */
static void leave_whole(struct chunk *c)
{
    struct tasks was = c->placed;

    c->placed = c->work.tasks;
    c->work.tasks = was;
    c->span = chain_units(c) + c->work.units;
    c->tail = 0;
    c->slices = 1;
    c->tails = 0;
    c->first[0] = 0;
    c->first[1] = c->placed.n;
    c->ended[0] = 1;
}

/* --- chunks in time ------------------------------------------------------- */

static bool slice_is_empty(const struct chunk *c, uint32_t i)
{
    return c->first[i] == c->first[i + 1] && !c->ended[i];
}

static void skip_empty(const struct chunk *c, uint32_t *slice)
{
    while (*slice < c->slices + c->tails && slice_is_empty(c, *slice))
        ++*slice;
}

static void add_workers(struct workers *w, struct chunk *c, uint32_t n)
{
    workers_advance(w);
    if (!w->running.n)
        w->clock = 0;
    c->nworkers = n;
    w->active += n;
}

static void chunk_begin(struct workers *w, struct chunk *c)
{
    c->begin = w->clock;
    c->slice = 0;
    skip_empty(c, &c->slice);
    c->known = c->slice;
    time_heap_set(&w->running, c->number, c->begin + slice_end(c, c->slice));
}

void workers_begin(struct workers *w, struct chunk *c)
{
    size_t fetch = w->setup->fetch;

    add_workers(w, c, (uint32_t)((c->work.tasks.n + fetch - 1) / fetch));
    cut_in_slices(c, w->setup);
    chunk_begin(w, c);
}

void workers_begin_whole(struct workers *w, struct chunk *c)
{
    add_workers(w, c, 1);
    leave_whole(c);
    chunk_begin(w, c);
}

static void slice_known(void *arg)
{
    struct chunk *c = arg;
    struct workers *w = c->on;
    size_t first = c->first[c->known], n = c->first[c->known + 1] - first;

    c->known++;
    skip_empty(c, &c->known);
    w->unknown--;
    w->setup->known(w->setup->arg, w->gpu, c, &c->placed.list[first], n,
                    c->known == c->slices + c->tails);
}

/* Ends the next slice of the first of the running chunks. */
static void end_slice(struct workers *w)
{
    struct chunk *c = first_running(w);

    w->active -= c->ended[c->slice++];
    skip_empty(c, &c->slice);
    if (c->slice == c->slices + c->tails)
        time_heap_pop(&w->running);
    else
        time_heap_set(&w->running, c->number,
                      c->begin + slice_end(c, c->slice));
    w->unknown++;
    engine_after(w->setup->engine, w->setup->known_after_s, slice_known, c);
}

/* Returns whether a slice ends now: times within a millionth of a step, or
 * closer than the clock's precision, are the same. */
static bool is_due(const struct workers *w)
{
    if (!w->running.n)
        return false;
    double left = time_heap_first(&w->running) - w->clock, now = w->clock_s;
    double left_s = left * worker_unit_s(w);
    return left_s < 1e-6 * w->setup->step_s || now + left_s <= now;
}

static void workers_tick(void *arg)
{
    struct workers *w = arg;

    if (w->tick_s <= engine_now(w->setup->engine))
        w->tick_s = INFINITY;
    workers_advance(w);
    while (is_due(w))
        end_slice(w);
    w->setup->idle(w->setup->arg, w->gpu);
    workers_wait(w);
}
