/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_ends.h - the ends of arcs in the order of their vertices; the vertex of
 * an end is found by the end's number, in 4 to 6 B per vertex. */
#ifndef WORKLOADS_GRAPH_GRAPH_ENDS_H
#define WORKLOADS_GRAPH_GRAPH_ENDS_H

#include <stdint.h>

struct graph_ends {
    uint32_t *first; /* vertices + 1: the first end of each */
    uint32_t *at;    /* vertex of every 2^shift-th end */
    unsigned shift;
};

/* Initialises with zeros: the caller sets first[v + 1] to the number of ends of
 * v. */
void graph_ends_init(struct graph_ends *e, uint64_t vertices);
/* Sums the numbers; afterwards the ends of v are first[v]..first[v + 1]. */
void graph_ends_index(struct graph_ends *e, uint64_t vertices);
void graph_ends_clear(struct graph_ends *e);

/* Returns the vertex that has this end. */
static inline uint32_t graph_ends_vertex(const struct graph_ends *e,
                                         uint64_t end)
{
    uint32_t v = e->at[end >> e->shift];

    while (e->first[v + 1] <= end)
        v++;
    return v;
}

#endif
