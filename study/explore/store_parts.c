/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens and makes databases of runs. */
#include "study/explore/store_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The time that a reader waits for a commit of a writer. */
enum { READ_PATIENCE_MS = 10000 };

/* Returns 1 if the file is empty. */
static int check_file(sqlite3 *db, const char *path, struct err *err)
{
    long long tables, id, schema;

    if (store_pragma(db, path, "schema_version", &tables, err) < 0 ||
        store_pragma(db, path, "application_id", &id, err) < 0 ||
        store_pragma(db, path, "user_version", &schema, err) < 0)
        return -1;
    if (!tables && !id)
        return 1;
    if (id != STORE_ID)
        return fail(err, "%s: a database, but not one of sluice sweep", path);
    if (schema != STORE_SCHEMA)
        return fail(err,
                    "%s: a database of another version: schema %lld, expected "
                    "%d",
                    path, schema, STORE_SCHEMA);
    return 0;
}

/* --- opening -------------------------------------------------------------- */

int store_open_file(sqlite3 **db, const char *path, int flags, struct err *err)
{
    int rc = sqlite3_open_v2(path, db, flags, NULL);

    if (rc != SQLITE_OK) {
        (void)store_fail(*db, path, rc, err);
        sqlite3_close(*db);
        return -1;
    }
    sqlite3_extended_result_codes(*db, 1);
    sqlite3_busy_timeout(*db, READ_PATIENCE_MS);
    store_guard(*db, path);
    int result = check_file(*db, path, err);
    if (result == 0)
        result = store_check_schema(*db, path, err);
    if (result == 0)
        result = store_check_columns(*db, path, err);
    if (result < 0)
        sqlite3_close(*db);
    return result;
}

/* --- new ------------------------------------------------------------------ */

/* Returns the SQL that makes the tables that every space has; the caller frees
 * it. */
static char *common_tables(void)
{
    char *columns = store_columns(true);
    char *text = xasprintf(
        "CREATE TABLE sweep (key TEXT PRIMARY KEY, value TEXT NOT NULL);"
        "CREATE TABLE runs ("
        "point INTEGER NOT NULL REFERENCES points(point), "
        "rank INTEGER NOT NULL, %s, "
        "version TEXT NOT NULL, experiment TEXT NOT NULL, "
        "digest INTEGER NOT NULL, PRIMARY KEY (point, rank));"
        "CREATE TABLE inputs (name TEXT NOT NULL, platform INTEGER NOT NULL,"
        "digest INTEGER NOT NULL, PRIMARY KEY (name, platform));",
        columns);

    free(columns);
    return text;
}

/* Returns "CREATE TABLE points (point INTEGER PRIMARY KEY, "nodes", ...);"; the
 * caller frees it. */
static char *points_table(const struct space *s)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    fputs("CREATE TABLE points (point INTEGER PRIMARY KEY", to);
    for (size_t i = 0; i < s->naxes; i++) {
        char *name = sqlite3_mprintf("%w", s->axes[i].name);
        fprintf(to, ", \"axis_%s\"", name);
        sqlite3_free(name);
    }
    fputs(", digest INTEGER NOT NULL);", to);
    fclose(to);
    return text;
}

static int put_value(sqlite3 *db, const char *path, const char *key,
                     const char *value, struct err *err)
{
    sqlite3_stmt *s =
        store_prepare(db, path, "INSERT INTO sweep VALUES (?, ?)", err);

    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, value, -1, SQLITE_STATIC);
    int rc = sqlite3_step(s);
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? 0 : store_fail(db, path, rc, err);
}

int store_make(sqlite3 *db, const char *path, const struct space *s,
               const char *how, unsigned lists, struct err *err)
{
    struct store_counts none = {.lists = lists};
    char *names = store_list_names(lists);
    char *points = points_table(s), *space = json_text(s->doc);
    char *tables = common_tables();
    char *ids = xasprintf("PRAGMA application_id = %d;"
                          "PRAGMA user_version = %d;",
                          STORE_ID, STORE_SCHEMA);
    int result = 0;

    if (store_exec(db, path, ids, err) < 0 ||
        store_exec(db, path, tables, err) < 0 ||
        store_exec(db, path, points, err) < 0 ||
        put_value(db, path, "space", space, err) < 0 ||
        put_value(db, path, "version", SLUICE_VERSION, err) < 0 ||
        put_value(db, path, "engine", how, err) < 0 ||
        put_value(db, path, "lists", names, err) < 0 ||
        store_make_lists(db, path, lists, err) < 0 ||
        store_write_counts(db, path, none, err) < 0)
        result = -1;
    free(names);
    free(points);
    free(tables);
    free(space);
    free(ids);
    return result;
}
