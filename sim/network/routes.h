/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routes.h - the ways of flows as numbers of links: inside the nodes
 * (node_ways.h) and between them (trips.h, adapt.h). A link gets its number
 * when a way first leads over it, so what is never used costs nothing. */
#ifndef SIM_NETWORK_ROUTES_H
#define SIM_NETWORK_ROUTES_H

#include "base/err.h"
#include "sim/network/node_ways.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct routes;

/* ways: of this machine, borrowed; NULL: found anew. The machine is borrowed.
 */
struct routes *routes_new(const struct machine *m, const struct node_ways *ways,
                          unsigned nodes, struct err *err) MUST_CHECK;
void routes_free(struct routes *r);
/* Numbers begin at 0 again. */
void routes_forget(struct routes *r);
/* Gives numbers to the links of all nodes, node after node. */
void routes_number_nodes(struct routes *r);

/* The way between two endpoints (engine.h), over a NIC or NIC_OF_SOCKET. Fills
 * at most `room` link numbers; returns how many there are. */
size_t routes_find(struct routes *r, uint32_t from, uint32_t to, int nic,
                   uint32_t *links, size_t room);
/* Where ways depend on the loads of links (adapt.h): the flow whose way was
 * found last has this number; and the one of this number is over. */
void routes_begin(struct routes *r, uint32_t flow);
void routes_end(struct routes *r, uint32_t flow);
/* trips_latency_s() */
double routes_latency_s(const struct routes *r, uint32_t from, uint32_t to,
                        int nic);
/* A way does not depend on the flows before. */
bool routes_stay(const struct routes *r);
size_t routes_links(const struct routes *r); /* that have a number */
/* False: the link never holds a flow back, others on its ways do before. */
bool routes_binds(const struct routes *r, uint32_t link);
double routes_bandwidth(const struct routes *r, uint32_t link);
/* Among links of nodes, in order of nodes; UINT32_MAX: between nodes. */
uint32_t routes_rank(const struct routes *r, uint32_t link);
/* The node that it is in; NODE_NONE (engine.h): between nodes. */
unsigned routes_node(const struct routes *r, uint32_t link);
/* net_ways_joins() */
bool routes_joins(const struct routes *r, uint32_t link, uint32_t routers[2]);
void routes_name(const struct routes *r, uint32_t link, char *name,
                 size_t room);

#endif
