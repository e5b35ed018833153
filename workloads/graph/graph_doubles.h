/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_doubles.h - how many ends to draw, so that the degrees are those wanted
 * when arcs drawn twice count once. */
#ifndef WORKLOADS_GRAPH_GRAPH_DOUBLES_H
#define WORKLOADS_GRAPH_GRAPH_DOUBLES_H

#include "workloads/graph/graph_log_normal.h"

#include <stdint.h>

/* Two bins of ranks for each power of 2. */
enum { DOUBLES_BINS = 2 * 33 };

/* The vertices at one end of the arcs, from the largest degree on. */
struct graph_doubles {
    double vertices[DOUBLES_BINS];
    double wanted[DOUBLES_BINS]; /* the mean degree of the bin */
    double drawn[DOUBLES_BINS];  /* ends by vertex that make as many */
};

void graph_doubles_init(struct graph_doubles *d, const struct log_normal *l);

/*
 * Arcs between two vertices of x expected draws are there once with the
 * probability 1 - exp(-x). Ends are drawn by degree, all but the share `mix`
 * in one of as many communities, which have vertices of all ranks alike: the
 * ends of both sides are raised until the expected degrees are those wanted.
 * `heads` may be `tails`.
 */
void graph_doubles_solve(struct graph_doubles *tails,
                         struct graph_doubles *heads, uint64_t communities,
                         double mix);

/* Ends to draw over the degree wanted, of a vertex of rank r. */
double graph_doubles_factor(const struct graph_doubles *d, uint64_t r);

#endif
