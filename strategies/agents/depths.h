/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depths.h - what each GPU knows of every vertex's depth: of its own, and of
 * those of others what it has sent or was told. */
#ifndef STRATEGIES_AGENTS_DEPTHS_H
#define STRATEGIES_AGENTS_DEPTHS_H

#include "base/inline.h"
#include "strategies/agents/sparse.h"
#include "workloads/graph/graph.h"

#include <stdbool.h>

/*
 * How they are kept. On few GPUs an array of all vertices for each, of as few
 * bytes a depth as the deepest so far needs; when two such bytes a vertex and
 * GPU would be more than the graph itself, one array of all vertices for their
 * owners, and for each GPU a table of the vertices of others that it knows of.
 */
enum depths_kind { DEPTHS_8, DEPTHS_16, DEPTHS_32, DEPTHS_SPARSE };

struct depths {
    enum depths_kind kind;
    uint32_t n, ngpus;
    const uint32_t *part; /* the owner of each vertex; borrowed */
    void *dense;          /* by GPU, by vertex; all ones: not known */
    struct depths_own {
        uint32_t owner, depth;
    } * own;               /* sparse: by vertex */
    struct sparse *others; /* sparse: by GPU */
};

/* Nobody knows anything: UINT32_MAX. */
void depths_init(struct depths *d, const struct graph *g, const uint32_t *part,
                 uint32_t ngpus);
void depths_clear(struct depths *d);

/* Before depths up to this one are compared or set: the arrays are made of more
 * bytes if there is need, and d->kind changes. */
void depths_reach(struct depths *d, uint32_t depth);
void depths_set(struct depths *d, uint32_t gpu, uint32_t v, uint32_t depth);

static inline size_t depths_place(const struct depths *d, uint32_t gpu,
                                  uint32_t v)
{
    return (size_t)gpu * d->n + v;
}

/* Soon the GPU will look for v. */
ALWAYS_INLINE void depths_ask(const struct depths *d, uint32_t gpu, uint32_t v)
{
    if (d->kind == DEPTHS_SPARSE)
        __builtin_prefetch(&d->own[v]);
    else
        __builtin_prefetch((const uint8_t *)d->dense +
                           (depths_place(d, gpu, v) << d->kind));
}

/* In what follows `kind` is d->kind, and known to the compiler. */

/* Whether the GPU knows no depth of v up to this one, which was reached. */
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
