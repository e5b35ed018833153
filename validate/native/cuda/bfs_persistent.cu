// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the persistent search; compiled for C to call. */
#include "validate/native/cuda/bfs_persistent.cuh"

int search_persistent_start(const struct search *s, unsigned ctas, void *stream)
{
    search_persistent<<<ctas, SEARCH_CTA, sizeof(struct search_batch),
                        (cudaStream_t)stream>>>(*s);
    return cudaGetLastError();
}

int search_persistent_resident(unsigned *ctas)
{
    return resident_ctas(search_persistent, SEARCH_CTA,
                         sizeof(struct search_batch), ctas);
}
