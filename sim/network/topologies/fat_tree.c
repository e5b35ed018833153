/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Routes of a fat tree.
 *
 * A switch of level l (nodes: level 0) has a label of `levels` digits, of which
 * the first counts fastest: digits below l have the base up[], the others the
 * base down[]. Its parents differ from it only in digit l. A wire of level l is
 * numbered by its lower end, then by its upper end's digit, then by its number
 * among the parallel ones.
 */
#include "sim/network/topologies/fat_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Reduces the subtrees under the root if not all ends are used; the number of
 * switches at the top stays. */
static void fit_to_ends(struct net_routes *f, unsigned ends)
{
    uint64_t below = 1;

    for (unsigned l = 0; l + 1 < f->levels; l++)
        below *= f->down[l];
    f->down[f->levels - 1] = (unsigned)((ends + below - 1) / below);
}

/* Returns the number of lower ends of the wires of level l: nodes, or
 * switches. */
static uint64_t fat_tree_width(const struct net_routes *f, unsigned l)
{
    uint64_t n = 1;

    for (unsigned i = 0; i < f->levels; i++)
        n *= i < l ? f->up[i] : f->down[i];
    return n;
}

void fat_tree_number(struct net_routes *f, unsigned ends)
{
    fit_to_ends(f, ends);
    f->switches[0] = 0;
    for (unsigned l = 0; l < f->levels; l++) {
        f->first[l + 1] =
            f->first[l] + fat_tree_width(f, l) * f->up[l] * f->parallel[l];
        f->switches[l + 1] = f->switches[l] + (l ? fat_tree_width(f, l) : 0);
    }
}

/*
 * Upwards the route is d-mod-k: the number of the receiver selects one of a
 * switch's wires, which are counted parent after parent, and all parents once
 * more for each further parallel wire. The switches on routes to that receiver
 * have the digits of those parents below, and their own above.
 *
 * Downwards the sender's number selects one of the parallel wires. But SimGrid
 * searches the ports of a switch from the one after the port by which it left
 * the switch above, and takes the first that leads to the child; it begins at
 * the first port only if there is none.
 */
void fat_tree_lead(const struct net_routes *f, unsigned a, unsigned b,
                   uint64_t first, struct route *w)
{
    struct {
        uint64_t wire; /* the first of the parallel ones */
        unsigned child;
    } down[NET_ROUTES_LEVELS];
    unsigned under_a = a, under_b = b;         /* digits from this level on */
    uint64_t digits = 0, weight = 1, left = b; /* digits of parents below */
    uint64_t port = UINT64_MAX / 2;            /* begins at the first port */
    unsigned l;

    for (l = 0; under_a != under_b; l++) {
        unsigned up = f->up[l], parallel = f->parallel[l];
        uint64_t upwards = left % ((uint64_t)up * parallel);
        uint64_t parent = upwards % up;
        route_push(w,
                   first + f->first[l] +
                       ((digits + weight * under_a) * up + parent) * parallel +
                       upwards / up,
                   false);
        down[l].wire = first + f->first[l] +
                       ((digits + weight * under_b) * up + parent) * parallel;
        down[l].child = under_b % f->down[l];
        digits += weight * parent;
        weight *= up;
        left /= up;
        under_a /= f->down[l];
        under_b /= f->down[l];
    }
    while (l-- > 0) {
        unsigned child = down[l].child;
        uint64_t which =
            port > child ? (port - child + f->down[l] - 1) / f->down[l] : 0;
        if (which >= f->parallel[l])
            which = a % f->parallel[l];
        route_push(w, down[l].wire + which, true);
        port = child + which * f->down[l] + 1;
    }
}

void fat_tree_name(const struct net_routes *f, uint64_t wire, const char *dir,
                   char *name, size_t room)
{
    unsigned l = 0;

    while (wire >= f->first[l + 1])
        l++;
    uint64_t end = (wire - f->first[l]) / f->parallel[l];
    uint64_t lower = end / f->up[l], upper = end % f->up[l], weight = 1;
    /* The label of the upper end differs in digit l. */
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

double fat_tree_count(const struct network *n, double ends)
{
    double wires = 0, below = 1;

    for (unsigned l = 0; l + 1 < n->levels; l++)
        below *= n->down[l];
    double lower = below * ceil(ends / below), top = ceil(ends / below);
    for (unsigned l = 0; l < n->levels; l++) {
        double upper = lower * n->up[l];
        wires += upper * n->parallel[l];
        lower = upper / (l + 1 < n->levels ? n->down[l] : top);
    }
    return wires;
}

static void fat_tree_find(const struct net_routes *f,
                          const struct route_choice *choice, struct route *w)
{
    fat_tree_lead(f, choice->from, choice->to, 0, w);
}

static double fat_tree_wires(const struct network *n, unsigned nodes)
{
    return fat_tree_count(n, nodes);
}

static bool fat_tree_is_of_one_node(const struct net_routes *f, uint64_t wire)
{
    return wire < f->first[1];
}

const struct net_kind fat_tree_routes = {
    .init = fat_tree_number,
    .wires = fat_tree_wires,
    .find = fat_tree_find,
    .is_of_one_node = fat_tree_is_of_one_node,
    .name = fat_tree_name,
};
