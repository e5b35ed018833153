/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes degrees, components and symmetry of a graph, and the cut of a
 * partition. */
#include "workloads/graph/graph_stats.h"

#include "workloads/graph/graph_walk.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 4 };

/* Returns the sum of the `top` largest degrees. */
static uint64_t largest_degrees(const struct graph *g, uint64_t max,
                                uint64_t top)
{
    uint64_t *count = xcalloc(max + 1, sizeof *count);
    uint64_t sum = 0;

    for (uint32_t v = 0; v < g->n; v++)
        count[graph_degree(g, v)]++;
    for (uint64_t d = max; d > 0 && top > 0; d--) {
        uint64_t n = count[d] < top ? count[d] : top;
        sum += n * d;
        top -= n;
    }
    free(count);
    return sum;
}

struct graph_degrees graph_out_degrees(const struct graph *g)
{
    struct graph_degrees d = {.min = UINT64_MAX};
    double squares = 0;
    uint32_t ones = 0;
    uint64_t top = ((uint64_t)g->n + 99) / 100;

    d.mean = g->n ? (double)graph_arcs(g) / g->n : 0;
    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t degree = graph_degree(g, v);
        double off = (double)degree - d.mean;
        squares += off * off;
        ones += degree == 1;
        if (degree < d.min)
            d.min = degree;
        if (degree > d.max)
            d.max = degree;
    }
    d.min = g->n ? d.min : 0;
    d.deviation = g->n ? sqrt(squares / g->n) : 0;
    d.ones = g->n ? (double)ones / g->n : 0;
    d.top_share = graph_arcs(g) ? (double)largest_degrees(g, d.max, top) /
                                      (double)graph_arcs(g)
                                : 0;
    return d;
}

/* Returns the number of heads of v that are tails, too; both lists are
 * sorted. */
static uint64_t two_way(const struct graph *g, const struct graph *in,
                        uint32_t v)
{
    uint64_t i = g->first[v], j = in->first[v], n = 0;

    while (i < g->first[v + 1] && j < in->first[v + 1]) {
        uint32_t p = g->to[i], q = in->to[j];
        n += p == q;
        i += p <= q;
        j += q <= p;
    }
    return n;
}

static double symmetric_share(const struct graph *g, const struct graph *in)
{
    uint64_t n = 0;

    for (uint32_t v = 0; v < g->n; v++)
        n += two_way(g, in, v);
    return graph_arcs(g) ? (double)n / (double)graph_arcs(g) : 1;
}

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Finds the components; each is named by its smallest vertex. */
static void find_components(const struct graph *g, struct graph_stats *s)
{
    uint32_t *parent = xcalloc(g->n, sizeof *parent);
    uint32_t *size = xcalloc(g->n, sizeof *size);

    for (uint32_t v = 0; v < g->n; v++)
        parent[v] = v;
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
            uint32_t a = root_of(parent, v), b = root_of(parent, g->to[k]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t root = root_of(parent, v);
        s->components += root == v;
        if (++size[root] > s->largest_component)
            s->largest_component = size[root];
    }
    free(parent);
    free(size);
}

void graph_stats(const struct graph *g, struct graph_stats *out)
{
    struct graph in;
    struct graph_walk walk;
    uint32_t far;

    *out = (struct graph_stats){.vertices = g->n, .arcs = graph_arcs(g)};
    if (!g->n)
        return;
    graph_transpose(&in, g);
    out->symmetric = symmetric_share(g, &in);
    out->out = graph_out_degrees(g);
    out->in = graph_out_degrees(&in);
    find_components(g, out);

    graph_walk_init(&walk, g, &in);
    out->hub = graph_walk_hub(&walk);
    graph_walk_from(&walk, out->hub);
    out->hub_hops = walk.hops;
    out->diameter = graph_walk_sweep(&walk, out->hub, SWEEPS, &far);
    graph_walk_clear(&walk);
    graph_clear(&in);
}

