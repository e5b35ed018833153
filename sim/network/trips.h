/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trips.h - the parameters of a flow's route through the network between nodes,
 * for both engines: from which node to which, over which rails, and the draw
 * that selects one of several routes. */
#ifndef SIM_NETWORK_TRIPS_H
#define SIM_NETWORK_TRIPS_H

#include "sim/network/node_ways.h"
#include "sim/network/ways/net_ways.h"

struct trips {
    const struct machine *m;
    const struct node_ways *ways;
    struct net_ways net;
    unsigned nodes, endpoints;
    /* Number of flows that each node has started; NULL if all routes are
     * minimal. */
    uint32_t *started;
};

/* Borrows the machine and the routes inside its nodes. */
void trips_init(struct trips *t, const struct machine *m,
                const struct node_ways *ways, unsigned nodes);
void trips_clear(struct trips *t);
/* Resets the numbers of started flows. */
void trips_forget(struct trips *t);

/*
 * Returns the parameters of the next flow between endpoints (engine.h) of two
 * nodes. The draw is 0 if all routes are minimal; else it is the number of
 * flows that the sender's node has started into the network, this one included.
 * If rails that are not joined decide the NIC, *nic is set to the NIC of the
 * flow at both ends.
 */
struct net_trip trips_next(struct trips *t, uint32_t from, uint32_t to,
                           int *nic);

/* Returns the latency that the switches between two endpoints add to a message.
 * Of Valiant's routes the one of draw 1 counts, of adaptive ones the minimal
 * one. */
double trips_latency_s(const struct trips *t, uint32_t from, uint32_t to,
                       int nic);

#endif
