/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs items at random by a permutation that is computed in both
 * directions. */
#include "workloads/graph/graph_pairs.h"

double random_normal(uint64_t key)
{
    double sum = -6;

    for (uint64_t i = 0; i < 3; i++) {
        uint64_t dice = random_of(key ^ (i << 62));
        for (int part = 0; part < 4; part++, dice >>= 16)
            sum += (double)(dice & 0xffff) * 0x1p-16;
    }
    return sum;
}

/* Splits numbers into two halves: the lowest `low` bits, and the rest. */
struct halves {
    unsigned low;
    uint64_t low_mask, high_mask, key;
};

/* Applies one round. It is its own inverse, so the inverse permutation only
 * reverses the order of the rounds. */
static inline uint64_t one_round(const struct halves *h, uint64_t i,
                                 unsigned round)
{
    uint64_t low = i & h->low_mask, high = i >> h->low;

    if (round % 2 == 0)
        low ^= random_of(h->key ^ (high << 2 | round)) & h->low_mask;
    else
        high ^= random_of(h->key ^ (low << 2 | round)) & h->high_mask;
    return high << h->low | low;
}

static inline uint64_t forwards(const struct halves *h, uint64_t i)
{
    i = one_round(h, i, 0);
    i = one_round(h, i, 1);
    i = one_round(h, i, 2);
    return one_round(h, i, 3);
}

static inline uint64_t backwards(const struct halves *h, uint64_t i)
{
    i = one_round(h, i, 3);
    i = one_round(h, i, 2);
    i = one_round(h, i, 1);
    return one_round(h, i, 0);
}

static struct halves halves_for(uint64_t n, uint64_t key)
{
    unsigned bits = n > 2 ? 64 - (unsigned)__builtin_clzll(n - 1) : 1;

    return (struct halves){.low = bits / 2,
                           .low_mask = (UINT64_C(1) << bits / 2) - 1,
                           .high_mask = (UINT64_C(1) << (bits - bits / 2)) - 1,
                           .key = key};
}

/* Returns the place of item i: if a place is not among the n, it is permuted
 * again until it is. */
static uint64_t place_of(const struct halves *h, uint64_t i, uint64_t n)
{
    uint64_t at = forwards(h, i);

    while (at >= n)
        at = forwards(h, at);
    return at;
}

uint64_t random_place(uint64_t i, uint64_t n, uint64_t key)
{
    struct halves h = halves_for(n, key);

    return place_of(&h, i, n);
}

uint64_t random_partner(uint64_t i, uint64_t n, uint64_t key)
{
    struct halves h = halves_for(n, key);
    uint64_t at = place_of(&h, i, n);

    if ((at ^ 1) >= n)
        return i;
    at = backwards(&h, at ^ 1);
    while (at >= n)
        at = backwards(&h, at);
    return at;
}
