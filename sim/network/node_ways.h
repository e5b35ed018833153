/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_ways.h - the links inside a node, and the routes from one endpoint to
 * another or to the network. They are found once and shared, because they are
 * the same for all nodes of a machine. */
#ifndef SIM_NETWORK_NODE_WAYS_H
#define SIM_NETWORK_NODE_WAYS_H

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
struct node_ways;

/* Stands for the network as an end of a route. */
#define NODE_NETWORK UINT32_MAX
/* The largest number of links of a route inside a node. */
enum { NODE_MAX_WAY = 20 };

struct node_ways *node_ways_new(const struct machine *m);
void node_ways_free(struct node_ways *w); /* does nothing for NULL */
const struct machine *node_ways_machine(const struct node_ways *w);

unsigned node_ways_endpoints(const struct node_ways *w);
unsigned node_ways_links(const struct node_ways *w);
double node_ways_bandwidth(const struct node_ways *w, unsigned link);
void node_ways_name(const struct node_ways *w, unsigned link, char *name,
                    size_t room);

/* Returns the index of the NIC by which an endpoint sends and receives: the
 * given one, or its nearest. */
unsigned node_ways_nic(const struct node_ways *w, unsigned endpoint, int nic);

/* The precomputed result of node_ways_find() for an endpoint to the network, or
 * from it, through a NIC or NIC_OF_SOCKET. */
struct node_leg {
    const unsigned *links;
    size_t n;
};
struct node_leg node_ways_leave(const struct node_ways *w, unsigned from,
                                int nic);
struct node_leg node_ways_enter(const struct node_ways *w, unsigned to,
                                int nic);

/* Finds the links of a flow from endpoint `from` to `to`, of which one may be
 * NODE_NETWORK, through a NIC or NIC_OF_SOCKET; inside the node `nic` may be
 * BY_CACHE. Returns their number. */
size_t node_ways_find(const struct node_ways *w, unsigned from, unsigned to,
                      int nic, unsigned links[NODE_MAX_WAY]);

#endif
