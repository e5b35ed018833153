/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagerank_residual.h - PageRank by residues in Atos' queues: the interface of
 * C and the kernels. */
#ifndef VALIDATE_NATIVE_CUDA_PAGERANK_RESIDUAL_H
#define VALIDATE_NATIVE_CUDA_PAGERANK_RESIDUAL_H

#include "validate/native/cuda/bfs_queues.h"

/* Data besides the queues; the residues are where a search has its depths. */
struct residual {
    float *rank; /* one per own vertex */
    float bound; /* a residue not above it stays */
    float base;  /* residue of each vertex at the start */
    float damping;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Start a kernel; return a cudaError_t. */
/* Sets residues and ranks for the start; all own vertices are in the queue. */
int residual_first_start(const struct search *s, const struct residual *r,
                         void *stream);
int residual_persistent_start(const struct search *s, const struct residual *r,
                              unsigned ctas, void *stream);
int residual_persistent_resident(unsigned *ctas);
int residual_discrete_start(const struct search *s, const struct residual *r,
                            const struct search_range *range, void *stream);
/* Handles `n` residues that the CPU brought (floats where a search has
 * depths). */
int residual_received_start(const struct search *s, const struct residual *r,
                            const struct search_update *list, uint32_t n,
                            void *stream);

#ifdef __cplusplus
}
#endif

#endif
