/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagerank_residual.h - PageRank by residues in Atos' queues; what C and the
 * kernels share. */
#ifndef VALIDATE_NATIVE_CUDA_PAGERANK_RESIDUAL_H
#define VALIDATE_NATIVE_CUDA_PAGERANK_RESIDUAL_H

#include "validate/native/cuda/bfs_queues.h"

/* Beside the queues; the residues lie where a search has its depths. */
struct residual {
    float *rank; /* of the own vertices */
    float bound; /* a residue not above it stays */
    float base;  /* that each vertex begins with */
    float damping;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Begin a kernel; return a cudaError_t. */
/* Residues and ranks at the beginning; all own vertices are in the queue. */
int residual_first_start(const struct search *s, const struct residual *r,
                         void *stream);
int residual_persistent_start(const struct search *s, const struct residual *r,
                              unsigned ctas, void *stream);
int residual_persistent_resident(unsigned *ctas);
int residual_discrete_start(const struct search *s, const struct residual *r,
                            const struct search_range *range, void *stream);
/* `n` residues that the CPU brought (floats where a search has depths). */
int residual_received_start(const struct search *s, const struct residual *r,
                            const struct search_update *list, uint32_t n,
                            void *stream);

#ifdef __cplusplus
}
#endif

#endif
