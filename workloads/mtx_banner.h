/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mtx_banner.h - the first line of a MatrixMarket file. */
#ifndef WORKLOADS_MTX_BANNER_H
#define WORKLOADS_MTX_BANNER_H

#include "base/err.h"

#include <stdbool.h>

struct mtx_kind {
    unsigned values; /* numbers after the two indices */
    /* The triangle above the diagonal is not in the file: it follows from the
     * one below. Strictly: there is no diagonal either. */
    bool lower_only, strictly_lower;
};

int mtx_banner(struct mtx_kind *kind, const char *line,
               struct err *err) MUST_CHECK;

#endif
