/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_search.h - the properties of a graph that determine the cost of a
 * search: its arcs per level, and the places of its heads in memory. */
#ifndef WORKLOADS_GRAPH_GRAPH_SEARCH_H
#define WORKLOADS_GRAPH_GRAPH_SEARCH_H

#include "workloads/graph/graph.h"
#include "workloads/graph/graph_cache.h"

/* Each vertex has a value of 4 B, in sectors of 32 B. */
enum { SECTOR_VALUES = 8 };

/* The shares of all values that the caches hold. */
extern const double graph_cache_shares[GRAPH_CACHES];

struct graph_search {
    /* For a search along the arcs from graph_hub(): the share of the arcs that
     * leave each level's vertices. The caller frees it. */
    double *level;
    uint32_t levels;
    uint32_t reached; /* number of vertices reached */

    /* These are for the arcs of each vertex in the order of their heads. */
    double runs;    /* runs of consecutive heads, per arc */
    double sectors; /* sectors that have their values, per arc */
    /* Share of the arcs whose head, or a number next to it, is a head of the
     * next vertex, too. */
    double similar;

    /* Sectors that a cache misses, per arc, if the values of the heads are read
     * of one vertex after the other: by number, and by level in the order of
     * the search. */
    double misses_by_number[GRAPH_CACHES], misses_by_level[GRAPH_CACHES];
};

/* Computes all of these, in O(vertices + arcs) time and 17 B per vertex. */
void graph_search(const struct graph *g, struct graph_search *out);
void graph_search_clear(struct graph_search *s);

#endif
