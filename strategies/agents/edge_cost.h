/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edge_cost.h - how long an edge of a graph keeps a GPU busy, where nobody says
 * it (--edge-ns, or an execution's work.edge_ns). */
#ifndef STRATEGIES_AGENTS_EDGE_COST_H
#define STRATEGIES_AGENTS_EDGE_COST_H

#include "strategies/agents/traverse.h"

struct edge_cost {
    double s;
    const char *source; /* what it was measured on */
};

/* What decides: the out-degrees of the graph, never its name. */
enum edge_class {
    EDGES_ROAD, /* few arcs at every vertex, nearly the same number */
    EDGES_OTHER,
    NEDGE_CLASSES
};
enum edge_class edge_class(const struct graph *g);

/* Measured on a V100; assumed to go with 1 / memory bandwidth on other GPUs (0:
 * as on a V100). Takes O(vertices). */
struct edge_cost edge_cost(const struct graph *g, enum algorithm algorithm,
                           double memory_Bps);

/* What takes a V100 so long, on a GPU of another memory bandwidth. */
double edge_cost_on(double v100_s, double memory_Bps);

#endif
