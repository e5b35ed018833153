/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a database of runs. */
#include "study/explore/store_read.h"

#include "study/explore/store_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct stored_run read_run(sqlite3_stmt *s, size_t naxes)
{
    struct stored_run r = {.point = (uint64_t)sqlite3_column_int64(s, 0)};
    int at = store_read_run(s, 1, &r.run);

    r.version = store_text_at(s, at++);
    at++; /* the point in the table `points` */
    r.values = xcalloc(naxes + 1, sizeof *r.values);
    for (size_t i = 0; i < naxes; i++) {
        r.values[i] = store_text_at(s, at++);
        if (!r.values[i])
            r.values[i] = xstrdup("");
    }
    return r;
}

/* Selects the runs of all points with the axes of their point. */
static sqlite3_stmt *select_runs(struct stored *t, sqlite3 *db, struct err *err)
{
    char *columns = store_columns(false);
    char *sql = xasprintf("SELECT runs.point, %s, version, points.* FROM runs "
                          "JOIN points USING (point) ORDER BY runs.point, rank",
                          columns);
    sqlite3_stmt *s = store_prepare(db, t->path, sql, err);

    free(columns);
    free(sql);
    return s;
}

static int read_runs(struct stored *t, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *s = select_runs(t, db, err);
    /* Without rank and experiment, with the point of `points`. */
    int columns = (int)(store_columns_in_runs() - 1 + t->space.naxes);
    size_t room = 0;
    int rc;

    if (!s)
        return -1;
    if (sqlite3_column_count(s) != columns) {
        sqlite3_finalize(s);
        return fail(err, "%s: a damaged database: not the axes of its space",
                    t->path);
    }
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (t->nruns == room) {
            room = room ? 2 * room : 64;
            t->runs = xrealloc(t->runs, room, sizeof *t->runs);
        }
        t->runs[t->nruns] = read_run(s, t->space.naxes);
        t->npoints +=
            !t->nruns || t->runs[t->nruns].point != t->runs[t->nruns - 1].point;
        t->nruns++;
    }
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? 0 : store_fail(db, t->path, rc, err);
}

static int read_space(struct stored *t, sqlite3 *db, struct err *err)
{
    char *text = store_value(db, t->path, "space", err);

    if (!text)
        return -1;
    struct json *doc = json_parse(text, t->path, err);
    free(text);
    return doc ? space_read(&t->space, doc, t->path, err) : -1;
}

static int stored_read_all(struct stored *t, sqlite3 *db, struct err *err)
{
    /* One transaction, so that all data are of one moment. */
    if (store_exec(db, t->path, "BEGIN", err) < 0 ||
        store_check_rows(db, t->path, err) < 0 || read_space(t, db, err) < 0)
        return -1;
    t->how = store_value(db, t->path, "engine", err);
    if (!t->how || read_runs(t, db, err) < 0)
        return -1;
    stored_find_works(t);
    return 0;
}

int stored_load(struct stored *t, const char *path, struct err *err)
{
    sqlite3 *db;
    int result = store_open_file(&db, path, SQLITE_OPEN_READWRITE, err);

    if (result < 0)
        return -1;
    *t = (struct stored){.path = xstrdup(path)};
    result = result ? fail(err, "%s: empty: no database of sluice sweep", path)
                    : stored_read_all(t, db, err);
    sqlite3_close(db);
    if (result < 0)
        stored_clear(t);
    return result;
}

void stored_clear(struct stored *t)
{
    for (size_t i = 0; i < t->nruns; i++) {
        for (size_t a = 0; a < t->space.naxes; a++)
            free(t->runs[i].values[a]);
        free(t->runs[i].values);
        free(t->runs[i].version);
        point_run_clear(&t->runs[i].run);
    }
    free(t->runs);
    free(t->path);
    free(t->how);
    space_clear(&t->space);
    *t = (struct stored){0};
}
