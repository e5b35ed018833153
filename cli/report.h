/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - results as one table of runs, with the details of those that have
 * them: the data of the page of `sluice report` (docs/explorer.md). */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "base/err.h"
#include "base/json.h"

#include <stdint.h>
#include <stdio.h>

/* A cell: a number, or the index of a word. */
struct report_cell {
    double number; /* NAN if it has a word, or nothing */
    uint32_t word; /* index into the table's words; 0 if none */
};

struct report_column {
    char *name;
    struct report_cell *cells;
    size_t n, room; /* later rows are empty */
    bool words;     /* some cell has a word */
    bool exact;     /* its numbers are printed with all digits */
};

struct report_table {
    struct report_column *columns;
    size_t ncolumns;
    size_t nrows;
    char **words; /* from 1; each once */
    uint32_t nwords;
    uint32_t *slots; /* hash table of their indices */
    size_t nslots;
};

/* Put a value into the last row; NAN and NULL leave the cell empty. A column is
 * made if there is none of that name. */
void report_number(struct report_table *t, const char *column, double value);
void report_word(struct report_table *t, const char *column, const char *word);
/* Makes a column's numbers print with as many digits as reading them back
 * exactly needs. */
void report_exact(struct report_table *t, const char *column);
/* Prints "[{"name": ..., "values": [...]}, {"name": ..., "words": [...], "of":
 * [...]}]". A cell of words is their index, or -1; a cell without a number is
 * null. A column of equal numbers is a single number instead of a list. */
void report_table_print(struct report_table *t, FILE *to);
void report_table_clear(struct report_table *t);

struct report {
    struct report_table table;
    /* For each file its kind, and its rows from first to end. */
    struct json *sources;
    struct json *details;   /* an array of outcomes, in order of `rows` */
    struct json *platforms; /* names of the outcomes' platforms */
};

/* Adds the runs of a file: a database of sluice sweep, or a document of `sluice
 * run --json`. report_clear() frees all. */
int report_read(struct report *r, const char *path, struct err *err) MUST_CHECK;
void report_clear(struct report *r);

#endif
