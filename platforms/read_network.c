/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network between the nodes, and whether it can hold them all. */
#include "platforms/read.h"

#include <string.h>

enum { MAX_LEVELS = 8, MAX_WIDTH = 1000000, MAX_NODES = 10000000 };

static int read_fat_tree(struct network *net, const struct json *o,
                         struct err *err)
{
    struct json *levels;
    const struct json *level;

    if (json_get_array(o, "levels", &levels, err) < 0)
        return -1;
    size_t n = json_size(levels);
    if (n < 1 || n > MAX_LEVELS)
        return fail(err, "levels: expected 1 to %d levels, got %zu", MAX_LEVELS,
                    n);
    net->levels = (unsigned)n;
    for (size_t i = 0; i < n; i++) {
        if (read_element(levels, "levels", i, &level, err) < 0)
            return -1;
        if (ONLY_KEYS(level, err, "down", "up", "links") < 0 ||
            read_unsigned(level, "down", 1, MAX_WIDTH, &net->down[i], err) <
                0 ||
            read_unsigned(level, "up", 1, MAX_WIDTH, &net->up[i], err) < 0 ||
            read_unsigned(level, "links", 1, MAX_WIDTH, &net->parallel[i],
                          err) < 0)
            return fail_at_place(err, "levels[%zu]", i);
    }
    return 0;
}

static int read_torus(struct network *net, const struct json *o,
                      struct err *err)
{
    struct json *dimensions;
    char got[80];

    if (json_get_array(o, "dimensions", &dimensions, err) < 0)
        return -1;
    size_t n = json_size(dimensions);
    if (n < 1 || n > MAX_LEVELS)
        return fail(err, "dimensions: expected 1 to %d of them, got %zu",
                    MAX_LEVELS, n);
    net->levels = (unsigned)n;
    for (size_t i = 0; i < n; i++) {
        const struct json *v = json_at(dimensions, i);
        double d = json_number(v);
        if (!(d >= 1 && d <= MAX_WIDTH) || d != (unsigned)d)
            return fail(err,
                        "dimensions[%zu]: expected a whole number from 1 to "
                        "%d, got %s",
                        i, MAX_WIDTH, json_describe(v, got, sizeof got));
        net->down[i] = (unsigned)d;
        net->up[i] = net->parallel[i] = 1;
    }
    return 0;
}

static int read_dragonfly(struct network *net, const struct json *o,
                          struct err *err)
{
    static const char *const counts[] = {"groups", "chassis", "routers",
                                         "nodes_per_router"};
    static const char *const links[] = {"group_links", "chassis_links",
                                        "router_links"};

    net->levels = 4;
    for (unsigned i = 0; i < 4; i++) {
        if (read_unsigned(o, counts[i], 1, MAX_WIDTH, &net->down[i], err) < 0)
            return -1;
        net->up[i] = net->parallel[i] = 1;
        if (i < 3 && read_unsigned(o, links[i], 1, MAX_WIDTH, &net->parallel[i],
                                   err) < 0)
            return -1;
    }
    /* A router has one link out of its group, and SimGrid 3.32 writes beyond
     * its routers when there are too few for the other groups. */
    if (net->down[0] > net->down[1] * net->down[2])
        return fail(err,
                    "groups: expected at most chassis * routers (%u), got %u",
                    net->down[1] * net->down[2], net->down[0]);
    return 0;
}

#define COMMON                                                                 \
    "topology", "nodes", "bandwidth_GBps", "process_GBps", "gpu_GBps",         \
        "nodes_per_rack", "source"

/* The keys of the topology, and no others. */
static int read_shape(struct network *net, const struct json *o,
                      struct err *err)
{
    switch (net->topology) {
    case TOPOLOGY_FAT_TREE:
        return ONLY_KEYS(o, err, COMMON, "levels") < 0
                   ? -1
                   : read_fat_tree(net, o, err);
    case TOPOLOGY_TORUS:
        return ONLY_KEYS(o, err, COMMON, "dimensions") < 0
                   ? -1
                   : read_torus(net, o, err);
    case TOPOLOGY_DRAGONFLY:
        return ONLY_KEYS(o, err, COMMON, "groups", "chassis", "routers",
                         "nodes_per_router", "group_links", "chassis_links",
                         "router_links") < 0
                   ? -1
                   : read_dragonfly(net, o, err);
    default:
        return ONLY_KEYS(o, err, COMMON);
    }
}

static int check_room(const struct network *net, struct err *err)
{
    static const char *const keys[NTOPOLOGIES] = {
        [TOPOLOGY_FAT_TREE] = "levels",
        [TOPOLOGY_TORUS] = "dimensions",
        [TOPOLOGY_DRAGONFLY] = "groups"};
    double room = 1;

    for (unsigned i = 0; i < net->levels; i++)
        room *= net->down[i];
    if (net->topology == TOPOLOGY_CROSSBAR || room >= net->nodes)
        return 0;
    return fail(err, "%s: expected room for %u nodes, got %g",
                keys[net->topology], net->nodes, room);
}

/* Of the link of a node: left out, it is what the NICs carry together. */
static int read_bandwidth(struct machine *m, const struct json *o,
                          struct err *err)
{
    double sum_Bps = 0;

    if (json_member(o, "bandwidth_GBps"))
        return read_positive(o, "bandwidth_GBps", 1e9,
                             &m->network.bandwidth_Bps, err);
    for (unsigned d = 0; d < m->ndevices; d++) {
        double best_Bps = 0;
        for (size_t w = 0; w < m->nwires; w++)
            if (m->devices[d].kind == DEVICE_NIC &&
                (m->wires[w].ends[0] == d || m->wires[w].ends[1] == d) &&
                m->wires[w].bandwidth_Bps > best_Bps)
                best_Bps = m->wires[w].bandwidth_Bps;
        sum_Bps += best_Bps;
    }
    if (!(sum_Bps > 0))
        return fail(err, "bandwidth_GBps: expected a number, because no NIC "
                         "has a wire, got nothing");
    m->network.bandwidth_Bps = sum_Bps;
    return 0;
}

int read_network(struct machine *m, const struct json *o, struct err *err)
{
    struct network *net = &m->network;
    unsigned topology;

    if (read_name(o, "topology", topology_names, NTOPOLOGIES, &topology, err) <
        0)
        return -1;
    net->topology = (enum topology)topology;
    if (read_shape(net, o, err) < 0 ||
        read_unsigned(o, "nodes", 1, MAX_NODES, &net->nodes, err) < 0 ||
        read_bandwidth(m, o, err) < 0 ||
        read_optional(o, "process_GBps", 1e9, &net->process_Bps, err) < 0 ||
        read_optional(o, "gpu_GBps", 1e9, &net->gpu_Bps, err) < 0 ||
        read_text(o, "source", &net->source, err) < 0)
        return -1;
    if (json_member(o, "nodes_per_rack") &&
        read_unsigned(o, "nodes_per_rack", 1, MAX_NODES, &net->nodes_per_rack,
                      err) < 0)
        return -1;
    return check_room(net, err);
}
