// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the persistent search; callable from C. */
#include "validate/native/cuda/bfs_persistent.cuh"

static __global__ void read_clock(volatile unsigned long long *seen)
{
    *seen = clock_ns();
}

int search_clock_start(unsigned long long *seen, void *stream)
{
    START(read_clock, 1, 1, 0, stream, seen);
    return cudaGetLastError();
}

int search_persistent_start(const struct search *s, unsigned ctas, void *stream)
{
    START(search_persistent, ctas, SEARCH_CTA, sizeof(struct search_batch),
          stream, *s);
    return cudaGetLastError();
}

int search_persistent_resident(unsigned *ctas)
{
    return resident_ctas(search_persistent, SEARCH_CTA,
                         sizeof(struct search_batch), ctas);
}
