/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_weights.h - the weights of the arcs in a graph file. */
#ifndef WORKLOADS_GRAPH_GRAPH_WEIGHTS_H
#define WORKLOADS_GRAPH_GRAPH_WEIGHTS_H

#include "workloads/graph/graph.h"

/*
 * Reads again the file from which g was read: the weights of the arcs of g, in
 * the order of g->to; if the file has an arc several times, the smallest
 * weight. *weight is NULL if the file has no weights (SNAP; a pattern of
 * MatrixMarket; METIS without them; sluice's own copy); else the caller frees
 * it. A weight that is negative or not a whole number below 2^32 is an error
 * that names file and line.
 */
int graph_read_weights(uint32_t **weight, const struct graph *g,
                       const char *path, struct err *err) MUST_CHECK;

#endif
