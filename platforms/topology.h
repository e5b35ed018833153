/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.h - what each topology says of its network in a machine's file. */
#ifndef PLATFORMS_TOPOLOGY_H
#define PLATFORMS_TOPOLOGY_H

#include "platforms/read.h"

struct topology_reader {
    const char *const *keys; /* of its own, NULL after the last */
    /* Reads them; NULL: there are none. */
    int (*read)(struct network *net, const struct json *o, struct err *err);
    /* How many nodes it has room for; NULL: for any number. `room_key` is
     * named where they are too few. */
    double (*room)(const struct network *net);
    const char *room_key;
};

#define TOPOLOGY(upper, lower)                                                 \
    extern const struct topology_reader lower##_topology;
#include "platforms/topologies.def"
#undef TOPOLOGY

const struct topology_reader *topology_reader(enum topology kind);
/* Whether a topology of that name has this key of its own; and whether any has.
 */
bool topology_has_key(const char *topology, const char *key);
bool topology_key(const char *key);

#endif
