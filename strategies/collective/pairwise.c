/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pairwise.c - collectives in which each rank sends to each other rank.
 *
 * alltoall linear    All messages at once, to the rank before first (Open MPI's
 *                    linear; its linear_sync does the same with synchronous
 *                    sends).
 * alltoall scattered 32 at a time (MPICH).
 * alltoall pairwise  One at a time, in step i to the rank i after; likewise the
 *                    reduce-scatter (MPICH), whose blocks are added.
 * allgather direct   All at once.
 */
#include "sim/plan/exec.h"
#include "strategies/collective/collective_parts.h"
#include "strategies/collective/collective_steps.h"

#include <string.h>

static void pairwise_blocks(struct collective_build *b, uint32_t from,
                            uint32_t distance)
{
    uint32_t to = (from + distance) % b->ranks;

    collective_send_blocks(b, PHASE_OFF_NODE, from, to, b->block_B);
    if (b->c->pieces)
        collective_block(b, from, to, 1);
}

/* Lets each rank copy its own block. */
static void pairwise_own(struct collective_build *b)
{
    for (uint32_t i = 0; i < b->ranks; i++)
        collective_copy(b, i, b->block_B);
}

static void pairwise_build_linear(struct collective_build *b)
{
    pairwise_own(b);
    collective_step(b);
    for (uint32_t d = b->ranks; --d > 0;)
        for (uint32_t i = 0; i < b->ranks; i++)
            pairwise_blocks(b, i, d);
}

static void pairwise_build_scattered(struct collective_build *b)
{
    enum { AT_ONCE = 32 };

    pairwise_own(b);
    for (uint32_t d = 1; d < b->ranks; d++) {
        for (uint32_t i = 0; i < b->ranks; i++)
            pairwise_blocks(b, i, d);
        if (d % AT_ONCE == 0)
            collective_step(b);
    }
}

static void pairwise_build_pairwise(struct collective_build *b)
{
    for (uint32_t d = 1; d < b->ranks; d++) {
        for (uint32_t i = 0; i < b->ranks; i++)
            pairwise_blocks(b, i, d);
        collective_step(b);
    }
    pairwise_own(b);
}

/* Plans the messages of one step. A rank's send and receive wait for its send
 * and receive of the step before. In the body, the rank's last receive is that
 * of message r - 1, because message r is always the one that rank r sends. */
static void pairwise_turn(struct plan *p, const struct collective_build *b)
{
    uint32_t n = b->ranks;

    for (uint32_t r = 0; r < n; r++) {
        uint32_t to = (r + 1) % n;
        plan_msg(p, PHASE_OFF_NODE, r, to, collective_gpu(b, r),
                 collective_gpu(b, to), b->block_B);
        plan_after_last(p, r | AFTER_SENT);
        plan_after_last(p, (r + n - 1) % n);
        plan_after_last(p, to | FOR_RECEIVE | AFTER_SENT);
        plan_after_last(p, r | FOR_RECEIVE);
    }
}

static void pairwise_copy_own(struct plan *p, const struct collective_build *b)
{
    uint32_t n = b->ranks;

    for (uint32_t r = 0; r < n; r++) {
        plan_pack(p, PHASE_WORK, r, collective_gpu(b, r), b->block_B, true);
        plan_after_last(p, r | AFTER_SENT);
        plan_after_last(p, (r + n - 1) % n);
    }
}

/* Makes the pairwise all-to-all of many ranks as a loop whose body has one
 * message of each rank, to partners that turn from step to step. */
static int pairwise_make_loop(struct loop *l, const struct machine *m,
                              const struct collective_algorithm *a,
                              const struct collective *c, struct err *err)
{
    struct collective_build b = collective_begin(NULL, m, c, c->nodes);
    struct plan own;

    (void)err;
    memset(l, 0, sizeof *l);
    if ((uint64_t)b.ranks * (b.ranks - 1) <= AUTO_EXACT || !b.block_B ||
        c->memory == COLLECTIVE_STAGED || c->out_of_place || c->rounds > 1 ||
        c->spread_s > 0)
        return 1;
    l->steps = b.ranks - 1;
    l->turning = b.ranks;
    collective_empty(&l->body, &b, a);
    pairwise_turn(&l->body, &b);
    collective_empty(&own, &b, a);
    pairwise_copy_own(&own, &b);
    loop_add_part(l, own, 1);
    return 0;
}

static void pairwise_build_reduce_scatter(struct collective_build *b)
{
    uint32_t n = b->ranks;

    for (uint32_t d = 1; d < n; d++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to = (i + d) % n;
            collective_send(
                b, PHASE_OFF_NODE, i, to,
                collective_blocks_of(collective_all(b), to, to + 1, n),
                COLLECTIVE_ADD);
        }
        collective_step(b);
    }
}

static void pairwise_build_allgather(struct collective_build *b)
{
    uint32_t n = b->ranks;

    for (uint32_t d = 1; d < n; d++)
        for (uint32_t i = 0; i < n; i++)
            collective_send(
                b, PHASE_OFF_NODE, i, (i + d) % n,
                collective_blocks_of(collective_all(b), i, i + 1, n),
                COLLECTIVE_STORE);
}

const struct collective_algorithm linear_alltoall_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .name = "linear",
    .summary = "every rank sends to every other at once, copies its own",
    .phases = {{.build = pairwise_build_linear}},
};

const struct collective_algorithm scattered_alltoall_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .name = "scattered",
    .summary = "every rank sends to every other, 32 at a time",
    .phases = {{.build = pairwise_build_scattered}},
};

const struct collective_algorithm pairwise_alltoall_collective = {
    .kind = COLLECTIVE_ALLTOALL,
    .name = "pairwise",
    .summary = "every rank sends to every other, one at a time",
    .phases = {{.build = pairwise_build_pairwise}},
    .make_loop = pairwise_make_loop,
};

const struct collective_algorithm pairwise_reduce_scatter_collective = {
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .name = "pairwise",
    .summary = "every rank sends each its block, one at a time",
    .phases = {{.build = pairwise_build_reduce_scatter}},
};

const struct collective_algorithm direct_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "direct",
    .summary = "every rank sends its block to every other at once",
    .phases = {{.build = pairwise_build_allgather}},
};
