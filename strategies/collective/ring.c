/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ring.c - each rank sends to the next and receives from the one before, in n -
 * 1 steps with one block each (Patarasuk, Yuan 2009). */
#include "strategies/collective/tree.h"

/* Plans a step in which rank i sends block i + shift - step. */
static void ring_step(struct collective_build *b,
                      const struct collective_comm *comm,
                      struct collective_range range, uint32_t shift,
                      uint32_t step, enum collective_action action)
{
    uint32_t n = comm->count;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = (i + shift + n - step) % n;
        collective_send(b, comm->phase, collective_rank(comm, i),
                        collective_rank(comm, i + 1),
                        collective_blocks_of(range, block, block + 1, n),
                        action);
    }
    collective_step(b);
}

static void ring_turn(struct collective_build *b,
                      const struct collective_comm *comm,
                      struct collective_range range, uint32_t shift,
                      enum collective_action action)
{
    for (uint32_t step = 0; step + 1 < comm->count; step++)
        ring_step(b, comm, range, shift, step, action);
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

void ring_allgather_shifted(struct collective_build *b,
                            const struct collective_comm *comm,
                            struct collective_range range, uint32_t shift)
{
    ring_turn(b, comm, range, shift, COLLECTIVE_STORE);
}

/* Plans a reduce-scatter for each segment of the blocks, one after the other;
 * receives are posted one step ahead (Open MPI's ring_segmented). */
static void ring_build_segments(struct collective_build *b)
{
    uint64_t segment = tree_segment_of(b, 0);
    uint64_t largest = (b->elements + b->ranks - 1) / b->ranks;
    uint32_t n = b->ranks;

    if (!segment || segment > largest)
        segment = largest;
    collective_ahead(b, true);
    for (uint64_t k = 0; k * segment < largest; k++)
        for (uint32_t step = 0; step + 1 < n; step++) {
            for (uint32_t i = 0; i < n; i++) {
                uint32_t block = (i + 2 * n - 1 - step) % n;
                struct collective_range r =
                    tree_segment(collective_blocks_of(collective_all(b), block,
                                                      block + 1, n),
                                 segment, k);
                if (r.count)
                    collective_send(b, PHASE_OFF_NODE, i, (i + 1) % n, r,
                                    COLLECTIVE_ADD);
            }
            collective_step(b);
        }
    collective_ahead(b, false);
}

static void ring_build_reduce_scatter(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    ring_reduce_scatter(b, &world, collective_all(b));
}

static void ring_build_allgather(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    ring_allgather(b, &world, collective_all(b));
}

static uint32_t ring_steps(const struct collective_build *b)
{
    return b->ranks - 1;
}

void ring_adding_step(struct collective_build *b,
                      const struct collective_comm *comm,
                      struct collective_range range)
{
    ring_step(b, comm, range, comm->count - 1, 0, COLLECTIVE_ADD);
}

void ring_storing_step(struct collective_build *b,
                       const struct collective_comm *comm,
                       struct collective_range range)
{
    ring_step(b, comm, range, 0, 0, COLLECTIVE_STORE);
}

static void ring_build_adding_step(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    ring_adding_step(b, &world, collective_all(b));
}

static void ring_build_storing_step(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    ring_storing_step(b, &world, collective_all(b));
}

const struct collective_algorithm ring_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "ring",
    .summary = "reduce-scatter and allgather in a ring",
    .phases = {{.name = "reduce_scatter", .build = ring_build_reduce_scatter},
               {.name = "allgather", .build = ring_build_allgather}},
    .sections = {{ring_steps, ring_build_adding_step},
                 {ring_steps, ring_build_storing_step}},
};

const struct collective_algorithm ring_segmented_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "ring_segmented",
    .summary = "as ring, whose blocks are added up in segments",
    .phases = {{.name = "reduce_scatter", .build = ring_build_segments},
               {.name = "allgather", .build = ring_build_allgather}},
};

const struct collective_algorithm ring_reduce_scatter_collective = {
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .name = "ring",
    .summary = "blocks go around a ring and are added up",
    .phases = {{.build = ring_build_reduce_scatter}},
    .sections = {{ring_steps, ring_build_adding_step}},
};

const struct collective_algorithm ring_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "ring",
    .summary = "blocks go around a ring",
    .phases = {{.build = ring_build_allgather}},
    .sections = {{ring_steps, ring_build_storing_step}},
};
