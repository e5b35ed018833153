/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs breadth-first searches along arcs in both directions, for diameters and
 * components. */
#include "workloads/graph/graph_walk.h"

#include <stdlib.h>
#include <string.h>

void graph_walk_init(struct graph_walk *w, const struct graph *out,
                     const struct graph *in)
{
    *w = (struct graph_walk){.out = out, .in = in};
    w->level = xcalloc(out->n, sizeof *w->level);
    w->order = xcalloc(out->n, sizeof *w->order);
}

void graph_walk_clear(struct graph_walk *w)
{
    free(w->level);
    free(w->order);
}

uint32_t graph_walk_hub(const struct graph_walk *w)
{
    uint32_t hub = 0;
    uint64_t most = 0;

    for (uint32_t v = 0; v < w->out->n; v++) {
        uint64_t degree = graph_degree(w->out, v) + graph_degree(w->in, v);
        if (degree > most) {
            most = degree;
            hub = v;
        }
    }
    return hub;
}

static void graph_walk_step(struct graph_walk *w, const struct graph *g,
                            uint32_t v)
{
    for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
        uint32_t u = g->to[k];
        if (w->level[u] != UINT32_MAX)
            continue;
        w->level[u] = w->level[v] + 1;
        w->order[w->reached++] = u;
    }
}

void graph_walk_from(struct graph_walk *w, uint32_t start)
{
    memset(w->level, 0xff, w->out->n * sizeof *w->level);
    w->level[start] = 0;
    w->order[0] = start;
    w->reached = 1;
    for (uint32_t i = 0; i < w->reached; i++) {
        graph_walk_step(w, w->out, w->order[i]);
        graph_walk_step(w, w->in, w->order[i]);
    }
    w->hops = w->level[w->order[w->reached - 1]];
}

uint32_t graph_walk_sweep(struct graph_walk *w, uint32_t start, unsigned sweeps,
                          uint32_t *far)
{
    uint32_t best = 0, next = start;

    *far = start;
    for (unsigned i = 0; i < sweeps; i++) {
        graph_walk_from(w, next);
        uint32_t from = w->order[w->reached - 1];
        graph_walk_from(w, from);
        if (w->hops > best) {
            best = w->hops;
            *far = from;
        }
        /* The next sweep begins at another place: the middle of this one. */
        next = w->order[w->reached / 2];
    }
    graph_walk_from(w, *far);
    return best;
}
