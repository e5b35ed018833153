/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PageRank that pushes: a vertex adds its residue to its rank and gives damping
 * of it to its neighbours in equal parts, as long as the residue is above the
 * threshold. Shares for a vertex of another GPU are added up where they arise,
 * and are sent with the next transfer. A GPU works off its queue, then looks
 * for vertices above the threshold. Ranks are in units in which a vertex
 * without arcs to it has 1 - damping. Their sum is made 1 at the end, because
 * that is the same as if dangling vertices gave their rank to all.
 */
#include "apps/agents/pagerank.h"

#include "base/inline.h"
#include "apps/agents/costs.h"
#include "apps/agents/shares.h"
#include "apps/agents/sums.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pagerank {
    const struct traverse_input *in;
    struct traverse_result *r;
    double bound;     /* a residue not above this stays */
    float goes_at;    /* a sum for another GPU not below this goes there */
    double *residue;  /* each vertex's, at its owner: queued if above bound */
    struct sums sums; /* for vertices of other GPUs */
    struct own_arcs *own; /* of each vertex, or NULL */
    uint64_t *arcs;       /* each GPU's, from all its vertices */
    struct shares shares; /* of the GPU that adds */
};

static void pagerank_queue(const struct pagerank *p, const struct site *s,
                           uint32_t v)
{
    if (p->in->x->scan == SCAN_NONE)
        queues_push(s->queues, v, 0);
    else
        queues_put_off(s->queues, v);
}

static void pagerank_add(struct pagerank *p, const struct site *s, uint32_t v,
                         double share)
{
    double was = p->residue[v];

    p->residue[v] = was + share;
    if (was <= p->bound && p->residue[v] > p->bound)
        pagerank_queue(p, s, v);
}

/* Returns the least sum in single precision that goes to its GPU: the bound
 * with RESIDUES_ABOVE, else the least above 0. */
static float goes_at(enum residues residues, double bound)
{
    float at = residues == RESIDUES_ABOVE ? (float)bound : FLT_TRUE_MIN;

    return residues == RESIDUES_ABOVE && (double)at < bound
               ? nextafterf(at, INFINITY)
               : at;
}

/* Returns whether shares for other GPUs are added up in an array. */
static bool pagerank_is_dense(const struct pagerank *p)
{
    return p->sums.dense && p->in->x->residues != RESIDUES_EACH;
}

static void *pagerank_begin(const struct traverse_input *in,
                            struct traverse_result *r, const struct site *sites)
{
    struct pagerank *p = xcalloc(1, sizeof *p);
    uint32_t n = in->g->n;

    p->in = in;
    p->r = r;
    p->bound = in->threshold * (1 - in->damping);
    p->goes_at = goes_at(in->x->residues, p->bound);
    p->arcs = xcalloc(in->ngpus, sizeof *p->arcs);
    p->residue = xmalloc_scattered(n * sizeof *p->residue);
    sums_init(&p->sums, in->g, in->part, in->ngpus);
    if (pagerank_is_dense(p))
        p->own = own_arcs_new(in->g, in->part);
    p->shares.residue = p->residue;
    p->shares.bound = p->bound;
    p->shares.goes_at = p->goes_at;
    for (uint32_t v = 0; v < n; v++) {
        p->residue[v] = 0;
        p->arcs[in->part[v]] += graph_degree(in->g, v);
        pagerank_add(p, &sites[in->part[v]], v, 1 - in->damping);
    }
    return p;
}

static bool pagerank_take(void *state, const struct site *s, struct update *u)
{
    struct pagerank *p = state;
    uint64_t degree = graph_degree(p->in->g, u->v);

    (void)s;
    p->r->rank[u->v] += p->residue[u->v];
    u->real = degree
                  ? (float)(p->in->damping * p->residue[u->v] / (double)degree)
                  : 0;
    p->residue[u->v] = 0;
    return degree > 0;
}

/* Arcs are asked for some vertices ahead, because they are scattered in memory.
 */
enum { AHEAD = 8 };

/* A sum for v waits in the outbox, as v alone, from when it reaches p->goes_at;
 * shares that are added until it leaves go with it. */
static void pagerank_send(const struct pagerank *p, const struct site *s,
                          uint32_t v)
{
    outbox_add(s->outbox, p->in->part[v], (struct update){.v = v});
}

static void pagerank_give_sparse(struct pagerank *p, const struct site *s,
                                 const struct update *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t v = list[i].v;
        float *sum = sums_at(&p->sums, s->gpu, v);
        if (!sum) {
            pagerank_add(p, s, v, (double)list[i].real);
            continue;
        }
        float was = *sum;
        *sum = was + list[i].real;
        if (was < p->goes_at && *sum >= p->goes_at)
            pagerank_send(p, s, v);
    }
}

