/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements.h - the values that the ranks of a collective contribute: element i
 * of each rank, small integers, so that their sums are exact also in
 * float32. */
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

/* Returns element i of a rank. The sum of all is below 2^24 for up to 181
 * ranks. */
ELEMENTS_BOTH static inline uint32_t element_of(uint64_t i, unsigned rank)
{
    return (uint32_t)(i % 1021) + 1021 * rank;
}

/* Returns the sum of element i over the ranks from `low` to `high` - 1. */
ELEMENTS_BOTH static inline uint32_t element_sum(uint64_t i, unsigned low,
                                                 unsigned high)
{
    uint32_t ranks = high - low;

    return ranks * (uint32_t)(i % 1021) + 1021 * (ranks * (low + high - 1) / 2);
}

/* Work on float32 in GPU memory. elements_fill() sets n elements, of which the
 * first is element `first` of `rank`; elements_wrong() adds to *wrong how many
 * of n elements differ from the sums over the ranks from low to high - 1. Both
 * return a cudaError_t. */
int elements_fill(float *to, size_t n, uint64_t first, unsigned rank,
                  void *stream);
int elements_wrong(const float *of, size_t n, uint64_t first, unsigned low,
                   unsigned high, unsigned long long *wrong, void *stream);
/* Adds to[i] += in.from[0][i] + ... in GPU memory; returns a cudaError_t. */
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
