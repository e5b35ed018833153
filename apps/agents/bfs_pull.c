/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Direction-optimised breadth-first search (Beamer et al. 2012): a GPU pushes,
 * as bfs.c does, while the arcs of its frontier are few; otherwise it pulls:
 * each of its vertices that is not yet found looks along its in-arcs for one
 * that is.
 *
 * A GPU with a vertex in its queue gives the vertex's depth + 1 to the heads of
 * its arcs, unless they have as much. If it pushes, it gives it to all heads.
 * If it pulls, it gives it to its own heads, after it has announced the vertex
 * to all GPUs that own others, in whose queues the vertex then is, and which do
 * the same for theirs. So at the end no arc leads to a vertex more than one
 * deeper, though depths may have been found too large before: a vertex that is
 * found late, so that heads found already can be too deep, is pushed even by a
 * GPU that pulls.
 *
 * The direction is chosen by the arcs of the frontier, each GPU for itself
 * (Beamer et al.); or by predicted visits, as in Gunrock v1.0
 * (gunrock/app/bfs/bfs_enactor.cuh): pushing, the frontier times the mean
 * degree; pulling, the vertices not found times all divided by those found,
 * which is the number of in-neighbours that each looks at if vertices were
 * found at random. All GPUs follow the first one, and push for good once they
 * have pulled.
 */
#include "apps/agents/bfs.h"
#include "apps/agents/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beamer's alpha and beta, for a frontier that grows, and one that shrinks. */
#define PULL_WHEN_ARCS 14
#define PUSH_WHEN_VERTICES 24

/* The kinds of tasks: the vertex gives to the heads of its arcs, all or the
 * GPU's own; or the vertex itself was found by pulling. */
enum { TO_ALL, TO_OWN, FOUND };

struct side {
    bool pulls;
    uint64_t frontier;  /* size of the last one, in vertices */
    uint32_t deepest;   /* depth of the deepest of its vertices found */
    uint64_t arcs_left; /* arcs of its vertices not found */
    uint32_t *left;     /* the vertices not found, and some found since */
    uint32_t nleft;
    /* Vertices of all frontiers up to this one; arcs of all its vertices. */
    uint64_t visited, arcs;
};

struct pull {
    struct bfs bfs;
    const struct traverse_input *in;
    struct side *sides; /* one per GPU */
    /* One flag per vertex: its owner has announced it at its present depth. */
    uint8_t *announced;
    const struct graph *back; /* the transposed graph, once a GPU pulls */
    struct graph turned;      /* empty if the graph equals its transpose */
    /* For one vertex: GPUs whose stamp equals `stamps` have been told of it. */
    uint32_t *stamp, stamps;
    bool all_pull, have_pulled; /* decisions of Gunrock's rule, for all GPUs */
    bool begun;
};

static bool is_own(const struct pull *p, const struct site *s, uint32_t v)
{
    return p->in->part[v] == s->gpu;
}

static void *pull_begin(const struct traverse_input *in,
                        struct traverse_result *r, const struct site *sites)
{
    uint32_t n = in->g->n;
    struct pull *p = xcalloc(1, sizeof *p);

    p->in = in;
    p->sides = xcalloc(in->ngpus, sizeof *p->sides);
    p->announced = xcalloc(n, sizeof *p->announced);
    p->stamp = xcalloc(in->ngpus, sizeof *p->stamp);
    for (uint32_t i = 0; i < in->ngpus; i++)
        p->sides[i].left = xcalloc(sites[i].vertices, sizeof(uint32_t));
    for (uint32_t v = 0; v < n; v++) {
        struct side *own = &p->sides[in->part[v]];
        own->left[own->nleft++] = v;
        own->arcs_left += graph_degree(in->g, v);
    }
    for (uint32_t i = 0; i < in->ngpus; i++)
        p->sides[i].arcs = p->sides[i].arcs_left;
    bfs_init(&p->bfs, in, r, sites);
    p->sides[in->part[in->source]].arcs_left -= graph_degree(in->g, in->source);
    return p;
}

static void pull_end(void *state)
{
    bfs_write(&((struct pull *)state)->bfs);
}

