/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_stats.h - statistics of a graph and of its partition. */
#ifndef WORKLOADS_GRAPH_GRAPH_STATS_H
#define WORKLOADS_GRAPH_GRAPH_STATS_H

#include "workloads/graph/graph.h"

struct graph_degrees {
    uint64_t min, max;
    double mean, deviation; /* of all, divided by their number */
    double ones;            /* share of the vertices that have degree 1 */
    double top_share; /* of the arcs at the 1 % of vertices that have most */
};

/* Takes O(vertices), and memory for the largest degree. */
struct graph_degrees graph_out_degrees(const struct graph *g);

struct graph_stats {
    uint32_t vertices;
    uint64_t arcs;
    double symmetric; /* share of the arcs whose way back is an arc too */
    struct graph_degrees out, in;

    /* Of the undirected graph, from here on. */
    uint32_t components, largest_component; /* vertices of the largest */
    uint32_t hub;      /* with the most arcs, out and in; the first of equal */
    uint32_t hub_hops; /* to the vertex furthest from it that it reaches */
    uint32_t diameter; /* at least, of the hub's component */
};
void graph_stats(const struct graph *g, struct graph_stats *out);

struct graph_cut {
    uint32_t ngpus;
    uint64_t arcs;     /* that lead to another GPU */
    double share;      /* of all arcs */
    uint64_t boundary; /* vertices with an arc from or to another GPU */
    double vertex_balance, arc_balance; /* the largest GPU over the mean */
    uint64_t *gpu_vertices, *gpu_arcs;  /* arcs by their tail */
    uint64_t *pairs; /* ngpus * ngpus: arcs from GPU to GPU, [from][to] */
    /*
     * Of a search along the arcs from graph_hub(), level by level: the arcs of
     * each level at the GPU that has most of them, over the mean; all levels,
     * by their arcs. 1: all are equal; ngpus: one GPU at a time has the arcs.
     * A search that waits for all GPUs after each level is at most
     * ngpus / level_balance times as fast as on one.
     */
    double level_balance;
};
/* Every part[v] is below ngpus. */
void graph_cut(const struct graph *g, const uint32_t *part, uint32_t ngpus,
               struct graph_cut *out);
void graph_cut_clear(struct graph_cut *c);

#endif
