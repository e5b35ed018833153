/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - the rows that were measured, with a head that says what, where and
 * how. Rank 0 keeps the rows; nothing is on the disk before the table is
 * closed, so that a rank that is killed leaves nothing. */
#ifndef VALIDATE_NATIVE_TABLE_H
#define VALIDATE_NATIVE_TABLE_H

#include "validate/native/native.h"

struct table {
    bool writes; /* on this rank */
    char *path;
    void *stream; /* FILE *, of memory */
    char *text;   /* what is in it so far */
    size_t length;
    char machine[64], config[128], run_id[32], mpi[64];
};

/*
 * All ranks call these. `what`: of the line "# measured:"; notes: further lines
 * "# note:", NULL ends them; columns: the line of names, without what
 * table_row() adds: "machine,mpi," before, ",config,run_id" after it. A file
 * that could not be written is refused here.
 */
int table_open(struct table *t, const struct native *n,
               const struct native_options *o, const char *what,
               const char *const *notes, const char *columns,
               struct err *err) MUST_CHECK;
/* One row, without its line end. */
void table_row(struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
int table_close(struct table *t, const struct native *n,
                struct err *err) MUST_CHECK;
void table_abandon(struct table *t);
/* One of the two: abandons and gives -1 when `result` (of all ranks) is -1. */
int table_end(struct table *t, const struct native *n, int result,
              struct err *err) MUST_CHECK;

#endif
