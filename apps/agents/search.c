/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A serial breadth-first search that prefetches the memory it will read. */
#include "apps/agents/search.h"

#include "base/inline.h"

#include <stdlib.h>
#include <string.h>

/* The most arcs of a vertex that are prefetched, because the hardware
 * prefetches those after them; and the arcs in a cache line. */
enum { ASK_ARCS = 64, LINE_ARCS = 64 / sizeof(uint32_t) };

void search_init(struct search *s, const struct graph *g, uint32_t source,
                 uint32_t *depth)
{
    *s = (struct search){.g = g, .depth = depth, .found = 1, .level_end = 1};
    s->order = xmalloc((g->n + (size_t)1) * sizeof *s->order);
    s->seen = xcalloc(g->n / 64 + 1, sizeof *s->seen);
    s->order[0] = source;
    s->seen[source / 64] |= (uint64_t)1 << source % 64;
    memset(depth, 0xff, g->n * sizeof *depth);
}

void search_clear(struct search *s)
{
    free(s->order);
    free(s->seen);
    memset(s, 0, sizeof *s);
}

ALWAYS_INLINE void search_ask(const struct search *s)
{
    const struct graph *g = s->g;
    uint32_t v, later = s->visited + 2 * SEARCH_AHEAD;

    if (later < s->found)
        __builtin_prefetch(&g->first[s->order[later]]);
    if (!search_soon(s, &v))
        return;
    uint64_t arcs =
        graph_degree(g, v) < ASK_ARCS ? graph_degree(g, v) : ASK_ARCS;
    for (uint64_t a = 0; a < arcs; a += LINE_ARCS)
        __builtin_prefetch(&g->to[g->first[v] + a]);
    __builtin_prefetch(&s->depth[v], 1);
}

bool search_next(struct search *s, uint32_t *v)
{
    if (s->visited == s->found)
        return false;
    if (s->visited == s->level_end) {
        s->level++;
        s->level_end = s->found;
    }
    search_ask(s);
    *v = s->order[s->visited++];
    s->depth[*v] = s->level;
    s->edges += graph_degree(s->g, *v);
    return true;
}

/* The heads of one vertex differ, so they are looked up without a branch and
 * marked afterwards. */
uint32_t search_find(struct search *s, uint32_t v)
{
    const struct graph *g = s->g;
    const uint64_t *seen = s->seen;
    uint32_t *order = s->order, first = s->found, n = first;

    for (uint64_t a = g->first[v], end = g->first[v + 1]; a < end; a++) {
        uint32_t head = g->to[a];
        order[n] = head;
        n += !(seen[head / 64] >> head % 64 & 1);
    }
    for (uint32_t i = first; i < n; i++)
        s->seen[order[i] / 64] |= (uint64_t)1 << order[i] % 64;
    s->found = n;
    return n - first;
}
