/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_ways.h - the links inside a node, and which of them lead from one
 * endpoint to another or to the network: the same for all nodes of a machine,
 * so found once and shared. */
#ifndef SIM_NETWORK_NODE_WAYS_H
#define SIM_NETWORK_NODE_WAYS_H

#include "platforms/machine.h"

#include <stddef.h>
#include <stdint.h>

/* The links of a node: two for each wire (of a half-duplex one only the first
 * is used), those of the sockets' and GPUs' memories, two for each endpoint
 * where a process is bounded, and one where the GPUs' way to the NICs is. An
 * endpoint is a core or, after the cores, a GPU. Borrows the machine; constant
 * once made, so threads may share it. */
struct node_ways;

/* The network, as an end of a way. */
#define NODE_NETWORK UINT32_MAX
/* The most links of a way inside a node. */
enum { NODE_MAX_WAY = 20 };

struct node_ways *node_ways_new(const struct machine *m);
void node_ways_free(struct node_ways *w); /* NULL: nothing */
const struct machine *node_ways_machine(const struct node_ways *w);

unsigned node_ways_endpoints(const struct node_ways *w);
unsigned node_ways_links(const struct node_ways *w);
double node_ways_bandwidth(const struct node_ways *w, unsigned link);
void node_ways_name(const struct node_ways *w, unsigned link, char *name,
                    size_t room);

/* The index of the NIC by which an endpoint sends and receives: the given one,
 * or its nearest. */
unsigned node_ways_nic(const struct node_ways *w, unsigned endpoint, int nic);

/* What node_ways_find() finds for an endpoint to the network, or from it, by a
 * NIC or NIC_OF_SOCKET: found already. */
struct node_leg {
    const unsigned *links;
    size_t n;
};
struct node_leg node_ways_leave(const struct node_ways *w, unsigned from,
                                int nic);
struct node_leg node_ways_enter(const struct node_ways *w, unsigned to,
                                int nic);

/* The links that a flow takes from endpoint `from` to `to`, of which one may be
 * NODE_NETWORK, by a NIC or NIC_OF_SOCKET; inside the node perhaps BY_CACHE.
 * Returns how many. */
size_t node_ways_find(const struct node_ways *w, unsigned from, unsigned to,
                      int nic, unsigned links[NODE_MAX_WAY]);

#endif
