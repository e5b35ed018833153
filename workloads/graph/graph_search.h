/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_search.h - what a search costs by the graph alone: how its arcs lie by
 * level, and how its heads lie in memory.
 */
#ifndef WORKLOADS_GRAPH_GRAPH_SEARCH_H
#define WORKLOADS_GRAPH_GRAPH_SEARCH_H

#include "workloads/graph/graph.h"
#include "workloads/graph/graph_cache.h"

/* A value of 4 B for each vertex, in sectors of 32 B. */
enum { SECTOR_VALUES = 8 };

/* The caches hold these shares of all values. */
extern const double graph_cache_shares[GRAPH_CACHES];

struct graph_search {
    /* Along the arcs from graph_hub(): arcs that leave each level's vertices,
     * over those of all levels. The caller frees it. */
    double *level;
    uint32_t levels;
    uint32_t reached; /* vertices */

    /* Of the arcs of a vertex, in the order of the heads' numbers. */
    double runs;    /* of heads that follow each other, by arc */
    double sectors; /* that hold their values, by arc */
    /* Arcs whose head or a neighbour of it in number is also one of the next
     * vertex, over all arcs. */
    double similar;

    /* Sectors that a cache does not have, by arc: the values of the heads of
     * one vertex after the other, by number, and by level as they are found. */
    double misses_by_number[GRAPH_CACHES], misses_by_level[GRAPH_CACHES];
};

/* O(vertices + arcs) time, 17 B a vertex. */
void graph_search(const struct graph *g, struct graph_search *out);
void graph_search_clear(struct graph_search *s);

#endif
