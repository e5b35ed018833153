/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_toys.h - graphs for tests, and properties that hold for any graph. */
#ifndef TESTS_GRAPH_TOYS_H
#define TESTS_GRAPH_TOYS_H

#include "base/digest.h"
#include "workloads/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>

static inline struct graph make_graph(const char *words)
{
    struct graph g = {0};
    struct err err = {0};

    if (graph_from_words(&g, words, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return g;
}

static inline uint64_t graph_checksum(const struct graph *g)
{
    uint64_t sum = digest_add(DIGEST_OF_NOTHING, &g->n, sizeof g->n);

    sum = digest_add(sum, g->first, ((size_t)g->n + 1) * sizeof *g->first);
    sum = digest_add(sum, g->to, graph_arcs(g) * sizeof *g->to);
    if (g->x) {
        sum = digest_add(sum, g->x, g->n * sizeof *g->x);
        sum = digest_add(sum, g->y, g->n * sizeof *g->y);
    }
    return sum;
}

/* Returns whether there are no loops and no duplicates, and all heads are
 * vertices in ascending order. */
static inline bool is_graph(const struct graph *g)
{
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++)
            if (g->to[k] == v || g->to[k] >= g->n ||
                (k > g->first[v] && g->to[k - 1] >= g->to[k]))
                return false;
    return g->first[0] == 0;
}

#endif
