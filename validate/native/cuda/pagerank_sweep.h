/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagerank_sweep.h - PageRank by sweeps over all arcs: the interface of C and
 * the kernels. */
#ifndef VALIDATE_NATIVE_CUDA_PAGERANK_SWEEP_H
#define VALIDATE_NATIVE_CUDA_PAGERANK_SWEEP_H

#include "validate/native/cuda/traverse.h"

enum { SWEEP_CTA = 256 };

/* All pointers are to GPU memory. A vertex without in-arcs has rank `base`. */
struct sweep {
    struct graph_share g;
    uint32_t *tail; /* own vertex of each arc */
    float *rank;    /* one per own vertex */
    /* Value that each arc of an own vertex carries. */
    float *share;
    /* Sums that the own vertices and the ghosts received. */
    float *sum;
    uint32_t
        /* The bits of a float: the largest relative change of a rank. */
        *worst;
    float base, damping;
    float *to[TRAVERSE_PEERS]; /* the sums of each peer */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Start a kernel of at most `ctas` CTAs; return a cudaError_t. */
int sweep_tails_start(const struct sweep *s, unsigned ctas, void *stream);
/* Sets the ranks and shares of the first iteration. */
int sweep_first_start(const struct sweep *s, unsigned ctas, void *stream);
int sweep_ranks_start(const struct sweep *s, unsigned ctas, void *stream);
int sweep_arcs_start(const struct sweep *s, unsigned ctas, void *stream);
/* Adds the ghosts' sums to `to` in their owners' memory. */
int sweep_send_start(const struct sweep *s, unsigned ctas, void *stream);
/* Adds n sums of other GPUs' ghosts, whose places here are `home`. */
int sweep_received_start(const struct sweep *s, const float *sums,
                         const uint32_t *home, uint32_t n, unsigned ctas,
                         void *stream);
/* Sets *ctas to the CTAs that the GPU in use holds at once. */
int sweep_resident(unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
