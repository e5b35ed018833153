/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_road.h - the layout of a synthetic road network of given size. */
#ifndef WORKLOADS_GRAPH_GRAPH_ROAD_H
#define WORKLOADS_GRAPH_GRAPH_ROAD_H

#include "workloads/graph/graph_generate.h"

/*
 * A grid of `across` by `along` crossings. A street is as long as the same
 * street of the next row, so the way between two crossings is the sum of the
 * gaps between them whichever turns it takes: the diameter of the grid is
 * width + length. In some columns the streets up and down are one arc apart,
 * which makes two T junctions of a crossing; a way down takes other columns.
 * The longest dead ends stand at two opposite corners.
 *
 * Between districts of 8 by 8 crossings, about, many streets are not there. The
 * ways are as long as before but for a few arcs, as those between far places
 * have turns to spare.
 */
struct road_plan {
    uint64_t across, along;
    uint64_t offset;        /* columns of T junctions: 1, 3, 5 ... */
    uint64_t width, length; /* of the grid, in arcs */
    uint64_t grid;          /* vertices of it, those of the chains too; about */
    uint64_t longest;       /* way from the grid into a dead end; 0: no such */
    uint64_t mean_chain;    /* vertices of a chain in a dead end */
    uint64_t mean_size;     /* vertices of a dead end */
    /* How readily a dead end begins at a crossing rather than between two. */
    uint64_t crossing_weight;
};
#define ROAD_CHAIN_WEIGHT 64

/* Vertices that streets meet at. */
static inline uint64_t road_crossings(const struct road_plan *p)
{
    return (p->across + p->offset) * p->along;
}

#define ROAD_DISTRICT 8

/* The streets that are not there, of each crossing, row by row: the one to the
 * RIGHT, the one DOWN. The caller frees it. */
enum { ROAD_RIGHT = 1, ROAD_DOWN = 2 };
uint8_t *road_barriers(const struct road_plan *p, double bridges,
                       uint64_t *random);

/* Fails unless what the grid leaves of the vertices makes the dead ends. */
int road_leaves_room(const struct road_plan *p, const struct graph_road *r,
                     uint64_t grid, struct err *err) MUST_CHECK;

int road_plan(struct road_plan *p, const struct graph_road *r,
              struct err *err) MUST_CHECK;

#endif
