/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_walk.h - breadth-first searches that follow arcs in both directions. */
#ifndef WORKLOADS_GRAPH_GRAPH_WALK_H
#define WORKLOADS_GRAPH_GRAPH_WALK_H

#include "workloads/graph/graph.h"

struct graph_walk {
    const struct graph *out, *in; /* borrowed; `in` is `out` transposed */
    uint32_t *level; /* levels of the last search; UINT32_MAX if not reached */
    uint32_t *order; /* the vertices that it reached, the nearest first */
    uint32_t reached;
    uint32_t hops; /* hops to the last of them */
};

void graph_walk_init(struct graph_walk *w, const struct graph *out,
                     const struct graph *in);
void graph_walk_clear(struct graph_walk *w);

/* Returns the vertex with the most arcs, out and in, the first of several. */
uint32_t graph_walk_hub(const struct graph_walk *w);

/* Searches from a vertex. */
void graph_walk_from(struct graph_walk *w, uint32_t start);

/*
 * Finds two vertices that are far apart in the component of `start`: `sweeps`
 * times it searches for the vertex furthest from some vertex, and for the one
 * furthest from that. *far is the start of the last search of the best pair.
 * That search is repeated, so that level and order are those from *far. Returns
 * the hops between the two, a lower bound of the diameter.
 */
uint32_t graph_walk_sweep(struct graph_walk *w, uint32_t start, unsigned sweeps,
                          uint32_t *far);

#endif
