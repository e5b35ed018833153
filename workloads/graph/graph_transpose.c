/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transposes a graph, tests it for symmetry, and makes it undirected. */
#include "workloads/graph/graph.h"
#include "workloads/matrix.h"

#include <stdlib.h>
#include <string.h>

void graph_transpose(struct graph *out, const struct graph *g)
{
    /* The arcs of a graph are the rows of a matrix. */
    struct matrix rows = {.rows = g->n, .row_ptr = g->first, .col = g->to};
    struct matrix columns;

    matrix_transpose(&columns, &rows);
    *out =
        (struct graph){.n = g->n, .first = columns.row_ptr, .to = columns.col};
}

/* Compares the arcs with their reverses. Sorted by tail, the arcs come to each
 * head in the order of their tails, which is the order of its own arcs if the
 * graph is symmetric. */
bool graph_is_symmetric(const struct graph *g)
{
    uint64_t *next = xmalloc(((size_t)g->n + 1) * sizeof *next);
    bool same = true;

    memcpy(next, g->first, ((size_t)g->n + 1) * sizeof *next);
    for (uint32_t v = 0; v < g->n && same; v++)
        for (uint64_t a = g->first[v]; a < g->first[v + 1] && same; a++) {
            uint64_t back = next[g->to[a]]++;
            same = back < g->first[g->to[a] + 1] && g->to[back] == v;
        }
    free(next);
    return same;
}

/* Returns the number of heads of v in either graph, and if `into` is not NULL,
 * these in increasing order. */
static uint64_t merge(const struct graph *a, const struct graph *b, uint32_t v,
                      uint32_t *into)
{
    uint64_t i = a->first[v], iend = a->first[v + 1];
    uint64_t j = b->first[v], jend = b->first[v + 1];
    uint64_t n = 0;

    while (i < iend || j < jend) {
        uint32_t p = i < iend ? a->to[i] : UINT32_MAX;
        uint32_t q = j < jend ? b->to[j] : UINT32_MAX;
        i += p <= q;
        j += q <= p;
        if (into)
            into[n] = p < q ? p : q;
        n++;
    }
    return n;
}

/* Returns a copy, because the arrays of g may be in a mapped file. */
static void *copy_of(const void *from, size_t bytes)
{
    return from ? memcpy(xmalloc(bytes), from, bytes) : NULL;
}

void graph_undirect(struct graph *g)
{
    struct graph back, both = {.n = g->n};
    size_t coordinates = g->n * sizeof *g->x;

    graph_transpose(&back, g);
    both.first = xcalloc((size_t)g->n + 1, sizeof *both.first);
    for (uint32_t v = 0; v < g->n; v++)
        both.first[v + 1] = both.first[v] + merge(g, &back, v, NULL);
    both.to =
        xmalloc((both.first[g->n] ? both.first[g->n] : 1) * sizeof *both.to);
    for (uint32_t v = 0; v < g->n; v++)
        merge(g, &back, v, both.to + both.first[v]);
    graph_clear(&back);
    both.name = g->name ? xstrdup(g->name) : NULL;
    both.x = copy_of(g->x, coordinates);
    both.y = copy_of(g->y, coordinates);
    graph_clear(g);
    *g = both;
}
