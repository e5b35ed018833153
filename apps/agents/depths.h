/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depths.h - the depths of vertices that each GPU knows: of its own vertices,
 * and of those of others that it has sent or received. */
#ifndef APPS_AGENTS_DEPTHS_H
#define APPS_AGENTS_DEPTHS_H

#include "base/inline.h"
#include "apps/agents/sparse.h"
#include "workloads/graph/graph.h"

#include <stdbool.h>

/* The layouts. On few GPUs each has an array of all vertices, with as few bytes
 * per depth as the deepest one so far needs. If two bytes per vertex and GPU
 * would exceed the graph itself, there is one array of all vertices for their
 * owners, and for each GPU a table of the vertices of others that it knows. */
enum depths_kind { DEPTHS_8, DEPTHS_16, DEPTHS_32, DEPTHS_SPARSE };

struct depths {
    enum depths_kind kind;
    uint32_t n, ngpus;
    const uint32_t *part; /* the owner of each vertex; borrowed */
    void *dense;          /* GPU after GPU, by vertex; all ones if not known */
    struct depths_own {
        uint32_t owner, depth;
    } * own;               /* if sparse: by vertex */
    struct sparse *others; /* if sparse: by GPU */
};

/* Makes tables in which no GPU knows a depth (UINT32_MAX). depths_clear() frees
 * them. */
void depths_init(struct depths *d, const struct graph *g, const uint32_t *part,
                 uint32_t ngpus);
void depths_clear(struct depths *d);

/* Makes room for depths up to this one, before they are compared or set: the
 * arrays get more bytes per depth if needed, in which case d->kind changes. */
void depths_reach(struct depths *d, uint32_t depth);
void depths_set(struct depths *d, uint32_t gpu, uint32_t v, uint32_t depth);

static inline size_t depths_place(const struct depths *d, uint32_t gpu,
                                  uint32_t v)
{
    return (size_t)gpu * d->n + v;
}

/* Prefetches v, because the GPU will soon look it up. */
ALWAYS_INLINE void depths_ask(const struct depths *d, uint32_t gpu, uint32_t v)
{
    if (d->kind == DEPTHS_SPARSE)
        __builtin_prefetch(&d->own[v]);
    else
        __builtin_prefetch((const uint8_t *)d->dense +
                           (depths_place(d, gpu, v) << d->kind));
}

/* In the following functions `kind` is d->kind, passed separately because then
 * the compiler knows it. */

/* Returns whether the GPU knows no depth of v up to this one, for which
 * depths_reach() was called. */
ALWAYS_INLINE bool depths_above(const struct depths *d, enum depths_kind kind,
                                uint32_t gpu, uint32_t v, uint32_t depth)
{
    switch (kind) {
    case DEPTHS_8:
        return ((const uint8_t *)d->dense)[depths_place(d, gpu, v)] > depth;
    case DEPTHS_16:
        return ((const uint16_t *)d->dense)[depths_place(d, gpu, v)] > depth;
    case DEPTHS_32:
        return ((const uint32_t *)d->dense)[depths_place(d, gpu, v)] > depth;
    case DEPTHS_SPARSE:
        break;
    }
    if (d->own[v].owner == gpu)
        return d->own[v].depth > depth;
    return sparse_get(&d->others[gpu], v) > depth;
}

ALWAYS_INLINE uint32_t depths_of(const struct depths *d, enum depths_kind kind,
                                 uint32_t gpu, uint32_t v)
{
    uint32_t depth;

    switch (kind) {
    case DEPTHS_8:
        depth = ((const uint8_t *)d->dense)[depths_place(d, gpu, v)];
        return depth == UINT8_MAX ? UINT32_MAX : depth;
    case DEPTHS_16:
        depth = ((const uint16_t *)d->dense)[depths_place(d, gpu, v)];
        return depth == UINT16_MAX ? UINT32_MAX : depth;
    case DEPTHS_32:
        return ((const uint32_t *)d->dense)[depths_place(d, gpu, v)];
    case DEPTHS_SPARSE:
        break;
    }
    if (d->own[v].owner == gpu)
        return d->own[v].depth;
    return sparse_get(&d->others[gpu], v);
}

static inline uint32_t depths_get(const struct depths *d, uint32_t gpu,
                                  uint32_t v)
{
    return depths_of(d, d->kind, gpu, v);
}

#endif
