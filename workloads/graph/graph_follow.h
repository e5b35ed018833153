/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_follow.h - a network of followers: few vertices have most of the arcs
 * that lead in, and most arcs have no way back. */
#ifndef WORKLOADS_GRAPH_GRAPH_FOLLOW_H
#define WORKLOADS_GRAPH_GRAPH_FOLLOW_H

#include "workloads/graph/graph_generate.h"

/*
 * Degrees with normal logarithms: two-way arcs and arcs out are those of the
 * same vertices, who has many one-way arcs in is drawn apart. The ends are
 * paired at random, in communities of equal size but for the share `mix`. As
 * many more ends are drawn as doubles take.
 */
struct graph_follow {
    uint64_t vertices, arcs;
    double symmetric; /* share of the arcs whose way back is an arc too */
    struct graph_power_law out, in;
    double
        fall; /* the power of their rank that the largest degrees fall with */
    uint64_t communities; /* of consecutive vertices */
    double mix;           /* share of the arcs that leave their community */
    /* Of the vertices that have no end of an arc that leads in: they get one,
     * as a crawl finds who is followed. */
    double followed;
    uint64_t seed;
};

/* O(arcs) time; 4 B an arc and 35 B a vertex of memory. */
int graph_follow(struct graph *g, const struct graph_follow *f,
                 struct err *err) MUST_CHECK;

#endif
