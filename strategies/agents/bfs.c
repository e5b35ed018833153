/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search, pushing: a vertex gives its depth + 1 to those of its
 * neighbours that have none or a larger one. Every GPU keeps what it knows of
 * all vertices, so that it sends a vertex to its owner only when that is news.
 */
#include "strategies/agents/traverse_state.h"

#include <stdlib.h>
#include <string.h>

static void begin(struct traversal *t)
{
    const struct graph *g = t->in->g;
    struct gpu *owner = &t->gpus[t->in->part[t->in->source]];

    for (uint32_t i = 0; i < t->in->ngpus; i++) {
        t->gpus[i].depth = xmalloc(g->n * sizeof(uint32_t));
        memset(t->gpus[i].depth, 0xff, g->n * sizeof(uint32_t));
    }
    owner->depth[t->in->source] = 0;
    traverse_push(t, owner, t->in->source, 0);
}

static bool take(struct traversal *t, struct gpu *g, struct update *u)
{
    (void)t;
    u->depth = g->depth[u->v];
    return true;
}

static void found(struct traversal *t, struct gpu *g, uint32_t v,
                  uint32_t depth)
{
    uint32_t owner = t->in->part[v];

    g->depth[v] = depth;
    if (owner == g->number)
        traverse_push(t, g, v, depth);
    else
        traverse_add_update(&g->channels[owner].out,
                            (struct update){.v = v, .depth = depth});
}

static uint32_t key(const struct gpu *g, uint32_t v)
{
    return g->depth[v];
}

/* Arcs are somewhere in memory: they are asked for some vertices ahead. */
#define AHEAD 8
static void prefetch(const struct graph *g, uint32_t v)
{
    __builtin_prefetch(&g->to[g->first[v]]);
}

static void apply(struct traversal *t, struct gpu *g, const struct task *p,
                  size_t n)
{
    const struct graph *graph = t->in->g;
    const uint32_t *depth = g->depth;

    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            prefetch(graph, p[i + AHEAD].u.v);
        struct range arcs = task_arcs(graph, &p[i]);
        uint32_t next = p[i].u.depth + 1;
        for (uint64_t a = arcs.from; a < arcs.to; a++)
            if (depth[graph->to[a]] > next)
                found(t, g, graph->to[a], next);
    }
}

static void receive(struct traversal *t, struct gpu *g, struct update u)
{
    if (g->depth[u.v] <= u.depth)
        return;
    g->depth[u.v] = u.depth;
    traverse_push(t, g, u.v, u.depth);
}

static void end(struct traversal *t)
{
    for (uint32_t v = 0; v < t->in->g->n; v++) {
        t->r->depth[v] = t->gpus[t->in->part[v]].depth[v];
        t->r->reached += t->r->depth[v] != UINT32_MAX;
    }
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        free(t->gpus[i].depth);
}

const struct algorithm_ops bfs_ops = {.begin = begin,
                                      .take = take,
                                      .apply = apply,
                                      .key = key,
                                      .receive = receive,
                                      .end = end};

void traverse_plain_bfs(uint32_t *depth, const struct graph *g, uint32_t source)
{
    uint32_t *queue = xmalloc(g->n * sizeof *queue);
    uint32_t head = 0, tail = 0;

    memset(depth, 0xff, g->n * sizeof *depth);
    depth[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        uint32_t v = queue[head++], next = depth[v] + 1;
        for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++)
            if (depth[g->to[a]] == UINT32_MAX) {
                depth[g->to[a]] = next;
                queue[tail++] = g->to[a];
            }
    }
    free(queue);
}
