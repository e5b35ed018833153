/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routes of a crossbar: one wire for each node, to a switch that never
 * blocks. */
#include "sim/network/topologies/topology_routes.h"

#include <stdio.h>

static double crossbar_wires(const struct network *n, unsigned nodes)
{
    (void)n;
    return nodes;
}

static void crossbar_find(const struct net_routes *f,
                          const struct route_choice *choice, struct route *w)
{
    (void)f;
    route_push(w, choice->from, false);
    route_push(w, choice->to, true);
}

static bool crossbar_is_of_one_node(const struct net_routes *f, uint64_t wire)
{
    (void)f;
    (void)wire;
    return true;
}

static void crossbar_name(const struct net_routes *f, uint64_t wire,
                          const char *dir, char *name, size_t room)
{
    (void)f;
    snprintf(name, room, "network.node%llu.%s", (unsigned long long)wire,
             dir[1] == 'D' ? "down" : "up");
}

const struct net_kind crossbar_routes = {
    .wires = crossbar_wires,
    .find = crossbar_find,
    .is_of_one_node = crossbar_is_of_one_node,
    .name = crossbar_name,
};
