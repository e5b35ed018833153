/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges databases of parts of a space. */
#include "study/explore/store_read.h"

#include "base/cleanup.h"
#include "study/explore/store_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- one part ------------------------------------------------------------- */

static int check_whole(sqlite3 *db, const char *path, struct err *err)
{
    sqlite3_stmt *s = store_prepare(db, path, "PRAGMA integrity_check(1)", err);

    if (!s)
        return -1;
    int rc = sqlite3_step(s), result = 0;
    const char *says =
        rc == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (!says)
        result = store_fail(db, path, rc, err);
    else if (strcmp(says, "ok") != 0)
        result = fail(err, "%s: a damaged database: %s", path, says);
    sqlite3_finalize(s);
    return result;
}

/* Checks that a part has the same space, engine and program as the first. */
static int check_like(sqlite3 *db, const char *path, sqlite3 *first,
                      const char *first_path, struct err *err)
{
    static const char *const keys[] = {"space", "engine", "version", "lists"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char *a = store_value(first, first_path, keys[i], err);
        char *b = a ? store_value(db, path, keys[i], err) : NULL;
        bool same = a && b && !strcmp(a, b), both = a && b;
        free(a);
        free(b);
        if (!both)
            return -1;
        if (!same)
            return fail(err, "%s: of another %s than %s", path, keys[i],
                        first_path);
    }
    return 0;
}

static int open_part(sqlite3 **db, const char *path, struct err *err)
{
    int result = store_open_file(db, path, SQLITE_OPEN_READWRITE, err);

    if (result < 0)
        return -1;
    if (result == 0)
        result = check_whole(*db, path, err) < 0
                     ? -1
                     : store_check_rows(*db, path, err);
    else
        result = fail(err, "%s: empty: no database of sluice sweep", path);
    if (result < 0)
        sqlite3_close(*db);
    return result;
}

static int check_parts(const char *const *parts, size_t n, struct err *err)
{
    sqlite3 *first, *db;

    if (open_part(&first, parts[0], err) < 0)
        return -1;
    int result = 0;
    for (size_t i = 1; i < n && result == 0; i++) {
        result = open_part(&db, parts[i], err);
        if (result < 0)
            break;
        result = check_like(db, parts[i], first, parts[0], err);
        sqlite3_close(db);
    }
    sqlite3_close(first);
    return result;
}

/* --- joining -------------------------------------------------------------- */

static int attach(sqlite3 *db, const char *path, const char *part,
                  struct err *err)
{
    sqlite3_stmt *s = store_prepare(db, path, "ATTACH ? AS part", err);

    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, part, -1, SQLITE_STATIC);
    int rc = sqlite3_step(s);
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? 0 : store_fail(db, part, rc, err);
}

/* Checks that no two parts were made of different contents of one file. */
static int check_inputs(sqlite3 *db, const char *path, const char *part,
                        struct err *err)
{
    sqlite3_stmt *s = store_prepare(
        db, path,
        "SELECT name FROM part.inputs AS a JOIN main.inputs AS b USING (name, "
        "platform) WHERE a.digest <> b.digest ORDER BY name LIMIT 1",
        err);

    if (!s)
        return -1;
    int rc = sqlite3_step(s), result = 0;
    if (rc == SQLITE_ROW)
        result = fail(err, "%s: of another %s than the parts before it", part,
                      (const char *)sqlite3_column_text(s, 0));
    else if (rc != SQLITE_DONE)
        result = store_fail(db, part, rc, err);
    sqlite3_finalize(s);
    return result;
}

