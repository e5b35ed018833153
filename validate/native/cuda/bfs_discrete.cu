// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the kernels of the discrete search; callable from C. */
#include "validate/native/cuda/bfs_discrete.cuh"

int search_discrete_start(const struct search *s, const struct search_range *r,
                          void *stream)
{
    START(search_discrete, range_ctas(*r, s->peers), SEARCH_CTA,
          sizeof(struct search_batch), stream, *s, *r);
    return cudaGetLastError();
}

static unsigned ctas_for(uint32_t n)
{
    return (n + SEARCH_CTA - 1) / SEARCH_CTA;
}

int search_raise_start(const struct search *s, uint32_t from, uint32_t n,
                       void *stream)
{
    START(search_raise, ctas_for(n), SEARCH_CTA, 0, stream, *s, from, n);
    return cudaGetLastError();
}

int search_received_start(const struct search *s,
                          const struct search_update *list, uint32_t n,
                          void *stream)
{
    START(search_received, ctas_for(n), SEARCH_CTA, 0, stream, *s, list, n);
    return cudaGetLastError();
}
