/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.h - surrogate meshes for published matrices that are not
 * distributed here: the known properties of the matrices, and the parameters of
 * the meshes. */
#ifndef WORKLOADS_SURROGATE_H
#define WORKLOADS_SURROGATE_H

#include "base/err.h"
#include "workloads/matrix.h"

/* The points of a grid that have an element in common with a node. */
enum cells {
    CELLS_TRIANGLES,  /* each square divided in two: 7 with itself */
    CELLS_TETRAHEDRA, /* each cube divided in six: 15 */
    CELLS_BRICKS,     /* 27 */
};

struct surrogate {
    const char *name;
    /* Published properties of the matrix: rows, stored entries, rows of a node
     * (degrees of freedom), bandwidth as numbered and by reverse Cuthill-McKee,
     * mean distance between the first and last nonzero of a row. */
    uint32_t rows;
    uint64_t nnz;
    unsigned dof;
    uint32_t bandwidth, rcm_bandwidth;
    double span;
    /* The mesh: the first rows / dof points of a grid. It is numbered line by
     * line, or (groups) every groups-th node first, then the nodes after those,
     * or (patch) in random order of patches with this many nodes along an edge,
     * such that the mean span is the published one. */
    enum cells cells;
    uint32_t grid[3];
    unsigned groups, patch;
};
extern const struct surrogate surrogates[];
extern const size_t nsurrogates;

/* Makes the mesh with a row for each node, whose value has 8 bytes for each of
 * its rows (m->value_bytes). An unknown name is an error that lists the known
 * ones. */
int surrogate_matrix(struct matrix *m, const char *name,
                     struct err *err) MUST_CHECK;

#endif
