/* SPDX-License-Identifier: GPL-3.0-or-later */
/* direct.c - an all-to-all in which each rank sends a message to each. */
#include "strategies/collective/collective_build.h"

static void direct_blocks(struct collective_build *b, uint32_t from,
                          uint32_t to)
{
    collective_block(b, from, to, 1);
}

static void direct_alltoall(struct collective_build *b)
{
    collective_exchange(
        b, &(struct collective_comm){0, 1, b->ranks, PHASE_OFF_NODE},
        b->block_B, direct_blocks);
}

const struct collective_algorithm direct_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .name = "direct",
    .summary = "every rank sends to every rank",
    .phases = {{.name = "alltoall", .build = direct_alltoall}},
};
