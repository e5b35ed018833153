/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * two_collectives.c - a collective as two others, one after the other.
 *
 * allreduce linear           Linear reduction to rank 0 and linear broadcast
 *                            (Open MPI's basic_linear).
 * allreduce nonoverlapping   Binomial reduction and broadcast.
 * allreduce allgather_reduce All ranks send their vectors to all, which add
 *                            them.
 * allgather linear           Rank 0 collects all blocks, and broadcasts them
 *                            down a binomial tree.
 * reduce_scatter linear      Linear reduction to rank 0, which sends each rank
 *                            its block.
 * reduce_scatter nonoverlapping
 *                            Binomial reduction to rank 0, which sends each
 *                            rank its block.
 */
#include "strategies/collective/tree.h"

static void two_build_linear_reduce(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    linear_reduce(b, &world, collective_all(b), 0);
}

static void two_build_linear_broadcast(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct tree t;

    tree_star(&t, b->ranks, false);
    tree_broadcast(b, &world, &t, collective_all(b), 0, NULL);
    tree_clear(&t);
}

static void two_build_reduce(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    binomial_reduce(b, &world, collective_all(b));
}

static void two_build_broadcast(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    binomial_broadcast(b, &world, collective_all(b));
}

static void two_build_allgather_reduce(struct collective_build *b)
{
    for (uint32_t d = 1; d < b->ranks; d++)
        for (uint32_t i = 0; i < b->ranks; i++)
            collective_send(b, PHASE_OFF_NODE, i, (i + d) % b->ranks,
                            collective_all(b), COLLECTIVE_ADD);
}

void linear_gather(struct collective_build *b,
                   const struct collective_comm *comm,
                   struct collective_range range)
{
    for (uint32_t i = 1; i < comm->count; i++)
        collective_send(b, comm->phase, collective_rank(comm, i), comm->first,
                        collective_blocks_of(range, i, i + 1, comm->count),
                        COLLECTIVE_STORE);
    collective_step(b);
}

static void two_build_gather(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    linear_gather(b, &world, collective_all(b));
}

static void two_build_scatter(struct collective_build *b)
{
    for (uint32_t i = 1; i < b->ranks; i++)
        collective_send(
            b, PHASE_OFF_NODE, 0, i,
            collective_blocks_of(collective_all(b), i, i + 1, b->ranks),
            COLLECTIVE_STORE);
}

const struct collective_algorithm linear_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "linear",
    .summary = "linear reduction to rank 0, and broadcast",
    .phases = {{.name = "reduce", .build = two_build_linear_reduce},
               {.name = "broadcast", .build = two_build_linear_broadcast}},
};

const struct collective_algorithm nonoverlapping_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "nonoverlapping",
    .summary = "binomial reduction to rank 0, and broadcast",
    .phases = {{.name = "reduce", .build = two_build_reduce},
               {.name = "broadcast", .build = two_build_broadcast}},
};

const struct collective_algorithm allgather_reduce_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "allgather_reduce",
    .summary = "all send their vectors to all, who add them up",
    .phases = {{.build = two_build_allgather_reduce}},
};

const struct collective_algorithm linear_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "linear",
    .summary = "rank 0 gathers, and broadcasts down a binomial tree",
    .phases = {{.name = "gather", .build = two_build_gather},
               {.name = "broadcast", .build = two_build_broadcast}},
};

const struct collective_algorithm nonoverlapping_reduce_scatter_collective = {
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .name = "nonoverlapping",
    .summary = "binomial reduction to rank 0, which sends each its block",
    .phases = {{.name = "reduce", .build = two_build_reduce},
               {.name = "scatter", .build = two_build_scatter}},
};

const struct collective_algorithm linear_reduce_scatter_collective = {
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .name = "linear",
    .summary = "linear reduction to rank 0, which sends each its block",
    .phases = {{.name = "reduce", .build = two_build_linear_reduce},
               {.name = "scatter", .build = two_build_scatter}},
};
