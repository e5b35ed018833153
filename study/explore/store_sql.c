/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of SQLite whose failure is an error that names the file. */
#include "study/explore/store_parts.h"

#include <stdlib.h>

int store_fail(sqlite3 *db, const char *path, int rc, struct err *err)
{
    const char *why = db ? sqlite3_errmsg(db) : sqlite3_errstr(rc);

    switch (rc & 0xff) {
    case SQLITE_NOTADB:
        return fail(err, "%s: not a database", path);
    case SQLITE_CORRUPT:
        return fail(err, "%s: a damaged database: %s", path, why);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail(err, "%s: in use by another program", path);
    case SQLITE_CANTOPEN:
        return fail(err, "%s: cannot be opened", path);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return fail(err, "%s: cannot be written", path);
    case SQLITE_INTERRUPT: /* as store_guard() sets it up */
        return fail(err, "%s: a damaged database: its rows do not end", path);
    case SQLITE_FULL:
        return fail_work(err, "%s: cannot be written: the disk is full", path);
    case SQLITE_IOERR:
        return fail_work(err, "%s: cannot be read or written: %s", path, why);
    case SQLITE_NOMEM:
        err_no_memory("a database");
    default:
        return fail_work(err, "%s: %s", path, why);
    }
}

int store_exec(sqlite3 *db, const char *path, const char *sql, struct err *err)
{
    int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

    return rc == SQLITE_OK ? 0 : store_fail(db, path, rc, err);
}

sqlite3_stmt *store_prepare(sqlite3 *db, const char *path, const char *sql,
                            struct err *err)
{
    sqlite3_stmt *s;
    int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);

    if (rc == SQLITE_OK)
        return s;
    (void)store_fail(db, path, rc, err);
    return NULL;
}

char *store_value(sqlite3 *db, const char *path, const char *key,
                  struct err *err)
{
    sqlite3_stmt *s =
        store_prepare(db, path, "SELECT value FROM sweep WHERE key = ?", err);
    char *value = NULL;

    if (!s)
        return NULL;
    sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
    int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW && sqlite3_column_text(s, 0))
        value = xstrdup((const char *)sqlite3_column_text(s, 0));
    else if (rc == SQLITE_ROW || rc == SQLITE_DONE)
        (void)fail(err, "%s: a damaged database: it has no %s", path, key);
    else
        (void)store_fail(db, path, rc, err);
    sqlite3_finalize(s);
    return value;
}

int store_pragma(sqlite3 *db, const char *path, const char *name,
                 long long *value, struct err *err)
{
    char *sql = xasprintf("PRAGMA %s", name);
    sqlite3_stmt *s = store_prepare(db, path, sql, err);

    free(sql);
    if (!s)
        return -1;
    int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        *value = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return rc == SQLITE_ROW ? 0 : store_fail(db, path, rc, err);
}

void store_bind_text(sqlite3_stmt *s, int at, const char *text)
{
    if (text)
        sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(s, at);
}
