/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_routes.h - the links inside a node, and the routes from one endpoint to
 * another or to the network. They are found once and shared, because they are
 * the same for all nodes of a machine. */
#ifndef SIM_NETWORK_NODE_ROUTES_H
#define SIM_NETWORK_NODE_ROUTES_H

#include "platforms/machine.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The links of a node: two for each wire (of a half-duplex one only the first
 * is used), those of the memories of sockets and GPUs, two for each endpoint if
 * processes have a bandwidth limit, and one if the GPUs' route to the NICs has
 * one. An endpoint is a core or, after the cores, a GPU. The structure borrows
 * the machine and is constant once made, so threads may share it.
 */
struct node_routes;

/* Stands for the network as an end of a route. */
#define NODE_NETWORK UINT32_MAX
/* The largest number of links of a route inside a node. */
enum { NODE_MAX_ROUTE = 20 };

struct node_routes *node_routes_new(const struct machine *m);
void node_routes_free(struct node_routes *w); /* does nothing for NULL */
const struct machine *node_routes_machine(const struct node_routes *w);

unsigned node_routes_endpoints(const struct node_routes *w);
unsigned node_routes_links(const struct node_routes *w);
double node_routes_bandwidth(const struct node_routes *w, unsigned link);
void node_routes_name(const struct node_routes *w, unsigned link, char *name,
                      size_t room);

/* Returns the index of the NIC by which an endpoint sends and receives: the
 * given one, or its nearest. */
unsigned node_routes_nic(const struct node_routes *w, unsigned endpoint,
                         int nic);

/* The precomputed result of node_routes_find() for an endpoint to the network,
 * or from it, through a NIC or NIC_OF_SOCKET. */
struct node_leg {
    const unsigned *links;
    size_t n;
};
struct node_leg node_routes_leave(const struct node_routes *w, unsigned from,
                                  int nic);
struct node_leg node_routes_enter(const struct node_routes *w, unsigned to,
                                  int nic);

/* Finds the links of a flow from endpoint `from` to `to`, of which one may be
 * NODE_NETWORK, through a NIC or NIC_OF_SOCKET; inside the node `nic` may be
 * BY_CACHE. Returns their number. */
size_t node_routes_find(const struct node_routes *w, unsigned from, unsigned to,
                        int nic, unsigned links[NODE_MAX_ROUTE]);

#endif
