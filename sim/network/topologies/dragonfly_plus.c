/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Routes of a dragonfly+ (Shpiner et al., Dragonfly+: Low Cost Topology for
 * Scaling Datacenters, 2017).
 *
 * down[] is the number of groups, of leaf switches in a group, and of nodes at
 * a leaf; up[1] is the number of spine switches in a group, which have the
 * wires to other groups. Each leaf is joined to each spine of its group. Wires
 * are numbered kind after kind: those of the nodes, of the leaves, and between
 * groups.
 */
#include "sim/network/topologies/groups.h"

#include <stdio.h>

enum { NODE, LEAF, GROUP };

static void dragonfly_plus_init(struct net_routes *f, unsigned nodes)
{
    uint64_t leaves = (uint64_t)f->down[0] * f->down[1];

    (void)nodes; /* the network has its full shape */
    f->first[LEAF] = leaves * f->down[2];
    f->first[GROUP] = f->first[LEAF] + leaves * f->up[1];
}

static double dragonfly_plus_wires(const struct network *n, unsigned nodes)
{
    double g = n->down[0], leaves = g * n->down[1];

    (void)nodes;
    return leaves * n->down[2] + leaves * n->up[1] +
           g * (g - 1) / 2 * (n->group_wires ? n->group_wires : 1);
}

/* Adds the wire between a leaf and a spine; `leaf` is numbered across all
 * groups, `spine` within its group. */
static void climb(const struct net_routes *f, unsigned leaf, unsigned spine,
                  bool down, struct route *w)
{
    route_push(w, f->first[LEAF] + (uint64_t)leaf * f->up[1] + spine, down);
}

/* Adds the route from leaf to leaf over other groups. In a group in between it
 * goes from one spine to another over a leaf. */
static void cross(const struct net_routes *f, const struct route_choice *choice,
                  unsigned from, unsigned to, struct route *w)
{
    unsigned leaves = f->down[1], spines = f->up[1], group = from / leaves;
    struct groups_route route = groups_find(f, choice, group, to / leaves);
    unsigned spine = groups_gate(f, group, route.to[0], route.which[0], spines);

    climb(f, from, spine, false, w);
    for (unsigned i = 0; i < route.n; i++) {
        unsigned gate =
            groups_gate(f, group, route.to[i], route.which[i], spines);
        if (gate != spine) {
            unsigned over = group * leaves + choice->to % leaves;
            climb(f, over, spine, true, w);
            climb(f, over, gate, false, w);
        }
        route_push(w,
                   f->first[GROUP] +
                       groups_wire(f, group, route.to[i], route.which[i]),
                   group > route.to[i]);
        spine = groups_gate(f, route.to[i], group, route.which[i], spines);
        group = route.to[i];
    }
    climb(f, to, spine, true, w);
}

static void dragonfly_plus_find(const struct net_routes *f,
                                const struct route_choice *choice,
                                struct route *w)
{
    unsigned from = choice->from / f->down[2], to = choice->to / f->down[2];

    route_push(w, choice->from, false);
    if (from / f->down[1] != to / f->down[1]) {
        cross(f, choice, from, to, w);
    } else if (from != to) {
        climb(f, from, choice->to % f->up[1], false, w);
        climb(f, to, choice->to % f->up[1], true, w);
    }
    route_push(w, choice->to, true);
}

static int kind_of(const struct net_routes *f, uint64_t wire)
{
    return wire < f->first[LEAF] ? NODE : wire < f->first[GROUP] ? LEAF : GROUP;
}

static unsigned dragonfly_plus_width(const struct net_routes *f, uint64_t wire)
{
    switch (kind_of(f, wire)) {
    case LEAF:
        return f->parallel[1];
    case GROUP:
        return f->parallel[0];
    default:
        return 1;
    }
}

static bool dragonfly_plus_is_of_one_node(const struct net_routes *f,
                                          uint64_t wire)
{
    return kind_of(f, wire) == NODE;
}

static void dragonfly_plus_name(const struct net_routes *f, uint64_t wire,
                                const char *dir, char *name, size_t room)
{
    int kind = kind_of(f, wire);
    uint64_t n = wire - (kind == NODE ? 0 : f->first[kind]), i, j;
    unsigned each = kind == NODE ? f->down[2] : f->up[1];

    if (kind != GROUP) {
        snprintf(name, room, "group%llu.leaf%llu.%s%llu%s",
                 (unsigned long long)(n / each / f->down[1]),
                 (unsigned long long)(n / each % f->down[1]),
                 kind == NODE ? "node" : "spine",
                 (unsigned long long)(n % each), dir);
        return;
    }
    unsigned which = (unsigned)(n % f->group_wires);
    pair_of_number(n / f->group_wires, f->down[0], &i, &j);
    snprintf(name, room, "group%llu.spine%u_group%llu.spine%u_wire%u%s",
             (unsigned long long)i,
             groups_gate(f, (unsigned)i, (unsigned)j, which, f->up[1]),
             (unsigned long long)j,
             groups_gate(f, (unsigned)j, (unsigned)i, which, f->up[1]), which,
             dir);
}

const struct net_kind dragonfly_plus_routes = {
    .init = dragonfly_plus_init,
    .wires = dragonfly_plus_wires,
    .find = dragonfly_plus_find,
    .width = dragonfly_plus_width,
    .is_of_one_node = dragonfly_plus_is_of_one_node,
    .name = dragonfly_plus_name,
};
