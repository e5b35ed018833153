/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GPU dequeues waiting work, does it, and accounts for the vertices that it
 * found and for the updates that arrive from others. */
#include "apps/agents/agent_parts.h"

#include "base/inline.h"
#include "apps/agents/costs.h"

#include <stdlib.h>

/* Returns whether the CPU launches a discrete kernel before the last has ended.
 */
static bool agent_overlaps(const struct agent *a)
{
    return !agent_is_persistent(a) && a->t->in->x->launch == LAUNCH_OVERLAPPED;
}

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

double agent_send_s(const struct agent *a, uint32_t to)
{
    const struct traverse_input *in = a->t->in;
    const struct gpu_calls *c = machine_gpu_calls(in->m, in->ngpus);

    return to ? step_part_s(traverse_step(in), STEP_SEND, c) +
                    to * (step_part_s(traverse_step(in), STEP_SEND_PEER, c) +
                          in->latency_s)
              : 0;
}

/* Ends the kernel for the CPU, which now knows of it and sends the updates that
 * the kernel found. */
static void agent_ended(void *arg)
{
    struct agent *a = arg;
    struct traversal *t = a->t;

    a->busy = a->launching = false;
    t->last_s = agent_now(a);
    observer_done(&t->observer, a->site.gpu, a->kernel_s, t->last_s,
                  a->kernel_visits, a->kernel_edges);
    if (t->workers.at_end)
        outbox_flush(&a->outbox);
    agent_start(a);
}

/* Returns the time from a kernel's end until the CPU has made the calls that
 * follow; the CPU is ahead of the stream while the kernel works. */
static double agent_after_s(struct agent *a)
{
    const struct traversal *t = a->t;
    double s = agent_now(a) - a->kernel_s;
    struct step_clock k = {.host_s = a->called_s, .stream_s = s};

    step_do(&k, traverse_step(t->in), STEP_AFTER,
            machine_gpu_calls(t->in->m, t->in->ngpus));
    return step_clock_s(&k) - s +
           (t->workers.at_end ? agent_send_s(a, outbox_to(&a->outbox)) : 0);
}

void agent_end_kernel(struct agent *a)
{
    if (agent_is_persistent(a) || a->launching ||
        !workers_are_done(&a->workers) || !queues_kernel_is_empty(&a->queues))
        return;
    a->launching = true;
    engine_after(a->t->engine, agent_overlaps(a) ? 0 : agent_after_s(a),
                 agent_ended, a);
}

