/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mtx.h - the parameters with which matrix_read() reads a MatrixMarket file,
 * for tests. */
#ifndef WORKLOADS_MTX_H
#define WORKLOADS_MTX_H

#include "workloads/matrix.h"

#include <stddef.h>

/* The number of threads, and the bytes of a piece (lines.h). The matrix and the
 * errors do not depend on them. */
struct mtx_how {
    unsigned threads;
    size_t piece_B;
};

int mtx_read(struct matrix *m, const char *path, struct mtx_how how,
             struct err *err) MUST_CHECK;

#endif
