/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search that pushes: a vertex gives its depth + 1 to those of
 * its neighbours that have none or a larger one. Every GPU keeps the depths
 * that it knows of all vertices, because then it sends a vertex to its owner
 * only if that is news. */
#include "apps/agents/bfs.h"

#include "apps/agents/costs.h"
#include "apps/agents/search.h"

#include <stdlib.h>

/* --- a run ---------------------------------------------------------------- */

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

    u->number = depths_get(&b->depths, s->gpu, u->v);
    return true;
}

static void bfs_found(struct bfs *b, const struct site *s, uint32_t owner,
                      uint32_t v, uint32_t depth)
{
    depths_set(&b->depths, s->gpu, v, depth);
    if (owner == s->gpu)
        queues_push(s->queues, v, depth);
    else
        outbox_add(s->outbox, owner, (struct update){.v = v, .number = depth});
}

static uint32_t bfs_key(const void *state, uint32_t gpu, uint32_t v)
{
    const struct bfs *b = state;

    return depths_get(&b->depths, gpu, v);
}

/* Arcs are scattered in memory, so they are prefetched this many vertices
 * ahead. */
#define AHEAD 16
/* Heads whose depths may be news, in one batch. */
#define MOST_HEADS 512

/* An iterator over the arcs of tasks. */
struct arcs {
    const struct task *task, *end;
    uint64_t at, to; /* positions in the arcs of `task` */
};

static void arcs_next(struct arcs *a, const struct graph *g)
{
    if (a->task + AHEAD < a->end)
        __builtin_prefetch(&g->to[g->first[a->task[AHEAD].u.v]]);
    struct range arcs = task_arcs(g, a->task);
    a->at = arcs.from;
    a->to = arcs.to;
}

/* Writes the heads of the next arcs that the GPU does not know as near into
 * `heads`; returns how many. It has no branch on that, because the branch could
 * not be predicted. */
ALWAYS_INLINE size_t bfs_news(const struct bfs *b, const struct site *s,
                              struct arcs *a, struct update *heads,
                              enum depths_kind kind)
{
    const struct graph *g = b->in->g;
    const struct depths *d = &b->depths;
    const uint32_t *to = g->to;
    uint32_t gpu = s->gpu;
    size_t n = 0;

    while (a->task < a->end) {
        uint64_t room = MOST_HEADS - n, left = a->to - a->at;
        uint64_t end = a->at + (left < room ? left : room);
        uint32_t next = a->task->u.number + 1;
        for (uint64_t i = a->at; i < end; i++) {
            heads[n] = (struct update){.v = to[i], .number = next};
            n += depths_above(d, kind, gpu, to[i], next);
        }
        a->at = end;
        if (end < a->to)
            break;
        if (++a->task < a->end)
            arcs_next(a, g);
    }
    return n;
}

ALWAYS_INLINE void bfs_apply_kind(struct bfs *b, const struct site *s,
                                  const struct task *p, size_t n,
                                  enum depths_kind kind)
{
    struct arcs arcs = {.task = p, .end = p + n};
    struct update heads[MOST_HEADS];
    uint32_t owners[MOST_HEADS];

    arcs_next(&arcs, b->in->g);
    while (arcs.task < arcs.end) {
        size_t news = bfs_news(b, s, &arcs, heads, kind);
        for (size_t i = 0; i < news; i++)
            owners[i] = b->in->part[heads[i].v];
        for (size_t i = 0; i < news; i++)
            if (depths_above(&b->depths, kind, s->gpu, heads[i].v,
                             heads[i].number))
                bfs_found(b, s, owners[i], heads[i].v, heads[i].number);
    }
}

static void bfs_apply(void *state, const struct site *s, const struct task *p,
                      size_t n)
{
    struct bfs *b = state;
    uint32_t deepest = 0;

    if (!n)
        return;
    for (size_t i = 0; i < n; i++)
        if (p[i].u.number > deepest)
            deepest = p[i].u.number;
    depths_reach(&b->depths, deepest + 1);
    switch (b->depths.kind) {
    case DEPTHS_8:
        bfs_apply_kind(b, s, p, n, DEPTHS_8);
        break;
    case DEPTHS_16:
        bfs_apply_kind(b, s, p, n, DEPTHS_16);
        break;
    case DEPTHS_32:
        bfs_apply_kind(b, s, p, n, DEPTHS_32);
        break;
    case DEPTHS_SPARSE:
        bfs_apply_kind(b, s, p, n, DEPTHS_SPARSE);
        break;
    }
}

static void bfs_receive(void *state, const struct site *s,
                        const struct update *list, size_t n)
{
    struct depths *d = &((struct bfs *)state)->depths;

    for (size_t i = 0; i < n && i < AHEAD; i++)
        depths_ask(d, s->gpu, list[i].v);
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            depths_ask(d, s->gpu, list[i + AHEAD].v);
        if (depths_get(d, s->gpu, list[i].v) <= list[i].number)
            continue;
        depths_set(d, s->gpu, list[i].v, list[i].number);
        queues_push(s->queues, list[i].v, list[i].number);
    }
}

/* --- before and after ----------------------------------------------------- */

uint64_t traverse_plain_bfs(uint32_t *depth, const struct graph *g,
                            uint32_t source)
{
    struct search s;
    uint32_t v;

    search_init(&s, g, source, depth);
    while (search_next(&s, &v))
        search_find(&s, v);
    uint64_t edges = s.edges;
    search_clear(&s);
    return edges;
}

static const struct algorithm_table *bfs_choose(const struct execution *x)
{
    return x->direction == DIRECTION_PUSH ? &bfs_algorithm
                                          : &bfs_pull_algorithm;
}

static int bfs_check(const struct traverse_input *in, struct err *err)
{
    if (in->source >= in->g->n)
        return fail(err, "source %u: %s has %u vertices", in->source,
                    in->g->name, in->g->n);
    return 0;
}

static void bfs_show(struct traverse_result *r)
{
    r->depth = r->values;
}

static int bfs_compare(struct traverse_result *r,
                       const struct traverse_input *in, struct err *err)
{
    const uint32_t *want = in->costs->depth;
    uint32_t v = 0;

    r->plain_edges = in->costs->plain_edges;
    while (v < in->g->n && r->depth[v] == want[v])
        v++;
    if (v == in->g->n)
        return 0;
    return fail_work(err, "%s: vertex %u got depth %d, a plain search %d",
                     in->x->name, v, (int)r->depth[v], (int)want[v]);
}

const struct algorithm_table bfs_algorithm = {
    .name = "bfs",
    .choose = bfs_choose,
    .check = bfs_check,
    .searches = true,
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
