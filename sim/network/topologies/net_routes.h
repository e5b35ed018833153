/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * net_routes.h - the network between the nodes as closed formulas: the directed
 * links on the route between two nodes, their names and bandwidths. No network
 * is built, so a query costs as much as the route is long, for any size of the
 * network.
 *
 * Links and routes are those of SimGrid 3.32's cluster zones, with which the
 * test `net_routes` compares them: a crossbar (two links for each node), fat
 * trees (Zahavi, Fat-Tree Routing and Node Ordering Providing Contention Free
 * Traffic for MPI Global Collectives, 2012: d-mod-k upwards), tori (dimension
 * by dimension, in the shorter direction) and dragonflies (Kim et al.,
 * Technology-Driven, Highly-Scalable Dragonfly Topology, 2008: the minimal
 * route, one link between groups). SimGrid does not have dragonflies with
 * several links between two groups and routes over a third group (Valiant),
 * dragonflies+ (Shpiner et al. 2017), and rails; these are our own.
 *
 * A topology is one file with its name, and one line in
 * platforms/topologies.def.
 */
#ifndef SIM_NETWORK_TOPOLOGIES_NET_ROUTES_H
#define SIM_NETWORK_TOPOLOGIES_NET_ROUTES_H

#include "platforms/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NET_ROUTES_LEVELS = 8 };

struct net_routes {
    enum topology kind;
    unsigned levels;
    /* As in struct network; in fat trees down[levels - 1] is only as wide as
     * the nodes need. */
    unsigned down[NET_ROUTES_LEVELS], up[NET_ROUTES_LEVELS],
        parallel[NET_ROUTES_LEVELS];
    unsigned group_wires;
    double bandwidth_Bps;
    unsigned rails, leaf; /* leaf: nodes at a leaf switch of a rail */
    bool joined;
    bool as_simgrid;         /* dragonfly: within a group, too */
    const unsigned *node_at; /* as in struct network */
    /* The number of the first wire of each level (fat tree) or kind of wire
     * (dragonfly); [levels] is the number of all. */
    uint64_t first[NET_ROUTES_LEVELS + 1];
    /* In fat trees: switches below each level. */
    uint64_t switches[NET_ROUTES_LEVELS + 1];
};

/* Sets f to the part of the network that `nodes` nodes need. Its links must be
 * numerable (net_routes_wires()). */
void net_routes_init(struct net_routes *f, const struct network *n,
                     unsigned nodes);

/* Returns the number of wires, of two links each, in floating point, because
 * there may be too many for any integer. */
double net_routes_wires(const struct network *n, unsigned nodes);

/*
 * The parameters of a route from a node of the job to another one. Draw 0
 * selects the minimal route; other draws, in a dragonfly with a third group,
 * select a route over one, by a hash of the three numbers. The rails are those
 * by which it leaves and enters nodes; if rails are not joined, only the first
 * counts.
 */
struct route_choice {
    unsigned from, to;
    uint64_t draw;
    unsigned from_rail, to_rail;
};

/* Returns whether SimGrid has a zone of this shape and finds all its routes,
 * which it does not if the job's nodes are not the first ones of the network.
 * SimGrid 3.32 searches the routers of a chassis for the one with the wire to a
 * group, and gives two links one name if two dimensions of a torus are 1. */
bool net_routes_in_simgrid(const struct network *n, unsigned nodes);

/* Finds the links of a route in order: 2 * wire + its direction. Writes at most
 * `room` of them; returns their number. */
size_t net_routes_find(const struct net_routes *f,
                       const struct route_choice *choice, uint64_t *links,
                       size_t room);

double net_routes_bandwidth(const struct net_routes *f, uint64_t link);
/* Returns whether the link, of a crossbar or a fat tree, serves the flows of
 * one node only. */
bool net_routes_is_of_one_node(const struct net_routes *f, uint64_t link);
/* Writes SimGrid's name of the link, if it has such a link. */
void net_routes_name(const struct net_routes *f, uint64_t link, char *name,
                     size_t room);
/* Sets the routers that the link joins, by their numbers in the machine, if its
 * name does not tell them; else returns false. */
bool net_routes_joins(const struct net_routes *f, uint64_t link,
                      uint32_t routers[2]);

#endif
