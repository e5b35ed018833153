/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hierarchical.c - all-to-alls that gather at leaders, exchange between all
 * leaders, and scatter.
 *
 * hierarchical             One leader on each node.
 * multileader_hierarchical Several, whose exchange includes those of one node.
 */
#include "strategies/collective/leaders.h"

static void gather_blocks(struct collective_build *b, uint32_t from,
                          uint32_t to)
{
    (void)to;
    collective_block(b, from, 0, b->ranks);
}

void leaders_gather(struct collective_build *b)
{
    uint32_t ranks = b->nodes * b->c->ranks_per_node;

    for (uint32_t first = 0; first < ranks; first += b->per_group)
        collective_gather(
            b, &(struct collective_comm){first, 1, b->per_group, PHASE_GATHER},
            b->ranks * b->block_B, gather_blocks);
}

static void scatter_blocks(struct collective_build *b, uint32_t from,
                           uint32_t to)
{
    (void)from;
    for (uint32_t r = 0; r < b->ranks; r++)
        collective_block(b, r, to, 1);
}

void leaders_scatter(struct collective_build *b)
{
    uint32_t ranks = b->nodes * b->c->ranks_per_node;

    for (uint32_t first = 0; first < ranks; first += b->per_group)
        collective_scatter(
            b, &(struct collective_comm){first, 1, b->per_group, PHASE_SCATTER},
            b->ranks * b->block_B, scatter_blocks);
}

void leaders_repack(struct collective_build *b, unsigned blocks)
{
    collective_repack(b,
                      &(struct collective_comm){
                          0, b->per_group, b->ranks / b->per_group, PHASE_WORK},
                      (uint64_t)b->per_group * b->ranks * b->block_B,
                      blocks * b->block_B);
}

static void exchange_blocks(struct collective_build *b, uint32_t from,
                            uint32_t to)
{
    for (uint32_t r = from; r < from + b->per_group; r++)
        collective_block(b, r, to, b->per_group);
}

void leaders_exchange(struct collective_build *b)
{
    collective_exchange(
        b,
        &(struct collective_comm){0, b->per_group, b->ranks / b->per_group,
                                  PHASE_OFF_NODE},
        (uint64_t)b->per_group * b->per_group * b->block_B, exchange_blocks);
}

static void repack_gathered(struct collective_build *b)
{
    leaders_repack(b, b->per_group);
}

static void repack_received(struct collective_build *b)
{
    leaders_repack(b, 1);
}

const struct collective_algorithm hierarchical_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .by_node = true,
    .name = "hierarchical",
    .summary = "gather to a leader of each node, between leaders, scatter",
    .refuses = refuses_unequal_nodes,
    .leaders = true,
    .phases = {{.name = "gather", .on_node = true, .build = leaders_gather},
               {.build = repack_gathered},
               {.name = "inter_node_alltoall", .build = leaders_exchange},
               {.build = repack_received},
               {.name = "scatter", .on_node = true, .build = leaders_scatter}},
};

const struct collective_algorithm multileader_hierarchical_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .by_node = true,
    .name = "multileader_hierarchical",
    .summary = "as hierarchical with several leaders on each node",
    .refuses = refuses_unequal_nodes,
    .leaders = true,
    .grouped = true,
    .phases = {{.name = "gather", .on_node = true, .build = leaders_gather},
               {.build = repack_gathered},
               {.name = "leader_alltoall", .build = leaders_exchange},
               {.build = repack_received},
               {.name = "scatter", .on_node = true, .build = leaders_scatter}},
};
