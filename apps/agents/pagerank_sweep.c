/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PageRank by sweeps, as Gunrock v1.0 does it (gunrock/app/pr/pr_enactor.cuh):
 * an iteration, except the first, computes the ranks of all vertices from the
 * sums of their in-neighbours' shares, and then every vertex gives its rank to
 * its neighbours in equal parts, along all arcs. It is the last if no rank has
 * changed by more than the threshold times its old value, or if the number of
 * iterations has reached its bound. The sums that a GPU has for vertices of
 * others, one each, are sent to their owners in every iteration.
 *
 * No GPU reads a sum before all have exchanged, so sums are stored once for all
 * of them, and the outbox gets only the vertices that have one. The order of
 * arcs is free, too: if heads are far from tails, arcs are visited by blocks of
 * heads, whose sums stay in this processor's cache.
 */
#include "apps/agents/pagerank.h"

#include "apps/agents/costs.h"

#include <math.h>
#include <stdlib.h>

struct sweep_side {
    uint32_t *own; /* its vertices */
    uint32_t nown;
    /* Heads of its arcs that others own, each once, sorted by owner. */
    uint32_t *heads;
    uint32_t nheads, room;
    uint32_t *until; /* for each owner the end of its heads */
    uint64_t arcs;
};

struct arc {
    uint32_t tail, head;
};

struct sweep {
    const struct traverse_input *in;
    struct traverse_result *r;
    struct sweep_side *sides; /* one per GPU */
    struct arc *arcs;    /* all arcs, by blocks of heads; NULL if not sorted */
    double *share;       /* for each vertex the value that its arcs carry */
    double *sum;         /* for each vertex the sum of received shares */
    uint32_t iterations; /* iterations that have begun */
    double change;       /* largest change of a rank in this one, relative */
    bool done;
};

/* --- vertices and heads of each GPU --------------------------------------- */

static void side_add_head(struct sweep_side *s, uint32_t v)
{
    if (s->nheads == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->heads = xrealloc(s->heads, s->room, sizeof *s->heads);
    }
    s->heads[s->nheads++] = v;
}

/* Finds a GPU's heads. stamp[v] is 1 + the last GPU that has v among its
 * heads. */
static void side_find_heads(const struct sweep *p, uint32_t gpu,
                            uint32_t *stamp)
{
    struct sweep_side *s = &p->sides[gpu];
    const struct graph *g = p->in->g;
    const uint32_t *part = p->in->part;

    for (uint32_t i = 0; i < s->nown; i++)
        for (uint64_t a = g->first[s->own[i]]; a < g->first[s->own[i] + 1];
             a++) {
            uint32_t v = g->to[a];
            if (part[v] == gpu || stamp[v] == gpu + 1)
                continue;
            stamp[v] = gpu + 1;
            side_add_head(s, v);
        }
}

static void side_sort_heads(struct sweep_side *s, const uint32_t *part,
                            uint32_t ngpus)
{
    uint32_t *sorted = xmalloc(s->nheads * sizeof *sorted), sum = 0;

    s->until = xcalloc(ngpus, sizeof *s->until);
    for (uint32_t i = 0; i < s->nheads; i++)
        s->until[part[s->heads[i]]]++;
    for (uint32_t k = 0; k < ngpus; k++) {
        uint32_t n = s->until[k];
        s->until[k] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < s->nheads; i++)
        sorted[s->until[part[s->heads[i]]]++] = s->heads[i];
    free(s->heads);
    s->heads = sorted;
}

static void sweep_divide(struct sweep *p, const struct site *sites)
{
    const struct traverse_input *in = p->in;

    for (uint32_t i = 0; i < in->ngpus; i++)
        p->sides[i].own = xcalloc(sites[i].vertices, sizeof(uint32_t));
    for (uint32_t v = 0; v < in->g->n; v++) {
        struct sweep_side *s = &p->sides[in->part[v]];
        s->own[s->nown++] = v;
        s->arcs += graph_degree(in->g, v);
    }
    if (in->ngpus == 1)
        return;
    uint32_t *stamp = xcalloc(in->g->n, sizeof *stamp);
    for (uint32_t i = 0; i < in->ngpus; i++) {
        side_find_heads(p, i, stamp);
        side_sort_heads(&p->sides[i], in->part, in->ngpus);
    }
    free(stamp);
}

/* --- blocks of heads ------------------------------------------------------ */

/* Vertices of a block, whose sums take half a MiB. A graph that is not larger
 * than SMALL_GRAPH is not worth the copy. */
enum { BLOCK_BITS = 16, SMALL_GRAPH = 1 << 18 };

/* Returns whether more than a quarter of a sample of the arcs lead farther than
 * a block. */
static bool is_scattered(const struct graph *g)
{
    uint64_t far = 0, looked = 0;

    if (g->n <= SMALL_GRAPH)
        return false;
    for (uint32_t v = 0; v < g->n; v += 101) {
        uint64_t from = g->first[v], n = g->first[v + 1] - from;
        if (!n)
            continue;
        uint32_t head = g->to[from + v % n];
        far += (head > v ? head - v : v - head) >> BLOCK_BITS != 0;
        looked++;
    }
    return far * 4 > looked;
}

static struct arc *arcs_by_heads(const struct graph *g)
{
    struct arc *arcs = xmalloc(graph_arcs(g) * sizeof *arcs);
    uint64_t *at = xcalloc((g->n >> BLOCK_BITS) + 2, sizeof *at);

