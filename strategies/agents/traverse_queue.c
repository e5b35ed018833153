/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where vertices wait: a GPU's own queue, one for each GPU that sends to it,
 * and what priority puts off. */
#include "strategies/agents/traverse_state.h"

#include <string.h>

static size_t length(const struct fifo *q)
{
    return q->n - q->first;
}

static void append(struct fifo *q, uint32_t v)
{
    /* What was taken makes room at the front before there is more. */
    if (q->n == q->room && q->first > q->n / 2) {
        memmove(q->list, &q->list[q->first], length(q) * sizeof *q->list);
        q->n -= q->first;
        q->first = 0;
    }
    if (q->n == q->room) {
        q->room = q->room ? 2 * q->room : 16;
        q->list = xrealloc(q->list, q->room, sizeof *q->list);
    }
    q->list[q->n++] = v;
}

static void push(struct traversal *t, struct gpu *g, struct fifo *to,
                 uint32_t v)
{
    append(to, v);
    if (++g->waiting > g->stats->queue_most)
        g->stats->queue_most = g->waiting;
    if (t->in->x->queue_capacity && g->waiting > t->in->x->queue_capacity)
        t->overflow = g->number;
}

void traverse_queue_changed(struct gpu *g)
{
    traverse_note_queue(g, engine_now(g->t->engine), g->waiting);
}

void traverse_push(struct traversal *t, struct gpu *g, uint32_t v, uint32_t key)
{
    bool far = t->in->x->priority_delta && key >= g->threshold;

    push(t, g, far ? &g->far : &g->near[g->into], v);
}

void traverse_push_later(struct traversal *t, struct gpu *g, uint32_t v)
{
    push(t, g, &g->far, v);
}

bool traverse_near_is_empty(const struct gpu *g)
{
    return g->waiting == length(&g->far);
}

bool traverse_far_waits(const struct gpu *g)
{
    return length(&g->far) > 0;
}

void traverse_raise(struct traversal *t, struct gpu *g)
{
    struct fifo *far = &g->far;
    uint32_t least = UINT32_MAX;
    size_t kept = 0;

    for (size_t i = far->first; t->ops->key && i < far->n; i++)
        if (t->ops->key(g, far->list[i]) < least)
            least = t->ops->key(g, far->list[i]);
    if (t->ops->key)
        g->threshold = least + t->in->x->priority_delta;
    for (size_t i = far->first; i < far->n; i++) {
        uint32_t v = far->list[i];
        if (t->ops->key && t->ops->key(g, v) >= g->threshold)
            far->list[kept++] = v;
        else
            append(&g->near[g->into], v);
    }
    far->first = 0;
    far->n = kept;
}

bool traverse_refill(struct traversal *t, struct gpu *g)
{
    if (!traverse_near_is_empty(g) || !traverse_far_waits(g))
        return false;
    traverse_raise(t, g);
    return !t->ops->key;
}

/* --- taking -----------------------------------------------------------------
 */

static void pop(struct chunk *c, struct traversal *t, struct fifo *q,
                uint64_t most)
{
    while (length(q) && most-- > 0) {
        struct task p = {.u.v = q->list[q->first++], .parts = 1};
        c->visits++;
        c->edges += graph_degree(t->in->g, p.u.v);
        if (t->ops->take(t, c->g, &p.u))
            traverse_add_task(&c->work, p);
    }
}

bool traverse_pop(struct chunk *c, struct traversal *t, uint64_t vertices)
{
    struct gpu *g = c->g;

    while (c->visits < vertices && !traverse_near_is_empty(g)) {
        uint64_t left = vertices - c->visits, was = c->visits;
        pop(c, t, &g->near[g->turn], left < t->fetch ? left : t->fetch);
        g->waiting -= c->visits - was;
        g->turn = (g->turn + 1) % t->nqueues;
    }
    return c->visits > 0;
}

bool traverse_pop_kernel(struct chunk *c, struct traversal *t,
                         uint64_t vertices)
{
    pop(c, t, &c->g->kernel, vertices);
    return c->visits > 0;
}

bool traverse_fill_kernel(struct traversal *t, struct gpu *g, bool *looked)
{
    struct fifo *kernel = &g->kernel;

    *looked = traverse_refill(t, g);
    kernel->first = kernel->n = 0;
    for (uint32_t q = 0; q < t->nqueues; q++) {
        struct fifo *near = &g->near[(g->into + q) % t->nqueues];
        g->waiting -= length(near);
        while (length(near))
            append(kernel, near->list[near->first++]);
    }
    return kernel->n > 0;
}
