/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h - a table of measurements: comment lines that begin with #, a line of
 * column names, and rows. It is read through libcsv. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
    char *path;
    char **names; /* ncols of them */
    size_t ncols;
    char **cells; /* nrows * ncols of them, row by row */
    size_t nrows;
    unsigned *lines; /* line of each row, from 1 */
    char **comments; /* without the # */
    size_t ncomments;
};

/* Loads a table from a text file, or from one compressed in the XZ format
 * (unxz.h). The caller clears it. */
int csv_load(struct csv *t, const char *path, struct err *err) MUST_CHECK;
/* Loads a table that comes with sluice; see datafile_find(). */
int csv_load_data(struct csv *t, const char *name, struct err *err) MUST_CHECK;
void csv_clear(struct csv *t);

/* Prints a text cell in quotes, so that commas and quotes in it are kept. If it
 * begins with = + - @, a tab or a carriage return, and is neither a number nor
 * that sign alone, a ' is put before it, because a spreadsheet would compute
 * it. */
void csv_print_text(FILE *to, const char *text);
/* Prints a cell in the same way, but without quotes if it needs none. */
void csv_print_cell(FILE *to, const char *text);
/* Prints a comma, and the number unless it is NAN, to standard output. */
void csv_print_number(double v);

/* Writes the origin of the numbers to buf: for a comment "# source: URL ...
 * commit C" the repository's name and C, else the beginning of the comment; ""
 * if there is none. */
void csv_origin(const struct csv *t, char *buf, size_t size);

/* Returns the column's number, or -1. */
int csv_column(const struct csv *t, const char *name);
/* Returns the cell, borrowed; NULL if the table has no such column. */
const char *csv_text(const struct csv *t, size_t row, const char *name);
/* Read a cell. Return -1 and an error with file and line if there is no such
 * column, or if the cell is not a finite number or (csv_count) not a whole
 * number from 0 to below 2^53. */
int csv_number(const struct csv *t, size_t row, const char *name, double *out,
               struct err *err) MUST_CHECK;
int csv_count(const struct csv *t, size_t row, const char *name, uint64_t *out,
              struct err *err) MUST_CHECK;
/* Does the same for numbers below `most`. */
int csv_below(const struct csv *t, size_t row, const char *name, uint32_t most,
              uint32_t *out, struct err *err) MUST_CHECK;

#endif
