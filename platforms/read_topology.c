/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the shapes of networks: the keys that each topology has of its own. */
#include "platforms/topology.h"

#include <math.h>
#include <string.h>

enum { MAX_LEVELS = 8, MAX_WIDTH = 1000000 };

static const struct topology_reader *const readers[NTOPOLOGIES] = {
#define TOPOLOGY(upper, lower) [TOPOLOGY_##upper] = &lower##_topology,
#include "platforms/topologies.def"
#undef TOPOLOGY
};

const struct topology_reader *topology_reader(enum topology kind)
{
    return readers[kind];
}

static bool has_key(const struct topology_reader *r, const char *key)
{
    for (const char *const *k = r->keys; k && *k; k++)
        if (!strcmp(*k, key))
            return true;
    return false;
}

bool topology_has_key(const char *topology, const char *key)
{
    for (int t = 0; t < NTOPOLOGIES; t++)
        if (!strcmp(topology_names[t], topology))
            return has_key(readers[t], key);
    return false;
}

bool topology_key(const char *key)
{
    for (int t = 0; t < NTOPOLOGIES; t++)
        if (has_key(readers[t], key))
            return true;
    return false;
}

static double room_of_levels(const struct network *net)
{
    double room = 1;

    for (unsigned i = 0; i < net->levels; i++)
        room *= net->down[i];
    return room;
}

/* --- crossbar ------------------------------------------------------------- */

const struct topology_reader crossbar_topology = {0};

/* --- fat tree ------------------------------------------------------------- */

static int read_levels(struct network *net, const struct json *o,
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

const struct topology_reader fat_tree_topology = {
    .keys = (const char *const[]){"levels", NULL},
    .read = read_levels,
    .room = room_of_levels,
    .room_key = "levels",
};

/* --- torus ---------------------------------------------------------------- */

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

const struct topology_reader torus_topology = {
    .keys = (const char *const[]){"dimensions", NULL},
    .read = read_torus,
    .room = room_of_levels,
    .room_key = "dimensions",
};

/* --- dragonflies ---------------------------------------------------------- */

/* How many of something, and of how many links the wires are that join them;
 * without a key of links, there are none. */
struct part {
    const char *count, *links;
};

static int read_parts(struct network *net, const struct json *o,
                      const struct part *parts, unsigned n, struct err *err)
{
    net->levels = n;
    for (unsigned i = 0; i < n; i++) {
        net->up[i] = net->parallel[i] = 1;
        if (read_unsigned(o, parts[i].count, 1, MAX_WIDTH, &net->down[i], err) <
            0)
            return -1;
        if (parts[i].links && read_unsigned(o, parts[i].links, 1, MAX_WIDTH,
                                            &net->parallel[i], err) < 0)
            return -1;
    }
    return 0;
}

static int read_routing(struct network *net, const struct json *o,
                        struct err *err)
{
    unsigned routing = ROUTING_MINIMAL;

    if (json_member(o, "routing") &&
        read_name(o, "routing", routing_names, NROUTINGS, &routing, err) < 0)
        return -1;
    net->routing = (enum routing)routing;
    return json_member(o, "group_wires") &&
                   read_unsigned(o, "group_wires", 1, MAX_WIDTH,
                                 &net->group_wires, err) < 0
               ? -1
               : 0;
}

static int read_dragonfly(struct network *net, const struct json *o,
                          struct err *err)
{
    static const struct part parts[] = {{"groups", "group_links"},
                                        {"chassis", "chassis_links"},
                                        {"routers", "router_links"},
                                        {"nodes_per_router", NULL}};

    if (read_parts(net, o, parts, 4, err) < 0 || read_routing(net, o, err) < 0)
        return -1;
    /* A router has one link out of its group, and SimGrid 3.32 writes beyond
     * its routers when there are too few for the other groups. */
    double routers = (double)net->down[1] * net->down[2];
    if (!net->group_wires && net->down[0] > routers)
        return fail(err,
                    "groups: expected at most chassis * routers (%.0f) without "
                    "group_wires, got %u",
                    routers, net->down[0]);
    return 0;
}

const struct topology_reader dragonfly_topology = {
    .keys = (const char *const[]){"groups", "chassis", "routers",
                                  "nodes_per_router", "group_links",
                                  "chassis_links", "router_links",
                                  "group_wires", "routing", NULL},
    .read = read_dragonfly,
    .room = room_of_levels,
    .room_key = "groups",
};

static int read_dragonfly_plus(struct network *net, const struct json *o,
                               struct err *err)
{
    static const struct part parts[] = {{"groups", "group_links"},
                                        {"leaves", "leaf_links"},
                                        {"nodes_per_leaf", NULL}};

    net->group_wires = 1;
    if (read_parts(net, o, parts, 3, err) < 0)
        return -1;
    return read_unsigned(o, "spines", 1, MAX_WIDTH, &net->up[1], err) < 0
               ? -1
               : read_routing(net, o, err);
}

const struct topology_reader dragonfly_plus_topology = {
    .keys = (const char *const[]){"groups", "leaves", "spines",
                                  "nodes_per_leaf", "group_links", "leaf_links",
                                  "group_wires", "routing", NULL},
    .read = read_dragonfly_plus,
    .room = room_of_levels,
    .room_key = "groups",
};

/* --- rails ---------------------------------------------------------------- */

static int read_rails(struct network *net, const struct json *o,
                      struct err *err)
{
    if (read_unsigned(o, "rails", 1, MAX_WIDTH, &net->rails, err) < 0)
        return -1;
    if (json_member(o, "joined") &&
        json_get_bool(o, "joined", &net->joined, err) < 0)
        return -1;
    return read_levels(net, o, err);
}

/* Whole leaf switches, of all rails of the same nodes. */
static double room_of_rails(const struct network *net)
{
    double room = room_of_levels(net);

    return net->joined ? floor(room / net->down[0] / net->rails) * net->down[0]
                       : room;
}

const struct topology_reader rails_topology = {
    .keys = (const char *const[]){"rails", "joined", "levels", NULL},
    .read = read_rails,
    .room = room_of_rails,
    .room_key = "levels",
};
