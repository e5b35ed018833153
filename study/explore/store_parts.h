/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_parts.h - functions that the files that know SQLite share. */
#ifndef STUDY_EXPLORE_STORE_PARTS_H
#define STUDY_EXPLORE_STORE_PARTS_H

#include "study/explore/store.h"

#include <sqlite3.h>

enum { STORE_ID = 0x736c6365 }; /* "slce" */

/* --- store_sql.c ---------------------------------------------------------- */

/* Sets the error that SQLite reports for the last call, and returns -1. A
 * damaged or foreign file is bad input (ERR_INPUT); only failures to read or
 * write are errors of the work (ERR_WORK). */
int store_fail(sqlite3 *db, const char *path, int rc, struct err *err);
int store_exec(sqlite3 *db, const char *path, const char *sql,
               struct err *err) MUST_CHECK;
sqlite3_stmt *store_prepare(sqlite3 *db, const char *path, const char *sql,
                            struct err *err);
/* Returns a value of the table `sweep`; the caller frees it. NULL and an error
 * if there is none. */
char *store_value(sqlite3 *db, const char *path, const char *key,
                  struct err *err);
/* Reads a number that SQLite has for each file, such as "user_version". */
int store_pragma(sqlite3 *db, const char *path, const char *name,
                 long long *value, struct err *err) MUST_CHECK;

/* Binds a text, which is NULL in the table if it is NULL here. */
void store_bind_text(sqlite3_stmt *s, int at, const char *text);

/* --- store_columns.c ------------------------------------------------------ */

/* Returns the columns of `runs` from the platform to the error as SQL, with
 * their types if they are to be made: "platform TEXT, ...". The caller frees
 * it. */
char *store_columns(bool types);
/* Returns the number of all columns of `runs`. */
size_t store_columns_in_runs(void);
/* Refuses a table `runs`, or of a list, with other columns. */
int store_check_columns(sqlite3 *db, const char *path,
                        struct err *err) MUST_CHECK;
/* Binds those columns from the parameter `at` on, and returns the parameter
 * behind them. */
int store_bind_run(sqlite3_stmt *s, int at, const struct point_run *r);
/* Read the same from the column `at` on. The texts are the caller's. */
char *store_text_at(sqlite3_stmt *s, int at);
int store_read_run(sqlite3_stmt *s, int at, struct point_run *r);

/* --- store_lists.c -------------------------------------------------------- */

/* Returns the columns of a list's table as SQL, with their types and its key if
 * they are to be made; the caller frees it. */
char *store_list_columns(const struct list *l, bool types);
/* Returns "links,phases"; the caller frees it. */
char *store_list_names(unsigned lists);
/* Makes the tables of lists. */
int store_make_lists(sqlite3 *db, const char *path, unsigned lists,
                     struct err *err) MUST_CHECK;
/* Reads which lists a database has. */
int store_lists(sqlite3 *db, const char *path, unsigned *lists,
                struct err *err) MUST_CHECK;
/* Adds the entries of a list by a statement whose parameters 1 and 2, the point
 * and the rank of its run, are bound. */
int store_add_list(sqlite3 *db, const char *path, sqlite3_stmt *s,
                   const struct list *l, const struct list_copy *c,
                   struct err *err) MUST_CHECK;

/* --- store_check.c -------------------------------------------------------- */

/* Makes SQLite run nothing that the file itself brings, and stop if reading
 * takes more steps than a file of this size can need; defines digest_of(...) in
 * SQL, the digest of its arguments. */
void store_guard(sqlite3 *db, const char *path);
/* Removes the limit on steps, because rows that have been checked are read, or
 * rows are written. */
void store_unguard(sqlite3 *db);
/* Checks that there are only tables: no view, no trigger, nothing that
 * computes. */
int store_check_schema(sqlite3 *db, const char *path,
                       struct err *err) MUST_CHECK;
/* The numbers of rows of `points`, `runs` and the tables of lists, which are
 * also kept in the table `sweep`. */
enum { STORE_POINTS, STORE_RUNS, STORE_LISTS, NSTORED = STORE_LISTS + NLISTS };
struct store_counts {
    unsigned lists; /* lists that have a table */
    int64_t rows[NSTORED];
};
/* Returns the name of a table whose rows are counted; NULL if the database has
 * none. */
const char *store_counted(unsigned lists, int table);
int store_count_rows(sqlite3 *db, const char *path, struct store_counts *n,
                     struct err *err) MUST_CHECK;
int store_write_counts(sqlite3 *db, const char *path, struct store_counts n,
                       struct err *err) MUST_CHECK;
/* Checks that there are as many rows as were written. */
int store_check_counts(sqlite3 *db, const char *path, struct store_counts *n,
                       struct err *err) MUST_CHECK;
/* Does the same, and checks that every row is as it was written, because SQLite
 * notices a damaged page, but neither a changed value nor a missing row. */
int store_check_rows(sqlite3 *db, const char *path, struct err *err) MUST_CHECK;

/* --- store_inputs.c ------------------------------------------------------- */

/* Stores the digests of the files that an experiment names; *known has those
 * that are stored already (store_forget_inputs() frees it). */
int store_add_inputs(sqlite3 *db, const char *path, void **known,
                     const struct json *experiment, struct err *err) MUST_CHECK;
void store_forget_inputs(void **known);
/* Checks that no file has changed since a result was made of it. */
int store_check_inputs(sqlite3 *db, const char *path,
                       struct err *err) MUST_CHECK;

/* --- store_parts.c -------------------------------------------------------- */

/* Opens an existing file, and checks that it is ours and of this schema.
 * Returns 1 if it is empty. */
int store_open_file(sqlite3 **db, const char *path, int flags,
                    struct err *err) MUST_CHECK;
/* Makes the tables of an empty database. */
int store_make(sqlite3 *db, const char *path, const struct space *s,
               const char *how, unsigned lists, struct err *err) MUST_CHECK;

#endif
