/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a network's topology for the ways between two nodes. */
#include "sim/network/ways/net_ways.h"

#include "sim/network/ways/ways.h"

#include <assert.h>

static const struct net_kind *const kinds[NTOPOLOGIES] = {
#define TOPOLOGY(upper, lower) [TOPOLOGY_##upper] = &lower##_ways,
#include "platforms/topologies.def"
#undef TOPOLOGY
};

void net_ways_init(struct net_ways *f, const struct network *n, unsigned nodes)
{
    *f = (struct net_ways){.kind = n->topology,
                           .levels = n->levels,
                           .links_per_pair = n->links_per_pair,
                           .bandwidth_Bps = n->bandwidth_Bps,
                           .as_simgrid = n->routing == ROUTING_MINIMAL &&
                                         !n->links_per_pair};
    for (unsigned l = 0; l < n->levels; l++) {
        f->down[l] = n->down[l];
        f->up[l] = n->up[l];
        f->parallel[l] = n->parallel[l];
    }
    if (kinds[f->kind]->init)
        kinds[f->kind]->init(f, nodes);
}

double net_ways_wires(const struct network *n, unsigned nodes)
{
    return kinds[n->topology]->wires(n, nodes);
}

size_t net_ways_find(const struct net_ways *f, const struct net_trip *trip,
                     uint64_t *links, size_t room)
{
    struct way w = {links, 0, room};

    assert(trip->from != trip->to);
    kinds[f->kind]->find(f, trip, &w);
    return w.n;
}

double net_ways_bandwidth(const struct net_ways *f, uint64_t link)
{
    const struct net_kind *k = kinds[f->kind];

    return k->width ? f->bandwidth_Bps * k->width(f, link / 2)
                    : f->bandwidth_Bps;
}

bool net_ways_is_of_one_node(const struct net_ways *f, uint64_t link)
{
    const struct net_kind *k = kinds[f->kind];

    return k->is_of_one_node && k->is_of_one_node(f, link / 2);
}

void net_ways_name(const struct net_ways *f, uint64_t link, char *name,
                   size_t room)
{
    kinds[f->kind]->name(f, link / 2, link % 2 ? "_DOWN" : "_UP", name, room);
}
