/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_set.h - a set of GPUs of one node. */
#ifndef WORKLOADS_GPU_SET_H
#define WORKLOADS_GPU_SET_H

#include <stdint.h>

/* A bit set: bit i is the i-th GPU of the node. Sets are compared as numbers.
 * C17 has no integers of 128 bits, but GCC and clang have them on all 64-bit
 * machines. */
__extension__ typedef unsigned __int128 gpu_set;

enum { GPU_SET_BITS = 128 };

static inline gpu_set gpu_set_of(unsigned gpu)
{
    return (gpu_set)1 << gpu;
}

static inline unsigned gpu_set_count(gpu_set s)
{
    return (unsigned)(__builtin_popcountll((uint64_t)s) +
                      __builtin_popcountll((uint64_t)(s >> 64)));
}

/* Return the lowest and the highest GPU of a set that is not empty. */
static inline unsigned gpu_set_first(gpu_set s)
{
    return (unsigned)((uint64_t)s ? __builtin_ctzll((uint64_t)s)
                                  : 64 + __builtin_ctzll((uint64_t)(s >> 64)));
}

static inline unsigned gpu_set_last(gpu_set s)
{
    uint64_t high = (uint64_t)(s >> 64);

    return (unsigned)(high ? 127 - __builtin_clzll(high)
                           : 63 - __builtin_clzll((uint64_t)s));
}

#endif
