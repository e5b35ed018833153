/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recursive_doubling.c - partners at distances 1, 2, 4, ... exchange all their
 * data (Thakur, Rabenseifner, Gropp 2005, sections 3.1 and 4.5). The allgather
 * is for powers of two only, because Open MPI uses Bruck's otherwise. The
 * reduce-scatter is MPICH's: partial sums for other ranks travel in each step.
 */
#include "strategies/collective/butterfly.h"

void recursive_doubling_allreduce(struct collective_build *b,
                                  const struct collective_comm *comm,
                                  struct collective_range range)
{
    struct butterfly f;

    butterfly_init(&f, BUTTERFLY_DOUBLING, comm);
    butterfly_extra(b, &f, range, true);
    butterfly_exchange_all(b, &f, range);
    butterfly_extra(b, &f, range, false);
    butterfly_clear(&f);
}

static void doubling_build_allreduce(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    recursive_doubling_allreduce(b, &world, collective_all(b));
}

void recursive_doubling_allgather(struct collective_build *b,
                                  const struct collective_comm *comm,
                                  struct collective_range range)
{
    struct butterfly f;

    butterfly_init(&f, BUTTERFLY_HALVING, comm);
    butterfly_allgather(b, &f, range);
    butterfly_clear(&f);
}

static void doubling_build_allgather(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    recursive_doubling_allgather(b, &world, collective_all(b));
}

/* At distance d, each d consecutive ranks have the same sums for all other
 * ranks. */
static void doubling_build_reduce_scatter(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct collective_range all = collective_all(b);
    uint32_t n = b->ranks;

    for (uint32_t d = 1; d < n; d *= 2) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t group = i / d * d;
            collective_send(b, world.phase, i, i ^ d,
                            collective_blocks_of(all, 0, group, n),
                            COLLECTIVE_ADD);
            collective_send_also(b, collective_blocks_of(all, group + d, n, n));
        }
        collective_step(b);
    }
}

const struct collective_algorithm recursive_doubling_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "recursive_doubling",
    .summary = "partners at doubling distances exchange and add whole vectors",
    .phases = {{.build = doubling_build_allreduce}},
};

const struct collective_algorithm recursive_doubling_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "recursive_doubling",
    .summary = "partners at doubling distances exchange what they have",
    .refuses = refuses_not_power_of_two,
    .phases = {{.build = doubling_build_allgather}},
};

const struct collective_algorithm recursive_doubling_reduce_scatter_collective =
    {
        .kind = COLLECTIVE_REDUCE_SCATTER,
        .name = "recursive_doubling",
        .summary = "partners at doubling distances exchange all but their own",
        .refuses = refuses_not_power_of_two,
        .phases = {{.build = doubling_build_reduce_scatter}},
};
