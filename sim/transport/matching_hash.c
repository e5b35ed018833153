/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matching by a hash table of two levels, by CTAs of the GPU (Klenk et al.
 * 2017, VI.C): receives enter the first table, after a collision the second,
 * which has a fifth of its slots, else the next round; then every message
 * searches both tables. It keeps no order and has no wildcards.
 */
#include "sim/transport/matcher.h"

#include <math.h>

/* Returns how many slots are taken after n draws of a slot. */
static double table_filled(double n, double slots)
{
    return slots * -expm1(-n / slots);
}

/* Adds the rounds of one CTA: receives that find no slot enter the next round.
 * A receive in a slot is matched, or fits no message that is there. */
static void rounds_of_cta(struct match_rounds *r, const struct matching *l,
                          double messages, double receives)
{
    double threads =
        fmin(1024, fmax(ceil(fmax(messages, receives) / 32), 1) * 32);
    double first = l->slots * threads, second = first / 5;

    do {
        double in_first = table_filled(receives, first);
        double in_second = table_filled(receives - in_first, second);
        r->rounds++;
        r->turns += fmax(ceil(receives / 1024), 1);
        r->entered += receives;
        receives -= in_first + in_second;
    } while (receives >= 0.5);
}

struct match_rounds match_rounds(const struct matching *l, double messages,
                                 double receives, double equal)
{
    double ctas = fmin(l->ctas, fmax(ceil(fmax(messages, receives) / 32), 1));
    double least = ceil(equal / 2); /* one slot in either table */
    struct match_rounds r = {.serial = ceil(ctas / l->resident_ctas)};

    rounds_of_cta(&r, l, messages / ctas, receives / ctas);
    if (r.rounds < least) { /* two receives fewer in each round */
        double left = equal - 2 * r.rounds;
        r.turns += least - r.rounds;
        r.entered += floor((left + 1) * (left + 1) / 4);
        r.rounds = least;
    }
    return r;
}

double match_hash_s(const struct matching *l, double messages, double receives,
                    double equal)
{
    struct match_rounds r = match_rounds(l, messages, receives, equal);

    return (r.turns * l->round_cycles + r.entered * l->hash_cycles) * r.serial /
           l->clock_Hz;
}

const struct match_engine hash_matcher = {
    .summary = "two hash tables, by CTAs of the GPU; no wildcards, no order",
    .on_gpu = true,
    .forbids = 1u << FORBID_ANY_SOURCE | 1u << FORBID_ANY_TAG,
};
