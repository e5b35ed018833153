/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * double_binary_tree.c - an allreduce up and down two binary trees, each with
 * half of the vector in segments; a rank that is a leaf of one tree has
 * children in the other (Sanders, Speck, Träff 2009). The trees are NCCL's: the
 * lowest bit of a rank is its height; the second tree is the same for ranks
 * counted backwards, or, if their number is odd, counted from rank 1 on. A rank
 * works on both trees, up and down, at once. A segment has 128 KiB, or more if
 * a half would have more than 256 of them. Both numbers are assumed: they are
 * about the best if a message takes 10 us or more at 25 GB/s and the trees have
 * some ten levels.
 */
#include "strategies/collective/tree.h"

#include <stdlib.h>

enum { SEGMENT_B = 131072, SEGMENTS = 256 };

static void second_tree(struct tree *t)
{
    t->rank = xcalloc(t->n, sizeof *t->rank);
    for (uint32_t v = 0; v < t->n; v++)
        t->rank[v] = tree_second_rank(v, t->n);
}

/* Segments go down as soon as the root has their sum, because both directions
 * begin from the same state (collective_fork()). */
static void one_tree(struct collective_build *b, uint32_t which)
{
    struct collective_comm world = collective_world(b);
    struct collective_range half =
        collective_blocks_of(collective_all(b), which, which + 1, 2);
    uint64_t part_B = half.count * b->element_B / SEGMENTS;
    uint64_t segment =
        tree_segment_of(b, part_B > SEGMENT_B ? part_B : SEGMENT_B);
    uint32_t *done = xcalloc(tree_segments(half, segment), sizeof *done);
    struct tree t;

    tree_leaves_odd(&t, b->ranks);
    if (which)
        second_tree(&t);
    struct collective_after *down = collective_fork(b);
    tree_reduce(b, &world, &t, half, segment, done);
    struct collective_after *up = collective_turn_to(b, down);
    tree_broadcast(b, &world, &t, half, segment, done);
    collective_join(b, up);
    tree_clear(&t);
    free(done);
}

static void build_allreduce(struct collective_build *b)
{
    if (b->ranks == 1)
        return;
    struct collective_after *second = collective_fork(b);
    one_tree(b, 0);
    struct collective_after *first = collective_turn_to(b, second);
    one_tree(b, 1);
    collective_join(b, first);
}

const struct collective_algorithm double_binary_tree_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "double_binary_tree",
    .summary = "halves in segments up and down two binary trees",
    .phases = {{.build = build_allreduce}},
};
