/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways of a fat tree.
 *
 * A switch of level l (nodes: level 0) has a label of `levels` digits, the
 * first counting fastest: digits below l are of base up[], the others of base
 * down[]. Its parents differ from it in digit l alone. A wire of level l is
 * numbered by its lower end, then its upper end's digit, then which of the
 * parallel ones it is.
 */
#include "sim/network/ways/fat_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Fewer subtrees under the root where not all ends are used; the switches of
 * the top stay. */
static void fit_to_ends(struct net_ways *f, unsigned ends)
{
    uint64_t below = 1;

    for (unsigned l = 0; l + 1 < f->levels; l++)
        below *= f->down[l];
    f->down[f->levels - 1] = (unsigned)((ends + below - 1) / below);
}

/* Ends of wires on level l from below: nodes, or switches. */
static uint64_t fat_tree_width(const struct net_ways *f, unsigned l)
{
    uint64_t n = 1;

    for (unsigned i = 0; i < f->levels; i++)
        n *= i < l ? f->up[i] : f->down[i];
    return n;
}

void fat_tree_number(struct net_ways *f, unsigned ends)
{
    fit_to_ends(f, ends);
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
void fat_tree_lead(const struct net_ways *f, unsigned a, unsigned b,
                   uint64_t first, struct way *w)
{
    unsigned top = f->levels;
    uint64_t port = UINT64_MAX / 2; /* begin anew */

    while (fat_tree_digit(f, a, top - 1) == fat_tree_digit(f, b, top - 1))
        top--;
    for (unsigned l = 0; l < top; l++)
        way_push(w,
                 first + fat_tree_wire(f, a, b, l,
                                       fat_tree_upwards(f, b, l) / f->up[l]),
                 false);
    for (unsigned l = top; l-- > 0;) {
        unsigned child = fat_tree_digit(f, b, l);
        uint64_t which =
            port > child ? (port - child + f->down[l] - 1) / f->down[l] : 0;
        if (which >= f->parallel[l])
            which = a % f->parallel[l];
        way_push(w, first + fat_tree_wire(f, b, b, l, which), true);
        port = child + which * f->down[l] + 1;
    }
}

void fat_tree_name(const struct net_ways *f, uint64_t wire, const char *dir,
                   char *name, size_t room)
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

static void fat_tree_find(const struct net_ways *f, const struct net_trip *trip,
                          struct way *w)
{
    fat_tree_lead(f, trip->from, trip->to, 0, w);
}

static double fat_tree_wires(const struct network *n, unsigned nodes)
{
    return fat_tree_count(n, nodes);
}

static bool fat_tree_is_of_one_node(const struct net_ways *f, uint64_t wire)
{
    return wire < f->first[1];
}

const struct net_kind fat_tree_ways = {
    .init = fat_tree_number,
    .wires = fat_tree_wires,
    .find = fat_tree_find,
    .is_of_one_node = fat_tree_is_of_one_node,
    .name = fat_tree_name,
};
