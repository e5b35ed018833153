/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ring.c - each rank sends to the next and receives from the one before: n - 1
 * steps with a block each (Patarasuk, Yuan 2009).
 */
#include "strategies/collective/collective_parts.h"

/* Rank i sends block i + shift - step. */
static void ring_turn(struct collective_build *b,
                      const struct collective_comm *comm,
                      struct collective_range range, uint32_t shift,
                      enum collective_action action)
{
    uint32_t n = comm->count;

    for (uint32_t step = 0; step + 1 < n; step++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t block = (i + shift + n - step) % n;
            collective_send(b, comm->phase, collective_rank(comm, i),
                            collective_rank(comm, i + 1),
                            collective_blocks_of(range, block, block + 1, n),
                            action);
        }
        collective_step(b);
    }
}

void ring_reduce_scatter(struct collective_build *b,
                         const struct collective_comm *comm,
                         struct collective_range range)
{
    ring_turn(b, comm, range, comm->count - 1, COLLECTIVE_ADD);
}

void ring_allgather(struct collective_build *b,
                    const struct collective_comm *comm,
                    struct collective_range range)
{
    ring_turn(b, comm, range, 0, COLLECTIVE_STORE);
}

static void build_reduce_scatter(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    ring_reduce_scatter(b, &world, collective_all(b));
}

static void build_allgather(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    ring_allgather(b, &world, collective_all(b));
}

const struct collective_algorithm ring_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "ring",
    .summary = "reduce-scatter and allgather in a ring",
    .phases = {{.name = "reduce_scatter", .build = build_reduce_scatter},
               {.name = "allgather", .build = build_allgather}},
};

const struct collective_algorithm ring_reduce_scatter_collective = {
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .name = "ring",
    .summary = "blocks go around a ring and are added up",
    .phases = {{.build = build_reduce_scatter}},
};

const struct collective_algorithm ring_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "ring",
    .summary = "blocks go around a ring",
    .phases = {{.build = build_allgather}},
};