static void pull_free(void *state)
{
    struct pull *p = state;

    for (uint32_t i = 0; i < p->in->ngpus; i++)
        free(p->sides[i].left);
    graph_clear(&p->turned);
    free(p->sides);
    free(p->announced);
    free(p->stamp);
    bfs_clear(&p->bfs);
    free(p);
}

/* --- announcements -------------------------------------------------------- */

/* Announces v once to each other GPU that owns heads of its arcs. */
static void pull_tell(struct pull *p, const struct site *s, uint32_t v)
{
    const struct graph *graph = p->in->g;

    if (p->in->ngpus == 1 || p->announced[v])
        return;
    p->announced[v] = true;
    p->stamps++;
    p->stamp[s->gpu] = p->stamps;
    for (uint64_t a = graph->first[v]; a < graph->first[v + 1]; a++) {
        uint32_t to = p->in->part[graph->to[a]];
        if (p->stamp[to] == p->stamps)
            continue;
        p->stamp[to] = p->stamps;
        outbox_add(
            s->outbox, to,
            (struct update){.v = v,
                            .number = depths_get(&p->bfs.depths, s->gpu, v)});
    }
}

static void pull_set_own(struct pull *p, const struct site *s, struct update u)
{
    struct side *side = &p->sides[s->gpu];
    struct depths *depths = &p->bfs.depths;

    if (depths_get(depths, s->gpu, u.v) == UINT32_MAX)
        side->arcs_left -= graph_degree(p->in->g, u.v);
    if (u.number > side->deepest)
        side->deepest = u.number;
    depths_set(depths, s->gpu, u.v, u.number);
    p->announced[u.v] = false;
    queues_push(s->queues, u.v, u.number);
}

static void pull_found(struct pull *p, const struct site *s, struct update u)
{
    struct depths *depths = &p->bfs.depths;

    if (depths_get(depths, s->gpu, u.v) <= u.number)
        return;
    if (!is_own(p, s, u.v)) {
        depths_set(depths, s->gpu, u.v, u.number);
        outbox_add(s->outbox, p->in->part[u.v], u);
        return;
    }
    pull_set_own(p, s, u);
    if (p->sides[s->gpu].pulls)
        pull_tell(p, s, u.v);
}

/* Accepts an update. One from the owner of a vertex counts even if the GPU
 * knows an equal depth, because it has not given that to its own heads yet. */
static void pull_take_update(struct pull *p, const struct site *s,
                             struct update u)
{
    struct depths *depths = &p->bfs.depths;
    uint32_t known = depths_get(depths, s->gpu, u.v);

    if (is_own(p, s, u.v)) {
        if (known > u.number)
            pull_set_own(p, s, u);
    } else if (known >= u.number) {
        depths_set(depths, s->gpu, u.v, u.number);
        queues_push(s->queues, u.v, u.number);
    }
}

static void pull_receive(void *state, const struct site *s,
                         const struct update *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        pull_take_update(state, s, list[i]);
}

/* --- choice of direction -------------------------------------------------- */

static uint64_t own_heads(const struct pull *p, const struct site *s,
                          uint32_t v)
{
    const struct graph *graph = p->in->g;
    uint64_t n = 0;

    for (uint64_t a = graph->first[v]; a < graph->first[v + 1]; a++)
        n += is_own(p, s, graph->to[a]);
    return n;
}

static uint64_t arcs_to_push(const struct pull *p, const struct site *s,
                             uint32_t v)
{
    return is_own(p, s, v) && !p->announced[v] ? graph_degree(p->in->g, v)
                                               : own_heads(p, s, v);
}

static bool should_pull(const struct pull *p, const struct site *s)
{
    const struct side *side = &p->sides[s->gpu];
    const struct queues *q = s->queues;
    uint64_t arcs = 0;

    if (side->pulls)
        return q->waiting * PUSH_WHEN_VERTICES >= s->vertices ||
               q->waiting >= side->frontier;
    if (q->waiting <= side->frontier)
        return false;
    for (uint32_t k = 0; k < q->nnear; k++)
        for (size_t i = q->near[k].first; i < q->near[k].n; i++)
            arcs += arcs_to_push(p, s, q->near[k].list[i]);
    return arcs * PULL_WHEN_ARCS > side->arcs_left;
}

