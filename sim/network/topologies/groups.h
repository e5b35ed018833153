/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h - common functions of the dragonflies: the wires between each two
 * groups of routers, and the detour over a third group. */
#ifndef SIM_NETWORK_TOPOLOGIES_GROUPS_H
#define SIM_NETWORK_TOPOLOGIES_GROUPS_H

#include "sim/network/topologies/topology_routes.h"

/* Returns the number of a pair among all pairs i < j of n in order; i and j may
 * be given in either order. */
uint64_t pair_number(uint64_t i, uint64_t j, uint64_t n);
/* Sets the pair of a number. */
void pair_of_number(uint64_t number, uint64_t n, uint64_t *i, uint64_t *j);

/* groups_wires() returns the number of wires between all groups; groups_wire()
 * returns the number, among them, of the wire `which`, from 0, between two
 * groups. */
uint64_t groups_wires(const struct net_routes *f);
uint64_t groups_wire(const struct net_routes *f, unsigned from, unsigned to,
                     unsigned which);
/* Returns the router, of the `n` routers of a group, that has the wire. If the
 * network gives group_wires, the ends of all wires out of a group are dealt to
 * its routers in turn; else router g has the wire to group g, as in SimGrid. */
unsigned groups_gate(const struct net_routes *f, unsigned group, unsigned to,
                     unsigned which, unsigned n);

/* The groups on a route after the sender's, of which the last is the
 * receiver's, and the wires to them. */
struct groups_route {
    unsigned n, to[2], which[2];
};
struct groups_route groups_find(const struct net_routes *f,
                                const struct route_choice *choice,
                                unsigned from, unsigned to);

#endif
