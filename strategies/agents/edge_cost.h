/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edge_cost.h - how long an edge of a graph keeps a GPU busy: it depends on how
 * much of the vertices' data the caches hold. */
#ifndef STRATEGIES_AGENTS_EDGE_COST_H
#define STRATEGIES_AGENTS_EDGE_COST_H

struct edge_cost {
    double s;
    const char *source;
};

#include "strategies/agents/traverse.h"

/* By the name of the graph, such as "standin:road_usa,scale=1/64"; a graph that
 * is not known has that of soc-LiveJournal1, and says so. Known of a V100;
 * assumed to go with 1 / memory bandwidth for other GPUs (0: as a V100). */
struct edge_cost edge_cost(const char *graph, enum algorithm algorithm,
                           double memory_Bps);

#endif
