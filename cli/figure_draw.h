/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.h - a figure's files: the table, and gnuplot's pictures of it. */
#ifndef CLI_FIGURE_DRAW_H
#define CLI_FIGURE_DRAW_H

#include "cli/cli.h"
#include "cli/figure.h"

enum { FIGURE_CSV, FIGURE_SVG, FIGURE_PDF, FIGURE_PNG, NFIGURE_FILES };
enum { TABLE_CSV = FIGURE_CSV, TABLE_MD, NTABLE_FILES };

/* Returns the name of the i-th file of a figure or table: "fig-2.5.csv",
 * "atos-table-2.md"; NULL after the last. The caller frees it. */
char *figure_file(const struct figure *f, int i);
/* Makes the folder of the files, with all of its parents. */
int figure_folder(const char *folder, struct err *err) MUST_CHECK;

/*
 * The open files FOLDER/fig-NAME.csv, .svg, .pdf and .png, or the table's
 * FOLDER/NAME.csv and .md.
 *
 * figure_open() makes the folder if there is none; it fails if the folder
 * cannot be written, before anything is simulated. Afterwards either
 * figure_fill() writes and closes all files, or removes them on failure, or
 * figure_abandon() removes them. `command` goes into the head of the table.
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
/* Opens and fills the files of a figure. */
int figure_write(const struct figure *f, const struct figure_input *in,
                 const char *folder, const char *command,
                 struct err *err) MUST_CHECK;

#endif
