/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_casts.h - a collaboration network, such as actors of films: all members
 * of a cast are joined to each other. */
#ifndef WORKLOADS_GRAPH_GRAPH_CASTS_H
#define WORKLOADS_GRAPH_GRAPH_CASTS_H

#include "workloads/graph/graph_generate.h"

/*
 * Casts follow each other in time, each in one of the circles (countries,
 * genres), whose sizes are as 1, 1/2, 1/3 ... Some members of a cast are new:
 * they have the next numbers. The others come in groups that were together in
 * an earlier cast: one of the last of the circle, or any earlier one.
 */
struct graph_casts {
    uint64_t vertices, arcs, casts;
    double deviation; /* deviation of the logarithm (base e) of a cast's size */
    double uneven;    /* the same for the mean size of circles */
    uint64_t circles;
    double career;   /* share of a circle's casts that count as its last */
    double anywhere; /* share of the groups that come from any earlier cast */
    double group;    /* mean size of a group */
    /* No vertex joins a cast if it would meet more than this. */
    double max_degree;
    uint64_t seed;
};

/* Draws the network. The mean size of casts is adjusted until the number of
 * arcs is right within 0.3 %. It takes O(arcs) time, and 4 B of memory per arc
 * and about 50 B per vertex. */
int graph_casts(struct graph *g, const struct graph_casts *c,
                struct err *err) MUST_CHECK;

#endif
