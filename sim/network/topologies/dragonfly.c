/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Routes of a dragonfly.
 *
 * down[] is the number of groups, of chassis in a group, of routers in a
 * chassis, and of nodes at a router. The routers of a chassis are joined to
 * each other ("green"), and so are the routers of the same number in the
 * chassis of a group ("black"); each two groups ("blue") are joined by one or
 * several wires. Wires are numbered kind after kind.
 */
#include "sim/network/topologies/groups.h"

#include <stdio.h>

enum { LOCAL, GREEN, BLACK, BLUE, NWIRES };

static void dragonfly_init(struct net_routes *f, unsigned nodes)
{
    uint64_t g = f->down[0], c = f->down[1], r = f->down[2], n = f->down[3];
    uint64_t count[NWIRES] = {g * c * r * n, g * c * (r * (r - 1) / 2),
                              g * (c * (c - 1) / 2) * r, groups_wires(f)};

    (void)nodes; /* the network has its full shape */
    for (int k = 0; k < NWIRES; k++)
        f->first[k + 1] = f->first[k] + count[k];
}

struct router {
    unsigned group, chassis, blade;
};

static struct router router_of(const struct net_routes *f, unsigned node)
{
    unsigned router = node / f->down[3], chassis = router / f->down[2];

    return (struct router){chassis / f->down[1], chassis % f->down[1],
                           router % f->down[2]};
}

/* Adds the wire to another router of the chassis. */
static void dragonfly_green(const struct net_routes *f, struct router *at,
                            unsigned to, struct route *w)
{
    unsigned from = at->blade, n = f->down[2];
    uint64_t chassis = (uint64_t)at->group * f->down[1] + at->chassis;
    uint64_t pairs = (uint64_t)n * (n - 1) / 2;

    route_push(w, f->first[GREEN] + chassis * pairs + pair_number(from, to, n),
               from > to);
    at->blade = to;
}

/* Adds the wire to the router of the same number of another chassis. */
static void dragonfly_black(const struct net_routes *f, struct router *at,
                            unsigned to, struct route *w)
{
    unsigned from = at->chassis, n = f->down[1];
    uint64_t pairs = (uint64_t)n * (n - 1) / 2;
    uint64_t p = pair_number(from, to, n);

    route_push(
        w, f->first[BLACK] + (at->group * pairs + p) * f->down[2] + at->blade,
        from > to);
    at->chassis = to;
}

static struct router dragonfly_gate(const struct net_routes *f, unsigned group,
                                    unsigned to, unsigned which)
{
    unsigned r = f->down[2];
    unsigned gate = groups_gate(f, group, to, which, f->down[1] * r);

    return (struct router){group, gate / r, gate % r};
}

static void dragonfly_in_group(const struct net_routes *f, struct router *at,
                               struct router to, struct route *w)
{
    if (at->blade != to.blade)
        dragonfly_green(f, at, to.blade, w);
    if (at->chassis != to.chassis)
        dragonfly_black(f, at, to.chassis, w);
}

/* Adds the wires to another group, through the wire of that number. */
static void dragonfly_blue(const struct net_routes *f, struct router *at,
                           unsigned to, unsigned which, struct route *w)
{
    unsigned from = at->group;

    dragonfly_in_group(f, at, dragonfly_gate(f, from, to, which), w);
    route_push(w, f->first[BLUE] + groups_wire(f, from, to, which), from > to);
    *at = dragonfly_gate(f, to, from, which);
}

/* Adds the route inside a group as SimGrid has it. SimGrid assumes, after a
 * change of the router, that it is in the group's first chassis, whichever it
 * is in; its routes are reproduced as they are. */
static void dragonfly_in_group_of_simgrid(const struct net_routes *f,
                                          struct router *at, struct router to,
                                          struct route *w)
{
    if (at->blade == to.blade) {
        dragonfly_in_group(f, at, to, w);
        return;
    }
    dragonfly_green(f, at, to.blade, w);
    at->chassis = 0;
    if (to.chassis != 0)
        dragonfly_black(f, at, to.chassis, w);
}

static void dragonfly_find(const struct net_routes *f,
                           const struct route_choice *choice, struct route *w)
{
    struct router at = router_of(f, choice->from),
                  to = router_of(f, choice->to);

    route_push(w, f->first[LOCAL] + choice->from, false);
    if (at.group == to.group && f->as_simgrid) {
        dragonfly_in_group_of_simgrid(f, &at, to, w);
    } else {
        if (at.group != to.group) {
            struct groups_route route =
                groups_find(f, choice, at.group, to.group);
            for (unsigned i = 0; i < route.n; i++)
                dragonfly_blue(f, &at, route.to[i], route.which[i], w);
        }
        dragonfly_in_group(f, &at, to, w);
    }
    route_push(w, f->first[LOCAL] + choice->to, true);
}

