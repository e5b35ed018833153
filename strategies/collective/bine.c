/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bine.c - collectives in Bine butterflies, whose partners are at distances 1,
 * 1, 3, 5, 11, ..., in alternating directions. So large parts of a vector go to
 * near ranks, and single blocks to far ones (De Sensi, Pasqualoni and others,
 * Bine Trees: Enhancing Collective Operations by Optimizing Communication
 * Locality, SC 2025). The variants and their names are those of
 * github.com/HLC-Lab/pico:
 *
 * permute_remap  The vector is copied so that blocks that are sent together are
 *                consecutive in memory.
 * send_remap     Ranks work on consecutive blocks, and in the end send the
 *                block that they have to the rank that it is for.
 * block_by_block Each block is a message (bine_even.c).
 * 2_blocks       The distances are in reverse order: blocks that are sent
 *                together are then consecutive around the ring, in at most two
 *                messages.
 * bdw            A reduce-scatter and an allgather; bdw_remap renumbers the
 *                ranks' blocks.
 * lat            Whole vectors are exchanged.
 *
 * If the number of ranks is no power of two, allreduces first reduce it to one
 * as recursive doubling does.
 */
#include "strategies/collective/butterfly.h"
#include "strategies/collective/tree.h"

static void bine_open(struct collective_build *b, struct butterfly *f,
                      bool renumbered, enum butterfly_messages messages)
{
    struct collective_comm world = collective_world(b);

    butterfly_init(f, BUTTERFLY_BINE, &world);
    f->renumbered = renumbered;
    f->messages = messages;
}

/* Lets all ranks copy the whole vector. */
static void bine_permute(struct collective_build *b)
{
    for (uint32_t r = 0; r < b->ranks && b->ranks > 1; r++)
        collective_copy(b, r, b->elements * b->element_B);
    collective_step(b);
}

/* --- reduce-scatter ------------------------------------------------------- */

static void bine_build_reduce_scatter_permute(struct collective_build *b)
{
    struct butterfly f;

    bine_permute(b);
    bine_open(b, &f, false, BUTTERFLY_ONE);
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_clear(&f);
}

static void bine_build_reduce_scatter_send(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, true, BUTTERFLY_ONE);
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_put_right(b, &f, collective_all(b), true);
    butterfly_clear(&f);
}

/* --- allgather ------------------------------------------------------------ */

static void bine_build_allgather_permute(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, false, BUTTERFLY_ONE);
    butterfly_allgather(b, &f, collective_all(b));
    butterfly_clear(&f);
    bine_permute(b);
}

static void bine_build_allgather_send(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, true, BUTTERFLY_ONE);
    butterfly_put_right(b, &f, collective_all(b), false);
    butterfly_allgather(b, &f, collective_all(b));
    butterfly_clear(&f);
}

static void bine_build_allgather_2_blocks(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct butterfly f;

    butterfly_init(&f, BUTTERFLY_BINE_HALVING, &world);
    f.messages = BUTTERFLY_RUNS;
    butterfly_allgather(b, &f, collective_all(b));
    butterfly_clear(&f);
}

/* --- allreduce ------------------------------------------------------------ */

static void bine_build_lat(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, false, BUTTERFLY_ONE);
    butterfly_extra(b, &f, collective_all(b), true);
    butterfly_exchange_all(b, &f, collective_all(b));
    butterfly_extra(b, &f, collective_all(b), false);
    butterfly_clear(&f);
}

static void bine_build_bdw_reduce_scatter(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, true, BUTTERFLY_ONE);
    butterfly_extra(b, &f, collective_all(b), true);
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_clear(&f);
}

static void bine_build_bdw_segmented(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, true, BUTTERFLY_ONE);
    f.segment = tree_segment_of(b, 0);
    butterfly_extra(b, &f, collective_all(b), true);
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_clear(&f);
}

static void bine_build_bdw_allgather(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, true, BUTTERFLY_ONE);
    butterfly_allgather(b, &f, collective_all(b));
    butterfly_extra(b, &f, collective_all(b), false);
    butterfly_clear(&f);
}

/* Swing has the partners of Bine, but each rank has its own block. */
static void bine_build_swing_reduce_scatter(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, false, BUTTERFLY_ONE);
    butterfly_extra(b, &f, collective_all(b), true);
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_clear(&f);
}

