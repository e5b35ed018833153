/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - the output table of measurements, with a header that records the
 * benchmark, the host and the configuration. Rank 0 keeps it in memory, so that
 * the file appears only once it is complete, and nothing is left if the ranks
 * are killed. */
#ifndef VALIDATE_NATIVE_TABLE_H
#define VALIDATE_NATIVE_TABLE_H

#include "validate/native/native.h"

struct table {
    bool writes;  /* this rank writes */
    void *stream; /* FILE *, into text */
    char *text, *path;
    size_t size;
    char machine[64], config[128], run_id[40], mpi[64];
};

/* All ranks call these functions. table_open() begins the head with "#
 * measured:" and a title, followed by lines "# note:" (notes, ended by NULL);
 * columns is the line of names, without those that table_row() adds:
 * "machine,mpi," before it, ",config,run_id" after it. */
int table_open(struct table *t, const struct native *n,
               const struct native_options *o, const char *what,
               const char *const *notes, const char *columns,
               struct err *err) MUST_CHECK;
/* Adds one row, which is given without its line end. */
void table_row(struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
int table_close(struct table *t, const struct native *n,
                struct err *err) MUST_CHECK;
void table_abandon(struct table *t);
/* Closes the table, or abandons it and returns -1 if `result` (equal on all
 * ranks) is -1. */
int table_end(struct table *t, const struct native *n, int result,
              struct err *err) MUST_CHECK;

#endif
