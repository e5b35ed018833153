/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_draw.h - graphs whose arcs are drawn one by one. */
#ifndef WORKLOADS_GRAPH_GRAPH_DRAW_H
#define WORKLOADS_GRAPH_GRAPH_DRAW_H

#include "workloads/graph/graph.h"

/* One arc; true when the arc back is one as well. */
typedef bool graph_draw_arc(void *model, uint64_t *random, uint32_t *tail,
                            uint32_t *head);

/*
 * Draws `arcs` arcs, then as many more as are missing because they were loops
 * or doubles: 0.1 % may stay missing, and more only when hardly an arc is left
 * that is not there. `rounds` of 1 does not make up for them.
 */
void graph_draw(struct graph *g, uint32_t n, uint64_t arcs, unsigned rounds,
                graph_draw_arc *draw, void *model, uint64_t seed);

#endif
