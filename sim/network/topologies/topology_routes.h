/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology_routes.h - common functions of the topologies' files, and the
 * functions that each of them defines for net_routes.c. */
#ifndef SIM_NETWORK_TOPOLOGIES_TOPOLOGY_ROUTES_H
#define SIM_NETWORK_TOPOLOGIES_TOPOLOGY_ROUTES_H

#include "sim/network/topologies/net_routes.h"

/* A route under construction. n counts links beyond its room, too. */
struct route {
    uint64_t *links;
    size_t n, room;
};

/* Appends a wire to the route; `back`: from its second end to its first. */
static inline void route_push(struct route *w, uint64_t wire, bool back)
{
    if (w->n < w->room)
        w->links[w->n] = 2 * wire + back;
    w->n++;
}

struct net_kind {
    /* Sets the fields of f that `find` needs and that are not copied from the
     * network; NULL if there are none. */
    void (*init)(struct net_routes *f, unsigned nodes);
    /* Returns the number of wires. */
    double (*wires)(const struct network *n, unsigned nodes);
    void (*find)(const struct net_routes *f, const struct route_choice *choice,
                 struct route *w);
    /* Returns the multiple of a link's bandwidth that a wire has; NULL if it is
     * 1. */
    unsigned (*width)(const struct net_routes *f, uint64_t wire);
    /* Returns whether a wire serves the flows of one node only; NULL if none
     * does. */
    bool (*is_of_one_node)(const struct net_routes *f, uint64_t wire);
    void (*name)(const struct net_routes *f, uint64_t wire, const char *dir,
                 char *name, size_t room);
    /* net_routes_joins(); NULL if all names tell it. */
    bool (*joins)(const struct net_routes *f, uint64_t wire,
                  uint32_t routers[2]);
};

#define TOPOLOGY(upper, lower) extern const struct net_kind lower##_routes;
#include "platforms/topologies.def"
#undef TOPOLOGY

#endif
