/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_social.h - a social network: who has how many arcs, how far in number
 * they lead, and what hangs on at its edge. */
#ifndef WORKLOADS_GRAPH_GRAPH_SOCIAL_H
#define WORKLOADS_GRAPH_GRAPH_SOCIAL_H

#include "workloads/graph/graph_generate.h"

enum { SOCIAL_LAYERS = 2 };

/*
 * The ends of arcs are drawn by degree (Chung and Lu 2002), both in the same
 * block of consecutive vertices: a vertex has the `share` of its arcs in the
 * blocks of a layer, but no more there than a quarter of a block has vertices.
 * What is left of all shares and caps is drawn from all vertices.
 */
struct social_layer {
    double share;
    uint64_t vertices; /* of a block */
    /* How alike the degrees of a block are: the deviation of their logarithms'
     * mean from block to block, over that within blocks. */
    double alike;
};

struct graph_social {
    uint64_t vertices, arcs;
    double symmetric; /* share of the arcs whose way back is an arc too */
    struct graph_power_law out, in;
    /* Vertices 2i and 2i + 1 have the `share` of the arcs of the one that has
     * fewer in common, and with both of another such pair: numbers of a crawl
     * follow who was found through whom. */
    struct social_layer twins;
    struct social_layer layer[SOCIAL_LAYERS]; /* share 0: none */
    /* Of the arcs of vertices that have up to 2: among these vertices. They
     * make the trees and chains that hang on the rest. */
    double edge;
    /* The degrees fall with the vertices' numbers: the logarithms' mean from
     * the first to the last, over their deviation. */
    double slope;
    uint64_t seed;
};

/* O(arcs) time; 4 B an arc and 32 B a vertex of memory. */
int graph_social(struct graph *g, const struct graph_social *s,
                 struct err *err) MUST_CHECK;

#endif
