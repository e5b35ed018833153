/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_draw.h - graphs whose arcs are drawn one by one. */
#ifndef WORKLOADS_GRAPH_GRAPH_DRAW_H
#define WORKLOADS_GRAPH_GRAPH_DRAW_H

#include "workloads/graph/graph.h"

/* Draws one arc; returns true if its reverse is an arc, too. */
typedef bool graph_draw_arc(void *model, uint64_t *random, uint32_t *tail,
                            uint32_t *head);

/* Draws `arcs` arcs, then as many more as are missing because they were
 * self-loops or duplicates. Up to 0.1 % may stay missing, and more only if
 * nearly all possible arcs exist. With 1 round none are replaced. */
void graph_draw(struct graph *g, uint32_t n, uint64_t arcs, unsigned rounds,
                graph_draw_arc *draw, void *model, uint64_t seed);

#endif
