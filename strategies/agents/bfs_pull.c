/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Direction-optimised breadth-first search (Beamer et al. 2012): a GPU pushes,
 * as bfs.c does, while the arcs of its frontier are few; else it pulls: each of
 * its vertices that is not yet found looks along its in-arcs for one that is.
 *
 * Who has a vertex in its queue gives its depth + 1 to the heads of its arcs,
 * unless they have as much: pushing, to all; pulling, to its own heads, having
 * told the vertex to all GPUs that own others, in whose queues it then is, and
 * they answer for theirs. So at the end no arc leads to more than one deeper,
 * though depths may have been found too large before: a vertex found late, such
 * that heads that were found already can be too deep, is pushed by a GPU that
 * pulls, too.
 */
#include "strategies/agents/traverse_state.h"

#include <stdlib.h>
#include <string.h>

/* Beamer's alpha and beta, for a frontier that grows, and one that shrinks. */
#define PULL_WHEN_ARCS 14
#define PUSH_WHEN_VERTICES 24

/* What a task does: its vertex gives to the heads of its arcs, all or the GPU's
 * own; or the vertex itself was found by pulling. */
enum { TO_ALL, TO_OWN, FOUND };

struct side {
    bool pulls;
    uint64_t frontier;  /* the last, in vertices */
    uint32_t deepest;   /* of its vertices that are found */
    uint64_t arcs_left; /* of those that are not */
    uint32_t *left;     /* these, and some that were found since */
    uint32_t nleft;
};

struct pull {
    struct side *sides;     /* by GPU */
    uint8_t *told;          /* vertices, as deep as they are, by their owners */
    const struct graph *in; /* the arcs turned round, once somebody pulls */
    struct graph turned;    /* empty where the graph is its own */
    uint32_t *stamp, stamps; /* which GPUs were told of this one */
};

static struct side *side_of(const struct gpu *g)
{
    return &g->t->pull->sides[g->number];
}

static bool is_own(const struct gpu *g, uint32_t v)
{
    return g->t->in->part[v] == g->number;
}

static void begin(struct traversal *t)
{
    uint32_t n = t->in->g->n;
    struct pull *p = t->pull = xcalloc(1, sizeof *p);

    p->sides = xcalloc(t->in->ngpus, sizeof *p->sides);
    p->told = xcalloc(n, sizeof *p->told);
    p->stamp = xcalloc(t->in->ngpus, sizeof *p->stamp);
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        p->sides[i].left = xcalloc(t->gpus[i].vertices, sizeof(uint32_t));
    for (uint32_t v = 0; v < n; v++) {
        struct side *s = &p->sides[t->in->part[v]];
        s->left[s->nleft++] = v;
        s->arcs_left += graph_degree(t->in->g, v);
    }
    bfs_ops.begin(t);
    p->sides[t->in->part[t->in->source]].arcs_left -=
        graph_degree(t->in->g, t->in->source);
}

static void end(struct traversal *t)
{
    struct pull *p = t->pull;

    for (uint32_t i = 0; i < t->in->ngpus; i++)
        free(p->sides[i].left);
    graph_clear(&p->turned);
    free(p->sides);
    free(p->told);
    free(p->stamp);
    free(p);
    bfs_ops.end(t);
}

/* --- what is told ----------------------------------------------------------
 */

/* Once to each other GPU that owns heads of its arcs. */
static void tell(struct traversal *t, struct gpu *g, uint32_t v)
{
    const struct graph *graph = t->in->g;
    struct pull *p = t->pull;

    if (t->in->ngpus == 1 || p->told[v])
        return;
    p->told[v] = true;
    p->stamps++;
    p->stamp[g->number] = p->stamps;
    for (uint64_t a = graph->first[v]; a < graph->first[v + 1]; a++) {
        uint32_t to = t->in->part[graph->to[a]];
        if (p->stamp[to] == p->stamps)
            continue;
        p->stamp[to] = p->stamps;
        traverse_add_update(&g->channels[to].out,
                            (struct update){.v = v, .depth = g->depth[v]});
    }
}

static void set_own(struct traversal *t, struct gpu *g, struct update u)
{
    struct side *s = side_of(g);

    if (g->depth[u.v] == UINT32_MAX)
        s->arcs_left -= graph_degree(t->in->g, u.v);
    if (u.depth > s->deepest)
        s->deepest = u.depth;
    g->depth[u.v] = u.depth;
    t->pull->told[u.v] = false;
    traverse_push(t, g, u.v, u.depth);
}

static void found(struct traversal *t, struct gpu *g, struct update u)
{
    if (g->depth[u.v] <= u.depth)
        return;
    if (!is_own(g, u.v)) {
        g->depth[u.v] = u.depth;
        traverse_add_update(&g->channels[t->in->part[u.v]].out, u);
        return;
    }
    set_own(t, g, u);
    if (side_of(g)->pulls)
        tell(t, g, u.v);
}

/* What an owner tells counts though the GPU knows as much: it has not given it
 * to its own. */
static void receive(struct traversal *t, struct gpu *g, struct update u)
{
    if (is_own(g, u.v)) {
        if (g->depth[u.v] > u.depth)
            set_own(t, g, u);
    } else if (g->depth[u.v] >= u.depth) {
        g->depth[u.v] = u.depth;
        traverse_push(t, g, u.v, u.depth);
    }
}

