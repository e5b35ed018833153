/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the way between two nodes of a crossbar, fat tree, torus or dragonfly
 * by arithmetic on their numbers. */
#include "sim/network/net_ways.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* A way under construction: counts past its room. */
struct way {
    uint64_t *links;
    size_t n, room;
};

static void way_push(struct way *w, uint64_t wire, bool back)
{
    if (w->n < w->room)
        w->links[w->n] = 2 * wire + back;
    w->n++;
}

/* --- fat tree ---------------------------------------------------------------
 *
 * A switch of level l (nodes: level 0) has a label of `levels` digits, the
 * first counting fastest: digits below l are of base up[], the others of base
 * down[]. Its parents differ from it in digit l alone. A wire of level l is
 * numbered by its lower end, then its upper end's digit, then which of the
 * parallel ones it is.
 */

/* Fewer subtrees under the root where not all nodes are used; the switches of
 * the top stay. */
static void fit_to_nodes(struct net_ways *f, unsigned nodes)
{
    uint64_t below = 1;

    for (unsigned l = 0; l + 1 < f->levels; l++)
        below *= f->down[l];
    f->down[f->levels - 1] = (unsigned)((nodes + below - 1) / below);
}

/* Ends of wires on level l from below: nodes, or switches. */
static uint64_t fat_tree_width(const struct net_ways *f, unsigned l)
{
    uint64_t n = 1;

    for (unsigned i = 0; i < f->levels; i++)
        n *= i < l ? f->up[i] : f->down[i];
    return n;
}

static void number_fat_tree(struct net_ways *f)
{
    f->switches[0] = 0;
    for (unsigned l = 0; l < f->levels; l++) {
        f->first[l + 1] =
            f->first[l] + fat_tree_width(f, l) * f->up[l] * f->parallel[l];
        f->switches[l + 1] = f->switches[l] + (l ? fat_tree_width(f, l) : 0);
    }
}

/* The digit of node b at level l, and of the parent that leads to b. */
static unsigned fat_tree_digit(const struct net_ways *f, unsigned node,
                               unsigned l)
{
    for (unsigned i = 0; i < l; i++)
        node /= f->down[i];
    return node % f->down[l];
}

/* D-mod-k: which of a switch's wires upwards leads to b, counted parent after
 * parent, and all parents once more for each further parallel wire. */
static uint64_t fat_tree_upwards(const struct net_ways *f, unsigned to,
                                 unsigned l)
{
    for (unsigned i = 0; i < l; i++)
        to /= f->up[i];
    return to % ((uint64_t)f->up[l] * f->parallel[l]);
}

static unsigned parent_digit(const struct net_ways *f, unsigned to, unsigned l)
{
    return (unsigned)(fat_tree_upwards(f, to, l) % f->up[l]);
}

/* The number in its level of the switch above node `under` that ways to node
 * `to` pass: digits of parents below, the node's own above. */
static uint64_t fat_tree_place(const struct net_ways *f, unsigned under,
                               unsigned to, unsigned l)
{
    uint64_t n = 0, weight = 1;

    for (unsigned i = 0; i < f->levels; i++) {
        n += weight *
             (i < l ? parent_digit(f, to, i) : fat_tree_digit(f, under, i));
        weight *= i < l ? f->up[i] : f->down[i];
    }
    return n;
}

static uint64_t fat_tree_wire(const struct net_ways *f, unsigned under,
                              unsigned to, unsigned l, uint64_t which)
{
    uint64_t end =
        fat_tree_place(f, under, to, l) * f->up[l] + parent_digit(f, to, l);

    return f->first[l] + end * f->parallel[l] + which;
}

/*
 * Downwards the sender's number says which of parallel wires to take. But
 * SimGrid goes through the ports of a switch from the one after that by which
 * it left the switch above, and takes the first that leads to the child; only
 * when there is none it begins anew.
 */
static void fat_tree_way(const struct net_ways *f, unsigned a, unsigned b,
                         struct way *w)
{
    unsigned top = f->levels;
    uint64_t port = UINT64_MAX / 2; /* begin anew */

    while (fat_tree_digit(f, a, top - 1) == fat_tree_digit(f, b, top - 1))
        top--;
    for (unsigned l = 0; l < top; l++)
        way_push(
            w, fat_tree_wire(f, a, b, l, fat_tree_upwards(f, b, l) / f->up[l]),
            false);
    for (unsigned l = top; l-- > 0;) {
        unsigned child = fat_tree_digit(f, b, l);
        uint64_t which =
            port > child ? (port - child + f->down[l] - 1) / f->down[l] : 0;
        if (which >= f->parallel[l])
            which = a % f->parallel[l];
        way_push(w, fat_tree_wire(f, b, b, l, which), true);
        port = child + which * f->down[l] + 1;
    }
}

