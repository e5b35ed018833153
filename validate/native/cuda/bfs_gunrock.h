/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_gunrock.h - a level of a breadth-first search by the operations of
 * Gunrock v1.0; what C and the kernels share. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_GUNROCK_H
#define VALIDATE_NATIVE_CUDA_BFS_GUNROCK_H

#include "validate/native/cuda/traverse.h"

enum { GUNROCK_CTA = 256 };

/* Lengths that the GPU writes and the host reads; ghosts: by owner. */
struct gunrock_lengths {
    unsigned long long found, own, ghosts[TRAVERSE_PEERS];
};
/* What the host sets before each split. */
struct gunrock_parameters {
    unsigned long long items, own, ghosts, spare;
};

/* All in GPU memory but the numbers. */
struct gunrock_level {
    struct graph_share g;
    uint32_t *depth;
    uint32_t next;
    uint32_t *frontier; /* `items` places */
    uint32_t items, arcs;
    uint32_t *degrees, *ends; /* by item: its arcs; those up to it */
    uint32_t *slots;          /* by arc: the place that was found, or none */
    uint32_t *found;          /* own and ghosts */
    uint32_t *own, *send;     /* these, apart; of ghosts their homes, each
                                 owner's from its ghosts' numbers on */
    unsigned peers;
    struct gunrock_lengths *lengths;
    struct gunrock_parameters *parameters;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Begin kernels; return a cudaError_t. */
int gunrock_degrees_start(const struct gunrock_level *l, void *stream);
/* Its memory: asked for with NULL, *bytes of it for so many items. */
int gunrock_scan_start(const struct gunrock_level *l, void *memory,
                       size_t *bytes, void *stream);
int gunrock_advance_start(const struct gunrock_level *l, unsigned ctas,
                          void *stream);
int gunrock_filter_start(const struct gunrock_level *l, unsigned ctas,
                         void *stream);
int gunrock_split_start(const struct gunrock_level *l, unsigned ctas,
                        void *stream);
/* The own ones, `n`, become the frontier. */
int gunrock_copy_start(const struct gunrock_level *l, uint32_t n, void *stream);
/* `n` received places: what is news goes behind the frontier, whose length is
 * lengths->own. */
int gunrock_expand_start(const struct gunrock_level *l, const uint32_t *list,
                         uint32_t n, void *stream);
int gunrock_resident(unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