/* Returns how many of the GPU's own vertices wait. */
static uint64_t own_waiting(const struct pull *p, const struct site *s)
{
    const struct queues *q = s->queues;
    uint64_t n = 0;

    for (uint32_t k = 0; k < q->nnear; k++)
        for (size_t i = q->near[k].first; i < q->near[k].n; i++)
            n += is_own(p, s, q->near[k].list[i]);
    return n;
}

/* Returns the decision of Gunrock's rule, made by the first GPU; the first step
 * pushes. */
static bool should_all_pull(struct pull *p, const struct site *s)
{
    struct side *side = &p->sides[s->gpu];
    uint64_t frontier = own_waiting(p, s);
    bool first = !p->begun;

    p->begun = true;
    side->visited += frontier;
    if (first || !side->visited || (p->have_pulled && !p->all_pull))
        return false;
    double all = s->vertices, left = all - (double)side->visited;
    double pushing = (double)frontier * (double)side->arcs / all;
    double pulling = left * all / (double)side->visited;
    const struct execution *x = p->in->x;
    return pushing > pulling * (p->all_pull ? x->pull_on_above : x->pull_above);
}

static bool goes_by_gunrock(const struct pull *p)
{
    return p->in->x->direction == DIRECTION_GUNROCK;
}

static void need_in_arcs(struct pull *p)
{
    if (p->back)
        return;
    p->back = p->in->g;
    if (graph_is_symmetric(p->in->g))
        return;
    graph_transpose(&p->turned, p->in->g);
    p->back = &p->turned;
}

static void pull_aim(void *state, const struct site *s)
{
    struct pull *p = state;
    struct side *side = &p->sides[s->gpu];
    const struct queues *q = s->queues;

    if (goes_by_gunrock(p) && s->gpu == 0) {
        p->all_pull = should_all_pull(p, s);
        p->have_pulled = p->have_pulled || p->all_pull;
    }
    if (!q->waiting)
        return;
    side->pulls = goes_by_gunrock(p) ? p->all_pull : should_pull(p, s);
    side->frontier = q->waiting;
    if (!side->pulls)
        return;
    need_in_arcs(p);
    for (uint32_t k = 0; k < q->nnear; k++)
        for (size_t i = q->near[k].first; i < q->near[k].n; i++)
            if (is_own(p, s, q->near[k].list[i]))
                pull_tell(p, s, q->near[k].list[i]);
}

/* --- kernels -------------------------------------------------------------- */

/* Returns the least depth that v can have by the depths that the GPU knows,
 * UINT32_MAX if by none. The loop stops at an in-neighbour as near as the
 * frontier, because others cannot be nearer. */
static uint32_t look_back(const struct graph *back, const struct depths *depths,
                          uint32_t gpu, uint32_t v, uint32_t frontier,
                          uint64_t *edges)
{
    uint32_t least = UINT32_MAX;
    uint64_t a = back->first[v];

    while (a < back->first[v + 1] && least > frontier) {
        uint32_t near = depths_get(depths, gpu, back->to[a++]);
        if (near < least)
            least = near;
    }
    *edges += a - back->first[v];
    return least == UINT32_MAX ? least : least + 1;
}

/* The time that a warp's threads wait for accesses, one after the other; a warp
 * has 32 vertices with consecutive numbers. Times are numbers of steps. */
struct warp_look {
    uint32_t warp;
    double alone, together; /* the longest thread's, and the warp's */
    double most;            /* the maximum of all warps so far */
};

static void warp_look_add(struct warp_look *l, uint32_t v, double arcs,
                          double alone)
{
    enum { WARP = 32 };

    if (v / WARP != l->warp) {
        l->most = fmax(l->most, l->alone + l->together);
        *l = (struct warp_look){.warp = v / WARP, .most = l->most};
    }
    l->alone = fmax(l->alone, fmin(arcs, alone));
    if (arcs > alone)
        l->together += ceil((arcs - alone) / WARP);
}

