/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the shapes of networks: the keys that each topology has of its own. */
#include "platforms/keys.h"
#include "platforms/topology.h"

#include <math.h>

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

/* The fields are those of the first level, because the others stand behind
 * them. */
#define LEVEL(field) offsetof(struct network, field)
static const struct key level_rows[] = {
    {"down", KEY_WHOLE, LEVEL(down), KEY_ALWAYS, .least = 1, .most = MAX_WIDTH,
     .help = "ports of a switch to the level below"},
    {"up", KEY_WHOLE, LEVEL(up), KEY_ALWAYS, .least = 1, .most = MAX_WIDTH,
     .help = "switches above, of each"},
    {"links", KEY_WHOLE, LEVEL(parallel), KEY_ALWAYS, .least = 1,
     .most = MAX_WIDTH, .help = "parallel links between two of them"},
};
const struct key_table level_keys = {
    "network.levels[]", "a level of a fat tree, from the nodes up",
    KEY_ROWS(level_rows), KEY_NO_CASES, .benchmark = NULL};

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
        void *to = (char *)net + i * sizeof net->down[0];
        if (keys_read(&level_keys, to, level, 0, err) < 0)
            return fail_at_place(err, "levels[%zu]", i);
    }
    return 0;
}

const struct topology_reader fat_tree_topology = {
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
    .read = read_torus,
    .room = room_of_levels,
    .room_key = "dimensions",
};

/* --- dragonflies ---------------------------------------------------------- */

/* Completes numbers that no key gives: one switch of the level above, one
 * link. */
static void fill_parts(struct network *net, unsigned n)
{
    net->levels = n;
    for (unsigned i = 0; i < n; i++) {
        net->up[i] = net->up[i] ? net->up[i] : 1;
        net->parallel[i] = net->parallel[i] ? net->parallel[i] : 1;
    }
}

static int read_dragonfly(struct network *net, const struct json *o,
                          struct err *err)
{
    (void)o;
    fill_parts(net, 4);
    /* A router has one link out of its group, and SimGrid 3.32 writes beyond
     * its routers if there are too few for the other groups. */
    double routers = (double)net->down[1] * net->down[2];
    if (!net->group_wires && net->down[0] > routers)
        return fail(err,
                    "groups: expected at most chassis * routers (%.0f) without "
                    "group_wires, got %u",
                    routers, net->down[0]);
    return 0;
}

const struct topology_reader dragonfly_topology = {
    .read = read_dragonfly,
    .room = room_of_levels,
    .room_key = "groups",
};

static int read_dragonfly_plus(struct network *net, const struct json *o,
                               struct err *err)
{
    (void)o;
    (void)err; /* never fails */
    fill_parts(net, 3);
    net->group_wires = net->group_wires ? net->group_wires : 1;
    return 0;
}

const struct topology_reader dragonfly_plus_topology = {
    .read = read_dragonfly_plus,
    .room = room_of_levels,
    .room_key = "groups",
};

/* --- rails ---------------------------------------------------------------- */

/* Returns the nodes that whole leaf switches have room for, because all rails
 * of a node are on switches of the same nodes. */
static double room_of_rails(const struct network *net)
{
    double room = room_of_levels(net);

    return net->joined ? floor(room / net->down[0] / net->rails) * net->down[0]
                       : room;
}

const struct topology_reader rails_topology = {
    .read = read_levels,
    .room = room_of_rails,
    .room_key = "levels",
};
