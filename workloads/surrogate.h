/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.h - meshes in place of published matrices that are not distributed
 * here: what is known of these, and a mesh like it. */
#ifndef WORKLOADS_SURROGATE_H
#define WORKLOADS_SURROGATE_H

#include "base/err.h"
#include "workloads/matrix.h"

/* Which points of a grid a node has an element in common with. */
enum cells {
    CELLS_TRIANGLES,  /* each square cut in two: 7 with itself */
    CELLS_TETRAHEDRA, /* each cube cut in six: 15 */
    CELLS_BRICKS,     /* 27 */
};

struct surrogate {
    const char *name;
    /* Published, of the matrix: rows, stored entries, rows of a node (degrees
     * of freedom), bandwidth as numbered and by reverse Cuthill-McKee, mean
     * distance between the first and last nonzero of a row. */
    uint32_t rows;
    uint64_t nnz;
    unsigned dof;
    uint32_t bandwidth, rcm_bandwidth;
    double span;
    /* The mesh: the first rows / dof points of a grid. It is numbered line by
     * line, or (groups) first each groups-th node, then those behind them, or
     * (patch) in patches of so many nodes along an edge, in random order: as is
     * needed for the published mean span. */
    enum cells cells;
    uint32_t grid[3];
    unsigned groups, patch;
};
extern const struct surrogate surrogates[];
extern const size_t nsurrogates;

/* A row for each node of the mesh, whose values are 8 bytes for each of its
 * rows (m->value_bytes). An unknown name is an error that lists the known. */
int surrogate_matrix(struct matrix *m, const char *name,
                     struct err *err) MUST_CHECK;

#endif