/* --- which way -------------------------------------------------------------
 */

static uint64_t own_heads(const struct gpu *g, uint32_t v)
{
    const struct graph *graph = g->t->in->g;
    uint64_t n = 0;

    for (uint64_t a = graph->first[v]; a < graph->first[v + 1]; a++)
        n += is_own(g, graph->to[a]);
    return n;
}

static uint64_t arcs_to_push(const struct gpu *g, uint32_t v)
{
    return is_own(g, v) && !g->t->pull->told[v] ? graph_degree(g->t->in->g, v)
                                                : own_heads(g, v);
}

static bool should_pull(const struct traversal *t, const struct gpu *g)
{
    const struct side *s = side_of(g);
    uint64_t arcs = 0;

    if (s->pulls)
        return g->waiting * PUSH_WHEN_VERTICES >= g->vertices ||
               g->waiting >= s->frontier;
    if (g->waiting <= s->frontier)
        return false;
    for (uint32_t q = 0; q < t->nqueues; q++)
        for (size_t i = g->near[q].first; i < g->near[q].n; i++)
            arcs += arcs_to_push(g, g->near[q].list[i]);
    return arcs * PULL_WHEN_ARCS > s->arcs_left;
}

static void need_in_arcs(struct traversal *t)
{
    struct pull *p = t->pull;

    if (p->in)
        return;
    p->in = t->in->g;
    if (graph_is_symmetric(t->in->g))
        return;
    graph_transpose(&p->turned, t->in->g);
    p->in = &p->turned;
}

static void aim(struct traversal *t, struct gpu *g)
{
    struct side *s = side_of(g);

    if (!g->waiting)
        return;
    s->pulls = should_pull(t, g);
    s->frontier = g->waiting;
    if (!s->pulls)
        return;
    need_in_arcs(t);
    for (uint32_t q = 0; q < t->nqueues; q++)
        for (size_t i = g->near[q].first; i < g->near[q].n; i++)
            if (is_own(g, g->near[q].list[i]))
                tell(t, g, g->near[q].list[i]);
}

/* --- kernels ---------------------------------------------------------------
 */

/* The least depth that v can have by what the GPU knows, UINT32_MAX if nothing;
 * once an in-neighbour is as near as the frontier, others need not be seen. */
static uint32_t look_back(const struct gpu *g, uint32_t v, uint32_t frontier,
                          uint64_t *edges)
{
    const struct graph *in = g->t->pull->in;
    uint32_t least = UINT32_MAX;
    uint64_t a = in->first[v];

    while (a < in->first[v + 1] && least > frontier) {
        uint32_t depth = g->depth[in->to[a++]];
        if (depth < least)
            least = depth;
    }
    *edges += a - in->first[v];
    return least == UINT32_MAX ? least : least + 1;
}

static void pull(struct chunk *c, uint32_t frontier)
{
    struct gpu *g = c->g;
    struct side *s = side_of(g);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < s->nleft; i++) {
        struct task p = {.u.v = s->left[i], .parts = 1, .what = FOUND};
        if (g->depth[p.u.v] != UINT32_MAX)
            continue;
        s->left[kept++] = p.u.v;
        p.u.depth = look_back(g, p.u.v, frontier, &c->edges);
        if (p.u.depth != UINT32_MAX)
            traverse_add_task(&c->work, p);
    }
    s->nleft = kept;
}

/* A GPU that pulls pushes only what comes late. */
static void direct(struct traversal *t, struct chunk *c)
{
    struct gpu *g = c->g;
    const struct side *s = side_of(g);
    uint32_t frontier = UINT32_MAX;
    size_t n = c->work.n;

    c->edges = c->visits = c->work.n = 0;
    for (size_t i = 0; i < n; i++) {
        struct task p = c->work.list[i];
        bool own = is_own(g, p.u.v);
        c->visits += own;
        if (s->pulls && p.u.depth + 1 >= s->deepest) {
            frontier = p.u.depth < frontier ? p.u.depth : frontier;
            continue;
        }
        p.what = own && !t->pull->told[p.u.v] ? TO_ALL : TO_OWN;
        c->edges += arcs_to_push(g, p.u.v);
        traverse_add_task(&c->work, p);
    }
    if (frontier != UINT32_MAX)
        pull(c, frontier);
}

static void push(struct traversal *t, struct gpu *g, const struct task *p)
{
    struct range arcs = task_arcs(t->in->g, p);

    for (uint64_t a = arcs.from; a < arcs.to; a++) {
        uint32_t v = t->in->g->to[a];
        if (p->what == TO_ALL || is_own(g, v))
            found(t, g, (struct update){.v = v, .depth = p->u.depth + 1});
    }
}

static void apply(struct traversal *t, struct gpu *g, const struct task *p,
                  size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i].what == FOUND)
            found(t, g, p[i].u);
        else
            push(t, g, &p[i]);
}

static bool take(struct traversal *t, struct gpu *g, struct update *u)
{
    return bfs_ops.take(t, g, u);
}

const struct algorithm_ops bfs_optimised_ops = {.begin = begin,
                                                .take = take,
                                                .apply = apply,
                                                .receive = receive,
                                                .end = end,
                                                .aim = aim,
                                                .direct = direct};
