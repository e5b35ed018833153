/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds runs to a database, point by point. */
#include "study/explore/store.h"

#include "study/explore/store_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct store {
    char *path;
    const struct space *space;
    sqlite3 *db;
    sqlite3_stmt *point, *run;
    sqlite3_stmt *list[NLISTS]; /* NULL if the list is not kept */
    void *inputs;               /* inputs whose digests are stored */
    struct store_counts counts;
};

/* The time that a commit waits for readers. */
enum { PATIENCE_MS = 60000 };
/* The time that an opening waits for a process that has just been killed. */
enum { DEATH_MS = 1000 };

/* --- opening -------------------------------------------------------------- */

static int same_value(struct store *t, const char *key, const char *want,
                      const char *what, struct err *err)
{
    char *have = store_value(t->db, t->path, key, err);

    if (!have)
        return -1;
    int result = 0;
    if (strcmp(have, want) != 0 && what)
        result = fail(err,
                      "%s: of another %s: name another file, or that of "
                      "before",
                      t->path, what);
    else if (strcmp(have, want) != 0)
        result =
            fail(err, "%s: of %s %s, this is %s", t->path, key, have, want);
    free(have);
    return result;
}

static int check_same(struct store *t, const char *how, const char *lists,
                      struct err *err)
{
    char *space = json_text(t->space->doc);
    int result = 0;

    if (same_value(t, "version", SLUICE_VERSION, NULL, err) < 0 ||
        same_value(t, "engine", how, NULL, err) < 0 ||
        same_value(t, "space", space, "space", err) < 0 ||
        (lists && same_value(t, "lists", lists, NULL, err) < 0) ||
        store_check_counts(t->db, t->path, &t->counts, err) < 0 ||
        store_check_inputs(t->db, t->path, err) < 0)
        result = -1;
    free(space);
    return result;
}

/* Returns "INSERT INTO runs VALUES (?1, ?2, digest_of(?1, ?2))"; the caller
 * frees it. */
static char *insert_into(const char *table, size_t columns)
{
    char *list = xstrdup("");

    for (size_t i = 0; i < columns; i++) {
        char *longer = xasprintf("%s%s?%zu", list, i ? ", " : "", i + 1);
        free(list);
        list = longer;
    }
    char *text = xasprintf("INSERT INTO %s VALUES (%s, digest_of(%s))", table,
                           list, list);
    free(list);
    return text;
}

static int prepare_all(struct store *t, struct err *err)
{
    char *point = insert_into("points", 1 + t->space->naxes);
    char *run = insert_into("runs", store_columns_in_runs() - 1);
    int result = 0;

    t->point = store_prepare(t->db, t->path, point, err);
    t->run = t->point ? store_prepare(t->db, t->path, run, err) : NULL;
    free(point);
    free(run);
    FOR_LISTS (l, t->counts.lists) {
        char *sql = insert_into(l->name, 4 + list_keys(l));
        sqlite3_stmt *s = store_prepare(t->db, t->path, sql, err);
        t->list[l - run_lists] = s;
        free(sql);
        result = s ? result : -1;
    }
    return t->run ? result : -1;
}

/* Takes the lock of a writer, which is held from here on; others may read. */
static int begin(struct store *t, struct err *err)
{
    return store_exec(t->db, t->path, "BEGIN IMMEDIATE", err);
}

/* Makes the tables, or compares them with the request. */
static int make_or_check(struct store *t, const char *how, const char *names,
                         struct err *err)
{
    long long made;
    unsigned lists;

    if (store_pragma(t->db, t->path, "application_id", &made, err) < 0 ||
        list_read_names(&lists, names, err) < 0)
        return -1;
    if (!made) {
        t->counts.lists = lists;
        return store_make(t->db, t->path, t->space, how, lists, err);
    }
    char *same = names ? store_list_names(lists) : NULL;
    int result = check_same(t, how, same, err);
    free(same);
    return result;
}

static int open_all(struct store *t, const char *how, const char *lists,
                    struct err *err)
{
    sqlite3_busy_timeout(t->db, DEATH_MS);
    if (store_exec(t->db, t->path, "PRAGMA cache_spill = OFF", err) < 0 ||
        begin(t, err) < 0)
        return -1;
    /* Another process may have made the tables before this one got the lock. */
    if (make_or_check(t, how, lists, err) < 0)
        return -1;
    sqlite3_busy_timeout(t->db, PATIENCE_MS);
    return prepare_all(t, err) < 0 ? -1 : store_commit(t, err);
}

static void close_all(struct store *t)
{
    sqlite3_finalize(t->point);
    sqlite3_finalize(t->run);
    for (size_t i = 0; i < NLISTS; i++)
        sqlite3_finalize(t->list[i]);
    sqlite3_close(t->db);
    store_forget_inputs(&t->inputs);
    free(t->path);
    free(t);
}

struct store *store_open(const char *path, const struct space *s,
                         const char *how, const char *lists, struct err *err)
{
    sqlite3 *db;

    if (store_open_file(&db, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                        err) < 0)
        return NULL;
    struct store *t = xcalloc(1, sizeof *t);
    *t = (struct store){.path = xstrdup(path), .space = s, .db = db};
    if (open_all(t, how, lists, err) == 0)
        return t;
    close_all(t);
    return NULL;
}

