/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_stats.h - statistics of a graph and of its partition. */
#ifndef WORKLOADS_GRAPH_GRAPH_STATS_H
#define WORKLOADS_GRAPH_GRAPH_STATS_H

#include "workloads/graph/graph.h"

struct graph_degrees {
    uint64_t min, max;
    double mean, deviation; /* mean, deviation: over all vertices */
    double ones;            /* share of the vertices with degree 1 */
    /* Share of the arcs at the 1 % of vertices with the most. */
    double top_share;
};

/* Returns the out-degrees. It takes O(vertices) time, and memory for counters
 * up to the largest degree. */
struct graph_degrees graph_out_degrees(const struct graph *g);

struct graph_stats {
    uint32_t vertices;
    uint64_t arcs;
    double symmetric; /* share of the arcs whose reverse is an arc, too */
    struct graph_degrees out, in;

    /* From here on: properties of the undirected graph. */
    /* Vertices of the largest component. */
    uint32_t components, largest_component;
    /* Vertex with the most arcs out and in; the first of several. */
    uint32_t hub;
    uint32_t hub_hops; /* hops to the furthest vertex that it reaches */
    uint32_t diameter; /* lower bound for the hub's component */
};
/* Computes the statistics of a graph. */
void graph_stats(const struct graph *g, struct graph_stats *out);

struct graph_cut {
    uint32_t ngpus;
    uint64_t arcs;     /* arcs that lead to another GPU */
    double share;      /* share of all arcs */
    uint64_t boundary; /* vertices with an arc from or to another GPU */
    /* The largest GPU, relative to the mean. */
    double vertex_balance, arc_balance;
    uint64_t *gpu_vertices, *gpu_arcs; /* per GPU; arcs belong to their tail */
    uint64_t *pairs; /* ngpus * ngpus: arcs from GPU to GPU, [from][to] */
    /*
     * For a search along the arcs from graph_hub(), level by level: the arcs of
     * each level at the GPU that has the most, relative to the mean, averaged
     * over all levels by their arcs. It is 1 if all are equal, and ngpus if one
     * GPU at a time has the arcs. A search that waits for all GPUs after each
     * level is at most ngpus / level_balance times as fast as on one GPU.
     */
    double level_balance;
};
/* Computes the cut of a partition; every part[v] must be below ngpus. The
 * caller clears it. */
void graph_cut(const struct graph *g, const uint32_t *part, uint32_t ngpus,
               struct graph_cut *out);
void graph_cut_clear(struct graph_cut *c);

#endif
