/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_follow.h - a network of followers: few vertices have most of the arcs
 * in, and the reverse of most arcs is no arc. */
#ifndef WORKLOADS_GRAPH_GRAPH_FOLLOW_H
#define WORKLOADS_GRAPH_GRAPH_FOLLOW_H

#include "workloads/graph/graph_generate.h"

/*
 * The logarithms of degrees are normal. A vertex has its two-way arcs and its
 * one-way arcs out by one rank, and its one-way arcs in by another. The ends
 * are paired at random, in communities of equal size but for the share `mix`.
 * More ends are drawn to make up for duplicates.
 */
struct graph_follow {
    uint64_t vertices, arcs;
    double symmetric; /* share of the arcs whose reverse is an arc, too */
    struct graph_power_law out, in;
    /* Exponent of the rank by which the largest degrees fall. */
    double fall;
    uint64_t communities; /* communities of consecutive vertices */
    double mix;           /* share of the arcs that leave their community */
    /* Share of the vertices without an arc in that get one, because a crawl
     * finds only vertices that are followed. */
    double followed;
    uint64_t seed;
};

/* Draws the network. It takes O(arcs) time, and 4 B of memory per arc and 35 B
 * per vertex. */
int graph_follow(struct graph *g, const struct graph_follow *f,
                 struct err *err) MUST_CHECK;

#endif
