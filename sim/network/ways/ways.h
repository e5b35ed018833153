/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.h - what the files of the topologies have in common, and what each of
 * them gives to net_ways.c. */
#ifndef SIM_NETWORK_WAYS_WAYS_H
#define SIM_NETWORK_WAYS_WAYS_H

#include "sim/network/ways/net_ways.h"

/* A way under construction: counts past its room. */
struct way {
    uint64_t *links;
    size_t n, room;
};

/* `back`: the wire is taken from its second end to its first. */
static inline void way_push(struct way *w, uint64_t wire, bool back)
{
    if (w->n < w->room)
        w->links[w->n] = 2 * wire + back;
    w->n++;
}

struct net_kind {
    /* Fills what `find` needs, from what is copied from the network; NULL:
     * nothing more. */
    void (*init)(struct net_ways *f, unsigned nodes);
    /* How many wires there are. */
    double (*wires)(const struct network *n, unsigned nodes);
    void (*find)(const struct net_ways *f, const struct net_trip *trip,
                 struct way *w);
    /* How many times the bandwidth of a link it has; NULL: once. */
    unsigned (*width)(const struct net_ways *f, uint64_t wire);
    /* A wire that serves the flows of one node only; NULL: none does. */
    bool (*is_of_one_node)(const struct net_ways *f, uint64_t wire);
    void (*name)(const struct net_ways *f, uint64_t wire, const char *dir,
                 char *name, size_t room);
    /* net_ways_joins(); NULL: all names say it. */
    bool (*joins)(const struct net_ways *f, uint64_t wire, uint32_t routers[2]);
};

#define TOPOLOGY(upper, lower) extern const struct net_kind lower##_ways;
#include "platforms/topologies.def"
#undef TOPOLOGY

#endif
