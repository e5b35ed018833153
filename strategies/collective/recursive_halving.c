/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recursive_halving.c - reduce-scatters in which partners exchange halves of
 * their data.
 *
 * recursive_halving           Distances n / 2, n / 4, ... (Thakur,
 *                             Rabenseifner, Gropp 2005, section 4.3). If the
 *                             number of ranks is no power of two, as in Open
 *                             MPI and MPICH: even ones of the first ranks send
 *                             all their data to the next rank, and get their
 *                             block from it.
 * recursive_distance_doubling Distances 1, 2, 4, ...; in the end a rank has the
 *                             block of the rank whose number has its bits in
 *                             reverse, and sends it there (libbine).
 * butterfly                   The same for any number of ranks (Träff 2005;
 *                             Open MPI): even ones of the first ranks send as
 *                             above, and get their block from the rank that
 *                             adds it.
 */
#include "strategies/collective/butterfly.h"

static void build_halving(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct collective_range all = collective_all(b);
    struct butterfly f;

    butterfly_init(&f, BUTTERFLY_HALVING, &world);
    f.of_ranks = true;
    butterfly_extra(b, &f, all, true);
    butterfly_reduce_scatter(b, &f, all);
    for (uint32_t i = 0; i < f.extra; i++)
        collective_send(
            b, world.phase, 2 * i + 1, 2 * i,
            collective_blocks_of(all, 2 * i, 2 * i + 1, world.count),
            COLLECTIVE_STORE);
    collective_step(b);
    butterfly_clear(&f);
}

static void build_distance_doubling(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct butterfly f;

    butterfly_init(&f, BUTTERFLY_DOUBLING, &world);
    f.renumbered = true;
    butterfly_reduce_scatter(b, &f, collective_all(b));
    butterfly_put_right(b, &f, collective_all(b), true);
    butterfly_clear(&f);
}

static void build_butterfly(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct collective_range all = collective_all(b);
    struct butterfly f;

    butterfly_init(&f, BUTTERFLY_DOUBLING, &world);
    f.of_ranks = f.renumbered = true;
    butterfly_extra(b, &f, all, true);
    butterfly_reduce_scatter(b, &f, all);
    for (uint32_t i = 0; i < f.n; i++) {
        uint32_t k = f.place[i], own = butterfly_rank(&f, k);
        if (k < f.extra)
            collective_send(
                b, world.phase, butterfly_rank(&f, i), own - 1,
                collective_blocks_of(all, own - 1, own, world.count),
                COLLECTIVE_STORE);
        if (k != i)
            collective_send(
                b, world.phase, butterfly_rank(&f, i), own,
                collective_blocks_of(all, own, own + 1, world.count),
                COLLECTIVE_STORE);
    }
    collective_step(b);
    butterfly_clear(&f);
}

const struct collective_algorithm recursive_halving_reduce_scatter_collective =
    {
        .kind = COLLECTIVE_REDUCE_SCATTER,
        .name = "recursive_halving",
        .summary = "partners at halving distances exchange halves",
        .phases = {{.build = build_halving}},
};

const struct collective_algorithm
    recursive_distance_doubling_reduce_scatter_collective = {
        .kind = COLLECTIVE_REDUCE_SCATTER,
        .name = "recursive_distance_doubling",
        .summary = "partners at doubling distances exchange halves",
        .refuses = refuses_not_power_of_two,
        .phases = {{.build = build_distance_doubling}},
};

const struct collective_algorithm butterfly_reduce_scatter_collective = {
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .name = "butterfly",
    .summary = "as recursive_distance_doubling, at any number of ranks",
    .phases = {{.build = build_butterfly}},
};