static double over_mean(const uint64_t *each, uint32_t n)
{
    uint64_t most = 0, sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += each[i];
        if (each[i] > most)
            most = each[i];
    }
    return sum ? (double)most * n / (double)sum : 1;
}

/* A level of a search, and the counters of the GPUs' arcs in it. */
struct level {
    const struct graph *g;
    const uint32_t *part;
    uint64_t *arcs; /* one per GPU */
    uint32_t ngpus;
};

/* Returns the arcs of n vertices at the GPU that has the most; adds those of
 * all GPUs to *sum. */
static uint64_t most_arcs(struct level *l, const uint32_t *v, uint32_t n,
                          uint64_t *sum)
{
    uint64_t most = 0;

    for (uint32_t p = 0; p < l->ngpus; p++)
        l->arcs[p] = 0;
    for (uint32_t i = 0; i < n; i++)
        l->arcs[l->part[v[i]]] += graph_degree(l->g, v[i]);
    for (uint32_t p = 0; p < l->ngpus; p++) {
        *sum += l->arcs[p];
        most = l->arcs[p] > most ? l->arcs[p] : most;
    }
    return most;
}

/* Appends to v the heads of its n vertices that were not met before. Returns
 * their number. */
static uint32_t next_level(const struct graph *g, uint32_t *v, uint32_t n,
                           bool *met)
{
    uint32_t more = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint64_t k = g->first[v[i]]; k < g->first[v[i] + 1]; k++)
            if (!met[g->to[k]]) {
                met[g->to[k]] = true;
                v[n + more++] = g->to[k];
            }
    return more;
}

static double level_balance(const struct graph *g, const uint32_t *part,
                            uint32_t ngpus)
{
    uint32_t *order = xcalloc((size_t)g->n + 1, sizeof *order), *v = order;
    bool *met = xcalloc((size_t)g->n + 1, sizeof *met);
    struct level l = {.g = g, .part = part, .ngpus = ngpus};
    uint64_t most = 0, all = 0;

    l.arcs = xcalloc(ngpus, sizeof *l.arcs);
    *v = graph_hub(g);
    met[*v] = true;
    for (uint32_t n = g->n ? 1 : 0, more; n > 0; v += n, n = more) {
        most += most_arcs(&l, v, n, &all);
        more = next_level(g, v, n, met);
    }
    free(l.arcs);
    free(met);
    free(order);
    return all ? (double)most * ngpus / (double)all : 1;
}

void graph_cut(const struct graph *g, const uint32_t *part, uint32_t ngpus,
               struct graph_cut *out)
{
    bool *boundary = xcalloc(g->n, sizeof *boundary);

    *out = (struct graph_cut){.ngpus = ngpus};
    out->gpu_vertices = xcalloc(ngpus, sizeof *out->gpu_vertices);
    out->gpu_arcs = xcalloc(ngpus, sizeof *out->gpu_arcs);
    out->pairs = xcalloc((size_t)ngpus * ngpus, sizeof *out->pairs);
    for (uint32_t v = 0; v < g->n; v++) {
        uint32_t from = part[v];
        out->gpu_vertices[from]++;
        out->gpu_arcs[from] += graph_degree(g, v);
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
            uint32_t to = part[g->to[k]];
            out->pairs[(size_t)from * ngpus + to]++;
            if (from != to) {
                out->arcs++;
                boundary[v] = boundary[g->to[k]] = true;
            }
        }
    }
    for (uint32_t v = 0; v < g->n; v++)
        out->boundary += boundary[v];
    out->share = graph_arcs(g) ? (double)out->arcs / (double)graph_arcs(g) : 0;
    out->vertex_balance = over_mean(out->gpu_vertices, ngpus);
    out->arc_balance = over_mean(out->gpu_arcs, ngpus);
    out->level_balance = level_balance(g, part, ngpus);
    free(boundary);
}

void graph_cut_clear(struct graph_cut *c)
{
    free(c->gpu_vertices);
    free(c->gpu_arcs);
    free(c->pairs);
}
