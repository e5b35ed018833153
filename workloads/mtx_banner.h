/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mtx_banner.h - the first line of a MatrixMarket file. */
#ifndef WORKLOADS_MTX_BANNER_H
#define WORKLOADS_MTX_BANNER_H

#include "base/err.h"

#include <stdbool.h>

struct mtx_kind {
    unsigned values; /* numbers after the two indices */
    /* The file lacks the triangle above the diagonal, which follows from the
     * one below. Strictly: it lacks the diagonal, too. */
    bool lower_only, strictly_lower;
};

/* Parses the line. Errors do not name the file; the caller adds it. */
int mtx_banner(struct mtx_kind *kind, const char *line,
               struct err *err) MUST_CHECK;

#endif
