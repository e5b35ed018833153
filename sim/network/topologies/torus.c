/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routes of a torus: wire node * levels + d joins a node to the next one in
 * dimension d. */
#include "sim/network/topologies/topology_routes.h"

#include <stdio.h>

/* If both directions are equally long, the route goes forwards, except to
 * coordinate 0. */
static bool is_forwards(unsigned from, unsigned to, unsigned size)
{
    unsigned ahead = to >= from ? to - from : to + size - from;

    return ahead <= size / 2 && !(to == 0 && 2 * ahead == size);
}

static void torus_find(const struct net_routes *f,
                       const struct route_choice *choice, struct route *w)
{
    unsigned a = choice->from, b = choice->to;
    uint64_t at = a, weight = 1;

    for (unsigned d = 0; d < f->levels; d++) {
        unsigned size = f->down[d];
        unsigned from = (unsigned)(a / weight % size);
        unsigned to = (unsigned)(b / weight % size);
        bool forwards = is_forwards(from, to, size);
        while (from != to) {
            unsigned next = forwards ? (from + 1 == size ? 0 : from + 1)
                                     : (from == 0 ? size : from) - 1;
            uint64_t there = at - from * weight + next * weight;
            route_push(w, (forwards ? at : there) * f->levels + d, !forwards);
            at = there;
            from = next;
        }
        weight *= size;
    }
}

static void torus_name(const struct net_routes *f, uint64_t wire,
                       const char *dir, char *name, size_t room)
{
    uint64_t node = wire / f->levels, weight = 1;
    unsigned d = (unsigned)(wire % f->levels);

    for (unsigned i = 0; i < d; i++)
        weight *= f->down[i];
    unsigned at = (unsigned)(node / weight % f->down[d]);
    uint64_t next = at + 1 == f->down[d] ? node - at * weight : node + weight;
    snprintf(name, room, "network_link_from_%llu_to_%llu%s",
             (unsigned long long)node, (unsigned long long)next, dir);
}

static double torus_wires(const struct network *n, unsigned nodes)
{
    double room = 1;

    (void)nodes; /* the network has its full shape */
    for (unsigned d = 0; d < n->levels; d++)
        room *= n->down[d];
    return room * n->levels;
}

const struct net_kind torus_routes = {
    .wires = torus_wires,
    .find = torus_find,
    .name = torus_name,
};