static void fat_tree_name(const struct net_ways *f, uint64_t wire,
                          const char *dir, char *name, size_t room)
{
    unsigned l = 0;

    while (wire >= f->first[l + 1])
        l++;
    uint64_t end = (wire - f->first[l]) / f->parallel[l];
    uint64_t lower = end / f->up[l], upper = end % f->up[l], weight = 1;
    /* The upper end's label: digit l is another. */
    for (unsigned i = 0; i < l; i++)
        weight *= f->up[i];
    uint64_t above = lower / weight / f->down[l];
    uint64_t parent =
        lower % weight + upper * weight + above * weight * f->up[l];
    /* Nodes count from 0, switches down from twice the nodes. */
    int64_t top = 2 * (int64_t)fat_tree_width(f, 0) - 1;
    int64_t child =
        l ? top - (int64_t)(f->switches[l] + lower) : (int64_t)lower;
    snprintf(name, room, "link_from_%" PRId64 "_%" PRId64 "_%" PRIu64 "%s",
             child, top - (int64_t)(f->switches[l + 1] + parent), wire, dir);
}

/* --- torus ------------------------------------------------------------------
 *
 * Wire node * levels + d leads from a node to the next one in dimension d.
 */

/* Half way round both ways are as long: forwards, but to coordinate 0. */
static bool is_forwards(unsigned from, unsigned to, unsigned size)
{
    unsigned ahead = to >= from ? to - from : to + size - from;

    return ahead <= size / 2 && !(to == 0 && 2 * ahead == size);
}

static void torus_way(const struct net_ways *f, unsigned a, unsigned b,
                      struct way *w)
{
    uint64_t at = a, weight = 1;

    for (unsigned d = 0; d < f->levels; d++) {
        unsigned size = f->down[d];
        unsigned from = (unsigned)(a / weight % size);
        unsigned to = (unsigned)(b / weight % size);
        bool forwards = is_forwards(from, to, size);
        while (from != to) {
            unsigned next = forwards ? (from + 1 == size ? 0 : from + 1)
                                     : (from == 0 ? size : from) - 1;
            uint64_t there = at - from * weight + next * weight;
            way_push(w, (forwards ? at : there) * f->levels + d, !forwards);
            at = there;
            from = next;
        }
        weight *= size;
    }
}

static void torus_name(const struct net_ways *f, uint64_t wire, const char *dir,
                       char *name, size_t room)
{
    uint64_t node = wire / f->levels, weight = 1;
    unsigned d = (unsigned)(wire % f->levels);

    for (unsigned i = 0; i < d; i++)
        weight *= f->down[i];
    unsigned at = (unsigned)(node / weight % f->down[d]);
    uint64_t next = at + 1 == f->down[d] ? node - at * weight : node + weight;
    snprintf(name, room, "network_link_from_%llu_to_%llu%s",
             (unsigned long long)node, (unsigned long long)next, dir);
}

/* --- dragonfly --------------------------------------------------------------
 *
 * down[]: groups, chassis of a group, routers of a chassis, nodes of a router.
 * Routers of a chassis are joined to each other ("green"), those of the same
 * number in the chassis of a group as well ("black"), and groups ("blue") by
 * one wire each. Wires are numbered kind after kind.
 */
enum { LOCAL, GREEN, BLACK, BLUE, NWIRES };

static void number_dragonfly(struct net_ways *f)
{
    uint64_t g = f->down[0], c = f->down[1], r = f->down[2], n = f->down[3];
    uint64_t count[NWIRES] = {g * c * r * n, g * c * (r * (r - 1) / 2),
                              g * (c * (c - 1) / 2) * r, g * (g - 1) / 2};

    for (int k = 0; k < NWIRES; k++)
        f->first[k + 1] = f->first[k] + count[k];
}

/* Of all pairs i < j of n in order, the number of this one. */
static uint64_t net_ways_pair(uint64_t i, uint64_t j, uint64_t n)
{
    return i * n - i * (i + 1) / 2 + (j - i - 1);
}

