/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs things at random by a permutation that is computed both ways. */
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

/* Numbers of `low` + `high` bits, in two halves. */
struct halves {
    unsigned low, high;
    uint64_t key;
};

static uint64_t mask_of(unsigned bits)
{
    return (UINT64_C(1) << bits) - 1;
}

/* One round is its own inverse: only the order of the rounds is reversed. */
static uint64_t one_round(const struct halves *h, uint64_t i, unsigned round)
{
    uint64_t low = i & mask_of(h->low), high = i >> h->low;

    if (round % 2 == 0)
        low ^= random_of(h->key ^ (high << 2 | round)) & mask_of(h->low);
    else
        high ^= random_of(h->key ^ (low << 2 | round)) & mask_of(h->high);
    return high << h->low | low;
}

static uint64_t forwards(const struct halves *h, uint64_t i)
{
    for (unsigned round = 0; round < 4; round++)
        i = one_round(h, i, round);
    return i;
}

static uint64_t backwards(const struct halves *h, uint64_t i)
{
    for (unsigned round = 4; round-- > 0;)
        i = one_round(h, i, round);
    return i;
}

/* What leads out of the n is followed until it leads in again. */
uint64_t random_partner(uint64_t i, uint64_t n, uint64_t key)
{
    unsigned bits = 1;

    while ((n - 1) >> bits)
        bits++;

    struct halves h = {.low = bits / 2, .high = bits - bits / 2, .key = key};
    uint64_t at = forwards(&h, i);
    while (at >= n)
        at = forwards(&h, at);
    if ((at ^ 1) >= n)
        return i;
    at = backwards(&h, at ^ 1);
    while (at >= n)
        at = backwards(&h, at);
    return at;
}
