/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bruck.c - log2(n) steps at distances 1, 2, 4, ..., for any number of ranks
 * (Bruck, Ho, Kipnis, Upfal, Weathersby 1997).
 *
 * allgather A rank sends the blocks that it has, from its own on, to a rank
 *           before it. In the end each rank but 0 rotates the result, because
 *           its own block is the first in its buffer.
 * alltoall  Blocks are numbered by the distance to their destination. A step
 *           sends the blocks whose number has the bit of the step's distance,
 *           and packs and unpacks them. All blocks are rotated before and
 *           after.
 */
#include "strategies/collective/collective_parts.h"

static void bruck_turn(struct collective_build *b,
                       const struct collective_comm *comm, uint64_t elements)
{
    for (uint32_t i = 1; i < comm->count; i++)
        collective_copy(b, collective_rank(comm, i), elements * b->element_B);
    collective_step(b);
}

void bruck_allgather(struct collective_build *b,
                     const struct collective_comm *comm,
                     struct collective_range range)
{
    uint32_t n = comm->count;

    for (uint32_t d = 1; d < n; d *= 2) {
        uint32_t blocks = d < n - d ? d : n - d;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t end = i + blocks;
            collective_send(
                b, comm->phase, collective_rank(comm, i),
                collective_rank(comm, i + n - d),
                collective_blocks_of(range, i, end < n ? end : n, n),
                COLLECTIVE_STORE);
            if (end > n)
                collective_send_also(
                    b, collective_blocks_of(range, 0, end - n, n));
        }
        collective_step(b);
    }
    bruck_turn(b, comm, range.count);
}

static void bruck_build_allgather(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    bruck_allgather(b, &world, collective_all(b));
}

/* Returns the number of blocks that the step at distance d sends: those of the
 * numbers below n with the bit d. */
static uint32_t bruck_blocks(uint32_t d, uint32_t n)
{
    return n / (2 * d) * d + (n % (2 * d) > d ? n % (2 * d) - d : 0);
}

static void bruck_step(struct collective_build *b, uint32_t d)
{
    uint32_t n = b->ranks;

    for (uint32_t i = 0; i < n; i++) {
        collective_send_blocks(b, PHASE_OFF_NODE, i, (i + d) % n,
                               bruck_blocks(d, n) * b->block_B);
        for (uint32_t far = d; far < n && b->c->pieces; far++) {
            uint32_t src = (i + n - (far & (d - 1))) % n;
            if (far & d)
                collective_block(b, src, (src + far) % n, 1);
        }
    }
    collective_step(b);
}

static void bruck_copy(struct collective_build *b, uint64_t bytes)
{
    for (uint32_t i = 0; i < b->ranks; i++)
        collective_copy(b, i, bytes);
    collective_step(b);
}

static void bruck_build_alltoall(struct collective_build *b)
{
    bruck_copy(b, b->ranks * b->block_B);
    for (uint32_t d = 1; d < b->ranks; d *= 2) {
        bruck_copy(b, bruck_blocks(d, b->ranks) * b->block_B);
        bruck_step(b, d);
        bruck_copy(b, bruck_blocks(d, b->ranks) * b->block_B);
    }
    bruck_copy(b, b->ranks * b->block_B);
}

const struct collective_algorithm bruck_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "bruck",
    .summary = "doubling rows of blocks go to ranks at doubling distances",
    .phases = {{.build = bruck_build_allgather}},
};

const struct collective_algorithm bruck_alltoall_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .name = "bruck",
    .summary = "half of the blocks go on at each of log2 distances",
    .phases = {{.build = bruck_build_alltoall}},
};
