/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reduce.c - reductions up a tree, as in Open MPI: whole, as its rules choose
 * since 4.1, or in segments of a given size.
 *
 * linear          The root receives from one rank after the other, the last
 *                 first.
 * binomial        Ranks are numbered from the root; the receiver's number is
 *                 the sender's without its lowest bit. It receives from the
 *                 nearest rank first.
 * chain           Two chains end at the root; pipeline: one.
 * binary          A full binary tree.
 * in_order_binary A binary tree in which each rank adds the ranks before it, up
 *                 to the last rank, which sends the sum to the root.
 * bine_lat        A Bine tree (bine.c): the reverse of a broadcast from far to
 *                 near.
 */
#include "strategies/collective/butterfly.h"
#include "strategies/collective/tree.h"

static void up(struct collective_build *b, struct tree *t)
{
    struct collective_comm world = collective_world(b);

    t->root = b->c->root;
    tree_reduce(b, &world, t, collective_all(b), tree_segment_of(b, 0), NULL);
    tree_clear(t);
}

void linear_reduce(struct collective_build *b,
                   const struct collective_comm *comm,
                   struct collective_range range, uint32_t root)
{
    for (uint32_t i = comm->count; i-- > 0;) {
        if (i != root)
            collective_send(b, comm->phase, collective_rank(comm, i),
                            collective_rank(comm, root), range, COLLECTIVE_ADD);
        collective_step(b);
    }
}

static void build_linear(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    linear_reduce(b, &world, collective_all(b), b->c->root);
}

static void build_binomial(struct collective_build *b)
{
    struct tree t;

    tree_knomial(&t, b->ranks, 2, false);
    up(b, &t);
}

void binomial_reduce(struct collective_build *b,
                     const struct collective_comm *comm,
                     struct collective_range range)
{
    struct tree t;

    tree_knomial(&t, comm->count, 2, false);
    tree_reduce(b, comm, &t, range, 0, NULL);
    tree_clear(&t);
}

static void build_chain(struct collective_build *b)
{
    struct tree t;

    tree_chain(&t, b->ranks, 2);
    up(b, &t);
}

static void build_pipeline(struct collective_build *b)
{
    struct tree t;

    tree_chain(&t, b->ranks, 1);
    up(b, &t);
}

static void build_binary(struct collective_build *b)
{
    struct tree t;

    tree_binary(&t, b->ranks);
    up(b, &t);
}

static void build_in_order_binary(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct tree t;

    tree_in_order_binary(&t, b->ranks);
    tree_reduce(b, &world, &t, collective_all(b), tree_segment_of(b, 0), NULL);
    tree_clear(&t);
    if (b->c->root + 1 != b->ranks)
        collective_send(b, world.phase, b->ranks - 1, b->c->root,
                        collective_all(b), COLLECTIVE_STORE);
    collective_step(b);
}

static void build_bine_lat(struct collective_build *b)
{
    struct tree t;

    tree_bine(&t, b->ranks, false, true);
    up(b, &t);
}

#define REDUCE(what, does, REFUSES)                                            \
    const struct collective_algorithm what##_reduce_collective = {             \
        .kind = COLLECTIVE_REDUCE,                                             \
        .name = #what,                                                         \
        .summary = (does),                                                     \
        .refuses = (REFUSES),                                                  \
        .phases = {{.build = build_##what}},                                   \
    }

REDUCE(linear, "the root takes from one after the other", NULL);
REDUCE(binomial, "up a binomial tree", NULL);
REDUCE(chain, "up two chains", NULL);
REDUCE(pipeline, "up one chain", NULL);
REDUCE(binary, "up a binary tree", NULL);
REDUCE(in_order_binary, "up a binary tree to the last rank, then to the root",
       NULL);
REDUCE(bine_lat, "up a Bine tree, near ranks first", refuses_not_power_of_two);
