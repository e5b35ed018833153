/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_gunrock.h - a level of a breadth-first search by the operations of
 * Gunrock v1.0: the interface of C and the kernels. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_GUNROCK_H
#define VALIDATE_NATIVE_CUDA_BFS_GUNROCK_H

#include "validate/native/cuda/traverse.h"

enum { GUNROCK_CTA = 256, GUNROCK_TILE = 1024 /* items of a CTA's scan */ };

/* Lengths that the GPU writes and the host reads; ghosts by owner. */
struct gunrock_lengths {
    unsigned long long found, own, ghosts[TRAVERSE_PEERS];
};
/* Parameters that the host sets before each split. */
struct gunrock_parameters {
    unsigned long long items, own, ghosts, spare;
};

/* All pointers are to GPU memory. */
struct gunrock_level {
    struct graph_share g;
    uint32_t *depth;
    uint32_t next;
    uint32_t *frontier; /* room for `items` */
    uint32_t items, arcs;
    /* One per item: its arcs; the sum of arcs up to and including it. */
    uint32_t *degrees, *ends;
    unsigned long long *tiles; /* the scan's state: one per tile */
    uint32_t *slots;           /* place that each arc found, or none */
    uint32_t *found;           /* own and ghosts */
    /* The found places, separated: own ones, and for ghosts their homes, each
     * owner's from its first ghost's number on. */
    uint32_t *own, *send;
    unsigned peers;
    struct gunrock_lengths *lengths;
    struct gunrock_parameters *parameters;
};

static inline ON_BOTH uint32_t gunrock_tiles(uint32_t items)
{
    return items / GUNROCK_TILE + (items % GUNROCK_TILE > 0);
}

#ifdef __cplusplus
extern "C" {
#endif

/* Start kernels; return a cudaError_t. */
int gunrock_degrees_start(const struct gunrock_level *l, void *stream);
/* Scans the degrees, by two kernels. */
int gunrock_scan_start(const struct gunrock_level *l, void *stream);
int gunrock_advance_start(const struct gunrock_level *l, unsigned ctas,
                          void *stream);
int gunrock_filter_start(const struct gunrock_level *l, unsigned ctas,
                         void *stream);
int gunrock_split_start(const struct gunrock_level *l, unsigned ctas,
                        void *stream);
/* Makes the `n` own places the frontier. */
int gunrock_copy_start(const struct gunrock_level *l, uint32_t n, void *stream);
/* Handles `n` received places: those that are new are added to the frontier,
 * whose length is lengths->own. */
int gunrock_expand_start(const struct gunrock_level *l, const uint32_t *list,
                         uint32_t n, void *stream);
int gunrock_resident(unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
