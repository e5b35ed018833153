/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_rows.h - a graph that is built vertex by vertex, in 4 B per arc. */
#ifndef WORKLOADS_GRAPH_GRAPH_ROWS_H
#define WORKLOADS_GRAPH_GRAPH_ROWS_H

#include "workloads/graph/graph.h"

struct graph_rows {
    struct graph g;
    uint32_t v;    /* the next vertex */
    uint64_t room; /* number of heads for which g.to has room */
    uint32_t *scratch;
    uint64_t scratch_room;
};

/* Begins a graph of about `arcs` arcs; it may have more. */
void graph_rows_init(struct graph_rows *r, uint32_t n, uint64_t arcs);

/* Returns room for up to `most` heads of the next vertex, valid until the next
 * call. */
uint32_t *graph_rows_room(struct graph_rows *r, uint64_t most);

/* Ends the next vertex, whose n heads were written there in any order: they are
 * sorted, and the vertex itself and duplicates are dropped. */
void graph_rows_end(struct graph_rows *r, uint64_t n);

/* Returns the graph after the last vertex; the caller owns it. The rows are
 * cleared. */
void graph_rows_finish(struct graph_rows *r, struct graph *out);

#endif