    for (uint64_t a = 0; a < graph_arcs(g); a++)
        at[(g->to[a] >> BLOCK_BITS) + 1]++;
    for (uint32_t b = 0; b <= g->n >> BLOCK_BITS; b++)
        at[b + 1] += at[b];
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++)
            arcs[at[g->to[a] >> BLOCK_BITS]++] = (struct arc){v, g->to[a]};
    free(at);
    return arcs;
}

/* --- a run ---------------------------------------------------------------- */

static void sweep_set(struct sweep *p, uint32_t v, double rank)
{
    uint64_t degree = graph_degree(p->in->g, v);

    p->r->rank[v] = rank;
    p->share[v] = degree ? p->in->damping * rank / (double)degree : 0;
    p->sum[v] = 1 - p->in->damping;
}

static void *sweep_begin(const struct traverse_input *in,
                         struct traverse_result *r, const struct site *sites)
{
    struct sweep *p = xcalloc(1, sizeof *p);
    uint32_t n = in->g->n;

    p->in = in;
    p->r = r;
    r->last_change = INFINITY; /* not known for the ranks at the beginning */
    p->sides = xcalloc(in->ngpus, sizeof *p->sides);
    p->share = xmalloc_scattered(n * sizeof *p->share);
    p->sum = xmalloc_scattered(n * sizeof *p->sum);
    for (uint32_t v = 0; v < n; v++)
        sweep_set(p, v, 1 - in->damping);
    sweep_divide(p, sites);
    if (is_scattered(in->g))
        p->arcs = arcs_by_heads(in->g);
    return p;
}

static uint32_t most_iterations(const struct traverse_input *in)
{
    uint32_t most =
        in->max_iterations ? in->max_iterations : in->x->max_iterations;

    return most ? most : UINT32_MAX;
}

/* Applies the stop rule, when the first GPU begins an iteration. */
static void sweep_next(struct sweep *p)
{
    if (p->iterations > 1) {
        p->r->last_change = p->change;
        p->done = !(p->change > p->in->threshold);
    }
    if (p->iterations >= most_iterations(p->in))
        p->done = true;
    p->iterations += !p->done;
    p->change = 0;
}

/* Sets the ranks of the GPU's vertices from the sums of the iteration
 * before. */
static void sweep_ranks(struct sweep *p, const struct sweep_side *s)
{
    double most = p->change;

    for (uint32_t i = 0; i < s->nown; i++) {
        uint32_t v = s->own[i];
        double old = p->r->rank[v], rank = p->sum[v];
        double change = fabs(rank - old);
        if (change > most * old)
            most = change / old;
        sweep_set(p, v, rank);
    }
    p->change = most;
}

static bool sweep_step(void *state, const struct site *site, struct work *w)
{
    struct sweep *p = state;
    const struct sweep_side *s = &p->sides[site->gpu];

    if (site->gpu == 0)
        sweep_next(p);
    if (p->done)
        return false;
    w->edges = s->arcs;
    w->units = p->in->costs->gpus[site->gpu].all_s / p->in->costs->unit_s;
    if (p->iterations > 1) {
        w->visits = s->nown;
        sweep_ranks(p, s);
    }
    return true;
}

static void give_by_blocks(const struct sweep *p)
{
    const struct arc *a = p->arcs, *end = a + graph_arcs(p->in->g);
    const double *share = p->share;
    double *sum = p->sum;

    for (; a < end; a++)
        sum[a->head] += share[a->tail];
}

static void give_as_they_are(const struct sweep *p, const struct sweep_side *s)
{
    const struct graph *g = p->in->g;
    double *sum = p->sum;

    for (uint32_t i = 0; i < s->nown; i++) {
        uint32_t v = s->own[i];
        const uint32_t *to = &g->to[g->first[v]],
                       *end = &g->to[g->first[v + 1]];
        double share = p->share[v];
        while (to < end)
            sum[*to++] += share;
    }
}

/* Gives the shares along the GPU's arcs, because all vertices have their ranks
 * by now; if arcs are in blocks the first GPU does it for all. */
static void sweep_apply(void *state, const struct site *site,
                        const struct task *t, size_t n)
{
    const struct sweep *p = state;
    const struct sweep_side *s = &p->sides[site->gpu];

    (void)t;
    (void)n;
    if (!p->arcs)
        give_as_they_are(p, s);
    else if (site->gpu == 0)
        give_by_blocks(p);
    for (uint32_t i = 0, k = 0; i < s->nheads; i++) {
        while (i == s->until[k])
            k++;
        outbox_add(site->outbox, k, (struct update){.v = s->heads[i]});
    }
}

/* Does nothing, because the sum is already in p->sum. */
static void sweep_receive(void *state, const struct site *s,
                          const struct update *list, size_t n)
{
    (void)state;
    (void)s;
    (void)list;
    (void)n;
}

static void sweep_end(void *state)
{
    struct sweep *p = state;

    p->r->reached = p->in->g->n;
    pagerank_scale_to_1(p->r->rank, p->in->g->n);
}

static void sweep_free(void *state)
{
    struct sweep *p = state;

    for (uint32_t i = 0; i < p->in->ngpus; i++) {
        free(p->sides[i].own);
        free(p->sides[i].heads);
        free(p->sides[i].until);
    }
    free(p->sides);
    free(p->arcs);
    free(p->share);
    free(p->sum);
    free(p);
}

const struct algorithm_table pagerank_sweep_algorithm = {
    .begin = sweep_begin,
    .step = sweep_step,
    .apply = sweep_apply,
    .receive = sweep_receive,
    .end = sweep_end,
    .free = sweep_free,
};
