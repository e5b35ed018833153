/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hierarchical_allgather.c - allgathers on nodes and between them.
 *
 * hierarchical_X A node's first rank collects the blocks of its node, the first
 *                ranks do X with the blocks of their nodes, and broadcast the
 *                result down a binomial tree.
 * lanes          The ranks of the same number on all nodes gather their blocks
 *                in a ring; then the ranks of a node gather each other's blocks
 *                (Träff, Hunold 2020; locality-aware without Bruck's packing:
 *                Bienz, Gautam, Kharel 2022).
 */
#include "strategies/collective/collective_parts.h"

typedef void allgather_part(struct collective_build *b,
                            const struct collective_comm *comm,
                            struct collective_range range);

static void leaders_build_gather(struct collective_build *b)
{
    uint32_t ppn = b->c->ranks_per_node;

    for (uint32_t first = 0; first < b->ranks && ppn > 1; first += ppn)
        linear_gather(b,
                      &(struct collective_comm){first, 1, ppn, PHASE_ON_NODE},
                      collective_blocks_of(collective_all(b), first,
                                           first + ppn, b->ranks));
}

static void leaders_build_broadcast(struct collective_build *b)
{
    uint32_t ppn = b->c->ranks_per_node;

    for (uint32_t first = 0; first < b->ranks && ppn > 1; first += ppn)
        binomial_broadcast(
            b, &(struct collective_comm){first, 1, ppn, PHASE_ON_NODE},
            collective_all(b));
}

static void between_leaders(struct collective_build *b, allgather_part *part)
{
    uint32_t ppn = b->c->ranks_per_node;

    part(b, &(struct collective_comm){0, ppn, b->ranks / ppn, PHASE_OFF_NODE},
         collective_all(b));
}

static void leaders_build_ring(struct collective_build *b)
{
    between_leaders(b, ring_allgather);
}

static void leaders_build_bruck(struct collective_build *b)
{
    between_leaders(b, bruck_allgather);
}

/* --- lanes ---------------------------------------------------------------- */

static struct collective_range block_of(const struct collective_build *b,
                                        uint32_t rank)
{
    return collective_blocks_of(collective_all(b), rank, rank + 1, b->ranks);
}

static void leaders_build_lanes(struct collective_build *b)
{
    uint32_t ppn = b->c->ranks_per_node, n = b->ranks;

    for (uint32_t step = 0; step + 1 < n / ppn; step++) {
        for (uint32_t i = 0; i < n; i++)
            collective_send(b, PHASE_OFF_NODE, i, (i + ppn) % n,
                            block_of(b, (i + n - step * ppn) % n),
                            COLLECTIVE_STORE);
        collective_step(b);
    }
}

/* Plans a ring on each node: in step s a rank sends the blocks that the rank s
 * before it has gathered between nodes. */
static void leaders_build_on_node(struct collective_build *b)
{
    uint32_t ppn = b->c->ranks_per_node, n = b->ranks;
    uint32_t here = b->nodes * ppn;

    for (uint32_t step = 0; step + 1 < ppn; step++) {
        for (uint32_t i = 0; i < here; i++) {
            uint32_t node = i / ppn * ppn, lane = (i + ppn - step) % ppn;
            collective_send(b, PHASE_ON_NODE, i, node + (i + 1) % ppn,
                            block_of(b, lane), COLLECTIVE_STORE);
            for (uint32_t r = lane + ppn; r < n; r += ppn)
                collective_send_also(b, block_of(b, r));
        }
        collective_step(b);
    }
}

#define HIERARCHICAL(X)                                                        \
    const struct collective_algorithm                                          \
        hierarchical_##X##_allgather_collective = {                            \
            .kind = COLLECTIVE_ALLGATHER,                                      \
            .by_node = true,                                                   \
            .name = "hierarchical_" #X,                                        \
            .summary = "to a leader of each node, " #X " between leaders",     \
            .refuses = refuses_unequal_nodes,                                  \
            .phases = {{.name = "gather", .build = leaders_build_gather},      \
                       {.name = "inter_node", .build = leaders_build_##X},     \
                       {.name = "broadcast",                                   \
                        .build = leaders_build_broadcast}},                    \
    }

HIERARCHICAL(ring);
HIERARCHICAL(bruck);

const struct collective_algorithm lanes_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .by_node = true,
    .name = "lanes",
    .summary =
        "ranks of one number on all nodes in rings, then those of a node",
    .refuses = refuses_unequal_nodes,
    .phases = {{.name = "inter_node", .build = leaders_build_lanes},
               {.name = "intra_node", .build = leaders_build_on_node}},
};
