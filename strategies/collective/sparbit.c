/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sparbit.c - allgather in steps at halving distances, so that the many blocks
 * of the last steps go to near ranks; each block is a message (Loch, Koslovski
 * 2021: Sparbit: a new logarithmic-cost and data locality-aware MPI Allgather
 * algorithm).
 */
#include "strategies/collective/collective_parts.h"

/* Returns whether the receiver already has the last block in the step at this
 * distance. That happens only if n is no power of two: for a distance from n's
 * lowest bit on that is not one of n's other bits. */
static bool sparbit_leaves_out(uint32_t distance, uint32_t n)
{
    uint32_t unit = n & (~n + 1);

    return distance == unit || (distance > unit && !(n & distance));
}

static void sparbit_build_allgather(struct collective_build *b)
{
    uint32_t n = b->ranks, distance = 1, blocks = 1;

    while (distance < n)
        distance *= 2;
    while (distance /= 2) {
        uint32_t left_out = sparbit_leaves_out(distance, n);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < blocks - left_out; k++) {
                uint32_t block = (uint32_t)((i + (uint64_t)n * n -
                                             2 * (uint64_t)k * distance) %
                                            n);
                collective_send(b, PHASE_OFF_NODE, i, (i + distance) % n,
                                collective_blocks_of(collective_all(b), block,
                                                     block + 1, n),
                                COLLECTIVE_STORE);
            }
        collective_step(b);
        blocks = 2 * blocks - left_out;
    }
}

const struct collective_algorithm sparbit_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "sparbit",
    .summary = "blocks go to ranks at halving distances, a message each",
    .phases = {{.build = sparbit_build_allgather}},
};
