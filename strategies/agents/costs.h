/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costs.h - how long each vertex of a graph keeps its GPU busy, by the accesses
 * that an execution counts (counts.h) and what these take (gpu.access).
 *
 * Before a run the arcs are passed through a model of each GPU's L2 cache, in
 * the order in which they will be visited: a sample of the sectors of values
 * and rows, and of what is read one after the other and pushes these out. It
 * tells which part of the accesses finds its sector there, for every few
 * arcs; so a GPU with a smaller share of the graph finds more.
 */
#ifndef STRATEGIES_AGENTS_COSTS_H
#define STRATEGIES_AGENTS_COSTS_H

#include "strategies/agents/prices.h"
#include "strategies/agents/traverse.h"

struct costs {
    double unit_s; /* what the table counts in */
    float *vertex; /* of a visit and all of its arcs, done by the whole GPU;
                      0: not reached by a search */
    struct gpu_costs *gpus; /* prices.h */
    /* Where the algorithm searches: a plain search's; NULL for others. */
    uint32_t *depth;
    uint64_t plain_edges;
};

/* O(vertices + arcs). With in->edge_s that is what every arc takes, and visits
 * nothing. */
void costs_init(struct costs *c, const struct traverse_input *in);
void costs_clear(struct costs *c);

#endif
