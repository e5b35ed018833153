/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes contiguous and METIS partitions of rows or vertices. */
#include "workloads/parts.h"

#include <metis.h>
#include <pthread.h>
#include <stdlib.h>

void parts_contiguous(uint32_t *part, uint32_t n, uint32_t nparts)
{
    uint32_t i = 0;

    for (uint32_t p = 0; p < nparts; p++)
        for (uint32_t k = n / nparts + (p < n % nparts); k > 0; k--)
            part[i++] = p;
}

/* A graph in the integer type with which METIS was built. */
struct metis_graph {
    idx_t n;
    idx_t *start, *neighbour, *part;
    bool copied; /* whether the neighbours were copied */
};

static void parts_fill(struct metis_graph *g, uint32_t n, const uint64_t *first,
                       const uint32_t *to)
{
    g->n = (idx_t)n;
    g->start = xcalloc((size_t)n + 1, sizeof *g->start);
    g->part = xcalloc(n, sizeof *g->part);
    for (uint32_t v = 0; v <= n; v++)
        g->start[v] = (idx_t)first[v];
    /* METIS only reads the neighbours, so integers of the same width need no
     * copy. */
    g->copied = sizeof *g->neighbour != sizeof *to;
    if (!g->copied) {
        g->neighbour = (idx_t *)(uintptr_t)to;
        return;
    }
    g->neighbour = xcalloc(first[n], sizeof *g->neighbour);
    for (uint64_t k = 0; k < first[n]; k++)
        g->neighbour[k] = (idx_t)to[k];
}

/* METIS draws from rand(), which all threads share: if two ran at once, they
 * would draw from one sequence, in turns that change from run to run. */
static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;

int parts_metis(uint32_t *part, uint32_t n, const uint64_t *first,
                const uint32_t *to, uint32_t nparts, uint64_t seed,
                struct err *err)
{
    struct metis_graph g;
    idx_t options[METIS_NOPTIONS];
    idx_t constraints = 1, parts = (idx_t)nparts, cut;

    if (n >= IDX_MAX || first[n] > IDX_MAX)
        return fail(err,
                    "%u vertices, %llu edge ends: METIS as built here numbers "
                    "up to %lld; use another partition",
                    n, (unsigned long long)first[n], (long long)IDX_MAX);

    parts_fill(&g, n, first, to);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = (idx_t)(seed % IDX_MAX);
    options[METIS_OPTION_NUMBERING] = 0;
    pthread_mutex_lock(&drawing);
    int rc = METIS_PartGraphKway(&g.n, &constraints, g.start, g.neighbour, NULL,
                                 NULL, NULL, &parts, NULL, NULL, options, &cut,
                                 g.part);
    pthread_mutex_unlock(&drawing);
    for (uint32_t v = 0; v < n; v++)
        part[v] = (uint32_t)g.part[v];
    free(g.start);
    if (g.copied)
        free(g.neighbour);
    free(g.part);
    if (rc != METIS_OK)
        return fail_work(err, "METIS could not make %u parts (%d%s)", nparts,
                         rc, rc == METIS_ERROR_MEMORY ? ": out of memory" : "");
    return 0;
}
