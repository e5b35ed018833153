/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the wires between groups of a dragonfly, and the third group of
 * Valiant's routes. */
#include "sim/network/topologies/groups.h"

uint64_t pair_number(uint64_t i, uint64_t j, uint64_t n)
{
    if (i > j)
        return pair_number(j, i, n);
    return i * n - i * (i + 1) / 2 + (j - i - 1);
}

void pair_of_number(uint64_t number, uint64_t n, uint64_t *i, uint64_t *j)
{
    uint64_t low = 0, high = n - 1;

    while (low + 1 < high) {
        uint64_t middle = low + (high - low) / 2;
        if (pair_number(middle, middle + 1, n) <= number)
            low = middle;
        else
            high = middle;
    }
    if (low + 1 < n - 1 && pair_number(low + 1, low + 2, n) <= number)
        low++;
    *i = low;
    *j = low + 1 + number - pair_number(low, low + 1, n);
}

static unsigned wires_each(const struct net_routes *f)
{
    return f->group_wires ? f->group_wires : 1;
}

uint64_t groups_wires(const struct net_routes *f)
{
    uint64_t g = f->down[0];

    return g * (g - 1) / 2 * wires_each(f);
}

uint64_t groups_wire(const struct net_routes *f, unsigned from, unsigned to,
                     unsigned which)
{
    return pair_number(from, to, f->down[0]) * wires_each(f) + which;
}

unsigned groups_gate(const struct net_routes *f, unsigned group, unsigned to,
                     unsigned which, unsigned n)
{
    if (!f->group_wires)
        return to;
    uint64_t others = f->down[0] - 1;
    return (unsigned)((which * others + (to < group ? to : to - 1)) % n);
}

/* Returns the finish of Splitmix64 (Steele, Lea and Flood 2014) of the route's
 * parameters. */
static uint64_t hash(const struct route_choice *t)
{
    uint64_t z =
        ((uint64_t)t->from << 32 | t->to) + t->draw * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The receiver's number selects the wire into its group, so that nodes of a
 * group are reached over all wires alike; a draw selects the wire out of the
 * sender's group on a detour. */
struct groups_route groups_find(const struct net_routes *f,
                                const struct route_choice *choice,
                                unsigned from, unsigned to)
{
    unsigned groups = f->down[0], wires = wires_each(f);
    struct groups_route direct = {1, {to}, {choice->to % wires}};

    if (choice->draw == 0 || groups < 3)
        return direct;
    uint64_t drawn = hash(choice);
    unsigned via = (unsigned)(drawn % (groups - 2));
    unsigned low = from < to ? from : to, high = from < to ? to : from;
    via += via >= low;
    via += via >= high;
    return (struct groups_route){
        2, {via, to}, {(unsigned)((drawn >> 40) % wires), choice->to % wires}};
}
