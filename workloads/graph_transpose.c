/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workloads/graph.h"

#include <stdlib.h>
#include <string.h>

void graph_transpose(struct graph *out, const struct graph *g)
{
    uint64_t arcs = graph_arcs(g);

    *out = (struct graph){.n = g->n};
    out->first = xcalloc((size_t)g->n + 2, sizeof *out->first);
    out->to = xmalloc((arcs ? arcs : 1) * sizeof *out->to);

    /* Counted two places up, so that after filling [v] is where v starts. */
    for (uint64_t k = 0; k < arcs; k++)
        out->first[(size_t)g->to[k] + 2]++;
    for (uint32_t v = 0; v < g->n; v++)
        out->first[(size_t)v + 2] += out->first[(size_t)v + 1];
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++)
            out->to[out->first[(size_t)g->to[k] + 1]++] = v;
}

/* The heads of v in either graph, rising; `into` may be NULL. */
static uint64_t merge(const struct graph *a, const struct graph *b, uint32_t v,
                      uint32_t *into)
{
    uint64_t i = a->first[v], iend = a->first[v + 1];
    uint64_t j = b->first[v], jend = b->first[v + 1];
    uint64_t n = 0;

    while (i < iend || j < jend) {
        uint32_t p = i < iend ? a->to[i] : UINT32_MAX;
        uint32_t q = j < jend ? b->to[j] : UINT32_MAX;
        i += p <= q;
        j += q <= p;
        if (into)
            into[n] = p < q ? p : q;
        n++;
    }
    return n;
}

/* Memory of its own: what g has may lie in a mapped file. */
static void *copy_of(const void *from, size_t bytes)
{
    return from ? memcpy(xmalloc(bytes), from, bytes) : NULL;
}

void graph_undirect(struct graph *g)
{
    struct graph back, both = {.n = g->n};
    size_t coordinates = g->n * sizeof *g->x;

    graph_transpose(&back, g);
    both.first = xcalloc((size_t)g->n + 1, sizeof *both.first);
    for (uint32_t v = 0; v < g->n; v++)
        both.first[v + 1] = both.first[v] + merge(g, &back, v, NULL);
    both.to =
        xmalloc((both.first[g->n] ? both.first[g->n] : 1) * sizeof *both.to);
    for (uint32_t v = 0; v < g->n; v++)
        merge(g, &back, v, both.to + both.first[v]);
    graph_clear(&back);
    both.name = g->name ? xstrdup(g->name) : NULL;
    both.x = copy_of(g->x, coordinates);
    both.y = copy_of(g->y, coordinates);
    graph_clear(g);
    *g = both;
}
