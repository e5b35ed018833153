/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costs.h - the time for which each vertex of a graph occupies its GPU, from
 * the accesses that an execution counts (counts.h) and the cost of each
 * (gpu.access).
 *
 * Before a run the arcs pass through a model of each GPU's L2 cache, in the
 * order in which the run will visit them: a sample of the sectors of values and
 * rows, and of the streamed data that evicts these. The model gives the part of
 * the accesses that finds its sector in the cache, anew for every window of
 * arcs; so a GPU with a smaller share of the graph has more hits.
 */
#ifndef APPS_AGENTS_COSTS_H
#define APPS_AGENTS_COSTS_H

#include "apps/agents/prices.h"
#include "apps/agents/traverse.h"

struct costs {
    double unit_s; /* the unit of the table, in seconds */
    /* Cost of each vertex, in units: a visit with all of its arcs, done by the
     * whole GPU; 0 if a search does not reach it. */
    float *vertex;
    struct gpu_costs *gpus; /* one per GPU (prices.h) */
    /* The result of a plain search, if the algorithm searches; otherwise
     * NULL. */
    uint32_t *depth;
    uint64_t plain_edges;
};

/* Fills in the costs in O(vertices + arcs). If in->edge_s is set, it is the
 * cost of every arc, and a visit costs nothing. */
void costs_init(struct costs *c, const struct traverse_input *in);
void costs_clear(struct costs *c);

#endif