static void bine_build_swing_allgather(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, false, BUTTERFLY_ONE);
    butterfly_allgather(b, &f, collective_all(b));
    butterfly_extra(b, &f, collective_all(b), false);
    butterfly_clear(&f);
}

/* --- with a root ---------------------------------------------------------- */

/* libbine's have root 0 only; these use the butterfly tree of any root. */
static void bine_build_bdw_broadcast(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, true, BUTTERFLY_ONE);
    butterfly_scatter(b, &f, collective_all(b), b->c->root);
    butterfly_allgather(b, &f, collective_all(b));
    butterfly_clear(&f);
}

static void bine_build_bdw_reduce(struct collective_build *b)
{
    struct butterfly f;

    bine_open(b, &f, true, BUTTERFLY_ONE);
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_gather(b, &f, collective_all(b), b->c->root);
    butterfly_clear(&f);
}

/* --- the table ------------------------------------------------------------ */

#define BINE(id, KIND, text, what, REFUSES, ...)                               \
    const struct collective_algorithm id##_collective = {                      \
        .kind = KIND,                                                          \
        .name = text,                                                          \
        .summary = what,                                                       \
        .refuses = REFUSES,                                                    \
        .phases = {__VA_ARGS__},                                               \
    }

BINE(bine_lat_allreduce, COLLECTIVE_ALLREDUCE, "bine_lat",
     "Bine partners exchange and add whole vectors", NULL,
     {.build = bine_build_lat});
BINE(bine_bdw_allreduce, COLLECTIVE_ALLREDUCE, "bine_bdw_remap",
     "Bine reduce-scatter and allgather of renumbered blocks", NULL,
     {.name = "reduce_scatter", .build = bine_build_bdw_reduce_scatter},
     {.name = "allgather", .build = bine_build_bdw_allgather});
BINE(bine_bdw_segmented_allreduce, COLLECTIVE_ALLREDUCE,
     "bine_bdw_remap_segmented",
     "as bine_bdw_remap, adding up while segments arrive", NULL,
     {.name = "reduce_scatter", .build = bine_build_bdw_segmented},
     {.name = "allgather", .build = bine_build_bdw_allgather});
BINE(swing_allreduce, COLLECTIVE_ALLREDUCE, "swing",
     "Swing: as bine_bdw_remap, of blocks that lie scattered", NULL,
     {.name = "reduce_scatter", .build = bine_build_swing_reduce_scatter},
     {.name = "allgather", .build = bine_build_swing_allgather});
BINE(bine_permute_reduce_scatter, COLLECTIVE_REDUCE_SCATTER,
     "bine_permute_remap", "Bine partners, of a vector that is copied in order",
     refuses_not_power_of_two, {.build = bine_build_reduce_scatter_permute});
BINE(bine_send_reduce_scatter, COLLECTIVE_REDUCE_SCATTER, "bine_send_remap",
     "Bine partners, and a message with the block at last",
     refuses_not_power_of_two, {.build = bine_build_reduce_scatter_send});
BINE(bine_permute_allgather, COLLECTIVE_ALLGATHER, "bine_permute_remap",
     "Bine partners, and the result is copied in order",
     refuses_not_power_of_two, {.build = bine_build_allgather_permute});
BINE(bine_send_allgather, COLLECTIVE_ALLGATHER, "bine_send_remap",
     "Bine partners, after a message with the block", refuses_not_power_of_two,
     {.build = bine_build_allgather_send});
BINE(bine_2_blocks_allgather, COLLECTIVE_ALLGATHER, "bine_2_blocks",
     "Bine partners at growing distances, at most two messages",
     refuses_not_power_of_two, {.build = bine_build_allgather_2_blocks});
BINE(bine_bdw_broadcast, COLLECTIVE_BROADCAST, "bine_bdw_remap",
     "Bine scatter and allgather of renumbered blocks",
     refuses_not_power_of_two, {.build = bine_build_bdw_broadcast});
BINE(bine_bdw_reduce, COLLECTIVE_REDUCE, "bine_bdw",
     "Bine reduce-scatter and gather", refuses_not_power_of_two,
     {.build = bine_build_bdw_reduce});
