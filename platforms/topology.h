/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.h - the shape of a network: the keys that a topology has of its own
 * in a machine's file, beside the rows of network_keys. */
#ifndef PLATFORMS_TOPOLOGY_H
#define PLATFORMS_TOPOLOGY_H

#include "platforms/read.h"

struct topology_reader {
    /* Reads lists, and completes and checks the numbers, which are read
     * already; NULL if there are none. */
    int (*read)(struct network *net, const struct json *o, struct err *err);
    /* Returns the number of nodes for which it has room; NULL if that is any
     * number. An error names `room_key` if there is too little. */
    double (*room)(const struct network *net);
    const char *room_key;
};

#define TOPOLOGY(upper, lower)                                                 \
    extern const struct topology_reader lower##_topology;
#include "platforms/topologies.def"
#undef TOPOLOGY

const struct topology_reader *topology_reader(enum topology kind);
/* Returns whether a topology of that name has this key of its own; and whether
 * any has. */
bool topology_has_key(const char *topology, const char *key);
bool topology_key(const char *key);

#endif