/* Every arc's share goes by itself. */
static void pagerank_give_each(struct pagerank *p, const struct site *s,
                               const struct update *list, size_t n)
{
    const uint32_t *part = p->in->part;

    for (size_t i = 0; i < n; i++)
        if (part[list[i].v] == s->gpu)
            pagerank_add(p, s, list[i].v, (double)list[i].real);
        else
            outbox_add(s->outbox, part[list[i].v], list[i]);
}

static void pagerank_give(struct pagerank *p, const struct site *s,
                          const struct update *list, size_t n)
{
    if (p->in->x->residues == RESIDUES_EACH)
        pagerank_give_each(p, s, list, n);
    else
        pagerank_give_sparse(p, s, list, n);
}

/* Heads that are asked for before the first of them gets its share. */
enum { MOST_HEADS = 128 };

static void pagerank_apply_listed(struct pagerank *p, const struct site *s,
                                  const struct task *t, size_t n)
{
    const struct graph *graph = p->in->g;
    struct update list[MOST_HEADS];
    size_t heads = 0;

    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            __builtin_prefetch(&graph->to[graph->first[t[i + AHEAD].u.v]]);
        struct range arcs = task_arcs(graph, &t[i]);
        for (uint64_t a = arcs.from; a < arcs.to; a++) {
            __builtin_prefetch(&p->residue[graph->to[a]], 1);
            __builtin_prefetch(&p->in->part[graph->to[a]]);
            list[heads++] =
                (struct update){.v = graph->to[a], .real = t[i].u.real};
            if (heads < MOST_HEADS)
                continue;
            pagerank_give(p, s, list, heads);
            heads = 0;
        }
    }
    pagerank_give(p, s, list, heads);
}

/* --- sums in an array -------------------------------------------------------
 */

/* Queues and sends the listed heads. It may do so late, because no update
 * leaves a GPU while shares are added. */
static void pagerank_empty(struct pagerank *p, const struct site *s)
{
    struct heads *queued = &p->shares.queued, *sent = &p->shares.sent;

    for (size_t i = 0; i < queued->n; i++)
        pagerank_queue(p, s, queued->list[i]);
    outbox_add_all(s->outbox, p->in->part, sent->list, sent->n);
    queued->n = sent->n = 0;
}

/* Prefetches the places of a vertex's edges, before those are prefetched. */
ALWAYS_INLINE void pagerank_ask(const struct pagerank *p, uint32_t v)
{
    __builtin_prefetch(&p->in->g->first[v]);
    if (p->own)
        __builtin_prefetch(&p->own[v]);
}

static void pagerank_apply_dense(struct pagerank *p, const struct site *s,
                                 const struct task *t, size_t n)
{
    const struct graph *g = p->in->g;
    struct shares *shares = &p->shares;

    shares->sum = sums_dense(&p->sums, s->gpu);
    for (size_t i = 0; i < n; i++) {
        if (i + 2 * AHEAD < n)
            pagerank_ask(p, t[i + 2 * AHEAD].u.v);
        if (i + AHEAD < n)
            __builtin_prefetch(&g->to[g->first[t[i + AHEAD].u.v]]);
        struct range arcs = task_arcs(g, &t[i]), piece = arcs;
        for (; piece.from < arcs.to; piece.from = piece.to) {
            piece.to = arcs.to - piece.from > SHARES_MOST
                           ? piece.from + SHARES_MOST
                           : arcs.to;
            if (shares_are_full(shares))
                pagerank_empty(p, s);
            shares_give(shares, g, piece, p->own ? &p->own[t[i].u.v] : NULL,
                        t[i].u);
        }
    }
    pagerank_empty(p, s);
}

static void pagerank_apply(void *state, const struct site *s,
                           const struct task *t, size_t n)
{
    struct pagerank *p = state;

    if (pagerank_is_dense(p))
        pagerank_apply_dense(p, s, t, n);
    else
        pagerank_apply_listed(p, s, t, n);
}

static void pagerank_receive(void *state, const struct site *s,
                             const struct update *list, size_t n)
{
    struct pagerank *p = state;

    for (size_t i = 0; i < n; i += SHARES_MOST) {
        shares_receive(&p->shares, &list[i],
                       n - i < SHARES_MOST ? n - i : SHARES_MOST);
        pagerank_empty(p, s);
    }
}

static void pagerank_pack(void *state, const struct site *s,
                          struct updates *list)
{
    struct pagerank *p = state;
    struct sums *sums = &p->sums;

