/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes, binds and reads the columns of the table `runs` that a run itself has:
 * texts, counts, and the numbers of study/run/fields.def. */
#include "study/explore/store_parts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns that precede the numbers. The error follows the numbers. */
static const struct run_column {
    const char *name;
    bool count; /* it is an unsigned, stored as NULL if it is 0; else a text */
    size_t offset;
} run_columns[] = {
    {"platform", false, offsetof(struct point_run, platform)},
    {"workload", false, offsetof(struct point_run, workload)},
    {"nodes", true, offsetof(struct point_run, nodes)},
    {"gpus", true, offsetof(struct point_run, gpus)},
    {"partition", false, offsetof(struct point_run, partition)},
    {"way", false, offsetof(struct point_run, candidate)},
    {"runtime", false, offsetof(struct point_run, runtime)},
};
enum { NRUN_COLUMNS = sizeof run_columns / sizeof run_columns[0] };

char *store_columns(bool types)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    for (size_t i = 0; i < NRUN_COLUMNS; i++) {
        const struct run_column *c = &run_columns[i];
        fprintf(to, "%s%s, ", c->name,
                !types     ? ""
                : c->count ? " INTEGER"
                           : " TEXT");
    }
    FOR_FIELDS (f, IN_DATABASE)
        fprintf(to, "%s%s, ", run_fields[f].key, types ? " REAL" : "");
    fprintf(to, "error%s", types ? " TEXT" : "");
    fclose(to);
    return text;
}

size_t store_columns_in_runs(void)
{
    size_t n = NRUN_COLUMNS +
               6; /* six more columns: point, rank, and from error to digest */

    FOR_FIELDS (f, IN_DATABASE)
        n++;
    return n;
}

/* Refuses a table whose columns, joined by commas, are others. */
static int check_columns(sqlite3 *db, const char *path, const char *table,
                         const char *want, struct err *err)
{
    sqlite3_stmt *s = store_prepare(
        db, path, "SELECT group_concat(name, ', ') FROM pragma_table_info(?)",
        err);
    const char *have = NULL;
    int result = 0;

    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
    if (sqlite3_step(s) == SQLITE_ROW)
        have = (const char *)sqlite3_column_text(s, 0);
    if (have && strcmp(have, want) != 0)
        result = fail(err,
                      "%s: a database of another version: its %s have the "
                      "columns %s, expected %s",
                      path, table, have, want);
    sqlite3_finalize(s);
    return result;
}

int store_check_columns(sqlite3 *db, const char *path, struct err *err)
{
    char *columns = store_columns(false);
    char *want =
        xasprintf("point, rank, %s, version, experiment, digest", columns);
    int result = check_columns(db, path, "runs", want, err);

    free(columns);
    free(want);
    for (size_t i = 0; i < NLISTS && result == 0; i++) {
        want = store_list_columns(&run_lists[i], false);
        result = check_columns(db, path, run_lists[i].name, want, err);
        free(want);
    }
    return result;
}

/* --- binding -------------------------------------------------------------- */

static void bind_number(sqlite3_stmt *s, int at, double x)
{
    if (isnan(x))
        sqlite3_bind_null(s, at);
    else
        sqlite3_bind_double(s, at, x);
}

static void bind_count(sqlite3_stmt *s, int at, unsigned n)
{
    if (n)
        sqlite3_bind_int64(s, at, n);
    else
        sqlite3_bind_null(s, at);
}

int store_bind_run(sqlite3_stmt *s, int at, const struct point_run *r)
{
    for (size_t i = 0; i < NRUN_COLUMNS; i++) {
        const void *from = (const char *)r + run_columns[i].offset;
        if (run_columns[i].count)
            bind_count(s, at++, *(const unsigned *)from);
        else
            store_bind_text(s, at++, *(char *const *)from);
    }
    FOR_FIELDS (f, IN_DATABASE)
        bind_number(s, at++, r->values[f]);
    store_bind_text(s, at++, r->error);
    return at;
}

/* --- reading -------------------------------------------------------------- */

char *store_text_at(sqlite3_stmt *s, int at)
{
    const unsigned char *text = sqlite3_column_text(s, at);

    return text ? xstrdup((const char *)text) : NULL;
}

static double number_at(sqlite3_stmt *s, int at)
{
    return sqlite3_column_type(s, at) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(s, at);
}

int store_read_run(sqlite3_stmt *s, int at, struct point_run *r)
{
    point_run_init(r);
    for (size_t i = 0; i < NRUN_COLUMNS; i++) {
        void *to = (char *)r + run_columns[i].offset;
        if (run_columns[i].count)
            *(unsigned *)to = (unsigned)sqlite3_column_int64(s, at++);
        else
            *(char **)to = store_text_at(s, at++);
    }
    FOR_FIELDS (f, IN_DATABASE)
        r->values[f] = number_at(s, at++);
    r->error = store_text_at(s, at++);
    return at;
}
