/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flows that a link limits, in a heap by their end, and the link's clock,
 * by which ends are kept without access to each flow. */
#include "sim/network/fluid_net.h"

void *fluid_room(void *array, uint32_t need, uint32_t *room, size_t size)
{
    if (need <= *room)
        return array;
    while (*room < need)
        *room = *room ? 2 * *room : 16;
    return xrealloc(array, *room, size);
}

/* --- clocks and heaps of members ----------------------------------------- */

double fluid_clock(const struct fluid *net, uint32_t n)
{
    const struct node *node = &net->nodes[n];

    if (!node->nmembers)
        return node->clock;
    return node->clock + net->level[n] * (net->now - node->since);
}

void fluid_set_clock(struct fluid *net, uint32_t n)
{
    net->nodes[n].clock = fluid_clock(net, n);
    net->nodes[n].since = net->now;
}

void fluid_mark_stale(struct fluid *net, uint32_t n)
{
    if (net->nodes[n].stale)
        return;
    net->nodes[n].stale = true;
    net->stale = fluid_room(net->stale, net->nstale + 1, &net->stale_room,
                            sizeof *net->stale);
    net->stale[net->nstale++] = n;
}

static void put_member(struct fluid *net, struct node *node, uint32_t place,
                       struct member m)
{
    node->members[place] = m;
    fluid_flow(net, m.flow)->place = place;
}

static void sift_up(struct fluid *net, struct node *node, uint32_t i)
{
    struct member m = node->members[i];

    while (i > 0 && node->members[(i - 1) / 2].end > m.end) {
        put_member(net, node, i, node->members[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put_member(net, node, i, m);
}

static void sift_down(struct fluid *net, struct node *node, uint32_t i)
{
    struct member m = node->members[i];

    for (;;) {
        uint32_t down = 2 * i + 1;
        if (down >= node->nmembers)
            break;
        if (down + 1 < node->nmembers &&
            node->members[down + 1].end < node->members[down].end)
            down++;
        if (node->members[down].end >= m.end)
            break;
        put_member(net, node, i, node->members[down]);
        i = down;
    }
    put_member(net, node, i, m);
}

void fluid_join(struct fluid *net, uint32_t n, uint32_t f, double bytes)
{
    struct node *node = &net->nodes[n];

    if (!node->nmembers) {
        node->clock = 0; /* a new start keeps the readings small */
        node->since = net->now;
    }
    fluid_flow(net, f)->node = n;
    node->members = fluid_room(node->members, node->nmembers + 1,
                               &node->members_room, sizeof *node->members);
    node->members[node->nmembers] =
        (struct member){fluid_clock(net, n) + bytes, f};
    sift_up(net, node, node->nmembers++);
    fluid_mark_stale(net, n);
}

void fluid_quit(struct fluid *net, uint32_t f)
{
    uint32_t n = fluid_flow(net, f)->node, i = fluid_flow(net, f)->place;
    struct node *node = &net->nodes[n];

    fluid_set_clock(net, n);
    struct member last = node->members[--node->nmembers];
    if (last.flow != f) {
        put_member(net, node, i, last);
        sift_up(net, node, i);
        sift_down(net, node, fluid_flow(net, last.flow)->place);
    }
    fluid_mark_stale(net, n);
}

/* --- flows of a link that are limited elsewhere --------------------------- */

void fluid_add_other(struct fluid *net, uint32_t link, uint32_t f, uint32_t k)
{
    struct node *node = &net->nodes[link];

    node->others = fluid_room(node->others, node->nothers + 1,
                              &node->others_room, sizeof *node->others);
    uint32_t slot = (f << net->at_bits) + k;
    net->at[slot] = node->nothers;
    node->others[node->nothers++] =
        (struct other){slot, fluid_flow(net, f)->node};
}

void fluid_drop_other(struct fluid *net, uint32_t link, uint32_t f, uint32_t k)
{
    struct node *node = &net->nodes[link];
    uint32_t slot = (f << net->at_bits) + k, at = net->at[slot];
    struct other last = node->others[--node->nothers];

    node->others[at] = last;
    net->at[last.slot] = at;
    net->at[slot] = NOBODY;
}
