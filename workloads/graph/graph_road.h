/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_road.h - the layout of a synthetic road network of given size. */
#ifndef WORKLOADS_GRAPH_GRAPH_ROAD_H
#define WORKLOADS_GRAPH_GRAPH_ROAD_H

#include "workloads/graph/graph_generate.h"

/*
 * A grid of `across` by `along` crossings. A street is as long as the same
 * street of the next row, so the distance of two crossings is the sum of the
 * gaps between them, whatever turns a path takes: the diameter of the grid is
 * width + length. In some columns the streets up and down are one arc apart,
 * which makes two T junctions of a crossing; a path down takes other columns.
 * The longest dead ends are at two opposite corners.
 *
 * Between districts of about 8 by 8 crossings, many streets do not exist.
 * Distances grow by a few arcs at most, because paths between far places have
 * turns to spare.
 */
struct road_plan {
    uint64_t across, along;
    uint64_t offset; /* number of columns with T junctions: 1, 3, 5 ... */
    uint64_t width, length; /* sides of the grid, in arcs */
    uint64_t grid;       /* its vertices, with those of chains; approximate */
    uint64_t longest;    /* depth of the longest dead ends; 0 for none */
    uint64_t mean_chain; /* mean vertices of a chain in a dead end */
    uint64_t mean_size;  /* mean vertices of a dead end */
    /* Weight of a crossing for the start of a dead end, relative to
     * ROAD_CHAIN_WEIGHT of a vertex in a chain. */
    uint64_t crossing_weight;
};
#define ROAD_CHAIN_WEIGHT 64

/* Returns the number of vertices at which streets meet. */
static inline uint64_t road_crossings(const struct road_plan *p)
{
    return (p->across + p->offset) * p->along;
}

#define ROAD_DISTRICT 8

/* Returns, for each crossing row by row, the streets that do not exist: the one
 * to the RIGHT, the one DOWN. The caller frees it. */
enum { ROAD_RIGHT = 1, ROAD_DOWN = 2 };
uint8_t *road_barriers(const struct road_plan *p, double bridges,
                       uint64_t *random);

/* Fails unless the vertices outside of the grid are enough for the dead
 * ends. */
int road_leaves_room(const struct road_plan *p, const struct graph_road *r,
                     uint64_t grid, struct err *err) MUST_CHECK;

/* Chooses a layout. Fails if there is none with this diameter. */
int road_plan(struct road_plan *p, const struct graph_road *r,
              struct err *err) MUST_CHECK;

#endif
