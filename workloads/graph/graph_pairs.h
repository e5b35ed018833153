/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_pairs.h - random numbers and pairings that are computed where they are
 * needed, not kept. */
#ifndef WORKLOADS_GRAPH_GRAPH_PAIRS_H
#define WORKLOADS_GRAPH_GRAPH_PAIRS_H

#include "base/random.h"

#include <stdint.h>

/* A random number of a key: the same whenever it is asked for. */
static inline uint64_t random_of(uint64_t key)
{
    return next_random(&key);
}

/* About normal, of mean 0 and deviation 1: the sum of 12 even ones less 6. */
double random_normal(uint64_t key);

/*
 * Each of n things has one partner at random, and is the partner of that one;
 * of an odd number one has itself. O(1): a Feistel network (Luby and Rackoff
 * 1988) of 4 rounds puts the things into a random order, in which neighbours
 * are partners; it is run forwards, and back for the neighbour.
 */
uint64_t random_partner(uint64_t i, uint64_t n, uint64_t key);

/* Where thing i of n comes in that order. */
uint64_t random_place(uint64_t i, uint64_t n, uint64_t key);

#endif
