/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - results as one table of runs, with the details of those that have
 * them: what the page of `sluice report` shows (docs/explorer.md). */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "base/err.h"
#include "base/json.h"

#include <stdint.h>
#include <stdio.h>

/* A cell: a number, or the index of a word. */
struct report_cell {
    double number; /* NAN: a word, or nothing */
    uint32_t word; /* 0: none */
};

struct report_column {
    char *name;
    struct report_cell *cells;
    size_t n, room; /* rows behind the n-th have nothing */
    bool words;     /* some cell has one */
    bool exact;     /* its numbers are wanted with all digits */
};

struct report_table {
    struct report_column *columns;
    size_t ncolumns;
    size_t nrows;
    char **words; /* from 1; each once */
    uint32_t nwords;
    uint32_t *slots; /* of a hash table of them */
    size_t nslots;
};

/* Into the last row; NAN and NULL: nothing. Columns are made as they come. */
void report_number(struct report_table *t, const char *column, double value);
void report_word(struct report_table *t, const char *column, const char *word);
/* A column's numbers are printed so that they are read back the same. */
void report_exact(struct report_table *t, const char *column);
/* "[{"name": ..., "values": [...]}, {"name": ..., "words": [...], "of":
 * [...]}]": of words the index, or -1, null where a row has no number; one
 * number for a list of the same. */
void report_table_print(struct report_table *t, FILE *to);
void report_table_clear(struct report_table *t);

struct report {
    struct report_table table;
    struct json *sources;   /* of each file what it is, its rows first to end */
    struct json *details;   /* an array of outcomes, in order of `rows` */
    struct json *platforms; /* names of those that outcomes are of */
};

/* Adds the runs of a file: a database of sluice sweep, or a document of `sluice
 * run --json`. */
int report_read(struct report *r, const char *path, struct err *err) MUST_CHECK;
void report_clear(struct report *r);

#endif