    if (p->in->x->residues == RESIDUES_EACH)
        return; /* an update has its value since it was found */
    for (size_t i = 0; i < list->n; i++) {
        struct update *u = &list->list[i];
        float *sum = sums_at(sums, s->gpu, u->v);
        if (!sum) /* because the vertex is this GPU's own */
            continue;
        u->real += *sum;
        *sum = 0;
    }
}

static void pagerank_pass(void *state, const struct site *s, struct update u)
{
    struct pagerank *p = state;

    if (p->in->x->residues == RESIDUES_EACH)
        outbox_add(s->outbox, p->in->part[u.v], u);
    else
        pagerank_give_sparse(p, s, &u, 1);
}

static void pagerank_end(void *state)
{
    struct pagerank *p = state;
    uint32_t n = p->in->g->n;
    bool keeps = p->in->x->residues == RESIDUES_ABOVE;

    /* A residue that is left below the threshold belongs to the rank too. */
    for (uint32_t v = 0; v < n; v++)
        p->r->rank[v] += p->residue[v];
    for (uint32_t g = 0; g < p->in->ngpus; g++)
        for (uint32_t v = 0; keeps && v < n; v++)
            p->r->rank[v] += (double)sums_get(&p->sums, g, v);
    p->r->reached = n;
    pagerank_scale_to_1(p->r->rank, n);
}

static void pagerank_free(void *state)
{
    struct pagerank *p = state;

    sums_clear(&p->sums);
    free(p->own);
    free(p->residue);
    free(p->arcs);
    free(p);
}

/* --- before and after ----------------------------------------------------- */

static int pagerank_check(const struct traverse_input *in, struct err *err)
{
    if (!(in->damping > 0 && in->damping < 1))
        return fail(err, "damping: expected a number between 0 and 1, got %g",
                    in->damping);
    if (!(in->threshold > 0 && in->threshold < 1))
        return fail(err, "threshold: expected a number between 0 and 1, got %g",
                    in->threshold);
    return 0;
}

static const struct algorithm_table *pagerank_choose(const struct execution *x)
{
    switch (x->pagerank) {
    case PAGERANK_SWEEP:
        return &pagerank_sweep_algorithm;
    case PAGERANK_TOPOLOGY:
        return &pagerank_topology_algorithm;
    case PAGERANK_RESIDUAL:
    case NPAGERANK_VARIANTS:
        break;
    }
    return &pagerank_algorithm;
}

static void pagerank_show(struct traverse_result *r)
{
    r->rank = r->values;
}

/* Returns the passes after which the error is the threshold, because a power
 * iteration leaves at most damping of it. */
static double pagerank_passes(const struct traverse_input *in)
{
    return ceil(log(in->threshold) / log(in->damping));
}

static int pagerank_compare(struct traverse_result *r,
                            const struct traverse_input *in, struct err *err)
{
    return in->x->pagerank == PAGERANK_SWEEP
               ? pagerank_compare_sweeps(r, in, err)
               : pagerank_compare_residues(r, in, err);
}

const struct algorithm_table pagerank_algorithm = {
    .name = "pagerank",
    .choose = pagerank_choose,
    .check = pagerank_check,
    .value_B = sizeof(double),
    .show = pagerank_show,
    .compare = pagerank_compare,
    .plain_passes = pagerank_passes,
    .begin = pagerank_begin,
    .take = pagerank_take,
    .apply = pagerank_apply,
    .receive = pagerank_receive,
    .pack = pagerank_pack,
    .pass = pagerank_pass,
    .end = pagerank_end,
    .free = pagerank_free,
};

/* --- all arcs in every kernel --------------------------------------------- */

static void topology_aim(void *state, const struct site *s)
{
    (void)state;
    (void)s; /* because other GPUs get shares of its vertices */
}

/* Lets the dequeued vertices give shares, at the cost of visiting all arcs. */
static void topology_direct(void *state, const struct site *s, struct work *w)
{
    const struct pagerank *p = state;
    const struct costs *c = p->in->costs;

    w->edges = p->arcs[s->gpu];
    w->units = c->gpus[s->gpu].all_s / c->unit_s;
}

const struct algorithm_table pagerank_topology_algorithm = {
    .begin = pagerank_begin,
    .take = pagerank_take,
    .apply = pagerank_apply,
    .receive = pagerank_receive,
    .pack = pagerank_pack,
    .pass = pagerank_pass,
    .end = pagerank_end,
    .free = pagerank_free,
    .aim = topology_aim,
    .direct = topology_direct,
};
