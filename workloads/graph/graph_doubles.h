/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_doubles.h - the number of ends to draw for each vertex, such that the
 * degrees are right although arcs that are drawn twice count once. */
#ifndef WORKLOADS_GRAPH_GRAPH_DOUBLES_H
#define WORKLOADS_GRAPH_GRAPH_DOUBLES_H

#include "workloads/graph/graph_log_normal.h"

#include <stdint.h>

/* There are two bins of ranks for each power of 2. */
enum { DOUBLES_BINS = 2 * 33 };

/* The vertices at one end of the arcs, in decreasing order of degree. */
struct graph_doubles {
    double vertices[DOUBLES_BINS];
    double wanted[DOUBLES_BINS]; /* mean degree of the bin */
    double drawn[DOUBLES_BINS];  /* ends per vertex that give this degree */
};

/* Initialises the bins with the degrees of a law; no duplicates are considered
 * yet. */
void graph_doubles_init(struct graph_doubles *d, const struct log_normal *l);

/*
 * Raises the ends of both sides until the expected degrees are the wanted ones.
 * If x draws of an arc are expected, it exists with probability 1 - exp(-x).
 * Ends are drawn by degree; all but the share `mix` are drawn within one of the
 * communities, which have vertices of all ranks alike. `heads` may be `tails`.
 */
void graph_doubles_solve(struct graph_doubles *tails,
                         struct graph_doubles *heads, uint64_t communities,
                         double mix);

/* Returns the ratio of ends to draw to the wanted degree, for the vertex of
 * rank r. */
double graph_doubles_factor(const struct graph_doubles *d, uint64_t r);

#endif
