/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multileader_node_aware.c - an all-to-all with several leaders on each node,
 * which gather; each sends to the leader of the same number on each node, then
 * to the leaders of its node; they scatter. */
#include "strategies/collective/leaders.h"

static void between_nodes_blocks(struct collective_build *b, uint32_t from,
                                 uint32_t to)
{
    unsigned ppn = b->c->ranks_per_node;

    for (uint32_t r = from; r < from + b->per_group; r++)
        collective_block(b, r, to - to % ppn, ppn);
}

static void between_nodes(struct collective_build *b)
{
    unsigned ppn = b->c->ranks_per_node;

    for (uint32_t first = 0; first < ppn; first += b->per_group)
        collective_exchange(
            b,
            &(struct collective_comm){first, ppn, b->c->nodes, PHASE_OFF_NODE},
            (uint64_t)ppn * b->per_group * b->block_B, between_nodes_blocks);
}

/* Appends the blocks that all nodes sent to leader `from` for the group of
 * `to`. */
static void on_node_blocks(struct collective_build *b, uint32_t from,
                           uint32_t to)
{
    unsigned ppn = b->c->ranks_per_node;

    for (uint32_t first = from % ppn; first < b->ranks; first += ppn)
        for (uint32_t r = first; r < first + b->per_group; r++)
            collective_block(b, r, to, b->per_group);
}

static void on_nodes(struct collective_build *b)
{
    unsigned ppn = b->c->ranks_per_node;

    for (uint32_t node = 0; node < b->nodes; node++)
        collective_exchange(
            b,
            &(struct collective_comm){node * ppn, b->per_group, b->c->groups,
                                      PHASE_ON_NODE},
            (uint64_t)b->c->nodes * b->per_group * b->per_group * b->block_B,
            on_node_blocks);
}

/* Sorts the blocks by node after the gather, and the others below by leader and
 * by rank. */
static void repack_group(struct collective_build *b)
{
    leaders_repack(b, b->per_group);
}

static void repack_leaders(struct collective_build *b)
{
    leaders_repack(b, b->per_group * b->per_group);
}

static void repack_ranks(struct collective_build *b)
{
    leaders_repack(b, 1);
}

const struct collective_algorithm multileader_node_aware_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .by_node = true,
    .name = "multileader_node_aware",
    .summary = "gather to leaders, which do node_aware, scatter",
    .refuses = refuses_unequal_nodes,
    .leaders = true,
    .grouped = true,
    .phases = {{.name = "gather", .on_node = true, .build = leaders_gather},
               {.build = repack_group},
               {.name = "inter_node_alltoall", .build = between_nodes},
               {.build = repack_leaders},
               {.name = "intra_node_alltoall",
                .on_node = true,
                .build = on_nodes},
               {.build = repack_ranks},
               {.name = "scatter", .on_node = true, .build = leaders_scatter}},
};
