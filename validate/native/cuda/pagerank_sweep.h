/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagerank_sweep.h - PageRank by sweeps over all arcs; what C and the kernels
 * share. */
#ifndef VALIDATE_NATIVE_CUDA_PAGERANK_SWEEP_H
#define VALIDATE_NATIVE_CUDA_PAGERANK_SWEEP_H

#include "validate/native/cuda/traverse.h"

enum { SWEEP_CTA = 256 };

/* All in GPU memory. A vertex without arcs to it has rank `base`. */
struct sweep {
    struct graph_share g;
    uint32_t *tail; /* of each arc: its own vertex */
    float *rank;    /* of the own vertices */
    float *share;   /* likewise: what each of its arcs carries */
    float *sum;     /* of the own vertices and the ghosts: what they got */
    uint32_t
        *worst; /* a float's bits: the largest change of a rank by itself */
    float base, damping;
    float *to[TRAVERSE_PEERS]; /* the sums of each peer */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Begin a kernel of at most `ctas` CTAs; return a cudaError_t. */
int sweep_tails_start(const struct sweep *s, unsigned ctas, void *stream);
/* The ranks and shares that an iteration begins with. */
int sweep_first_start(const struct sweep *s, unsigned ctas, void *stream);
int sweep_ranks_start(const struct sweep *s, unsigned ctas, void *stream);
int sweep_arcs_start(const struct sweep *s, unsigned ctas, void *stream);
/* The ghosts' sums are added to `to` in their owners' memory. */
int sweep_send_start(const struct sweep *s, unsigned ctas, void *stream);
/* n sums of other GPUs' ghosts, whose places here are home. */
int sweep_received_start(const struct sweep *s, const float *sums,
                         const uint32_t *home, uint32_t n, unsigned ctas,
                         void *stream);
/* How many CTAs the GPU in use holds at once. */
int sweep_resident(unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
