/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_rows.h - a graph built vertex by vertex, in 4 B an arc. */
#ifndef WORKLOADS_GRAPH_GRAPH_ROWS_H
#define WORKLOADS_GRAPH_GRAPH_ROWS_H

#include "workloads/graph/graph.h"

struct graph_rows {
    struct graph g;
    uint32_t v;    /* the next vertex */
    uint64_t room; /* heads that g.to has room for */
    uint32_t *scratch;
    uint64_t scratch_room;
};

/* About `arcs` in all; more are no error. */
void graph_rows_init(struct graph_rows *r, uint32_t n, uint64_t arcs);

/* Where the heads of the next vertex go, at most `most`; moves with each call.
 */
uint32_t *graph_rows_room(struct graph_rows *r, uint64_t most);

/* The n heads that were written there are those of the next vertex, in any
 * order: they are sorted, the vertex itself and doubles are dropped. */
void graph_rows_end(struct graph_rows *r, uint64_t n);

/* After the last vertex: the graph, which the caller owns; the rows are
 * cleared. */
void graph_rows_finish(struct graph_rows *r, struct graph *out);

#endif