/* And the other way round. */
static void net_ways_unpair(uint64_t number, uint64_t n, uint64_t *i,
                            uint64_t *j)
{
    uint64_t low = 0, high = n - 1;

    while (low + 1 < high) {
        uint64_t middle = low + (high - low) / 2;
        if (net_ways_pair(middle, middle + 1, n) <= number)
            low = middle;
        else
            high = middle;
    }
    if (low + 1 < n - 1 && net_ways_pair(low + 1, low + 2, n) <= number)
        low++;
    *i = low;
    *j = low + 1 + number - net_ways_pair(low, low + 1, n);
}

struct router {
    unsigned group, chassis, blade;
};

static struct router router_of(const struct net_ways *f, unsigned node)
{
    unsigned router = node / f->down[3], chassis = router / f->down[2];

    return (struct router){chassis / f->down[1], chassis % f->down[1],
                           router % f->down[2]};
}

/* To another router of the chassis. */
static void dragonfly_green(const struct net_ways *f, struct router *at,
                            unsigned to, struct way *w)
{
    unsigned from = at->blade, n = f->down[2];
    uint64_t chassis = (uint64_t)at->group * f->down[1] + at->chassis;
    uint64_t pairs = (uint64_t)n * (n - 1) / 2;

    way_push(w,
             f->first[GREEN] + chassis * pairs +
                 (from < to ? net_ways_pair(from, to, n)
                            : net_ways_pair(to, from, n)),
             from > to);
    at->blade = to;
}

/* To the router of the same number of another chassis. */
static void dragonfly_black(const struct net_ways *f, struct router *at,
                            unsigned to, struct way *w)
{
    unsigned from = at->chassis, n = f->down[1];
    uint64_t pairs = (uint64_t)n * (n - 1) / 2;
    uint64_t p =
        from < to ? net_ways_pair(from, to, n) : net_ways_pair(to, from, n);

    way_push(w,
             f->first[BLACK] + (at->group * pairs + p) * f->down[2] + at->blade,
             from > to);
    at->chassis = to;
}

/* Router g of each group leads to group g. */
static struct router dragonfly_gate(const struct net_ways *f, unsigned group,
                                    unsigned to)
{
    return (struct router){group, to / f->down[2], to % f->down[2]};
}

static void dragonfly_blue(const struct net_ways *f, struct router *at,
                           unsigned to, struct way *w)
{
    unsigned from = at->group, n = f->down[0];

    way_push(w,
             f->first[BLUE] + (from < to ? net_ways_pair(from, to, n)
                                         : net_ways_pair(to, from, n)),
             from > to);
    *at = dragonfly_gate(f, to, from);
}

static void dragonfly_in_group(const struct net_ways *f, struct router *at,
                               struct router to, struct way *w)
{
    if (at->blade != to.blade)
        dragonfly_green(f, at, to.blade, w);
    if (at->chassis != to.chassis)
        dragonfly_black(f, at, to.chassis, w);
}

/*
 * Inside one group SimGrid, having changed the router, believes to be in the
 * group's first chassis, whichever it is in: its ways from there on are taken
 * as they are.
 */
static void dragonfly_way(const struct net_ways *f, unsigned a, unsigned b,
                          struct way *w)
{
    struct router at = router_of(f, a), to = router_of(f, b);

    way_push(w, f->first[LOCAL] + a, false);
    if (at.group != to.group) {
        dragonfly_in_group(f, &at, dragonfly_gate(f, at.group, to.group), w);
        dragonfly_blue(f, &at, to.group, w);
        dragonfly_in_group(f, &at, to, w);
    } else if (at.blade != to.blade) {
        dragonfly_green(f, &at, to.blade, w);
        at.chassis = 0;
        if (to.chassis != 0)
            dragonfly_black(f, &at, to.chassis, w);
    } else {
        dragonfly_in_group(f, &at, to, w);
    }
    way_push(w, f->first[LOCAL] + b, true);
}

static int kind_of(const struct net_ways *f, uint64_t wire)
{
    int kind = LOCAL;

    while (wire >= f->first[kind + 1])
        kind++;
    return kind;
}

static void dragonfly_name(const struct net_ways *f, uint64_t wire,
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
        net_ways_unpair(n % pairs, r, &i, &j);
        snprintf(name, room,
                 "green_link_in_chassis_%llu_between_routers_%llu_and_%llu_"
                 "%llu%s",
                 (unsigned long long)(n / pairs % c), (unsigned long long)i,
                 (unsigned long long)j, id, dir);
    } else if (kind == BLACK) {
        uint64_t pairs = c * (c - 1) / 2;
        net_ways_unpair(n / r % pairs, c, &i, &j);
        snprintf(name, room,
                 "black_link_in_group_%llu_between_chassis_%llu_and_%llu_blade_"
                 "%llu_%llu%s",
                 (unsigned long long)(n / r / pairs), (unsigned long long)i,
                 (unsigned long long)j, (unsigned long long)(n % r), id, dir);
    } else {
        net_ways_unpair(n, f->down[0], &i, &j);
        uint64_t router = i * c * r + j, other = j * c * r + i;
        snprintf(name, room,
                 "blue_link_between_group_%llu_and_%llu_routers_%llu_and_%llu_"
                 "%llu%s",
                 (unsigned long long)i, (unsigned long long)j,
                 (unsigned long long)router, (unsigned long long)other, id,
                 dir);
    }
}

