/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - a serial breadth-first search, one vertex after the other. */
#ifndef STRATEGIES_AGENTS_SEARCH_H
#define STRATEGIES_AGENTS_SEARCH_H

#include "workloads/graph/graph.h"

/* So many vertices ahead what is known of them is asked for. */
enum { SEARCH_AHEAD = 16 };

struct search {
    const struct graph *g;
    uint32_t *depth; /* of the vertices visited, in hops; others UINT32_MAX */
    uint32_t *order; /* as they are found: `found` of them, and room */
    uint64_t *seen;  /* a bit a vertex that was found */
    uint32_t found, visited;
    uint32_t level, level_end; /* the depth of what is visited, up to there */
    uint64_t edges;            /* of the vertices visited */
};

/* `depth` is the caller's, of g->n vertices. */
void search_init(struct search *s, const struct graph *g, uint32_t source,
                 uint32_t *depth);
void search_clear(struct search *s);

/* Visits the next vertex, *v; false: all that can be reached have been. */
bool search_next(struct search *s, uint32_t *v);
/* Finds heads of its arcs: how many that were not known. */
uint32_t search_find(struct search *s, uint32_t v);

/* The vertex that will be visited so much later; false: it is not known yet. */
static inline bool search_soon(const struct search *s, uint32_t *v)
{
    uint32_t i = s->visited + SEARCH_AHEAD;

    if (i >= s->found)
        return false;
    *v = s->order[i];
    return true;
}

#endif
