/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * net_ways.h - the network between the nodes as closed formulas: which directed
 * links join two nodes, what each is called and carries. Nothing is built, so
 * asking costs as much as the way is long, whatever the size of the network.
 *
 * Links and ways are those of SimGrid 3.32's cluster zones, which the test
 * `net_ways` compares with: a crossbar (two links a node), fat trees (Zahavi,
 * Fat-Tree Routing and Node Ordering Providing Contention Free Traffic for MPI
 * Global Collectives, 2012: d-mod-k upwards), tori (dimension by dimension, the
 * shorter way round) and dragonflies (Kim et al., Technology-Driven, Highly-
 * Scalable Dragonfly Topology, 2008: the minimal way, one link between groups).
 * What SimGrid does not have is our own: dragonflies with several links between
 * two groups, and their ways over a third group (Valiant), dragonflies+
 * (Shpiner et al. 2017), and rails.
 *
 * A topology is one file, that of its name, and one line in
 * platforms/topologies.def.
 */
#ifndef SIM_NETWORK_WAYS_NET_WAYS_H
#define SIM_NETWORK_WAYS_NET_WAYS_H

#include "platforms/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NET_WAYS_LEVELS = 8 };

struct net_ways {
    enum topology kind;
    unsigned levels;
    /* As in struct network; of fat trees down[levels - 1] is only as wide as
     * the nodes need. */
    unsigned down[NET_WAYS_LEVELS], up[NET_WAYS_LEVELS],
        parallel[NET_WAYS_LEVELS];
    unsigned group_wires;
    double bandwidth_Bps;
    unsigned rails, leaf; /* leaf: nodes of one of their leaf switches */
    bool joined;
    bool as_simgrid;         /* dragonfly: within a group, too */
    const unsigned *node_at; /* of struct network */
    /* The number of the first wire of each level (fat tree) or kind of wire
     * (dragonfly), and all of them at [levels]. */
    uint64_t first[NET_WAYS_LEVELS + 1];
    uint64_t switches[NET_WAYS_LEVELS + 1]; /* fat tree: below each level */
};

/* The part of the network that `nodes` nodes need. Its numbers must fit
 * (net_ways_wires()). */
void net_ways_init(struct net_ways *f, const struct network *n, unsigned nodes);

/* How many wires, of two links each, such a network has; counted in floating
 * point, since there may be too many for any integer. */
double net_ways_wires(const struct network *n, unsigned nodes);

/* From a node of the job to another one. Draw 0: the minimal way; else, of a
 * dragonfly, a way over a third group, which is drawn by a hash of the three
 * numbers, where there is any. Rails: by which it leaves and enters; where they
 * are not joined, the first alone counts. */
struct net_trip {
    unsigned from, to;
    uint64_t draw;
    unsigned from_rail, to_rail;
};

/* Whether SimGrid has a zone of this shape, and finds all its ways; not where
 * the job's nodes are others than the first ones.
 * SimGrid 3.32 looks for the way to a group beyond the routers of a chassis,
 * and gives two links one name where two dimensions of a torus are 1. */
bool net_ways_in_simgrid(const struct network *n, unsigned nodes);

/*
 * The links of a trip in order: 2 * wire + its direction. Fills at most `room`;
 * returns how many there are.
 */
size_t net_ways_find(const struct net_ways *f, const struct net_trip *trip,
                     uint64_t *links, size_t room);

double net_ways_bandwidth(const struct net_ways *f, uint64_t link);
/* Of a crossbar or a fat tree: the link serves the flows of one node only. */
bool net_ways_is_of_one_node(const struct net_ways *f, uint64_t link);
/* As SimGrid names it, where it has such a link. */
void net_ways_name(const struct net_ways *f, uint64_t link, char *name,
                   size_t room);
/* Which routers it joins, by their numbers in the machine, where the name does
 * not say; else false. */
bool net_ways_joins(const struct net_ways *f, uint64_t link,
                    uint32_t routers[2]);

#endif
