/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_weights.h - the weights that a graph file gives its arcs. */
#ifndef WORKLOADS_GRAPH_GRAPH_WEIGHTS_H
#define WORKLOADS_GRAPH_GRAPH_WEIGHTS_H

#include "workloads/graph/graph.h"

/*
 * Reads the file again that g was read from: a weight for each arc of g, in the
 * order of g->to; of arcs that the file has several times the smallest. *weight
 * is NULL where the file has none (SNAP; a pattern of MatrixMarket; METIS
 * without them; sluice's own copy); else the caller frees it. A weight that is
 * negative or no whole number below 2^32 is an error that names file and line.
 */
int graph_read_weights(uint32_t **weight, const struct graph *g,
                       const char *path, struct err *err) MUST_CHECK;

#endif