/* Adds the lists of a part's points that are not there yet. */
static int add_lists(sqlite3 *db, const char *path, struct err *err)
{
    unsigned lists;

    if (store_lists(db, path, &lists, err) < 0)
        return -1;
    FOR_LISTS (l, lists) {
        char *sql = xasprintf("INSERT INTO %s SELECT * FROM part.%s WHERE "
                              "point NOT IN (SELECT point FROM main.points)",
                              l->name, l->name);
        int result = store_exec(db, path, sql, err);
        free(sql);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* Adds a part. A point that is there already stays as it is. */
static int add_part(sqlite3 *db, const char *path, const char *part, bool first,
                    struct err *err)
{
    if (attach(db, path, part, err) < 0)
        return -1;
    int result =
        store_exec(db, path,
                   first ? "BEGIN;"
                           "INSERT INTO sweep SELECT * FROM part.sweep;"
                           "COMMIT"
                         : "SELECT 1",
                   err);
    if (result == 0)
        result = check_inputs(db, path, part, err);
    if (result == 0)
        result = store_exec(db, path, "BEGIN", err);
    if (result == 0)
        result = add_lists(db, path, err);
    if (result == 0)
        result = store_exec(
            db, path,
            "INSERT OR IGNORE INTO inputs SELECT * FROM part.inputs;"
            "INSERT INTO runs SELECT * FROM part.runs WHERE point NOT IN "
            "(SELECT point FROM main.points);"
            "INSERT OR IGNORE INTO points SELECT * FROM part.points;"
            "COMMIT",
            err);
    if (result < 0)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    if (result == 0)
        result = store_exec(db, path, "DETACH part", err);
    return result;
}

static int count_points(sqlite3 *db, const char *path, size_t *n,
                        struct err *err)
{
    struct store_counts counts;

    if (store_count_rows(db, path, &counts, err) < 0)
        return -1;
    *n = (size_t)counts.rows[STORE_POINTS];
    return store_write_counts(db, path, counts, err);
}

static int load_space(struct space *s, const char *path, struct err *err)
{
    struct stored t;

    if (stored_load(&t, path, err) < 0)
        return -1;
    struct json *doc = json_copy(t.space.doc);
    stored_clear(&t);
    return space_read(s, doc, path, err);
}

/* Makes empty tables like those of the first part. */
static int make_like(sqlite3 *db, const char *path, const struct space *s,
                     unsigned lists, struct err *err)
{
    if (store_exec(db, path, "PRAGMA synchronous = OFF", err) < 0 ||
        store_make(db, path, s, "", lists, err) < 0)
        return -1;
    return store_exec(db, path, "DELETE FROM sweep", err);
}

static int lists_of_part(unsigned *lists, const char *part, struct err *err)
{
    sqlite3 *db;

    if (store_open_file(&db, part, SQLITE_OPEN_READWRITE, err) < 0)
        return -1;
    int result = store_lists(db, part, lists, err);
    sqlite3_close(db);
    return result;
}

static int join_parts(const char *path, const char *const *parts, size_t nparts,
                      const struct space *s, size_t *points, struct err *err)
{
    unsigned lists;
    sqlite3 *db;

    if (store_open_file(&db, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                        err) < 0)
        return -1;
    store_unguard(db);
    int result = lists_of_part(&lists, parts[0], err);
    if (result == 0)
        result = make_like(db, path, s, lists, err);
    for (size_t i = 0; i < nparts && result == 0; i++)
        result = add_part(db, path, parts[i], i == 0, err);
    if (result == 0)
        result = count_points(db, path, points, err);
    int rc = sqlite3_close(db);
    return result == 0 && rc != SQLITE_OK ? store_fail(NULL, path, rc, err)
                                          : result;
}

/* Merges into a temporary file, which is renamed only once it is complete. */
static int merge_into(const char *path, const char *const *parts, size_t nparts,
                      const struct space *s, size_t *points, struct err *err)
{
    char *temporary = xasprintf("%s.%ld", path, (long)getpid());
    char *journal = xasprintf("%s-journal", temporary);

    unlink(temporary);
    int numbers[] = {cleanup_add(temporary), cleanup_add(journal)};
    int result = join_parts(temporary, parts, nparts, s, points, err);
    if (result == 0 && rename(temporary, path) != 0)
        result =
            fail_work(err, "%s: cannot be written: %s", path, strerror(errno));
    if (result < 0) {
        unlink(temporary);
        unlink(journal);
    }
    cleanup_drop(numbers[0]);
    cleanup_drop(numbers[1]);
    free(journal);
    free(temporary);
    return result;
}

int store_merge(const char *path, const char *const *parts, size_t nparts,
                size_t *points, size_t *missing, struct err *err)
{
    struct space s;

    if (access(path, F_OK) == 0)
        return fail(err, "%s: is there already", path);
    if (check_parts(parts, nparts, err) < 0 ||
        load_space(&s, parts[0], err) < 0)
        return -1;
    int result = merge_into(path, parts, nparts, &s, points, err);
    if (result == 0)
        *missing = s.npoints > *points ? s.npoints - *points : 0;
    space_clear(&s);
    return result;
}
