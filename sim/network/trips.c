/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the rails of flows from their NICs, and counts the flows of nodes if
 * their routes depend on that. */
#include "sim/network/trips.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

void trips_init(struct trips *t, const struct machine *m,
                const struct node_ways *ways, unsigned nodes)
{
    *t = (struct trips){.m = m,
                        .ways = ways,
                        .nodes = nodes,
                        .endpoints = node_ways_endpoints(ways)};
    net_ways_init(&t->net, &m->network, nodes);
    if (m->network.routing != ROUTING_MINIMAL)
        t->started = xcalloc(nodes, sizeof *t->started);
}

void trips_clear(struct trips *t)
{
    free(t->started);
}

void trips_forget(struct trips *t)
{
    if (t->started)
        memset(t->started, 0, t->nodes * sizeof *t->started);
}

static struct net_trip trip_of(const struct trips *t, uint32_t from,
                               uint32_t to, int *nic)
{
    const struct network *n = &t->m->network;
    struct net_trip trip = {from / t->endpoints, to / t->endpoints, 0, 0, 0};

    if (!n->rails)
        return trip;
    unsigned out = node_ways_nic(t->ways, from % t->endpoints, *nic);
    if (!n->joined)
        *nic = (int)out;
    unsigned in = node_ways_nic(t->ways, to % t->endpoints, *nic);
    trip.from_rail = out % n->rails;
    trip.to_rail = in % n->rails;
    return trip;
}

struct net_trip trips_next(struct trips *t, uint32_t from, uint32_t to,
                           int *nic)
{
    struct net_trip trip = trip_of(t, from, to, nic);

    if (t->started)
        trip.draw = ++t->started[trip.from];
    return trip;
}

double trips_latency_s(const struct trips *t, uint32_t from, uint32_t to,
                       int nic)
{
    double hop_s = t->m->network.hop_s;

    if (!(hop_s > 0) || from / t->endpoints == to / t->endpoints)
        return 0;
    struct net_trip trip = trip_of(t, from, to, &nic);
    if (t->m->network.routing == ROUTING_VALIANT)
        trip.draw = 1;
    return hop_s * (double)(net_ways_find(&t->net, &trip, NULL, 0) - 1);
}
