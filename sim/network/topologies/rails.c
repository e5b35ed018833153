/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Routes of nodes with several rails: NIC i is on rail i modulo the rails.
 *
 * Each rail is a fat tree of its own. If rails are joined, all are leaves of
 * one tree: each of its leaf switches serves one rail of down[0] nodes, and the
 * leaf switches of all rails of those nodes are adjacent (rail-optimised).
 */
#include "sim/network/topologies/fat_tree.h"

#include <math.h>
#include <stdio.h>

/* Returns the ends of the joined tree, which fill whole leaf switches. */
static double joined_ends(unsigned nodes, unsigned rails, unsigned leaf)
{
    return ceil((double)nodes / leaf) * rails * leaf;
}

static void rails_init(struct net_routes *f, unsigned nodes)
{
    fat_tree_number(f, f->joined
                           ? (unsigned)joined_ends(nodes, f->rails, f->down[0])
                           : nodes);
}

static double rails_wires(const struct network *n, unsigned nodes)
{
    if (!n->joined)
        return n->rails * fat_tree_count(n, nodes);
    return fat_tree_count(n, joined_ends(nodes, n->rails, n->down[0]));
}

static unsigned rails_end(const struct net_routes *f, unsigned node,
                          unsigned rail)
{
    unsigned leaf = f->leaf;

    return (node / leaf * f->rails + rail) * leaf + node % leaf;
}

/* Returns the wires of one rail, if each has a tree of its own. */
static uint64_t rails_each(const struct net_routes *f)
{
    return f->joined ? UINT64_MAX : f->first[f->levels];
}

static void rails_find(const struct net_routes *f,
                       const struct route_choice *choice, struct route *w)
{
    if (f->joined)
        fat_tree_lead(f, rails_end(f, choice->from, choice->from_rail),
                      rails_end(f, choice->to, choice->to_rail), 0, w);
    else
        fat_tree_lead(f, choice->from, choice->to,
                      choice->from_rail * rails_each(f), w);
}

static bool rails_is_of_one_node(const struct net_routes *f, uint64_t wire)
{
    return wire % rails_each(f) < f->first[1];
}

static void rails_name(const struct net_routes *f, uint64_t wire,
                       const char *dir, char *name, size_t room)
{
    int n = f->joined ? 0
                      : snprintf(name, room, "rail%llu.",
                                 (unsigned long long)(wire / rails_each(f)));

    if (n >= 0 && (size_t)n < room)
        fat_tree_name(f, wire % rails_each(f), dir, name + n, room - (size_t)n);
}

const struct net_kind rails_routes = {
    .init = rails_init,
    .wires = rails_wires,
    .find = rails_find,
    .is_of_one_node = rails_is_of_one_node,
    .name = rails_name,
};
