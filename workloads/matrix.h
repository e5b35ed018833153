/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.h - the pattern of a sparse matrix by rows: read, generated,
 * partitioned, and turned into a halo. Values do not matter here. */
#ifndef WORKLOADS_MATRIX_H
#define WORKLOADS_MATRIX_H

#include "base/err.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

struct matrix {
    char *name;
    uint32_t rows;     /* and columns: a product needs a square matrix */
    uint64_t *row_ptr; /* rows + 1 */
    uint32_t *col;     /* row_ptr[rows]: any order within a row, none twice */
    /* Where the rows are those of a grid's points, x fastest: how many points
     * along each axis; 0: not known to be so. */
    uint32_t grid[3];
    uint32_t value_bytes; /* of the value of a row; 0: a double, 8 */
};

void matrix_clear(struct matrix *m);

/*
 * A MatrixMarket coordinate file, .mtx or .mtx.gz: general, symmetric,
 * skew-symmetric or Hermitian (both triangles are in the matrix then); pattern,
 * real, integer or complex. An explicit zero is a nonzero; an entry that stands
 * twice in the file is one. Errors name file and line.
 */
int matrix_read(struct matrix *m, const char *path, struct err *err) MUST_CHECK;

/* By the words of --workload, such as "spmv:FILE" or "stencil:9pt:2000x2000":
 * one of the table (workload.h) that is a matrix. */
int matrix_from_workload(struct matrix *m, const char *workload,
                         struct err *err) MUST_CHECK;

/* Drops a column that stands again in its row; row_ptr and col follow. */
void matrix_unique(struct matrix *m);
/* The same rows as columns: row i of `out` is column i of m, in order. */
void matrix_transpose(struct matrix *out, const struct matrix *m);

struct matrix_stats {
    uint64_t nnz;
    bool symmetric; /* the pattern */
    uint64_t min_row, max_row;
    double mean_row;
    uint32_t bandwidth; /* the largest |row - column| */
    double mean_span;   /* from a row's first column to its last */
};
void matrix_stats(const struct matrix *m, struct matrix_stats *out);

/*
 * Rows to GPUs, as --partition says it:
 * - "contiguous" or NULL: blocks of floor(n/g) rows, the first n mod g GPUs one
 *   more;
 * - "metis": k-way, least edge cut, seeded; same input, same parts; a GPU may
 *   get no row when there are hardly more rows than GPUs;
 * - "rcm": the same of the rows in reverse Cuthill-McKee order (rcm.h);
 * - "boxes": of the grid that the matrix is of; "boxes:NXxNYxNZ": of this one,
 *   x fastest, the rows of a point next to each other (parts_boxes());
 * - a path: the part number of each row, a line each (parts_read()).
 */
int partition_check(const char *how, struct err *err) MUST_CHECK;
/* part[] has room for m->rows. Fails when there are more GPUs than rows. */
int matrix_partition(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                     const char *how, struct err *err) MUST_CHECK;

/* The bandwidth of A + A' with rows and columns in that order. */
uint32_t matrix_rcm_bandwidth(const struct matrix *m);

/* part[row] is the GPU of a row, and of the vector's value of that number. The
 * result has nothing to clear when this fails. */
int matrix_halo(struct halo *out, const struct matrix *m, const uint32_t *part,
                uint32_t ngpus, uint32_t gpus_per_node,
                struct err *err) MUST_CHECK;
/* The same of the rows as matrix_partition() deals them out. */
int matrix_halo_by(struct halo *out, const struct matrix *m, const char *how,
                   uint32_t ngpus, uint32_t gpus_per_node,
                   struct err *err) MUST_CHECK;

#endif