static double warp_look_s(const struct pull *p, const struct gpu_costs *gpu,
                          const struct warp_look *l)
{
    const struct gpu_access *a = &p->in->m->gpu.access;
    double latency_s =
        gpu->hits * a->latency_hit_s + (1 - gpu->hits) * a->latency_miss_s;

    return fmax(l->most, l->alone + l->together) * latency_s *
           p->in->x->work[BFS].pull_chain;
}

static void pull_look(struct pull *p, const struct site *s, struct work *w,
                      uint32_t frontier)
{
    struct side *side = &p->sides[s->gpu];
    const struct depths *depths = &p->bfs.depths;
    const struct costs *costs = p->in->costs;
    const struct gpu_costs *gpu = &costs->gpus[s->gpu];
    const double alone = p->in->x->work[BFS].pull_alone;
    struct warp_look look = {.warp = UINT32_MAX};
    uint64_t pushed = w->edges;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < side->nleft; i++) {
        struct task t = {.u.v = side->left[i], .parts = 1, .what = FOUND};
        if (depths_get(depths, s->gpu, t.u.v) != UINT32_MAX)
            continue;
        side->left[kept++] = t.u.v;
        uint64_t before = w->edges;
        t.u.number =
            look_back(p->back, depths, s->gpu, t.u.v, frontier, &w->edges);
        if (alone > 0)
            warp_look_add(&look, t.u.v, (double)(w->edges - before), alone);
        if (t.u.number != UINT32_MAX)
            tasks_add(&w->tasks, t);
    }
    side->nleft = kept;
    double busy_s = gpu->pull_vertex_s * kept +
                    gpu->pull_arc_s * (double)(w->edges - pushed);
    w->units += fmax(busy_s, warp_look_s(p, gpu, &look)) / costs->unit_s;
}

/* Returns the cost of pushing along some of a vertex's arcs. */
static double units_to_push(const struct pull *p, uint32_t v, uint64_t arcs)
{
    uint64_t all = graph_degree(p->in->g, v);
    double units = (double)p->in->costs->vertex[v];

    return arcs < all ? units * (double)arcs / (double)all : units;
}

/* Turns the dequeued vertices into work; a GPU that pulls pushes only vertices
 * that are found late. */
static void pull_direct(void *state, const struct site *s, struct work *w)
{
    struct pull *p = state;
    const struct side *side = &p->sides[s->gpu];
    uint32_t frontier = UINT32_MAX;
    size_t n = w->tasks.n;

    w->edges = w->visits = w->tasks.n = 0;
    w->units = 0;
    for (size_t i = 0; i < n; i++) {
        struct task t = w->tasks.list[i];
        bool own = is_own(p, s, t.u.v);
        w->visits += own;
        if (side->pulls && t.u.number + 1 >= side->deepest) {
            frontier = t.u.number < frontier ? t.u.number : frontier;
            continue;
        }
        t.what = own && !p->announced[t.u.v] ? TO_ALL : TO_OWN;
        uint64_t arcs = arcs_to_push(p, s, t.u.v);
        w->edges += arcs;
        w->units += units_to_push(p, t.u.v, arcs);
        tasks_add(&w->tasks, t);
    }
    if (frontier != UINT32_MAX)
        pull_look(p, s, w, frontier);
}

static void pull_push(struct pull *p, const struct site *s,
                      const struct task *t)
{
    struct range arcs = task_arcs(p->in->g, t);

    for (uint64_t a = arcs.from; a < arcs.to; a++) {
        uint32_t v = p->in->g->to[a];
        if (t->what == TO_ALL || is_own(p, s, v))
            pull_found(p, s,
                       (struct update){.v = v, .number = t->u.number + 1});
    }
}

static void pull_apply(void *state, const struct site *s, const struct task *t,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (t[i].what == FOUND)
            pull_found(state, s, t[i].u);
        else
            pull_push(state, s, &t[i]);
}

static bool pull_take(void *state, const struct site *s, struct update *u)
{
    const struct pull *p = state;

    u->number = depths_get(&p->bfs.depths, s->gpu, u->v);
    return true;
}

const struct algorithm_table bfs_pull_algorithm = {
    .begin = pull_begin,
    .take = pull_take,
    .apply = pull_apply,
    .receive = pull_receive,
    .end = pull_end,
    .free = pull_free,
    .aim = pull_aim,
    .direct = pull_direct,
};
