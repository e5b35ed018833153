/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - a serial breadth-first search, one vertex after the other. */
#ifndef APPS_AGENTS_SEARCH_H
#define APPS_AGENTS_SEARCH_H

#include "workloads/graph/graph.h"

/* Vertices between a prefetch and the visit that needs it. */
enum { SEARCH_AHEAD = 16 };

struct search {
    const struct graph *g;
    uint32_t *depth; /* in hops, of vertices visited; others UINT32_MAX */
    uint32_t *order; /* in the order of discovery: `found` of them, and room */
    uint64_t *seen;  /* one bit per vertex, set if it was found */
    uint32_t found, visited;
    /* Depth of the vertices visited now, and their end in `order`. */
    uint32_t level, level_end;
    uint64_t edges; /* arcs of the vertices visited */
};

/* Starts a search. `depth` is the caller's, of g->n vertices. */
void search_init(struct search *s, const struct graph *g, uint32_t source,
                 uint32_t *depth);
void search_clear(struct search *s);

/* Visits the next vertex, *v; returns false if all reachable ones are
 * visited. */
bool search_next(struct search *s, uint32_t *v);
/* Finds the heads of v's arcs; returns how many were not known. */
uint32_t search_find(struct search *s, uint32_t v);

/* Sets *v to the vertex that will be visited SEARCH_AHEAD visits later; returns
 * false if it is not known yet. */
static inline bool search_soon(const struct search *s, uint32_t *v)
{
    uint32_t i = s->visited + SEARCH_AHEAD;

    if (i >= s->found)
        return false;
    *v = s->order[i];
    return true;
}

#endif
