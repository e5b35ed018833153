/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.h - common functions of the topologies' files, and the functions that
 * each of them defines for net_ways.c. */
#ifndef SIM_NETWORK_WAYS_WAYS_H
#define SIM_NETWORK_WAYS_WAYS_H

#include "sim/network/ways/net_ways.h"

/* A route under construction. n counts links beyond its room, too. */
struct way {
    uint64_t *links;
    size_t n, room;
};

/* Appends a wire to the route; `back`: from its second end to its first. */
static inline void way_push(struct way *w, uint64_t wire, bool back)
{
    if (w->n < w->room)
        w->links[w->n] = 2 * wire + back;
    w->n++;
}

struct net_kind {
    /* Sets the fields of f that `find` needs and that are not copied from the
     * network; NULL if there are none. */
    void (*init)(struct net_ways *f, unsigned nodes);
    /* Returns the number of wires. */
    double (*wires)(const struct network *n, unsigned nodes);
    void (*find)(const struct net_ways *f, const struct net_trip *trip,
                 struct way *w);
    /* Returns the multiple of a link's bandwidth that a wire has; NULL if it is
     * 1. */
    unsigned (*width)(const struct net_ways *f, uint64_t wire);
    /* Returns whether a wire serves the flows of one node only; NULL if none
     * does. */
    bool (*is_of_one_node)(const struct net_ways *f, uint64_t wire);
    void (*name)(const struct net_ways *f, uint64_t wire, const char *dir,
                 char *name, size_t room);
    /* net_ways_joins(); NULL if all names tell it. */
    bool (*joins)(const struct net_ways *f, uint64_t wire, uint32_t routers[2]);
};

#define TOPOLOGY(upper, lower) extern const struct net_kind lower##_ways;
#include "platforms/topologies.def"
#undef TOPOLOGY

#endif