static int commit(struct store *t, struct err *err)
{
    if (store_write_counts(t->db, t->path, t->counts, err) < 0)
        return -1;
    return store_exec(t->db, t->path, "COMMIT", err);
}

int store_commit(struct store *t, struct err *err)
{
    if (commit(t, err) < 0)
        return -1;
    return begin(t, err);
}

unsigned store_keeps(const struct store *t)
{
    return t->counts.lists;
}

int store_close(struct store *t, struct err *err)
{
    int result = commit(t, err);

    close_all(t);
    return result;
}

void store_abandon(struct store *t)
{
    sqlite3_exec(t->db, "ROLLBACK", NULL, NULL, NULL);
    close_all(t);
}

/* --- adding --------------------------------------------------------------- */

static int step(struct store *t, sqlite3_stmt *s, struct err *err)
{
    int rc = sqlite3_step(s);

    sqlite3_reset(s);
    return rc == SQLITE_DONE ? 0 : store_fail(t->db, t->path, rc, err);
}

static int add_point(struct store *t, uint64_t point, struct err *err)
{
    sqlite3_bind_int64(t->point, 1, (sqlite3_int64)point);
    for (size_t i = 0; i < t->space->naxes; i++) {
        struct json *v = space_value(t->space, point, i);
        int at = (int)i + 2;
        double x = json_number(v);
        if (json_is_number(v) && x == floor(x) && fabs(x) < 0x1p53) {
            sqlite3_bind_int64(t->point, at, (sqlite3_int64)x);
        } else if (json_is_number(v)) {
            sqlite3_bind_double(t->point, at, x);
        } else {
            char *text = axis_text(v);
            store_bind_text(t->point, at, text);
            free(text);
        }
        json_free(v);
    }
    return step(t, t->point, err);
}

static int add_run(struct store *t, const struct point_runs *runs, size_t rank,
                   const char *experiment, struct err *err)
{
    sqlite3_stmt *s = t->run;

    sqlite3_bind_int64(s, 1, (sqlite3_int64)runs->point);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)rank);
    int at = store_bind_run(s, 3, &runs->list[rank]);
    store_bind_text(s, at++, SLUICE_VERSION);
    store_bind_text(s, at, experiment);
    return step(t, s, err);
}

static int add_lists(struct store *t, const struct point_runs *runs,
                     size_t rank, struct err *err)
{
    const struct list_copy *copies = runs->list[rank].lists;

    FOR_LISTS (l, copies ? t->counts.lists : 0) {
        sqlite3_stmt *s = t->list[l - run_lists];
        const struct list_copy *c = &copies[l - run_lists];
        sqlite3_bind_int64(s, 1, (sqlite3_int64)runs->point);
        sqlite3_bind_int64(s, 2, (sqlite3_int64)rank);
        if (store_add_list(t->db, t->path, s, l, c, err) < 0)
            return -1;
        t->counts.rows[STORE_LISTS + (l - run_lists)] += (int64_t)c->n;
    }
    return 0;
}

int store_add(struct store *t, const struct point_runs *runs, struct err *err)
{
    char *experiment = json_text(runs->experiment);

    store_unguard(t->db);
    int result = add_point(t, runs->point, err);

    for (size_t i = 0; i < runs->n && result == 0; i++)
        result = add_run(t, runs, i, experiment, err) < 0
                     ? -1
                     : add_lists(t, runs, i, err);
    free(experiment);
    if (result == 0)
        result =
            store_add_inputs(t->db, t->path, &t->inputs, runs->experiment, err);
    if (result == 0) {
        t->counts.rows[STORE_POINTS]++;
        t->counts.rows[STORE_RUNS] += (int64_t)runs->n;
    }
    return result;
}

/* --- points of a database ------------------------------------------------- */

int store_points(struct store *t, uint64_t **points, size_t *n, struct err *err)
{
    sqlite3_stmt *s = store_prepare(
        t->db, t->path, "SELECT point FROM points ORDER BY point", err);
    size_t room = 0;
    int rc;

    *points = NULL;
    *n = 0;
    if (!s)
        return -1;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (*n == room) {
            room = room ? 2 * room : 64;
            *points = xrealloc(*points, room, sizeof **points);
        }
        (*points)[(*n)++] = (uint64_t)sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    if (rc == SQLITE_DONE)
        return 0;
    free(*points);
    return store_fail(t->db, t->path, rc, err);
}

int store_forget_failed(struct store *t, struct err *err)
{
    FOR_LISTS (l, t->counts.lists) {
        char *sql = xasprintf("DELETE FROM %s WHERE point IN (SELECT point "
                              "FROM runs WHERE error IS NOT NULL)",
                              l->name);
        int result = store_exec(t->db, t->path, sql, err);
        free(sql);
        if (result < 0)
            return -1;
    }
    if (store_exec(t->db, t->path,
                   "CREATE TEMP TABLE failed AS SELECT DISTINCT point FROM "
                   "runs WHERE error IS NOT NULL;"
                   "DELETE FROM runs WHERE point IN (SELECT point FROM "
                   "failed);"
                   "DELETE FROM points WHERE point IN (SELECT point FROM "
                   "failed);"
                   "DROP TABLE failed",
                   err) < 0)
        return -1;
    return store_count_rows(t->db, t->path, &t->counts, err);
}
