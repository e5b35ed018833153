/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_plot.h - a picture of two columns of any table of results. */
#ifndef CLI_FIGURE_PLOT_H
#define CLI_FIGURE_PLOT_H

#include "base/err.h"

struct figure_plot_request {
    /* A CSV file whose first row has the names of its columns. */
    const char *results;
    const char *x, *y; /* columns; x of numbers or of words */
    const char *by;  /* column with a line for each value; NULL for one line */
    const char *log; /* "x", "y", "xy", "none"; NULL for axes of a wide range */
    const char *out; /* the folder */
};

/* Writes OUT/fig-plot.csv, .svg, .pdf and .png and prints their names. A row
 * with an empty cell of x or y is left out; words in y are an error that names
 * the line. */
int figure_plot(const struct figure_plot_request *r,
                struct err *err) MUST_CHECK;

#endif
