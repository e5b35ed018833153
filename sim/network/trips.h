/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trips.h - how a flow goes through the network between the nodes: from which
 * node to which, over which rails, and by which of the ways. The same for both
 * engines. */
#ifndef SIM_NETWORK_TRIPS_H
#define SIM_NETWORK_TRIPS_H

#include "sim/network/node_ways.h"
#include "sim/network/ways/net_ways.h"

struct trips {
    const struct machine *m;
    const struct node_ways *ways;
    struct net_ways net;
    unsigned nodes, endpoints;
    uint32_t *started; /* by each node's flows so far; NULL: all ways are
                          minimal */
};

/* Borrows the machine and its ways. */
void trips_init(struct trips *t, const struct machine *m,
                const struct node_ways *ways, unsigned nodes);
void trips_clear(struct trips *t);
/* As if no flow had started. */
void trips_forget(struct trips *t);

/*
 * The trip of the next flow between endpoints (engine.h) of two nodes. Its draw
 * is 0 where all ways are minimal; else how many flows the sender's node has
 * started into the network, this one included. *nic becomes the NIC that the
 * flow takes at both ends, where rails that are not joined decide it.
 */
struct net_trip trips_next(struct trips *t, uint32_t from, uint32_t to,
                           int *nic);

/* What the switches between two endpoints add to a message's latency. Of
 * Valiant's ways the one of draw 1 counts, of adaptive ones the minimal one. */
double trips_latency_s(const struct trips *t, uint32_t from, uint32_t to,
                       int nic);

#endif
