/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routes.h - the routes of flows as numbers of links: inside nodes
 * (node_routes.h) and between them (route_choices.h, adapt.h). A link gets its
 * number when it is first part of a route, so links that are never used cost
 * nothing. */
#ifndef SIM_NETWORK_ROUTES_H
#define SIM_NETWORK_ROUTES_H

#include "base/err.h"
#include "sim/network/node_routes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct routes;

/* Borrows the machine and the routes inside its nodes; if `ways` is NULL, these
 * are found anew. */
struct routes *routes_new(const struct machine *m,
                          const struct node_routes *node_routes, unsigned nodes,
                          struct err *err) MUST_CHECK;
void routes_free(struct routes *r);
/* Removes all numbers; new ones begin at 0. */
void routes_forget(struct routes *r);
/* Gives numbers to the links of all nodes, node after node. */
void routes_number_nodes(struct routes *r);

/* Finds the route between two endpoints (engine.h) through a NIC or
 * NIC_OF_SOCKET. Writes at most `room` link numbers; returns the number of
 * links. */
size_t routes_find(struct routes *r, uint32_t from, uint32_t to, int nic,
                   uint32_t *links, size_t room);
/* If routes depend on the loads of links (adapt.h): record that the flow whose
 * route was found last has this number, and that the flow of this number has
 * ended. */
void routes_begin(struct routes *r, uint32_t flow);
void routes_end(struct routes *r, uint32_t flow);
/* Returns route_choices_latency_s(). */
double routes_latency_s(const struct routes *r, uint32_t from, uint32_t to,
                        int nic);
/* Returns whether routes are independent of earlier flows. */
bool routes_stay(const struct routes *r);
size_t routes_links(const struct routes *r); /* links that have a number */
/* Returns false if the link never limits a flow, because others on its routes
 * do first. */
bool routes_binds(const struct routes *r, uint32_t link);
double routes_bandwidth(const struct routes *r, uint32_t link);
/* Returns the rank of a link of a node, in the order of nodes; UINT32_MAX for
 * links between nodes. */
uint32_t routes_rank(const struct routes *r, uint32_t link);
/* Returns the node of a link; NODE_NONE (engine.h) for links between nodes. */
unsigned routes_node(const struct routes *r, uint32_t link);
/* Returns net_routes_joins(). */
bool routes_joins(const struct routes *r, uint32_t link, uint32_t routers[2]);
void routes_name(const struct routes *r, uint32_t link, char *name,
                 size_t room);

#endif
