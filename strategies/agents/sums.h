/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sums.h - what each GPU has added up for each vertex of others. */
#ifndef STRATEGIES_AGENTS_SUMS_H
#define STRATEGIES_AGENTS_SUMS_H

#include "strategies/agents/sparse.h"
#include "workloads/graph/graph.h"

#include <math.h>

/* On few GPUs an array of all vertices for each; when that would be more than
 * the graph itself, a table for each GPU of the vertices that it has something
 * for. */
struct sums {
    uint32_t n, ngpus;
    const uint32_t *part;  /* the owner of each vertex; borrowed */
    float *dense;          /* by GPU, by vertex; NAN at the GPU's own */
    struct sparse *others; /* sparse: by GPU, a float's bits */
};

void sums_init(struct sums *s, const struct graph *g, const uint32_t *part,
               uint32_t ngpus);
void sums_clear(struct sums *s);

/* By vertex, where s->dense. */
static inline float *sums_dense(const struct sums *s, uint32_t gpu)
{
    return &s->dense[(size_t)gpu * s->n];
}

/* The sum, 0 at first, until the next call; NULL: v is the GPU's own. */
static inline float *sums_at(struct sums *s, uint32_t gpu, uint32_t v)
{
    if (s->dense) {
        float *sum = &sums_dense(s, gpu)[v];
        return isnan(*sum) ? NULL : sum;
    }
    if (s->part[v] == gpu)
        return NULL;
    return sparse_float(&s->others[gpu], v);
}

/* The sum, which makes no room for it; of the GPU's own 0. */
static inline float sums_get(const struct sums *s, uint32_t gpu, uint32_t v)
{
    if (s->part[v] == gpu)
        return 0;
    if (s->dense)
        return sums_dense(s, gpu)[v];
    return sparse_real(&s->others[gpu], v);
}

#endif
