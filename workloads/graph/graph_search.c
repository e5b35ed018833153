/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the arcs of a search by level, and the sectors that it reads. */
#include "workloads/graph/graph_search.h"

#include <stdlib.h>

const double graph_cache_shares[GRAPH_CACHES] = {1. / 32, 1. / 8, 1. / 4,
                                                 1. / 2};

/* The vertices that a search from the hub reaches, in its order. */
struct order {
    uint32_t *vertex;
    uint32_t n;
};

static void add_level(struct graph_search *s, uint64_t arcs)
{
    /* The room is doubled when it is full, which is at each power of two. */
    if ((s->levels & (s->levels - 1)) == 0)
        s->level = xrealloc(s->level, s->levels ? 2 * (size_t)s->levels : 1,
                            sizeof *s->level);
    s->level[s->levels++] = (double)arcs;
}

static void find_levels(const struct graph *g, struct order *o,
                        struct graph_search *s)
{
    bool *met = xcalloc((size_t)g->n + 1, sizeof *met);
    uint64_t all = 0;

    o->vertex[o->n++] = graph_hub(g);
    met[o->vertex[0]] = true;
    for (uint32_t i = 0; i < o->n;) {
        uint64_t arcs = 0;
        for (uint32_t end = o->n; i < end; i++) {
            uint32_t v = o->vertex[i];
            arcs += graph_degree(g, v);
            for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
                uint32_t u = g->to[k];
                if (!met[u])
                    o->vertex[o->n++] = u;
                met[u] = true;
            }
        }
        add_level(s, arcs);
        all += arcs;
    }
    for (uint32_t l = 0; l < s->levels; l++)
        s->level[l] = all ? s->level[l] / (double)all : 0;
    s->reached = o->n;
    free(met);
}

static void count_runs(const struct graph *g, struct graph_search *s)
{
    uint64_t runs = 0, sectors = 0;

    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
            bool first = k == g->first[v];
            runs += first || g->to[k] != g->to[k - 1] + 1;
            sectors += first ||
                       g->to[k] / SECTOR_VALUES != g->to[k - 1] / SECTOR_VALUES;
        }
    s->runs = (double)runs / (double)graph_arcs(g);
    s->sectors = (double)sectors / (double)graph_arcs(g);
}

/* Returns the number of heads of v that are at most 1 from a head of v + 1. */
static uint64_t similar_heads(const struct graph *g, uint32_t v)
{
    uint64_t at = g->first[v + 1], end = g->first[v + 2], n = 0;

    for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
        while (at < end && (uint64_t)g->to[at] + 1 < g->to[k])
            at++;
        n += at < end && g->to[at] <= (uint64_t)g->to[k] + 1;
    }
    return n;
}

static void count_similar(const struct graph *g, struct graph_search *s)
{
    uint64_t n = 0;

    for (uint32_t v = 0; v + 1 < g->n; v++)
        n += similar_heads(g, v);
    s->similar = (double)n / (double)graph_arcs(g);
}

/* Reads the values of the heads of each vertex in turn, in the order o; by
 * number if it is NULL. */
static void read_values(const struct graph *g, const struct order *o,
                        double misses[GRAPH_CACHES])
{
    uint32_t sectors = g->n / SECTOR_VALUES + 1, size[GRAPH_CACHES];
    uint32_t n = o ? o->n : g->n;
    struct graph_cache c;
    uint64_t arcs = 0;

    for (int k = 0; k < GRAPH_CACHES; k++)
        size[k] = (uint32_t)(graph_cache_shares[k] * sectors);
    graph_cache_init(&c, sectors, size);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = o ? o->vertex[i] : i, last = UINT32_MAX;
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
            uint32_t sector = g->to[k] / SECTOR_VALUES;
            if (sector != last)
                graph_cache_touch(&c, sector);
            last = sector;
        }
        arcs += graph_degree(g, v);
    }
    for (int k = 0; k < GRAPH_CACHES; k++)
        misses[k] = arcs ? (double)c.misses[k] / (double)arcs : 0;
    graph_cache_clear(&c);
}

void graph_search(const struct graph *g, struct graph_search *out)
{
    struct order o = {0};

    *out = (struct graph_search){0};
    if (!g->n)
        return;
    o.vertex = xcalloc(g->n, sizeof *o.vertex);
    find_levels(g, &o, out);
    if (graph_arcs(g)) {
        count_runs(g, out);
        count_similar(g, out);
        read_values(g, NULL, out->misses_by_number);
        read_values(g, &o, out->misses_by_level);
    }
    free(o.vertex);
}

void graph_search_clear(struct graph_search *s)
{
    free(s->level);
    *s = (struct graph_search){0};
}
