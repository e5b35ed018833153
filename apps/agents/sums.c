/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes room for the sums that GPUs accumulate for each other's vertices. */
#include "apps/agents/sums.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

static void init_dense(struct sums *s)
{
    size_t n = (size_t)s->n * s->ngpus;

    s->dense = xmalloc_scattered(n * sizeof *s->dense);
    for (size_t i = 0; i < n; i++)
        s->dense[i] = 0;
    for (uint32_t v = 0; v < s->n; v++)
        s->dense[(size_t)s->part[v] * s->n + v] = NAN;
}

void sums_init(struct sums *s, const struct graph *g, const uint32_t *part,
               uint32_t ngpus)
{
    double graph_B = 8.0 * g->n + 4.0 * (double)graph_arcs(g);

    *s = (struct sums){.n = g->n, .ngpus = ngpus, .part = part};
    if (4.0 * g->n * ngpus <= graph_B)
        init_dense(s);
    else
        s->others = xcalloc(ngpus, sizeof *s->others);
}

void sums_clear(struct sums *s)
{
    for (uint32_t i = 0; s->others && i < s->ngpus; i++)
        sparse_clear(&s->others[i]);
    free(s->others);
    free(s->dense);
    memset(s, 0, sizeof *s);
}
