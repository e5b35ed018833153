/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search, pushing: a vertex gives its depth + 1 to those of its
 * neighbours that have none or a larger one. Every GPU keeps what it knows of
 * all vertices, so that it sends a vertex to its owner only when that is news.
 */
#include "strategies/agents/bfs.h"

#include <stdlib.h>
#include <string.h>

void bfs_init(struct bfs *b, const struct traverse_input *in,
              struct traverse_result *r, const struct site *sites)
{
    uint32_t owner = in->part[in->source];

    *b = (struct bfs){.in = in, .r = r};
    b->depth = xcalloc(in->ngpus, sizeof *b->depth);
    for (uint32_t i = 0; i < in->ngpus; i++) {
        b->depth[i] = xmalloc(in->g->n * sizeof(uint32_t));
        memset(b->depth[i], 0xff, in->g->n * sizeof(uint32_t));
    }
    b->depth[owner][in->source] = 0;
    queues_push(sites[owner].queues, in->source, 0);
}

void bfs_write(const struct bfs *b)
{
    for (uint32_t v = 0; v < b->in->g->n; v++) {
        b->r->depth[v] = b->depth[b->in->part[v]][v];
        b->r->reached += b->r->depth[v] != UINT32_MAX;
    }
}

void bfs_clear(struct bfs *b)
{
    for (uint32_t i = 0; i < b->in->ngpus; i++)
        free(b->depth[i]);
    free(b->depth);
}

/* --- a run ----------------------------------------------------------------
 */

static void *bfs_begin(const struct traverse_input *in,
                       struct traverse_result *r, const struct site *sites)
{
    struct bfs *b = xcalloc(1, sizeof *b);

    bfs_init(b, in, r, sites);
    return b;
}

static void bfs_end(void *state)
{
    bfs_write(state);
}

static void bfs_free(void *state)
{
    bfs_clear(state);
    free(state);
}

static bool bfs_take(void *state, const struct site *s, struct update *u)
{
    const struct bfs *b = state;

    u->number = b->depth[s->gpu][u->v];
    return true;
}

static void bfs_found(const struct bfs *b, const struct site *s, uint32_t v,
                      uint32_t depth)
{
    uint32_t owner = b->in->part[v];

    b->depth[s->gpu][v] = depth;
    if (owner == s->gpu)
        queues_push(s->queues, v, depth);
    else
        outbox_add(s->outbox, owner, (struct update){.v = v, .number = depth});
}

static uint32_t bfs_key(const void *state, uint32_t gpu, uint32_t v)
{
    const struct bfs *b = state;

    return b->depth[gpu][v];
}

/* Arcs are somewhere in memory: they are asked for some vertices ahead. */
#define AHEAD 8
static void prefetch(const struct graph *g, uint32_t v)
{
    __builtin_prefetch(&g->to[g->first[v]]);
}

static void bfs_apply(void *state, const struct site *s, const struct task *p,
                      size_t n)
{
    const struct bfs *b = state;
    const struct graph *graph = b->in->g;
    const uint32_t *depth = b->depth[s->gpu];

    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            prefetch(graph, p[i + AHEAD].u.v);
        struct range arcs = task_arcs(graph, &p[i]);
        uint32_t next = p[i].u.number + 1;
        for (uint64_t a = arcs.from; a < arcs.to; a++)
            if (depth[graph->to[a]] > next)
                bfs_found(b, s, graph->to[a], next);
    }
}

static void bfs_receive(void *state, const struct site *s, struct update u)
{
    uint32_t *depth = ((struct bfs *)state)->depth[s->gpu];

    if (depth[u.v] <= u.number)
        return;
    depth[u.v] = u.number;
    queues_push(s->queues, u.v, u.number);
}

/* --- before and after -----------------------------------------------------
 */

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

static const struct algorithm_table *bfs_choose(const struct execution *x)
{
    return x->direction == DIRECTION_OPTIMISED ? &bfs_pull_algorithm
                                               : &bfs_algorithm;
}

static int bfs_check(const struct traverse_input *in, struct err *err)
{
    if (in->source >= in->g->n)
        return fail(err, "source %u: %s has %u vertices", in->source,
                    in->g->name, in->g->n);
    return 0;
}

static double bfs_edge_s(const struct traverse_input *in)
{
    const struct execution *x = in->x;

    return x->edge_s > 0 ? x->edge_s : in->edge_s * x->edge_factor;
}

static void bfs_show(struct traverse_result *r)
{
    r->depth = r->values;
}

static int bfs_compare(const struct traverse_result *r,
                       const struct traverse_input *in, struct err *err)
{
    uint32_t *want = xmalloc(in->g->n * sizeof *want), v = 0;

    traverse_plain_bfs(want, in->g, in->source);
    while (v < in->g->n && r->depth[v] == want[v])
        v++;
    uint32_t wanted = v < in->g->n ? want[v] : 0;
    free(want);
    if (v == in->g->n)
        return 0;
    return fail_work(err, "%s: vertex %u got depth %d, a plain search %d",
                     in->x->name, v, (int)r->depth[v], (int)wanted);
}

const struct algorithm_table bfs_algorithm = {
    .name = "bfs",
    .choose = bfs_choose,
    .check = bfs_check,
    .edge_s = bfs_edge_s,
    .value_B = sizeof(uint32_t),
    .show = bfs_show,
    .compare = bfs_compare,
    .begin = bfs_begin,
    .take = bfs_take,
    .apply = bfs_apply,
    .key = bfs_key,
    .receive = bfs_receive,
    .end = bfs_end,
    .free = bfs_free,
};
