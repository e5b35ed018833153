// SPDX-License-Identifier: GPL-3.0-or-later
/* Starts the matching kernels; callable from C. */
#include "validate/native/cuda/match.cuh"

int match_start_matrix(struct match_work w, struct match_shape s,
                       unsigned repeats, void *stream)
{
    match_matrix<<<s.ctas, s.threads, match_memory_matrix(s),
                   (cudaStream_t)stream>>>(w, s, repeats);
    return cudaGetLastError();
}

int match_start_hash(struct match_work w, struct match_shape s,
                     unsigned repeats, void *stream)
{
    match_hash<<<s.ctas, s.threads, match_memory_hash(s),
                 (cudaStream_t)stream>>>(w, s, repeats);
    return cudaGetLastError();
}
