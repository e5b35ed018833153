/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_pairs.h - random numbers and pairings that are computed from keys when
 * they are needed, and not stored. */
#ifndef WORKLOADS_GRAPH_GRAPH_PAIRS_H
#define WORKLOADS_GRAPH_GRAPH_PAIRS_H

#include "base/random.h"

#include <stdint.h>

/* Returns the random number of a key; it is the same for each call. */
static inline uint64_t random_of(uint64_t key)
{
    return next_random(&key);
}

/* Returns a number that is approximately normal, of mean 0 and deviation 1: the
 * sum of 12 uniform numbers minus 6. */
double random_normal(uint64_t key);

/*
 * Returns the partner of item i of n. Pairs are random; if n is odd, one item
 * is its own partner. It takes O(1): a Feistel network (Luby and Rackoff 1988)
 * of 4 rounds puts the items into a random order, in which neighbours are
 * partners; it is computed forwards, then backwards for the neighbour.
 */
uint64_t random_partner(uint64_t i, uint64_t n, uint64_t key);

/* Returns the position of item i of n in that order. */
uint64_t random_place(uint64_t i, uint64_t n, uint64_t key);

#endif
