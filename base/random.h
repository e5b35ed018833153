/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random.h - a random generator whose numbers are the same on every machine. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/* Returns the next number of splitmix64 (Steele, Lea and Flood 2014): uniform
 * over all 64-bit numbers. */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Returns a whole number from 0 to n - 1, uniform within one part in 2^64 /
 * n. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
    __extension__ typedef unsigned __int128 wide;

    return (uint64_t)((wide)next_random(state) * n >> 64);
}

#endif
