/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a graph from a list of arcs, and frees it. */
#include "workloads/graph/graph.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void graph_clear(struct graph *g)
{
    free(g->name);
    if (g->map) {
        munmap(g->map, g->map_B);
    } else {
        free(g->first);
        free(g->to);
        free(g->x);
        free(g->y);
    }
    memset(g, 0, sizeof *g);
}

/* Returns where each bucket begins, one place up: if buckets are filled by at[b
 * + 1]++, at[b] is the beginning of b in the end. The caller frees it. */
static uint64_t *buckets(uint32_t n, const uint32_t *bucket, uint64_t items)
{
    uint64_t *at = xcalloc((size_t)n + 2, sizeof *at);

    for (uint64_t k = 0; k < items; k++)
        at[(size_t)bucket[k] + 2]++;
    for (size_t b = 2; b <= n; b++)
        at[b + 1] += at[b];
    return at;
}

/* Removes duplicates and self-loops; the heads of each vertex are sorted. */
static void drop_doubles(struct graph *g)
{
    uint64_t kept = 0, from = 0;

    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t to = g->first[v + 1];
        g->first[v] = kept;
        for (; from < to; from++) {
            uint32_t head = g->to[from];
            if (head == v || (kept > g->first[v] && g->to[kept - 1] == head))
                continue;
            g->to[kept++] = head;
        }
    }
    if (kept < g->first[g->n])
        g->to = xrealloc(g->to, kept, sizeof *g->to);
    g->first[g->n] = kept;
}

/* The arcs are sorted by head, and then stably by tail, so that the heads of
 * each tail are in increasing order. */
void graph_from_arcs(struct graph *g, uint32_t n, const uint32_t *tail,
                     const uint32_t *head, uint64_t arcs)
{
    uint64_t *in = buckets(n, head, arcs);
    uint32_t *from = xmalloc(arcs * sizeof *from);

    for (uint64_t k = 0; k < arcs; k++)
        from[in[(size_t)head[k] + 1]++] = tail[k];

    *g = (struct graph){.n = n, .first = buckets(n, tail, arcs)};
    g->to = xmalloc(arcs * sizeof *g->to);
    for (uint32_t h = 0; h < n; h++)
        for (uint64_t k = in[h]; k < in[h + 1]; k++)
            g->to[g->first[(size_t)from[k] + 1]++] = h;
    free(in);
    free(from);
    drop_doubles(g);
}

uint32_t graph_hub(const struct graph *g)
{
    uint32_t hub = 0;

    for (uint32_t v = 1; v < g->n; v++)
        if (graph_degree(g, v) > graph_degree(g, hub))
            hub = v;
    return hub;
}

uint64_t graph_arc(const struct graph *g, uint32_t u, uint32_t v)
{
    uint64_t low = g->first[u], high = g->first[u + 1];

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (g->to[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->first[u + 1] && g->to[low] == v ? low : NO_ARC;
}
