/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locality_aware.c - all-to-alls in which a rank first sends to the rank of its
 * number in each group the blocks for all of that group; then ranks exchange
 * within their groups.
 *
 * node_aware     Groups are nodes, so that only the first phase leaves them.
 * locality_aware A node has several groups.
 */
#include "strategies/collective/collective_build.h"

static uint32_t first_of_group(const struct collective_build *b, uint32_t rank)
{
    return rank - rank % b->per_group;
}

static void between_blocks(struct collective_build *b, uint32_t from,
                           uint32_t to)
{
    collective_block(b, from, first_of_group(b, to), b->per_group);
}

static void between_groups(struct collective_build *b)
{
    for (uint32_t number = 0; number < b->per_group; number++)
        collective_exchange(b,
                            &(struct collective_comm){number, b->per_group,
                                                      b->ranks / b->per_group,
                                                      PHASE_OFF_NODE},
                            b->per_group * b->block_B, between_blocks);
}

static void inside_blocks(struct collective_build *b, uint32_t from,
                          uint32_t to)
{
    for (uint32_t r = from % b->per_group; r < b->ranks; r += b->per_group)
        collective_block(b, r, to, 1);
}

static void inside_groups(struct collective_build *b)
{
    uint32_t ranks = b->nodes * b->c->ranks_per_node;

    for (uint32_t first = 0; first < ranks; first += b->per_group)
        collective_exchange(
            b, &(struct collective_comm){first, 1, b->per_group, PHASE_ON_NODE},
            b->ranks / b->per_group * b->block_B, inside_blocks);
}

/* Sorts the blocks by the ranks to which the next phase sends them, or by the
 * ranks from which they come. */
static void repack(struct collective_build *b)
{
    collective_repack(b, &(struct collective_comm){0, 1, b->ranks, PHASE_WORK},
                      b->ranks * b->block_B, b->block_B);
}

const struct collective_algorithm node_aware_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .by_node = true,
    .name = "node_aware",
    .summary = "between ranks of the same number on all nodes, then on nodes",
    .refuses = refuses_unequal_nodes,
    .phases = {{.name = "inter_node_alltoall", .build = between_groups},
               {.build = repack},
               {.name = "intra_node_alltoall",
                .on_node = true,
                .build = inside_groups},
               {.build = repack}},
};

const struct collective_algorithm locality_aware_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .by_node = true,
    .name = "locality_aware",
    .summary = "as node_aware with the groups of nodes for nodes",
    .refuses = refuses_unequal_nodes,
    .grouped = true,
    .phases = {{.name = "inter_group_alltoall", .build = between_groups},
               {.build = repack},
               {.name = "intra_group_alltoall",
                .on_node = true,
                .build = inside_groups},
               {.build = repack}},
};
