/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GPU starts when it has work and is free, and accounts for the vertices that
 * it found and for the updates that arrive from others. */
#include "apps/agents/agent_parts.h"

#include <stdlib.h>

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

    t->start = agent_start;
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
