/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recursive_doubling.c - partners at distances 1, 2, 4, ... exchange all that
 * they have (Thakur, Rabenseifner, Gropp 2005, section 3.1 and 4.5).
 */
#include "strategies/collective/collective_parts.h"

static uint32_t power_of_two_up_to(uint32_t n)
{
    uint32_t power = 1;

    while (power <= n / 2)
        power *= 2;
    return power;
}

/* Of the first 2 * extra ranks only the odd ones take part. */
static uint32_t doubling_rank(uint32_t member, uint32_t extra)
{
    return member < extra ? 2 * member + 1 : member + extra;
}

/* The even ones hand theirs to the odd ones before, and get the sum after. */
static void doubling_extra(struct collective_build *b,
                           const struct collective_comm *comm,
                           struct collective_range range, uint32_t extra,
                           bool before)
{
    for (uint32_t i = 0; i < extra; i++)
        collective_send(b, comm->phase,
                        collective_rank(comm, before ? 2 * i : 2 * i + 1),
                        collective_rank(comm, before ? 2 * i + 1 : 2 * i),
                        range, before ? COLLECTIVE_ADD : COLLECTIVE_STORE);
    collective_step(b);
}

void recursive_doubling_allreduce(struct collective_build *b,
                                  const struct collective_comm *comm,
                                  struct collective_range range)
{
    uint32_t members = power_of_two_up_to(comm->count);
    uint32_t extra = comm->count - members;

    doubling_extra(b, comm, range, extra, true);
    for (uint32_t distance = 1; distance < members; distance *= 2) {
        for (uint32_t i = 0; i < members; i++)
            collective_send(
                b, comm->phase, collective_rank(comm, doubling_rank(i, extra)),
                collective_rank(comm, doubling_rank(i ^ distance, extra)),
                range, COLLECTIVE_ADD);
        collective_step(b);
    }
    doubling_extra(b, comm, range, extra, false);
}

static void build_allreduce(struct collective_build *b)
{
    struct collective_comm world = collective_world(b);

    recursive_doubling_allreduce(b, &world, collective_all(b));
}

const struct collective_algorithm recursive_doubling_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "recursive_doubling",
    .summary = "partners at doubling distances exchange and add whole vectors",
    .phases = {{.build = build_allreduce}},
};
