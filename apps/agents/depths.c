/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the depths that GPUs know, as compact as the deepest of them allows. */
#include "apps/agents/depths.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(enum depths_kind kind)
{
    return (size_t)1 << kind;
}

static void *new_dense(const struct depths *d, enum depths_kind kind)
{
    return xmalloc_scattered((size_t)d->ngpus * d->n * bytes_of(kind));
}

static void init_dense(struct depths *d)
{
    d->kind = DEPTHS_8;
    d->dense = new_dense(d, d->kind);
    memset(d->dense, 0xff, (size_t)d->ngpus * d->n * bytes_of(d->kind));
}

static void init_sparse(struct depths *d)
{
    d->kind = DEPTHS_SPARSE;
    d->own = xcalloc(d->n, sizeof *d->own);
    for (uint32_t v = 0; v < d->n; v++)
        d->own[v] = (struct depths_own){d->part[v], UINT32_MAX};
    d->others = xcalloc(d->ngpus, sizeof *d->others);
    for (uint32_t i = 0; i < d->ngpus; i++)
        d->others[i].none = UINT32_MAX;
}

void depths_init(struct depths *d, const struct graph *g, const uint32_t *part,
                 uint32_t ngpus)
{
    double graph_B = 8.0 * g->n + 4.0 * (double)graph_arcs(g);

    *d = (struct depths){.n = g->n, .ngpus = ngpus, .part = part};
    if (2.0 * g->n * ngpus <= graph_B)
        init_dense(d);
    else
        init_sparse(d);
}

void depths_clear(struct depths *d)
{
    for (uint32_t i = 0; d->others && i < d->ngpus; i++)
        sparse_clear(&d->others[i]);
    free(d->dense);
    free(d->own);
    free(d->others);
    memset(d, 0, sizeof *d);
}

static void put_dense(void *array, enum depths_kind kind, size_t at,
                      uint32_t depth)
{
    if (kind == DEPTHS_8)
        ((uint8_t *)array)[at] = (uint8_t)depth;
    else if (kind == DEPTHS_16)
        ((uint16_t *)array)[at] = (uint16_t)depth;
    else
        ((uint32_t *)array)[at] = depth;
}

/* Doubles the bytes per depth. */
static void widen(struct depths *d)
{
    enum depths_kind wider = d->kind == DEPTHS_8 ? DEPTHS_16 : DEPTHS_32;
    void *array = new_dense(d, wider);

    for (uint32_t i = 0; i < d->ngpus; i++)
        for (uint32_t v = 0; v < d->n; v++)
            put_dense(array, wider, depths_place(d, i, v), depths_get(d, i, v));
    free(d->dense);
    d->dense = array;
    d->kind = wider;
}

void depths_reach(struct depths *d, uint32_t depth)
{
    if (d->kind == DEPTHS_8 && depth >= UINT8_MAX)
        widen(d);
    if (d->kind == DEPTHS_16 && depth >= UINT16_MAX)
        widen(d);
}

void depths_set(struct depths *d, uint32_t gpu, uint32_t v, uint32_t depth)
{
    depths_reach(d, depth);
    if (d->kind != DEPTHS_SPARSE)
        put_dense(d->dense, d->kind, depths_place(d, gpu, v), depth);
    else if (d->own[v].owner == gpu)
        d->own[v].depth = depth;
    else
        *sparse_at(&d->others[gpu], v) = depth;
}
