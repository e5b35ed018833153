/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.h - a figure's files: the table, and gnuplot's pictures of it. */
#ifndef SIM_CLI_FIGURE_DRAW_H
#define SIM_CLI_FIGURE_DRAW_H

#include "sim/cli/cli.h"
#include "validate/figure.h"

enum { FIGURE_CSV, FIGURE_SVG, FIGURE_PDF, FIGURE_PNG, NFIGURE_FILES };

/* -1 and an error that names the package when there is no gnuplot. */
int gnuplot_check(struct err *err) MUST_CHECK;

/*
 * Makes the figure and writes FOLDER/fig-NAME.csv, .svg, .pdf and .png, all of
 * them or none. The folder is made when it is not there; that it cannot be
 * written is found out before anything is simulated. `command` goes into the
 * table's head.
 */
int figure_write(const struct figure *f, const struct figure_input *in,
                 const char *folder, const char *command,
                 struct err *err) MUST_CHECK;

#endif
