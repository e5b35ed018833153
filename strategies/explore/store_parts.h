/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_parts.h - what the files that know SQLite share. */
#ifndef STRATEGIES_EXPLORE_STORE_PARTS_H
#define STRATEGIES_EXPLORE_STORE_PARTS_H

#include "strategies/explore/store.h"

#include <sqlite3.h>

enum { STORE_ID = 0x736c6365 }; /* "slce" */

/* -1 with what SQLite says of the last call. Only a reader's or writer's own
 * trouble is the work's: what the file is, is bad input. */
int store_fail(sqlite3 *db, const char *path, int rc, struct err *err);
int store_exec(sqlite3 *db, const char *path, const char *sql,
               struct err *err) MUST_CHECK;
sqlite3_stmt *store_prepare(sqlite3 *db, const char *path, const char *sql,
                            struct err *err);
/* A value of the table `sweep`; the caller frees. NULL: there is none. */
char *store_value(sqlite3 *db, const char *path, const char *key,
                  struct err *err);
/* A number that SQLite tells of itself: "user_version". */
int store_pragma(sqlite3 *db, const char *path, const char *name,
                 long long *value, struct err *err) MUST_CHECK;
/* Opens what is there, and checks that it is ours and of this schema; 1: it is
 * empty. */
int store_open_file(sqlite3 **db, const char *path, int flags,
                    struct err *err) MUST_CHECK;

/* --- store_check.c -------------------------------------------------------- */

/* SQLite runs nothing that the file itself brings, and stops when reading takes
 * more steps than a file of this size can need; digest_of(...) in SQL is the
 * digest of its arguments. */
void store_guard(sqlite3 *db, const char *path);
/* It may take as many steps as it likes: rows that were checked are read, or
 * written. */
void store_unguard(sqlite3 *db);
/* There are tables alone: no view, no trigger, nothing that computes. */
int store_check_schema(sqlite3 *db, const char *path,
                       struct err *err) MUST_CHECK;
/* The rows of `points` and `runs`, which the table `sweep` keeps the number of.
 */
struct store_counts {
    int64_t rows[2];
};
int store_count_rows(sqlite3 *db, const char *path, struct store_counts *n,
                     struct err *err) MUST_CHECK;
int store_write_counts(sqlite3 *db, const char *path, struct store_counts n,
                       struct err *err) MUST_CHECK;
/* There are as many rows as were written. */
int store_check_counts(sqlite3 *db, const char *path, struct store_counts *n,
                       struct err *err) MUST_CHECK;
/* The same, and every row is as it was written: SQLite finds a damaged page,
 * neither a changed value nor a row that is gone. */
int store_check_rows(sqlite3 *db, const char *path, struct err *err) MUST_CHECK;

/* -------------------------------------------------------------------------- */

/* Keeps the digests of the files that an experiment names; `known` has those
 * that are kept (store_forget_inputs()). */
int store_add_inputs(sqlite3 *db, const char *path, void **known,
                     const struct json *experiment, struct err *err) MUST_CHECK;
void store_forget_inputs(void **known);
/* No file has changed since a result was made of it. */
int store_check_inputs(sqlite3 *db, const char *path,
                       struct err *err) MUST_CHECK;
/* Makes the tables of an empty database. */
int store_make(sqlite3 *db, const char *path, const struct space *s,
               const char *how, struct err *err) MUST_CHECK;

#endif
