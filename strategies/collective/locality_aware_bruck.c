/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locality_aware_bruck.c - an allgather with as few messages between nodes as
 * log(nodes) to the base of a node's ranks (Bienz, Gautam, Kharel 2022: A
 * Locality-Aware Bruck Allgather). The ranks of a node gather their blocks.
 * Then for d = 1, ppn, ppn^2, ... rank l of each node gets the blocks of d
 * nodes from the node l * d after its own, and the ranks of a node gather
 * these. On nodes they use Bruck's steps. In the end all ranks but those of the
 * first node rotate the result.
 */
#include "strategies/collective/collective_parts.h"

/* The blocks of `count` nodes from `first` on, continued at node 0 after the
 * last. */
struct nodes {
    uint32_t first, count;
};

/* Appends blocks to the newest message or, if `fresh`, plans a message of
 * them. */
static void nodes_send(struct collective_build *b, uint32_t from, uint32_t to,
                       struct nodes nodes, bool fresh)
{
    uint32_t ppn = b->c->ranks_per_node, all = b->ranks / ppn;
    uint32_t first = nodes.first % all;

    for (uint32_t left = nodes.count; left;) {
        uint32_t here = left < all - first ? left : all - first;
        struct collective_range range = collective_blocks_of(
            collective_all(b), first * ppn, (first + here) * ppn, b->ranks);
        if (fresh)
            collective_send(
                b, from / ppn == to / ppn ? PHASE_ON_NODE : PHASE_OFF_NODE,
                from, to, range, COLLECTIVE_STORE);
        else
            collective_send_also(b, range);
        fresh = false;
        left -= here;
        first = 0;
    }
}

/* Returns the blocks that rank l of a node gets in the round at distance d. */
static struct nodes nodes_got(const struct collective_build *b, uint32_t node,
                              uint32_t l, uint32_t d)
{
    uint32_t all = b->ranks / b->c->ranks_per_node;
    uint64_t skip = (uint64_t)l * d;

    if (skip >= all)
        return (struct nodes){0, 0};
    return (struct nodes){(uint32_t)(node + skip),
                          all - skip < d ? (uint32_t)(all - skip) : d};
}

static void off_node_round(struct collective_build *b, uint32_t d)
{
    uint32_t ppn = b->c->ranks_per_node, all = b->ranks / ppn;

    for (uint32_t r = 0; r < b->ranks; r++) {
        struct nodes got = nodes_got(b, r / ppn, r % ppn, d);
        if (r % ppn && got.count)
            nodes_send(b, got.first % all * ppn + r % ppn, r, got, true);
    }
    collective_step(b);
}

/* Plans a step of Bruck's on each node: at distance s, rank l sends to the rank
 * s before it the blocks that the s ranks from l on got in this round. */
static void on_node_step(struct collective_build *b, uint32_t s, uint32_t d)
{
    uint32_t ppn = b->c->ranks_per_node;
    uint32_t parts = s < ppn - s ? s : ppn - s;

    for (uint32_t r = 0; r < b->ranks; r++) {
        uint32_t node = r / ppn, l = r % ppn;
        uint32_t to = node * ppn + (l + ppn - s) % ppn;
        bool fresh = true;
        for (uint32_t k = 0; k < parts; k++) {
            struct nodes part = nodes_got(b, node, (l + k) % ppn, d);
            if (part.count)
                nodes_send(b, r, to, part, fresh);
            fresh = fresh && !part.count;
        }
    }
    collective_step(b);
}

static void local_bruck(struct collective_build *b)
{
    uint32_t ppn = b->c->ranks_per_node;

    for (uint32_t first = 0; first < b->ranks; first += ppn)
        bruck_allgather(b,
                        &(struct collective_comm){first, 1, ppn, PHASE_ON_NODE},
                        collective_blocks_of(collective_all(b), first,
                                             first + ppn, b->ranks));
}

static void locality_build_allgather(struct collective_build *b)
{
    uint32_t ppn = b->c->ranks_per_node, all = b->ranks / ppn;

    local_bruck(b);
    for (uint64_t d = 1; d < all; d *= ppn) {
        off_node_round(b, (uint32_t)d);
        for (uint32_t s = 1; s < ppn; s *= 2)
            on_node_step(b, s, (uint32_t)d);
    }
    for (uint32_t r = ppn; r < b->ranks; r++)
        collective_copy(b, r, b->elements * b->element_B);
}

static const char *locality_refuses(const struct collective *c)
{
    if (c->ranks_per_node < 2)
        return "only for several ranks on each node";
    return refuses_unequal_nodes(c);
}

const struct collective_algorithm locality_aware_bruck_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .by_node = true,
    .name = "locality_aware_bruck",
    .summary =
        "each rank of a node gets another node's blocks, then they share",
    .refuses = locality_refuses,
    .phases = {{.build = locality_build_allgather}},
};
