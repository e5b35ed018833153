/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions a graph into the shares of GPUs: rows of own vertices, whose heads
 * are places of own values or of ghosts. */
#include "validate/native/cuda/traverse_graph.h"

#include <stdlib.h>

/* Sets the places of own vertices, and the arcs of each GPU. */
static int divide(struct host_share *shares, uint32_t *place,
                  const struct graph *g, const uint32_t *part, unsigned gpus,
                  struct err *err)
{
    uint64_t arcs[TRAVERSE_GPUS] = {0};

    for (uint32_t v = 0; v < g->n; v++) {
        place[v] = shares[part[v]].own++;
        arcs[part[v]] += graph_degree(g, v);
    }
    for (unsigned i = 0; i < gpus; i++) {
        if (arcs[i] >= UINT32_MAX)
            return fail(err, "%s: %llu arcs of GPU %u: expected below 2^32",
                        g->name, (unsigned long long)arcs[i], i);
        shares[i].arcs = (uint32_t)arcs[i];
    }
    return 0;
}

/* Sets where each peer's ghosts end; ghost[v] is 1 for ghosts. */
static void count_ghosts(struct host_share *s, const uint32_t *ghost,
                         const struct graph *g, const uint32_t *part,
                         unsigned gpu)
{
    for (uint32_t v = 0; v < g->n; v++)
        if (part[v] != gpu && ghost[v])
            s->ghosts_end[part[v] - (part[v] > gpu)]++;
    for (unsigned p = 0; p < TRAVERSE_PEERS; p++) {
        s->ghosts += s->ghosts_end[p];
        s->ghosts_end[p] = s->ghosts;
    }
}

/* Sets ghost[v], for the heads that others own, to the places of the ghosts: by
 * owner, then by number, after those of own vertices. */
static void find_ghosts(struct host_share *s, uint32_t *ghost,
                        const uint32_t *place, const struct graph *g,
                        const uint32_t *part, unsigned gpu)
{
    for (uint32_t v = 0; v < g->n; v++)
        ghost[v] = 0;
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t a = g->first[v]; part[v] == gpu && a < g->first[v + 1];
             a++)
            ghost[g->to[a]] = 1;
    count_ghosts(s, ghost, g, part, gpu);
    s->home = xcalloc(s->ghosts + 1ull, sizeof *s->home);
    uint32_t next[TRAVERSE_PEERS] = {0};
    for (unsigned p = 1; p < TRAVERSE_PEERS; p++)
        next[p] = s->ghosts_end[p - 1];
    for (uint32_t v = 0; v < g->n; v++)
        if (part[v] != gpu && ghost[v]) {
            uint32_t n = next[part[v] - (part[v] > gpu)]++;
            s->home[n] = place[v];
            ghost[v] = s->own + n;
        }
}

static void fill(struct host_share *s, const uint32_t *ghost,
                 const uint32_t *place, const struct graph *g,
                 const uint32_t *part, unsigned gpu)
{
    uint32_t row = 0, n = 0;

    s->first = xcalloc(s->own + 1ull, sizeof *s->first);
    s->to = xcalloc(s->arcs + 1ull, sizeof *s->to);
    s->number = xcalloc(s->own + 1ull, sizeof *s->number);
    for (uint32_t v = 0; v < g->n; v++) {
        if (part[v] != gpu)
            continue;
        s->number[row++] = v;
        for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++)
            s->to[n++] =
                part[g->to[a]] == gpu ? place[g->to[a]] : ghost[g->to[a]];
        s->first[row] = n;
    }
}

int host_shares(struct host_share *shares, uint32_t *place,
                const struct graph *g, const uint32_t *part, unsigned gpus,
                struct err *err)
{
    for (unsigned i = 0; i < gpus; i++)
        shares[i] = (struct host_share){0};
    if (divide(shares, place, g, part, gpus, err) < 0)
        return -1;
    uint32_t *ghost = xcalloc(g->n + 1ull, sizeof *ghost);
    for (unsigned i = 0; i < gpus; i++) {
        if (gpus > 1)
            find_ghosts(&shares[i], ghost, place, g, part, i);
        fill(&shares[i], ghost, place, g, part, i);
    }
    free(ghost);
    return 0;
}

void host_share_clear(struct host_share *s)
{
    free(s->first);
    free(s->to);
    free(s->home);
    free(s->number);
    *s = (struct host_share){0};
}

uint64_t host_share_B(const struct host_share *s)
{
    return 4 * (s->own + 1ull + s->arcs + s->ghosts);
}
