/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements.h - what the ranks of a collective contribute: element i of each
 * rank, small integers, so that sums of them are exact also in float32. */
#ifndef VALIDATE_NATIVE_ELEMENTS_H
#define VALIDATE_NATIVE_ELEMENTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define ELEMENTS_BOTH __host__ __device__
#else
#define ELEMENTS_BOTH
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Up to 181 ranks the sum of all is below 2^24. */
ELEMENTS_BOTH static inline uint32_t element_of(uint64_t i, unsigned rank)
{
    return (uint32_t)(i % 1021) + 1021 * rank;
}

/* What the ranks from `low` to `high` - 1 contribute to element i. */
ELEMENTS_BOTH static inline uint32_t element_sum(uint64_t i, unsigned low,
                                                 unsigned high)
{
    uint32_t ranks = high - low;

    return ranks * (uint32_t)(i % 1021) + 1021 * (ranks * (low + high - 1) / 2);
}

/* In GPU memory, float32: fills n elements, of which the first is element
 * `first` of `rank`; and adds to *wrong how many of n are not the sums of the
 * ranks from low to high - 1. Both return a cudaError_t. */
int elements_fill(float *to, size_t n, uint64_t first, unsigned rank,
                  void *stream);
int elements_wrong(const float *of, size_t n, uint64_t first, unsigned low,
                   unsigned high, unsigned long long *wrong, void *stream);
/* to[i] += in.from[0][i] + ...; likewise. */
enum { ELEMENTS_MOST = 16 };
struct elements_inputs {
    const float *from[ELEMENTS_MOST];
    unsigned n;
};
int elements_add(float *to, struct elements_inputs in, size_t n, void *stream);

#ifdef __cplusplus
}
#endif

#endif
