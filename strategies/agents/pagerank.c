/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PageRank, pushing: a vertex adds its residue to its rank and gives damping of
 * it to its neighbours in equal parts, as long as the residue is above the
 * threshold. What a vertex of another GPU gets is added up where it arises, and
 * goes with the next transfer. A GPU works off its queue, then looks for
 * vertices above it. Ranks are in units where a vertex without arcs to it has 1
 * - damping, and their sum is made 1 at the end: so what dangling vertices keep
 * for themselves is as if they gave it to all.
 */
#include "strategies/agents/traverse_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double bound(const struct traversal *t)
{
    return t->in->threshold * (1 - t->in->damping);
}

static void queue_vertex(struct traversal *t, struct gpu *g, uint32_t v)
{
    if (t->queued[v] || t->residue[v] <= bound(t))
        return;
    t->queued[v] = 1;
    traverse_push_later(t, g, v);
}

static void begin(struct traversal *t)
{
    uint32_t n = t->in->g->n;

    t->residue = xcalloc(n, sizeof *t->residue);
    t->queued = xcalloc(n, sizeof *t->queued);
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        t->gpus[i].sum = xcalloc(n, sizeof(float));
    for (uint32_t v = 0; v < n; v++) {
        t->residue[v] = 1 - t->in->damping;
        queue_vertex(t, &t->gpus[t->in->part[v]], v);
    }
}

static bool take(struct traversal *t, struct gpu *g, struct update *u)
{
    uint64_t degree = graph_degree(t->in->g, u->v);

    (void)g;
    t->queued[u->v] = 0;
    t->r->rank[u->v] += t->residue[u->v];
    u->share = degree
                   ? (float)(t->in->damping * t->residue[u->v] / (double)degree)
                   : 0;
    t->residue[u->v] = 0;
    return degree > 0;
}

static void give(struct traversal *t, struct gpu *g, uint32_t v, float share)
{
    uint32_t owner = t->in->part[v];

    if (owner == g->number) {
        t->residue[v] += (double)share;
        queue_vertex(t, g, v);
    } else {
        if (!(g->sum[v] > 0))
            traverse_add_update(&g->channels[owner].out,
                                (struct update){.v = v});
        g->sum[v] += share;
    }
}

static void apply(struct traversal *t, struct gpu *g, const struct task *p,
                  size_t n)
{
    const struct graph *graph = t->in->g;

    for (size_t i = 0; i < n; i++) {
        struct range arcs = task_arcs(graph, &p[i]);
        for (uint64_t a = arcs.from; a < arcs.to; a++)
            give(t, g, graph->to[a], p[i].u.share);
    }
}

static void receive(struct traversal *t, struct gpu *g, struct update u)
{
    t->residue[u.v] += (double)u.share;
    queue_vertex(t, g, u.v);
}

static void pack(struct gpu *g, struct updates *out)
{
    for (size_t i = 0; i < out->n; i++) {
        struct update *u = &out->list[i];
        u->share += g->sum[u->v];
        g->sum[u->v] = 0;
    }
}

static void scale_to_1(double *rank, uint32_t n)
{
    double sum = 0;

    for (uint32_t v = 0; v < n; v++)
        sum += rank[v];
    for (uint32_t v = 0; v < n; v++)
        rank[v] /= sum;
}

static void end(struct traversal *t)
{
    uint32_t n = t->in->g->n;

    /* What is left below the threshold belongs to the rank as well. */
    for (uint32_t v = 0; v < n; v++)
        t->r->rank[v] += t->residue[v];
    t->r->reached = n;
    scale_to_1(t->r->rank, n);
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        free(t->gpus[i].sum);
    free(t->residue);
    free(t->queued);
}

const struct algorithm_ops pagerank_ops = {.begin = begin,
                                           .take = take,
                                           .apply = apply,
                                           .receive = receive,
                                           .pack = pack,
                                           .end = end};

void traverse_plain_pagerank(double *rank, const struct graph *g,
                             double damping)
{
    double *next = xcalloc(g->n, sizeof *next), off = 1;
    /* An iteration leaves at most damping of what is missing. */
    double most = 30 / (1 - damping) + 10;

    for (uint32_t v = 0; v < g->n; v++)
        rank[v] = 1;
    for (int i = 0; i < most && off > 1e-12; i++) {
        for (uint32_t v = 0; v < g->n; v++)
            next[v] = 1 - damping;
        for (uint32_t v = 0; v < g->n; v++)
            for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++)
                next[g->to[a]] +=
                    damping * rank[v] / (double)graph_degree(g, v);
        off = 0;
        for (uint32_t v = 0; v < g->n; v++) {
            off = fmax(off, fabs(next[v] - rank[v]) / next[v]);
            rank[v] = next[v];
        }
    }
    scale_to_1(rank, g->n);
    free(next);
}
