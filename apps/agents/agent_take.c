/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a GPU's waiting vertices from its queues, in chunks for its workers, or
 * all of them for a superstep. */
#include "apps/agents/agent_parts.h"

#include "base/inline.h"
#include "apps/agents/costs.h"

#include <stdlib.h>

void agent_queue_changed(struct agent *a)
{
    struct traversal *t = a->t;

    observer_queue(&t->observer, a->site.gpu, agent_now(a), a->queues.waiting);
    if (t->overflow == NO_OVERFLOW && queues_overflowed(&a->queues))
        t->overflow = a->site.gpu;
}

/* --- dequeuing ------------------------------------------------------------ */

/* Vertices are prefetched this many places ahead, because they are scattered in
 * memory. */
enum { AHEAD = 16 };

ALWAYS_INLINE void agent_ask(const struct traversal *t, uint32_t v)
{
    __builtin_prefetch(&t->in->g->first[v]);
    __builtin_prefetch(&t->in->costs->vertex[v]);
}

static void agent_fill(struct agent *a, struct work *w, const uint32_t *list,
                       size_t n)
{
    const struct traversal *t = a->t;

    w->visits += n;
    for (size_t i = 0; i < n; i++) {
        struct task p = {.u.v = list[i], .parts = 1};
        if (i + AHEAD < n)
            agent_ask(t, list[i + AHEAD]);
        if (queues_puts_back(&a->queues, p.u.v))
            continue;
        w->edges += graph_degree(t->in->g, p.u.v);
        w->units += (double)t->in->costs->vertex[p.u.v];
        if (t->algorithm->take(t->state, &a->site, &p.u))
            tasks_add(&w->tasks, p);
    }
}

/* Dequeues at most `most` vertices from the queues in turn; NULL if none
 * waits. */
static struct chunk *agent_take(struct agent *a, uint64_t most)
{
    struct chunk *c = chunk_new(&a->workers);
    const uint32_t *list;
    size_t n;

    while (c->work.visits < most &&
           (n = queues_take(&a->queues, most - c->work.visits, &list)) > 0)
        agent_fill(a, &c->work, list, n);
    if (c->work.visits)
        return c;
    chunk_free(c);
    return NULL;
}

/* Dequeues vertices from those that the kernel has taken. */
static struct chunk *agent_take_of_kernel(struct agent *a, uint64_t most)
{
    const uint32_t *list;
    size_t n = queues_take_of_kernel(&a->queues, most, &list);

    if (!n)
        return NULL;
    struct chunk *c = chunk_new(&a->workers);
    agent_fill(a, &c->work, list, n);
    return c;
}

double agent_look_s(const struct agent *a, bool looked)
{
    const struct gpu_costs *costs = &a->t->in->costs->gpus[a->site.gpu];

    return looked ? costs->dense_s + costs->look_s : costs->dense_s;
}

/* --- chunks --------------------------------------------------------------- */

/* Turns the dequeued vertices into the algorithm's own work, and counts it. */
static void agent_direct(struct agent *a, struct work *w)
{
    struct traversal *t = a->t;

    if (t->algorithm->direct)
        t->algorithm->direct(t->state, &a->site, w);
    observer_visits(&t->observer, a->site.gpu, w->visits, w->edges);
    t->arcs += w->edges;
}

/* Starts idle workers on the chunk, or frees it if it has no tasks. */
static void agent_begin_chunk(struct agent *a, struct chunk *c)
{
    struct traversal *t = a->t;
    bool whole = t->algorithm->direct;

    agent_direct(a, &c->work);
    a->kernel_visits += c->work.visits;
    a->kernel_edges += c->work.edges;
    if (!c->work.tasks.n && !whole) {
        chunk_free(c);
        return;
    }
    if (agent_is_persistent(a)) {
        observer_step(&t->observer);
        c->begin_s = agent_now(a);
        observer_work(&t->observer, a->site.gpu, c->begin_s);
    }
    if (whole)
        workers_begin_whole(&a->workers, c);
    else
        workers_begin(&a->workers, c);
}

void agent_workers_take(struct agent *a)
{
    const struct traversal *t = a->t;
    bool persistent = agent_is_persistent(a);
    uint64_t idle;

    while ((idle = workers_idle(&a->workers)) > 0) {
        uint64_t most = idle * (uint64_t)t->workers.fetch;
        if (most > t->outbox.threads && persistent)
            most = t->outbox.threads;
        struct chunk *c =
            persistent ? agent_take(a, most) : agent_take_of_kernel(a, most);
        if (!c)
            break;
        agent_begin_chunk(a, c);
    }
    agent_queue_changed(a);
    workers_wait(&a->workers);
}

/* --- supersteps ----------------------------------------------------------- */

/* Gets the algorithm's own work of a step, if it has no queues. */
static struct chunk *agent_step(struct agent *a)
{
    const struct traversal *t = a->t;
    struct chunk *c = chunk_new(&a->workers);

    if (t->algorithm->step(t->state, &a->site, &c->work))
        return c;
    chunk_free(c);
    return NULL;
}

struct chunk *agent_take_all(struct agent *a)
{
    struct traversal *t = a->t;
    struct chunk *c =
        t->algorithm->step ? agent_step(a) : agent_take(a, UINT64_MAX);

    if (!c)
        return NULL;
    agent_direct(a, &c->work);
    observer_step(&t->observer);
    c->begin_s = agent_now(a);
    observer_work(&t->observer, a->site.gpu, c->begin_s);
    agent_queue_changed(a);
    return c;
}

void agent_apply_all(struct agent *a, struct chunk *c)
{
    struct traversal *t = a->t;

    t->algorithm->apply(t->state, &a->site, c->work.tasks.list,
                        c->work.tasks.n);
    agent_queue_changed(a);
    chunk_free(c);
}
