/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.h - the pattern of a sparse matrix by rows: read, generated,
 * partitioned, and turned into a halo. Values do not matter here. */
#ifndef WORKLOADS_MATRIX_H
#define WORKLOADS_MATRIX_H

#include "sim/err.h"
#include "workloads/halo.h"

#include <stdint.h>

struct matrix {
    char *name;
    uint32_t rows;     /* and columns: a product needs a square matrix */
    uint64_t *row_ptr; /* rows + 1 */
    uint32_t *col;     /* row_ptr[rows], any order within a row */
};

void matrix_clear(struct matrix *m);

/* A MatrixMarket coordinate file, .mtx or .mtx.gz: general, symmetric,
 * skew-symmetric or Hermitian; pattern, real, integer or complex. Errors name
 * file and line. */
int matrix_read(struct matrix *m, const char *path, struct err *err) MUST_CHECK;

/*
 * By the words of --workload: "spmv:FILE", "stencil:9pt:2000x2000" (5pt and
 * 9pt in two dimensions, 7pt and 27pt in three), "random:rows=N,row_nnz=K,
 * seed=S" (K uniformly random columns a row, and the diagonal).
 */
int matrix_from_workload(struct matrix *m, const char *workload,
                         struct err *err) MUST_CHECK;

/* Rows to GPUs. CONTIGUOUS: blocks of floor(n/g) rows, the first n mod g GPUs
 * one more. METIS: k-way, least edge cut, seeded; same input, same parts. */
enum partition { PARTITION_CONTIGUOUS, PARTITION_METIS };
int matrix_partition(uint32_t *part, const struct matrix *m, uint32_t ngpus,
                     enum partition how, struct err *err) MUST_CHECK;

/* part[row] is the GPU of a row, and of the vector's value of that number. */
int matrix_halo(struct halo *out, const struct matrix *m, const uint32_t *part,
                uint32_t ngpus, uint32_t gpus_per_node,
                struct err *err) MUST_CHECK;

#endif
