/* SPDX-License-Identifier: GPL-3.0-or-later */
/* route_choices.h - the parameters of a flow's route through the network
 * between nodes, for both engines: from which node to which, over which rails,
 * and the draw that selects one of several routes. */
#ifndef SIM_NETWORK_ROUTE_CHOICES_H
#define SIM_NETWORK_ROUTE_CHOICES_H

#include "sim/network/node_routes.h"
#include "sim/network/topologies/net_routes.h"

struct route_choices {
    const struct machine *m;
    const struct node_routes *node_routes;
    struct net_routes net;
    unsigned nodes, endpoints;
    /* Number of flows that each node has started; NULL if all routes are
     * minimal. */
    uint32_t *started;
};

/* Borrows the machine and the routes inside its nodes. */
void route_choices_init(struct route_choices *t, const struct machine *m,
                        const struct node_routes *node_routes, unsigned nodes);
void route_choices_clear(struct route_choices *t);
/* Resets the numbers of started flows. */
void route_choices_forget(struct route_choices *t);

/*
 * Returns the parameters of the next flow between endpoints (engine.h) of two
 * nodes. The draw is 0 if all routes are minimal; else it is the number of
 * flows that the sender's node has started into the network, this one included.
 * If rails that are not joined decide the NIC, *nic is set to the NIC of the
 * flow at both ends.
 */
struct route_choice route_choices_next(struct route_choices *t, uint32_t from,
                                       uint32_t to, int *nic);

/* Returns the latency that the switches between two endpoints add to a message.
 * Of Valiant's routes the one of draw 1 counts, of adaptive ones the minimal
 * one. */
double route_choices_latency_s(const struct route_choices *t, uint32_t from,
                               uint32_t to, int nic);

#endif
