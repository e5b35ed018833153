/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neighbor_exchange.c - an allgather for an even number of ranks: neighbours
 * exchange their blocks; then each rank exchanges the two newest blocks with
 * its neighbours in turn (Chen, Zhang, Zhang, Yuan 2005; as in Open MPI). */
#include "strategies/collective/collective_parts.h"

/* Returns the pair of blocks that rank i got in step s - 1. Even ranks get
 * pairs from below and from above in turn, each pair two blocks further
 * away. */
static uint32_t newest_pair(uint32_t i, uint32_t s, uint32_t pairs)
{
    uint32_t away = s / 2;
    bool below = (s % 2 == 0) == (i % 2 == 0);

    return (i / 2 + pairs + (below ? pairs - away : away)) % pairs;
}

static void neighbors_build_allgather(struct collective_build *b)
{
    uint32_t n = b->ranks, pairs = n / 2;
    struct collective_range all = collective_all(b);

    for (uint32_t s = 0; s < pairs; s++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to = ((s + i) % 2 ? i + n - 1 : i + 1) % n;
            uint32_t pair = newest_pair(i, s, pairs);
            collective_send(
                b, PHASE_OFF_NODE, i, to,
                s ? collective_blocks_of(all, 2 * pair, 2 * pair + 2, n)
                  : collective_blocks_of(all, i, i + 1, n),
                COLLECTIVE_STORE);
        }
        collective_step(b);
    }
}

const struct collective_algorithm neighbor_exchange_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "neighbor_exchange",
    .summary = "neighbours exchange the two newest blocks by turns",
    .refuses = refuses_odd_ranks,
    .phases = {{.build = neighbors_build_allgather}},
};
