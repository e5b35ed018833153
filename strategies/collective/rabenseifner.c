/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rabenseifner.c - a reduce-scatter, in which partners at distances 1, 2, 4,
 * ... exchange halves of their data, and an allgather or a gather in reverse
 * order (Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005, section 4.5; as
 * in Open MPI's redscat_allgather and redscat_gather). If the number of ranks
 * is no power of two, the ranks of some pairs first add one half each; then one
 * rank of the pair gets the other's half.
 */
#include "strategies/collective/butterfly.h"

/* Returns the second half of the range, or the first. */
static struct collective_range half(struct collective_range range, bool second)
{
    return collective_blocks_of(range, second, second + 1u, 2);
}

static void pairs_before(struct collective_build *b, const struct butterfly *f,
                         struct collective_range range)
{
    for (uint32_t i = 0; i < f->extra; i++) {
        uint32_t member = butterfly_rank(f, i),
                 other = butterfly_outsider(f, i);
        collective_send(b, f->comm.phase, other, member, half(range, false),
                        COLLECTIVE_ADD);
        collective_send(b, f->comm.phase, member, other, half(range, true),
                        COLLECTIVE_ADD);
    }
    collective_step(b);
    for (uint32_t i = 0; i < f->extra; i++)
        collective_send(b, f->comm.phase, butterfly_outsider(f, i),
                        butterfly_rank(f, i), half(range, true),
                        COLLECTIVE_STORE);
    collective_step(b);
}

static void halves_open(struct butterfly *f, const struct collective_comm *comm)
{
    butterfly_init(f, BUTTERFLY_DOUBLING, comm);
    f->renumbered = true;
}

static void halves_build_halving(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct butterfly f;

    halves_open(&f, &world);
    pairs_before(b, &f, collective_all(b));
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_clear(&f);
}

static void halves_build_doubling(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct butterfly f;

    halves_open(&f, &world);
    butterfly_allgather(b, &f, collective_all(b));
    butterfly_extra(b, &f, collective_all(b), false);
    butterfly_clear(&f);
}

void rabenseifner_allreduce(struct collective_build *b,
                            const struct collective_comm *comm,
                            struct collective_range range)
{
    struct butterfly f;

    halves_open(&f, comm);
    pairs_before(b, &f, range);
    butterfly_reduce_scatter(b, &f, range);
    butterfly_allgather(b, &f, range);
    butterfly_extra(b, &f, range, false);
    butterfly_clear(&f);
}

static void halves_build_reduce(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct butterfly f;

    halves_open(&f, &world);
    uint32_t root = butterfly_member(&f, b->c->root);
    if (root < f.extra && b->c->root % 2 == 0)
        f.even_pair = root + 1;
    pairs_before(b, &f, collective_all(b));
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_gather(b, &f, collective_all(b), root);
    butterfly_clear(&f);
}

const struct collective_algorithm rabenseifner_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "rabenseifner",
    .summary = "halves are exchanged and added, and gathered the way back",
    .phases = {{.name = "reduce_scatter", .build = halves_build_halving},
               {.name = "allgather", .build = halves_build_doubling}},
};

const struct collective_algorithm rabenseifner_reduce_collective = {
    .kind = COLLECTIVE_REDUCE,
    .name = "rabenseifner",
    .summary = "halves are exchanged and added, and gathered at the root",
    .phases = {{.build = halves_build_reduce}},
};
