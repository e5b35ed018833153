/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.h - the pattern of a sparse matrix by rows, which is read, generated,
 * partitioned and turned into a halo. It has no values, because they do not
 * matter here. */
#ifndef WORKLOADS_MATRIX_H
#define WORKLOADS_MATRIX_H

#include "base/err.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

struct matrix {
    char *name;
    uint32_t rows; /* and columns, because a product needs a square matrix */
    uint64_t *row_ptr; /* rows + 1 */
    /* row_ptr[rows] columns: any order within a row, no duplicates. */
    uint32_t *col;
    /* If the rows are the points of a grid, x fastest: the number of points
     * along each axis; 0 if that is unknown. */
    uint32_t grid[3];
    uint32_t value_bytes; /* bytes of a row's value; 0 for a double, 8 */
};

void matrix_clear(struct matrix *m);

/*
 * Reads a MatrixMarket coordinate file, .mtx or .mtx.gz: general, symmetric,
 * skew-symmetric or Hermitian (the matrix has both triangles then); pattern,
 * real, integer or complex. An explicit zero is a nonzero; repeated entries
 * count once. Errors name file and line.
 */
int matrix_read(struct matrix *m, const char *path, struct err *err) MUST_CHECK;

/* Makes a matrix from the words of --workload, such as "spmv:FILE" or
 * "stencil:9pt:2000x2000", which must be a workload (workload.h) with a
 * matrix. */
int matrix_from_workload(struct matrix *m, const char *workload,
                         struct err *err) MUST_CHECK;

/* Removes columns that are repeated in their row; adjusts row_ptr and col. */
void matrix_unique(struct matrix *m);
/* Transposes a matrix: row i of `out` is column i of m, in order. The caller
 * clears `out`. */
void matrix_transpose(struct matrix *out, const struct matrix *m);

struct matrix_stats {
    uint64_t nnz;
    bool symmetric; /* whether the pattern is symmetric */
    uint64_t min_row, max_row;
    double mean_row;
    uint32_t bandwidth; /* the largest |row - column| */
    double mean_span; /* mean distance of a row's first column from its last */
};
void matrix_stats(const struct matrix *m, struct matrix_stats *out);

/*
 * Partitions of rows over GPUs, as --partition names them:
 *
 * - "contiguous" or NULL: blocks of floor(n/g) rows, the first n mod g GPUs one
 *   more;
 * - "metis": k-way with the least edge cut, seeded; equal input gives equal
 *   parts; a GPU may get no row if there are hardly more rows than GPUs;
 * - "rcm": contiguous blocks in reverse Cuthill-McKee order (rcm.h);
 * - "boxes": boxes of the matrix's grid; "boxes:NXxNYxNZ": of this grid, x
 *   fastest, the rows of a point next to each other (parts_boxes());
 * - a path: a file with the part number of each row per line (parts_read()).
 *
 * partition_check() only checks the name.
 */
int partition_check(const char *how, struct err *err) MUST_CHECK;
/* Assigns each row to a GPU; part[] has room for m->rows. Fails if there are
 * more GPUs than rows. */
int matrix_partition(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                     const char *how, struct err *err) MUST_CHECK;

/* Returns the bandwidth of A + A' with rows and columns in reverse
 * Cuthill-McKee order. */
uint32_t matrix_rcm_bandwidth(const struct matrix *m);

/* Derives the halo. part[row] is the GPU of a row, and of the vector's value
 * with that number. On -1 there is nothing to clear. */
int matrix_halo(struct halo *out, const struct matrix *m, const uint32_t *part,
                uint32_t ngpus, uint32_t gpus_per_node,
                struct err *err) MUST_CHECK;
/* Derives the halo for the rows as matrix_partition() assigns them. */
int matrix_halo_by(struct halo *out, const struct matrix *m, const char *how,
                   uint32_t ngpus, uint32_t gpus_per_node,
                   struct err *err) MUST_CHECK;

#endif
