/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the routes between two nodes through the functions of the topology. */
#include "sim/network/topologies/net_routes.h"

#include "sim/network/topologies/topology_routes.h"

#include <assert.h>
#include <math.h>

static const struct net_kind *const kinds[NTOPOLOGIES] = {
#define TOPOLOGY(upper, lower) [TOPOLOGY_##upper] = &lower##_routes,
#include "platforms/topologies.def"
#undef TOPOLOGY
};

/* Returns the nodes of the part of the network that contains the job's
 * nodes. */
static unsigned nodes_below(const struct network *n, unsigned nodes)
{
    unsigned below = 0;

    if (!n->node_at)
        return nodes;
    for (unsigned i = 0; i < nodes; i++)
        if (n->node_at[i] >= below)
            below = n->node_at[i] + 1;
    return below;
}

void net_routes_init(struct net_routes *f, const struct network *n,
                     unsigned nodes)
{
    *f = (struct net_routes){.kind = n->topology,
                             .levels = n->levels,
                             .group_wires = n->group_wires,
                             .rails = n->rails,
                             .leaf = n->down[0],
                             .joined = n->joined,
                             .bandwidth_Bps = n->bandwidth_Bps,
                             .node_at = n->node_at,
                             .as_simgrid = n->routing == ROUTING_MINIMAL &&
                                           !n->group_wires};
    for (unsigned l = 0; l < n->levels; l++) {
        f->down[l] = n->down[l];
        f->up[l] = n->up[l];
        f->parallel[l] = n->parallel[l];
    }
    if (kinds[f->kind]->init)
        kinds[f->kind]->init(f, nodes_below(n, nodes));
}

double net_routes_wires(const struct network *n, unsigned nodes)
{
    return kinds[n->topology]->wires(n, nodes_below(n, nodes));
}

size_t net_routes_find(const struct net_routes *f,
                       const struct route_choice *choice, uint64_t *links,
                       size_t room)
{
    struct route w = {links, 0, room};
    struct route_choice placed = *choice;

    if (f->node_at) {
        placed.from = f->node_at[choice->from];
        placed.to = f->node_at[choice->to];
    }
    assert(placed.from != placed.to);
    kinds[f->kind]->find(f, &placed, &w);
    return w.n;
}

double net_routes_bandwidth(const struct net_routes *f, uint64_t link)
{
    const struct net_kind *k = kinds[f->kind];

    return k->width ? f->bandwidth_Bps * k->width(f, link / 2)
                    : f->bandwidth_Bps;
}

bool net_routes_is_of_one_node(const struct net_routes *f, uint64_t link)
{
    const struct net_kind *k = kinds[f->kind];

    return k->is_of_one_node && k->is_of_one_node(f, link / 2);
}

void net_routes_name(const struct net_routes *f, uint64_t link, char *name,
                     size_t room)
{
    kinds[f->kind]->name(f, link / 2, link % 2 ? "_DOWN" : "_UP", name, room);
}

bool net_routes_joins(const struct net_routes *f, uint64_t link,
                      uint32_t routers[2])
{
    return kinds[f->kind]->joins && kinds[f->kind]->joins(f, link / 2, routers);
}

bool net_routes_in_simgrid(const struct network *n, unsigned nodes)
{
    unsigned ones = 0;

    if (n->node_at)
        return false;
    switch (n->topology) {
    case TOPOLOGY_CROSSBAR:
    case TOPOLOGY_FAT_TREE:
        return true;
    case TOPOLOGY_TORUS:
        for (unsigned d = 0; d < n->levels; d++)
            ones += n->down[d] == 1;
        return ones < 2;
    case TOPOLOGY_DRAGONFLY:
        return n->routing == ROUTING_MINIMAL && !n->group_wires &&
               ceil(nodes / ((double)n->down[1] * n->down[2] * n->down[3])) <=
                   n->down[2];
    default:
        return false;
    }
}
