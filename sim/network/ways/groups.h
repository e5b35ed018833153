/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h - what dragonflies have in common: wires between each two groups of
 * routers, and the detour over a third group. */
#ifndef SIM_NETWORK_WAYS_GROUPS_H
#define SIM_NETWORK_WAYS_GROUPS_H

#include "sim/network/ways/ways.h"

/* Of all pairs i < j of n in order, the number of this one, in whichever order
 * its two are given. */
uint64_t pair_number(uint64_t i, uint64_t j, uint64_t n);
/* And the other way round. */
void pair_of_number(uint64_t number, uint64_t n, uint64_t *i, uint64_t *j);

/* How many wires join all groups, and which of them, from 0, is the one of
 * number `which` between two. */
uint64_t groups_wires(const struct net_ways *f);
uint64_t groups_wire(const struct net_ways *f, unsigned from, unsigned to,
                     unsigned which);
/* Of the `n` routers of a group, the one that has the wire. Where the network
 * gives group_wires, the ends of all wires out of a group are dealt out to
 * its routers in turn; else router g has the one to group g, as in SimGrid. */
unsigned groups_gate(const struct net_ways *f, unsigned group, unsigned to,
                     unsigned which, unsigned n);

/* The groups that a trip goes to in turn, the last being its end's, and by
 * which of the wires. */
struct groups_way {
    unsigned n, to[2], which[2];
};
struct groups_way groups_find(const struct net_ways *f,
                              const struct net_trip *trip, unsigned from,
                              unsigned to);

#endif
