/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bine_even.c - Bine's butterfly for any even number of ranks, with a message
 * for each block: an even rank r sends block r + k in the step in which rank 0
 * sends block k, an odd one block r - k (libbine's block_by_block_any_even; at
 * powers of two its block_by_block).
 *
 * Rank 0's step for block k follows from the number v whose negabinary digits
 * say how k, or k - n, is a sum of distances: the highest bit of v xor v / 2,
 * read backwards, is the step.
 */
#include "strategies/collective/collective_parts.h"

/* Returns log2(n), rounded up. */
static unsigned even_steps(uint32_t n)
{
    unsigned steps = 0;

    while (UINT64_C(1) << steps < n)
        steps++;
    return steps;
}

/* Sets *out to the negabinary digits of x; returns false if there are more than
 * `digits` of them. */
static bool negabinary(int64_t x, unsigned digits, uint32_t *out)
{
    const uint64_t odd = UINT64_C(0xaaaaaaaaaaaaaaaa);
    uint64_t bits = (odd + (uint64_t)x) ^ odd;

    *out = (uint32_t)bits;
    return bits >> digits == 0;
}

static uint32_t bits_back(uint32_t x, unsigned digits)
{
    uint32_t back = 0;

    for (unsigned i = 0; i < digits; i++)
        back |= (x >> i & 1) << (digits - 1 - i);
    return back;
}

/* Returns the step in which rank 0 sends block k, which is above 0. */
static unsigned even_step(uint32_t k, uint32_t n, unsigned steps)
{
    int64_t near = k % 2 ? (int64_t)k : -(int64_t)k;
    int64_t far = k % 2 ? near - n : near + n;
    uint32_t least = UINT32_MAX, v;

    if (negabinary(near, steps, &v))
        least = bits_back(v ^ v >> 1, steps);
    if (negabinary(far, steps, &v) && bits_back(v ^ v >> 1, steps) < least)
        least = bits_back(v ^ v >> 1, steps);
    unsigned highest = 0;
    while (highest + 1 < steps && least >> (highest + 1))
        highest++;
    return steps - 1 - highest;
}

/* Plans step s of a reduce-scatter, or its reverse in an allgather. */
static void even_send(struct collective_build *b, unsigned s,
                      enum collective_action action)
{
    uint32_t n = b->ranks;
    unsigned steps = even_steps(n);
    int64_t rho = (1 - ((s & 1 ? 1 : -1) * (INT64_C(2) << s))) / 3;

    for (uint32_t k = 1; k < n; k++) {
        if (even_step(k, n, steps) != s)
            continue;
        for (uint32_t i = 0; i < n; i++) {
            int64_t way = i % 2 ? -rho : rho;
            uint32_t with = (uint32_t)((((int64_t)i + way) % n + n) % n);
            uint32_t block = (i % 2 ? i + n - k : i + k) % n;
            bool adds = action == COLLECTIVE_ADD;
            collective_send(
                b, PHASE_OFF_NODE, adds ? i : with, adds ? with : i,
                collective_blocks_of(collective_all(b), block, block + 1, n),
                action);
        }
    }
    collective_step(b);
}

static void even_build_reduce_scatter(struct collective_build *b)
{
    for (unsigned s = 0; s < even_steps(b->ranks); s++)
        even_send(b, s, COLLECTIVE_ADD);
}

static void even_build_allgather(struct collective_build *b)
{
    for (unsigned s = even_steps(b->ranks); s-- > 0;)
        even_send(b, s, COLLECTIVE_STORE);
}

const struct collective_algorithm bine_blocks_reduce_scatter_collective = {
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .name = "bine_block_by_block",
    .summary = "Bine partners, a message for each block",
    .refuses = refuses_odd_ranks,
    .phases = {{.build = even_build_reduce_scatter}},
};

const struct collective_algorithm bine_blocks_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "bine_block_by_block",
    .summary = "Bine partners, a message for each block",
    .refuses = refuses_odd_ranks,
    .phases = {{.build = even_build_allgather}},
};

const struct collective_algorithm bine_blocks_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "bine_block_by_block",
    .summary = "Bine reduce-scatter and allgather, a message for each block",
    .refuses = refuses_odd_ranks,
    .phases = {{.name = "reduce_scatter", .build = even_build_reduce_scatter},
               {.name = "allgather", .build = even_build_allgather}},
};
