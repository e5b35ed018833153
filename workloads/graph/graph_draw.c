/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws arcs until a graph has the wanted number of distinct ones. */
#include "workloads/graph/graph_draw.h"

#include "base/random.h"

#include <stdlib.h>

struct arcs {
    uint32_t *tail, *head;
    uint64_t n;
};

static void graph_draw_add(struct arcs *a, uint32_t tail, uint32_t head)
{
    a->tail[a->n] = tail;
    a->head[a->n++] = head;
}

static void draw_up_to(struct arcs *a, uint64_t aim, graph_draw_arc *draw,
                       void *model, uint64_t *random)
{
    /* The last draw may make two arcs. */
    a->tail = xrealloc(a->tail, aim + 1, sizeof *a->tail);
    a->head = xrealloc(a->head, aim + 1, sizeof *a->head);
    while (a->n < aim) {
        uint32_t tail, head;
        bool both = draw(model, random, &tail, &head);
        graph_draw_add(a, tail, head);
        if (both)
            graph_draw_add(a, head, tail);
    }
}

void graph_draw(struct graph *g, uint32_t n, uint64_t arcs, unsigned rounds,
                graph_draw_arc *draw, void *model, uint64_t seed)
{
    struct arcs a = {0};
    uint64_t random = seed, aim = arcs, had = 0;

    for (unsigned round = 0; round < rounds; round++) {
        uint64_t drawn = aim - a.n;
        draw_up_to(&a, aim, draw, model, &random);
        graph_clear(g);
        graph_from_arcs(g, n, a.tail, a.head, a.n);

        uint64_t got = graph_arcs(g);
        if (got >= arcs - arcs / 1000)
            break;
        /* The next round assumes the yield of the last, but at most doubles the
         * arcs. */
        uint64_t gain = got > had ? got - had : 1;
        double more = (double)(arcs - got) * (double)drawn / (double)gain;
        aim += more < (double)a.n ? (uint64_t)more + 1 : a.n;
        had = got;
    }
    free(a.tail);
    free(a.head);
}
