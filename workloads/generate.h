/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generate.h - generated matrices: the patterns of --workload that need no
 * file. */
#ifndef WORKLOADS_GENERATE_H
#define WORKLOADS_GENERATE_H

#include "base/err.h"
#include "workloads/matrix.h"

/* Generates a stencil matrix. `rest` is the text after "stencil:", such as
 * "9pt:2000x2000". Points are numbered x fastest; each is joined to itself and
 * to its neighbours, and the grid ends at its edge. The caller sets the
 * name. */
int generate_stencil(struct matrix *m, const char *rest,
                     struct err *err) MUST_CHECK;

/*
 * Generates a random matrix. `rest` is the text after "random:", such as
 * "rows=1000,row_nnz=16,seed=7". Every row has its diagonal and row_nnz more
 * columns, each drawn uniformly from all columns. A column that is drawn again
 * is dropped, so a row may be a little shorter. seed may be left out, and is 1
 * then.
 */
int generate_random(struct matrix *m, const char *rest,
                    struct err *err) MUST_CHECK;

#endif
