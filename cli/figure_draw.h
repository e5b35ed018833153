/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.h - a figure's files: the table, and gnuplot's pictures of it. */
#ifndef CLI_FIGURE_DRAW_H
#define CLI_FIGURE_DRAW_H

#include "cli/cli.h"
#include "results/papers/figure.h"

enum { FIGURE_CSV, FIGURE_SVG, FIGURE_PDF, FIGURE_PNG, NFIGURE_FILES };
enum { TABLE_CSV = FIGURE_CSV, TABLE_MD, NTABLE_FILES };

/* The i-th file of a figure or table: "fig-2.5.csv", "atos-table-2.md"; NULL
 * after the last. The caller frees. */
char *figure_file(const struct figure *f, int i);
/* Makes the folder of the files, with every one above it. */
int figure_folder(const char *folder, struct err *err) MUST_CHECK;

/*
 * The files FOLDER/fig-NAME.csv, .svg, .pdf and .png, or the table's
 * FOLDER/NAME.csv and .md. The folder is made when it is not there; that it
 * cannot be written is found out here, before anything is simulated. Then
 * either figure_fill() makes and closes all of them, or none is there on -1, or
 * figure_abandon().
 */
struct figure_files {
    struct outfile list[NFIGURE_FILES];
    int n;
};
int figure_open(struct figure_files *files, const struct figure *f,
                const char *folder, struct err *err) MUST_CHECK;
int figure_fill(struct figure_files *files, const struct figure *f,
                const struct figure_input *in, const char *command,
                struct err *err) MUST_CHECK;
void figure_abandon(struct figure_files *files);
/* All of it. `command` goes into the head. */
int figure_write(const struct figure *f, const struct figure_input *in,
                 const char *folder, const char *command,
                 struct err *err) MUST_CHECK;

#endif