static void agent_slice_known(void *arg, uint32_t gpu, struct chunk *c,
                              const struct task *list, size_t n, bool last)
{
    struct traversal *t = arg;
    struct agent *a = &t->agents[gpu];

    t->last_s = agent_now(a);
    uint64_t waited = a->queues.waiting;
    t->algorithm->apply(t->state, &a->site, list, n);
    agent_pushed(a, list, n, a->queues.waiting - waited);
    agent_queue_changed(a);
    if (last) {
        if (agent_is_persistent(a))
            observer_done(&t->observer, gpu, c->begin_s, t->last_s,
                          c->work.visits, c->work.edges);
        chunk_free(c);
    }
    if (agent_is_persistent(a) || !t->workers.at_end)
        outbox_flush(&a->outbox);
    agent_end_kernel(a);
    agent_start(a);
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

void agent_start(struct agent *a)
{
    const struct traversal *t = a->t;
    bool overlaps = agent_overlaps(a);

    if (a->asleep || traversal_fails(t))
        return;
    if (!agent_is_persistent(a) && a->busy)
        agent_workers_take(a);
    if (a->launching || a->polling || (a->busy && !overlaps) ||
        outbox_is_stalled(&a->outbox))
        return;
    if (overlaps)
        agent_poll(a);
    else if (agent_is_persistent(a))
        agent_start_workers(a);
    else
        agent_start_kernel(a);
}

/* --- arrivals ------------------------------------------------------------- */

/* Accepts the GPU's own updates and forwards those for other GPUs that are
 * routed through this one. */
static void agent_receive_or_pass(struct agent *a, const struct updates *list)
{
    const struct traversal *t = a->t;

    for (size_t i = 0; i < list->n; i++) {
        uint32_t owner = t->in->part[list->list[i].v];
        if (owner == a->site.gpu)
            t->algorithm->receive(t->state, &a->site, &list->list[i], 1);
        else if (t->algorithm->pass)
            t->algorithm->pass(t->state, &a->site, list->list[i]);
        else
            outbox_add(&a->outbox, owner, list->list[i]);
    }
}

void agent_deliver(struct agent *a, uint32_t from, const struct updates *list)
{
    struct traversal *t = a->t;

    queues_found_by(&a->queues, from);
    if (t->algorithm->aim || (t->in->x->batch_group == BATCH_PER_GPU &&
                              t->in->x->forwarding == FORWARDING_DIRECT))
        t->algorithm->receive(t->state, &a->site, list->list, list->n);
    else
        agent_receive_or_pass(a, list);
    queues_found_by(&a->queues, a->site.gpu);
    observer_received(&t->observer, a->site.gpu, list->n);
    agent_queue_changed(a);
}

/* --- calls from workers and outboxes -------------------------------------- */

static void agent_idle(void *arg, uint32_t gpu)
{
    struct traversal *t = arg;

    agent_start(&t->agents[gpu]);
}

static void agent_arrived(void *arg, uint32_t from, uint32_t to,
                          const struct updates *list)
{
    struct traversal *t = arg;
    struct agent *a = &t->agents[to];

    t->last_s = agent_now(a);
    agent_deliver(a, from, list);
    outbox_flush(&a->outbox);
}

static void agent_pack(void *arg, uint32_t from, struct updates *list)
{
    struct traversal *t = arg;

    t->algorithm->pack(t->state, &t->agents[from].site, list);
}

static void agent_init(struct agent *a, struct traversal *t, uint32_t gpu)
{
    const struct execution *x = t->in->x;

    a->t = t;
    a->queues = (struct queues){
        .gpu = gpu,
        .nnear = x->receive_queues == RECEIVE_PER_GPU ? t->in->ngpus : 1,
        .capacity = x->queue_capacity,
        .fetch = t->workers.fetch,
        .delta = x->priority_delta,
        .threshold = x->threshold,
        .hides = agent_hides(a),
        .received = x->received,
        .key = t->algorithm->key};
    queues_init(&a->queues);
    workers_init(&a->workers, &t->workers, gpu);
    outbox_init(&a->outbox, &t->outbox, gpu);
    a->site =
        (struct site){.gpu = gpu, .queues = &a->queues, .outbox = &a->outbox};
}

void agents_init(struct traversal *t)
{
    uint32_t n = t->in->ngpus;
    struct site *sites = xcalloc(n, sizeof *sites);

    t->workers.arg = t->outbox.arg = t;
    t->workers.known = agent_slice_known;
    t->workers.idle = agent_idle;
    t->outbox.pack = t->algorithm->pack ? agent_pack : NULL;
    t->outbox.deliver = agent_arrived;
    t->outbox.wake = agent_idle;
    t->agents = xcalloc(n, sizeof *t->agents);
    for (uint32_t i = 0; i < n; i++)
        agent_init(&t->agents[i], t, i);
    for (uint32_t v = 0; v < t->in->g->n; v++)
        t->agents[t->in->part[v]].site.vertices++;
    for (uint32_t i = 0; i < n; i++)
        sites[i] = t->agents[i].site;
    t->state = t->algorithm->begin(t->in, t->observer.r, sites);
    free(sites);
    for (uint32_t i = 0; i < n; i++) {
        t->agents[i].queues.state = t->state;
        queues_show(&t->agents[i].queues);
        agent_queue_changed(&t->agents[i]);
    }
}

void agents_clear(struct traversal *t)
{
    for (uint32_t i = 0; t->agents && i < t->in->ngpus; i++) {
        queues_clear(&t->agents[i].queues);
        workers_clear(&t->agents[i].workers);
        outbox_clear(&t->agents[i].outbox);
    }
    if (t->state)
        t->algorithm->free(t->state);
    free(t->agents);
    chunks_clear(&t->chunks);
}
