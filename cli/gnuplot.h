/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot.h - pictures of a table, drawn by gnuplot in a folder of its own.
 *
 * A script is a program, and gnuplot runs a file name that begins with < or |
 * as a command. So no text or path from the user is in a script: files have
 * fixed names in a private folder, and texts are read from one of them, as
 * digits.
 */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include "base/err.h"

enum picture_format { PICTURE_SVG, PICTURE_PDF, PICTURE_PNG, NPICTURE_FORMATS };

struct picture {
    const char *template; /* "fig-2.5.gp", in results/figures */
    const char *vars;     /* assignments of numbers and of words of ours */
    const char *texts;    /* texts of the user (struct figure_texts) */
    const char *csv;      /* the table's path */
    const char *to[NPICTURE_FORMATS]; /* paths of files that exist */
};

/* gnuplot_check() fails with an error that names the package if there is no
 * gnuplot. gnuplot_draw() draws all formats of the picture. */
int gnuplot_check(struct err *err) MUST_CHECK;
int gnuplot_draw(const struct picture *p, struct err *err) MUST_CHECK;

#endif
