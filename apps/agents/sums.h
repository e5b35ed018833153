/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sums.h - the sum that each GPU has accumulated for each vertex of others. */
#ifndef APPS_AGENTS_SUMS_H
#define APPS_AGENTS_SUMS_H

#include "apps/agents/sparse.h"
#include "workloads/graph/graph.h"

#include <math.h>

/* On few GPUs each has an array of all vertices. If these would exceed the
 * graph itself, each GPU has a table of the vertices for which it has a sum. */
struct sums {
    uint32_t n, ngpus;
    const uint32_t *part;  /* the owner of each vertex; borrowed */
    float *dense;          /* GPU after GPU, by vertex; NAN at the GPU's own */
    struct sparse *others; /* if sparse: by GPU, a float's bits */
};

void sums_init(struct sums *s, const struct graph *g, const uint32_t *part,
               uint32_t ngpus);
void sums_clear(struct sums *s);

/* Returns the sums of a GPU by vertex; only if s->dense. */
static inline float *sums_dense(const struct sums *s, uint32_t gpu)
{
    return &s->dense[(size_t)gpu * s->n];
}

/* Returns the sum, 0 at first; the pointer is valid until the next call; NULL
 * if v is the GPU's own. */
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

/* Returns the sum without making room for it; 0 if v is the GPU's own. */
static inline float sums_get(const struct sums *s, uint32_t gpu, uint32_t v)
{
    if (s->part[v] == gpu)
        return 0;
    if (s->dense)
        return sums_dense(s, gpu)[v];
    return sparse_real(&s->others[gpu], v);
}

#endif