/* --- all kinds -------------------------------------------------------------
 */

void net_ways_init(struct net_ways *f, const struct network *n, unsigned nodes)
{
    *f = (struct net_ways){.kind = n->topology,
                           .levels = n->levels,
                           .bandwidth_Bps = n->bandwidth_Bps};
    for (unsigned l = 0; l < n->levels; l++) {
        f->down[l] = n->down[l];
        f->up[l] = n->up[l];
        f->parallel[l] = n->parallel[l];
    }
    if (f->kind == TOPOLOGY_FAT_TREE) {
        fit_to_nodes(f, nodes);
        number_fat_tree(f);
    } else if (f->kind == TOPOLOGY_DRAGONFLY) {
        number_dragonfly(f);
    }
}

double net_ways_wires(const struct network *n, unsigned nodes)
{
    double wires = 0, below = 1;

    if (n->topology == TOPOLOGY_CROSSBAR)
        return nodes;
    if (n->topology == TOPOLOGY_TORUS) {
        for (unsigned d = 0; d < n->levels; d++)
            below *= n->down[d];
        return below * n->levels;
    }
    if (n->topology == TOPOLOGY_DRAGONFLY) {
        double g = n->down[0], c = n->down[1], r = n->down[2];
        return g * c * r * n->down[3] + g * c * r * (r - 1) / 2 +
               g * c * (c - 1) / 2 * r + g * (g - 1) / 2;
    }
    for (unsigned l = 0; l + 1 < n->levels; l++)
        below *= n->down[l];
    double lower = below * ceil(nodes / below), top = ceil(nodes / below);
    for (unsigned l = 0; l < n->levels; l++) {
        double upper = lower * n->up[l];
        wires += upper * n->parallel[l];
        lower = upper / (l + 1 < n->levels ? n->down[l] : top);
    }
    return wires;
}

size_t net_ways_find(const struct net_ways *f, unsigned a, unsigned b,
                     uint64_t *links, size_t room)
{
    struct way w = {links, 0, room};

    assert(a != b);
    if (f->kind == TOPOLOGY_FAT_TREE) {
        fat_tree_way(f, a, b, &w);
    } else if (f->kind == TOPOLOGY_TORUS) {
        torus_way(f, a, b, &w);
    } else if (f->kind == TOPOLOGY_DRAGONFLY) {
        dragonfly_way(f, a, b, &w);
    } else {
        way_push(&w, a, false);
        way_push(&w, b, true);
    }
    return w.n;
}

double net_ways_bandwidth(const struct net_ways *f, uint64_t link)
{
    if (f->kind != TOPOLOGY_DRAGONFLY)
        return f->bandwidth_Bps;
    switch (kind_of(f, link / 2)) {
    case GREEN:
        return f->bandwidth_Bps * f->parallel[2];
    case BLACK:
        return f->bandwidth_Bps * f->parallel[1];
    case BLUE:
        return f->bandwidth_Bps * f->parallel[0];
    default:
        return f->bandwidth_Bps;
    }
}

bool net_ways_is_of_one_node(const struct net_ways *f, uint64_t link)
{
    return f->kind == TOPOLOGY_CROSSBAR ||
           (f->kind == TOPOLOGY_FAT_TREE && link / 2 < f->first[1]);
}

void net_ways_name(const struct net_ways *f, uint64_t link, char *name,
                   size_t room)
{
    const char *dir = link % 2 ? "_DOWN" : "_UP";

    switch (f->kind) {
    case TOPOLOGY_FAT_TREE:
        fat_tree_name(f, link / 2, dir, name, room);
        break;
    case TOPOLOGY_TORUS:
        torus_name(f, link / 2, dir, name, room);
        break;
    case TOPOLOGY_DRAGONFLY:
        dragonfly_name(f, link / 2, dir, name, room);
        break;
    default:
        snprintf(name, room, "network.node%llu.%s",
                 (unsigned long long)link / 2, link % 2 ? "down" : "up");
    }
}
