/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - the output table of measurements, with a header that records what,
 * where and how. Rank 0 keeps it in memory: the file appears when it is
 * complete, and when the ranks are killed nothing is left. */
#ifndef VALIDATE_NATIVE_TABLE_H
#define VALIDATE_NATIVE_TABLE_H

#include "validate/native/native.h"

struct table {
    bool writes;  /* on this rank */
    void *stream; /* FILE *, into text */
    char *text, *path;
    size_t size;
    char machine[64], config[128], run_id[40], mpi[64];
};

/*
 * All ranks call these. `what`: of the line "# measured:"; notes: further lines
 * "# note:", NULL ends them; columns: the line of names, without what
 * table_row() adds: "machine,mpi," before it, ",config,run_id" after it.
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
