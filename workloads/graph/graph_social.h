/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_social.h - a social network: the degrees of its vertices, the distance
 * in number over which arcs lead, and the trees at its edge. */
#ifndef WORKLOADS_GRAPH_GRAPH_SOCIAL_H
#define WORKLOADS_GRAPH_GRAPH_SOCIAL_H

#include "workloads/graph/graph_generate.h"

enum { SOCIAL_LAYERS = 2 };

/*
 * The ends of arcs are drawn by degree (Chung and Lu 2002), both in the same
 * block of consecutive vertices. A vertex has the `share` of its arcs in the
 * blocks of a layer, but there at most a quarter of the number of vertices of a
 * block. The remaining arcs are drawn from all vertices.
 */
struct social_layer {
    double share;
    uint64_t vertices; /* vertices of a block */
    /* Similarity of the degrees within a block: the deviation of the mean of
     * their logarithms between blocks, relative to that within blocks. */
    double alike;
};

struct graph_social {
    uint64_t vertices, arcs;
    double symmetric; /* share of the arcs whose reverse is an arc, too */
    struct graph_power_law out, in;
    /* Vertices 2i and 2i + 1 have arcs in common: the `share` of the arcs of
     * the one that has fewer, with both vertices of another such pair. The
     * reason is that a crawl numbers vertices in the order in which it finds
     * them. */
    struct social_layer twins;
    struct social_layer layer[SOCIAL_LAYERS]; /* share 0 for none */
    /* Share of the arcs of vertices with up to 2 arcs that is drawn among these
     * vertices. They make the trees and chains at the edge. */
    double edge;
    /* The degrees fall with the vertices' numbers: the difference of the mean
     * of the logarithms between the first and the last, relative to their
     * deviation. */
    double slope;
    uint64_t seed;
};

/* Draws the network. It takes O(arcs) time, and 4 B of memory per arc and 32 B
 * per vertex. */
int graph_social(struct graph *g, const struct graph_social *s,
                 struct err *err) MUST_CHECK;

#endif
