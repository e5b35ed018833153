/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_sweep.h - pictures of a database of runs: lines, a heat map, the
 * Pareto front, parallel coordinates. */
#ifndef CLI_FIGURE_SWEEP_H
#define CLI_FIGURE_SWEEP_H

#include "base/err.h"

struct figure_sweep_request {
    const char *runs;  /* the database */
    const char *x, *y; /* axes; NULL for those with most values */
    const char *out;   /* the folder */
};

/* Writes OUT/fig-sweep-lines.csv, .svg, .pdf, .png, and so on, and prints their
 * names; the Pareto front only if there are two objectives. */
int figure_sweep(const struct figure_sweep_request *r,
                 struct err *err) MUST_CHECK;

#endif