static int kind_of(const struct net_routes *f, uint64_t wire)
{
    int kind = LOCAL;

    while (wire >= f->first[kind + 1])
        kind++;
    return kind;
}

static void dragonfly_name(const struct net_routes *f, uint64_t wire,
                           const char *dir, char *name, size_t room)
{
    int kind = kind_of(f, wire);
    uint64_t n = wire - f->first[kind], i, j;
    uint64_t c = f->down[1], r = f->down[2];
    unsigned long long id = wire;

    if (kind == LOCAL) {
        snprintf(name, room, "local_link_from_router_%llu_to_node_%llu_%llu%s",
                 (unsigned long long)(n / f->down[3]),
                 (unsigned long long)(n % f->down[3]), id, dir);
    } else if (kind == GREEN) {
        uint64_t pairs = r * (r - 1) / 2;
        pair_of_number(n % pairs, r, &i, &j);
        snprintf(name, room,
                 "green_link_in_chassis_%llu_between_routers_%llu_and_%llu_"
                 "%llu%s",
                 (unsigned long long)(n / pairs % c), (unsigned long long)i,
                 (unsigned long long)j, id, dir);
    } else if (kind == BLACK) {
        uint64_t pairs = c * (c - 1) / 2;
        pair_of_number(n / r % pairs, c, &i, &j);
        snprintf(name, room,
                 "black_link_in_group_%llu_between_chassis_%llu_and_%llu_blade_"
                 "%llu_%llu%s",
                 (unsigned long long)(n / r / pairs), (unsigned long long)i,
                 (unsigned long long)j, (unsigned long long)(n % r), id, dir);
    } else {
        unsigned wires = f->group_wires ? f->group_wires : 1;
        unsigned which = (unsigned)(n % wires);
        pair_of_number(n / wires, f->down[0], &i, &j);
        uint64_t router = i * c * r + groups_gate(f, (unsigned)i, (unsigned)j,
                                                  which, (unsigned)(c * r));
        uint64_t other = j * c * r + groups_gate(f, (unsigned)j, (unsigned)i,
                                                 which, (unsigned)(c * r));
        snprintf(name, room,
                 "blue_link_between_group_%llu_and_%llu_routers_%llu_and_%llu_"
                 "%llu%s",
                 (unsigned long long)i, (unsigned long long)j,
                 (unsigned long long)router, (unsigned long long)other, id,
                 dir);
    }
}

/* Sets the routers, because SimGrid's names omit the group. */
static bool dragonfly_joins(const struct net_routes *f, uint64_t wire,
                            uint32_t routers[2])
{
    int kind = kind_of(f, wire);
    uint64_t n = wire - f->first[kind], i, j;
    uint64_t c = f->down[1], r = f->down[2];

    if (kind == GREEN) {
        uint64_t pairs = r * (r - 1) / 2;
        pair_of_number(n % pairs, r, &i, &j);
        routers[0] = (uint32_t)(n / pairs * r + i);
        routers[1] = (uint32_t)(n / pairs * r + j);
    } else if (kind == BLACK) {
        uint64_t pairs = c * (c - 1) / 2, group = n / r / pairs;
        pair_of_number(n / r % pairs, c, &i, &j);
        routers[0] = (uint32_t)((group * c + i) * r + n % r);
        routers[1] = (uint32_t)((group * c + j) * r + n % r);
    }
    return kind == GREEN || kind == BLACK;
}

static double dragonfly_wires(const struct network *n, unsigned nodes)
{
    double g = n->down[0], c = n->down[1], r = n->down[2];

    (void)nodes;
    return g * c * r * n->down[3] + g * c * r * (r - 1) / 2 +
           g * c * (c - 1) / 2 * r +
           g * (g - 1) / 2 * (n->group_wires ? n->group_wires : 1);
}

static unsigned dragonfly_width(const struct net_routes *f, uint64_t wire)
{
    switch (kind_of(f, wire)) {
    case GREEN:
        return f->parallel[2];
    case BLACK:
        return f->parallel[1];
    case BLUE:
        return f->parallel[0];
    default:
        return 1;
    }
}

const struct net_kind dragonfly_routes = {
    .init = dragonfly_init,
    .wires = dragonfly_wires,
    .find = dragonfly_find,
    .width = dragonfly_width,
    .name = dragonfly_name,
    .joins = dragonfly_joins,
};
