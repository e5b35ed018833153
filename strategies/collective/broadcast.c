/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * broadcast.c - broadcasts down a tree, as in Open MPI: whole, as its rules
 * choose since 4.1, or in segments of a given size.
 *
 * linear       The root sends to all at once.
 * binomial     Ranks are numbered from the root; the sender's number is the
 *              receiver's without its highest bit.
 * knomial      The sender's number is the receiver's without its lowest digit
 *              to the base 4.
 * chain        Four chains begin at the root; pipeline: one.
 * binary       A full binary tree.
 * split_binary Its left half gets the first half of the vector, the right half
 *              the second; then pairs of ranks exchange them.
 * bine_lat     Bine trees (bine.c), from near to far; bine_lat_reversed: from
 *              far to near.
 */
#include "strategies/collective/butterfly.h"
#include "strategies/collective/tree.h"

static void down(struct collective_build *b, struct tree *t)
{
    struct collective_comm world = collective_world(b);

    t->root = b->c->root;
    tree_broadcast(b, &world, t, collective_all(b), tree_segment_of(b, 0),
                   NULL);
    tree_clear(t);
}

static void build_linear(struct collective_build *b)
{
    struct tree t;

    tree_star(&t, b->ranks, false);
    down(b, &t);
}

static void build_binomial(struct collective_build *b)
{
    struct tree t;

    tree_binomial(&t, b->ranks);
    down(b, &t);
}

void binomial_broadcast(struct collective_build *b,
                        const struct collective_comm *comm,
                        struct collective_range range)
{
    struct tree t;

    tree_binomial(&t, comm->count);
    tree_broadcast(b, comm, &t, range, 0, NULL);
    tree_clear(&t);
}

static void build_knomial(struct collective_build *b)
{
    struct tree t;

    tree_knomial(&t, b->ranks, 4, true);
    down(b, &t);
}

static void build_chain(struct collective_build *b)
{
    struct tree t;

    tree_chain(&t, b->ranks, 4);
    down(b, &t);
}

static void build_pipeline(struct collective_build *b)
{
    struct tree t;

    tree_chain(&t, b->ranks, 1);
    down(b, &t);
}

static void build_binary(struct collective_build *b)
{
    struct tree t;

    tree_binary(&t, b->ranks);
    down(b, &t);
}

/* Nodes 1 and 2, 3 and 4, ... exchange halves. If the last node has no partner,
 * it gets its second half from the root. */
static void build_split_binary(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct collective_range all = collective_all(b);
    struct tree t;

    tree_binary(&t, b->ranks);
    t.root = b->c->root;
    tree_broadcast_halves(b, &world, &t, all, tree_segment_of(b, 0));
    for (uint32_t v = 1; v < b->ranks; v += 2) {
        bool alone = v + 1 == b->ranks;
        uint32_t other = tree_rank(&t, &world, alone ? 0 : v + 1);
        if (!alone)
            collective_send(b, world.phase, tree_rank(&t, &world, v), other,
                            collective_blocks_of(all, 0, 1, 2),
                            COLLECTIVE_STORE);
        collective_send(b, world.phase, other, tree_rank(&t, &world, v),
                        collective_blocks_of(all, 1, 2, 2), COLLECTIVE_STORE);
    }
    collective_step(b);
    tree_clear(&t);
}

static void build_bine_lat(struct collective_build *b)
{
    struct tree t;

    tree_bine(&t, b->ranks, true, false);
    down(b, &t);
}

static void build_bine_lat_reversed(struct collective_build *b)
{
    struct tree t;

    tree_bine(&t, b->ranks, false, false);
    down(b, &t);
}

#define BROADCAST(what, does, REFUSES)                                         \
    const struct collective_algorithm what##_broadcast_collective = {          \
        .kind = COLLECTIVE_BROADCAST,                                          \
        .name = #what,                                                         \
        .summary = (does),                                                     \
        .refuses = (REFUSES),                                                  \
        .phases = {{.build = build_##what}},                                   \
    }

BROADCAST(linear, "the root sends to all at once", NULL);
BROADCAST(binomial, "down a binomial tree", NULL);
BROADCAST(knomial, "down a tree of radix 4", NULL);
BROADCAST(chain, "down four chains", NULL);
BROADCAST(pipeline, "down one chain", NULL);
BROADCAST(binary, "down a binary tree", NULL);
BROADCAST(split_binary, "a half down each side of a binary tree, exchanged",
          NULL);
BROADCAST(bine_lat, "down a Bine tree, near ranks first",
          refuses_not_power_of_two);
BROADCAST(bine_lat_reversed, "down a Bine tree, far ranks first",
          refuses_not_power_of_two);
