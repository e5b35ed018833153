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
/* Every row is as it was written: SQLite finds a damaged page, not a changed
 * value. */
int store_check_rows(sqlite3 *db, const char *path, struct err *err) MUST_CHECK;
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
