/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scatter_allgather.c - broadcasts that scatter blocks down a binomial tree and
 * gather them on all ranks, by recursive doubling or in a ring (van de Geijn;
 * Thakur, Rabenseifner, Gropp 2005, section 4.4). Ranks are numbered from the
 * root.
 */
#include "strategies/collective/butterfly.h"

static void scattered_build_scatter_allgather(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    struct butterfly f;

    butterfly_init(&f, BUTTERFLY_HALVING, &world);
    f.root = b->c->root;
    butterfly_scatter(b, &f, collective_all(b), 0);
    butterfly_allgather(b, &f, collective_all(b));
    butterfly_clear(&f);
}

/* Plans the scatter: the v-th rank from the root gets as many blocks from v on
 * as v's lowest bit says, forwards the others and keeps block v. */
static void scatter_from_root(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);
    uint32_t n = b->ranks, far = 1;

    while (far < n)
        far *= 2;
    while (far /= 2) {
        for (uint32_t v = 0; v + far < n; v += 2 * far) {
            uint32_t end = v + 2 * far;
            collective_send(b, world.phase,
                            collective_rank(&world, v + b->c->root),
                            collective_rank(&world, v + far + b->c->root),
                            collective_blocks_of(collective_all(b), v + far,
                                                 end < n ? end : n, n),
                            COLLECTIVE_STORE);
        }
        collective_step(b);
    }
}

static void scattered_build_scatter_ring(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    scatter_from_root(b);
    ring_allgather_shifted(b, &world, collective_all(b), b->ranks - b->c->root);
}

const struct collective_algorithm scatter_allgather_broadcast_collective = {
    .kind = COLLECTIVE_BROADCAST,
    .name = "scatter_allgather",
    .summary = "binomial scatter, and recursive doubling of the blocks",
    .refuses = refuses_not_power_of_two,
    .phases = {{.build = scattered_build_scatter_allgather}},
};

const struct collective_algorithm scatter_allgather_ring_broadcast_collective =
    {
        .kind = COLLECTIVE_BROADCAST,
        .name = "scatter_allgather_ring",
        .summary = "binomial scatter, and blocks go around a ring",
        .phases = {{.build = scattered_build_scatter_ring}},
};
