/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h - a table of measurements: comment lines that begin with #, a line of
 * column names, rows. Read through libcsv. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
    char *path;
    char **names; /* ncols */
    size_t ncols;
    char **cells; /* nrows * ncols, row by row */
    size_t nrows;
    unsigned *lines; /* of each row, from 1 */
    char **comments; /* without the # */
    size_t ncomments;
};

/* A file of text, or one compressed in the XZ format (unxz.h). */
int csv_load(struct csv *t, const char *path, struct err *err) MUST_CHECK;
/* A file of those that come with sluice; see datafile_find(). */
int csv_load_data(struct csv *t, const char *name, struct err *err) MUST_CHECK;
void csv_clear(struct csv *t);

/* A cell of text, quoted: commas and quotes in it stay what they are. Where it
 * begins with = + - @, a tab or a carriage return, and is neither a number nor
 * that sign alone, a ' is put before it, because a spreadsheet would compute
 * it. */
void csv_print_text(FILE *to, const char *text);
/* The same, without quotes where it is one cell without. */
void csv_print_cell(FILE *to, const char *text);

/* Where the numbers come from, as the comment "# source: URL ... commit C" says
 * it: the repository's name and C; else the beginning of the comment; "" when
 * there is none. */
void csv_origin(const struct csv *t, char *buf, size_t size);

/* The column's number, or -1. */
int csv_column(const struct csv *t, const char *name);
/* The cell, or NULL when the table has no such column. Borrowed. */
const char *csv_text(const struct csv *t, size_t row, const char *name);
/* -1 and an error with file and line when there is no such column, or the cell
 * is no finite number, or (count) no whole number from 0 to 2^53. */
int csv_number(const struct csv *t, size_t row, const char *name, double *out,
               struct err *err) MUST_CHECK;
int csv_count(const struct csv *t, size_t row, const char *name, uint64_t *out,
              struct err *err) MUST_CHECK;
/* The same, below `most`. */
int csv_below(const struct csv *t, size_t row, const char *name, uint32_t most,
              uint32_t *out, struct err *err) MUST_CHECK;

#endif
