/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_casts.h - who worked together: everybody of a cast with everybody. */
#ifndef WORKLOADS_GRAPH_GRAPH_CASTS_H
#define WORKLOADS_GRAPH_GRAPH_CASTS_H

#include "workloads/graph/graph_generate.h"

/*
 * Casts follow each other in time, each in one of the circles (countries,
 * kinds of film), whose sizes are as 1, 1/2, 1/3 ... Some of a cast are new:
 * they have the next numbers. The others come in groups who were in an earlier
 * cast together: one of the last of the circle, or any of all times.
 */
struct graph_casts {
    uint64_t vertices, arcs, casts;
    double deviation; /* of the logarithm of a cast's size, base e */
    double uneven;    /* of that of the mean size, from circle to circle */
    uint64_t circles;
    double career;     /* share of a circle's casts that "the last" are */
    double anywhere;   /* share of the groups that are of all times */
    double group;      /* members of a group, mean */
    double max_degree; /* nobody joins others who has met this many */
    uint64_t seed;
};

/* The casts' mean size is such that the arcs are as many as wanted, to 0.3 %.
 * O(arcs) time; 4 B an arc and about 50 B a vertex of memory. */
int graph_casts(struct graph *g, const struct graph_casts *c,
                struct err *err) MUST_CHECK;

#endif
