/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that a database of runs has only tables, and that their rows are
 * complete and as they were written. */
#include "study/explore/store_parts.h"

#include "base/digest.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- digests -------------------------------------------------------------- */

static uint64_t mix_value(uint64_t digest, sqlite3_value *v)
{
    int type = sqlite3_value_type(v);
    sqlite3_int64 whole = sqlite3_value_int64(v);
    double real = sqlite3_value_double(v);

    digest = digest_add(digest, &type, sizeof type);
    if (type == SQLITE_INTEGER)
        return digest_add(digest, &whole, sizeof whole);
    if (type == SQLITE_FLOAT)
        return digest_add(digest, &real, sizeof real);
    if (type == SQLITE_NULL)
        return digest;
    const void *text = sqlite3_value_blob(v);
    return digest_add(digest, text, (size_t)sqlite3_value_bytes(v));
}

/* Defines digest_of(...) in SQL: the digest of the values of a row. */
static void digest_of(sqlite3_context *x, int n, sqlite3_value **values)
{
    uint64_t digest = DIGEST_OF_NOTHING;

    for (int i = 0; i < n; i++)
        digest = mix_value(digest, values[i]);
    sqlite3_result_int64(x, (sqlite3_int64)digest);
}

/* --- limits on SQLite ----------------------------------------------------- */

/* SQLite takes some hundred steps per row, and a row has more bytes than that:
 * the limit catches pages that refer to each other in a ring, whose rows never
 * end. */
enum { STEPS_AT_ONCE = 1 << 20, STEPS_PER_B = 100, LONGEST_B = 1 << 28 };
#define STEPS_ALWAYS 1e8

struct budget {
    double steps;
};

/* Returns nonzero if SQLite is to stop. */
static int spend(void *arg)
{
    struct budget *b = arg;

    b->steps -= STEPS_AT_ONCE;
    return b->steps < 0;
}

void store_guard(sqlite3 *db, const char *path)
{
    struct budget *b = xcalloc(1, sizeof *b);
    struct stat st;

    b->steps = STEPS_ALWAYS;
    if (stat(path, &st) == 0)
        b->steps += (double)STEPS_PER_B * (double)st.st_size;
    sqlite3_progress_handler(db, STEPS_AT_ONCE, spend, b);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST_B);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    /* The budget is freed together with the function. */
    if (sqlite3_create_function_v2(db, "digest_of", -1,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC, b,
                                   digest_of, NULL, NULL, free) != SQLITE_OK)
        err_no_memory("a function of SQLite");
}

void store_unguard(sqlite3 *db)
{
    sqlite3_progress_handler(db, 0, NULL, NULL);
}

/* Fails if a query has a row: it names an object that should not be there, by
 * its kind and name. */
static int refuse_rows(sqlite3 *db, const char *path, const char *question,
                       struct err *err)
{
    sqlite3_stmt *s = store_prepare(db, path, question, err);

    if (!s)
        return -1;
    int rc = sqlite3_step(s), result = 0;
    if (rc == SQLITE_ROW)
        result = fail(err, "%s: a damaged database: it has a %s, %s", path,
                      (const char *)sqlite3_column_text(s, 0),
                      (const char *)sqlite3_column_text(s, 1));
    else if (rc != SQLITE_DONE)
        result = store_fail(db, path, rc, err);
    sqlite3_finalize(s);
    return result;
}

int store_check_schema(sqlite3 *db, const char *path, struct err *err)
{
    static const char *const questions[] = {
        "SELECT type, name FROM pragma_table_list WHERE schema = 'main' AND "
        "type <> 'table'",
        "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', "
        "'index')",
        "SELECT 'generated column', c.name FROM pragma_table_list AS t, "
        "pragma_table_xinfo(t.name) AS c WHERE t.schema = 'main' AND c.hidden "
        "<> 0"};

    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        if (refuse_rows(db, path, questions[i], err) < 0)
            return -1;
    return 0;
}

/* --- rows ----------------------------------------------------------------- */

const char *store_counted(unsigned lists, int table)
{
    if (table < STORE_LISTS)
        return table == STORE_POINTS ? "points" : "runs";
    int list = table - STORE_LISTS;
    return lists >> list & 1 ? run_lists[list].name : NULL;
}
/* Visits the counted tables. */
#define FOR_COUNTED(t, name, lists)                                            \
    for (int t = 0; t < NSTORED; t++)                                          \
        for (const char *name = store_counted(lists, t); name; name = NULL)

int store_write_counts(sqlite3 *db, const char *path, struct store_counts n,
                       struct err *err)
{
    FOR_COUNTED (t, name, n.lists) {
        char *sql = xasprintf("REPLACE INTO sweep VALUES ('%s', '%lld')", name,
                              (long long)n.rows[t]);
        int result = store_exec(db, path, sql, err);
        free(sql);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* Reads the two numbers of the query's row. */
static int ask_numbers(sqlite3 *db, const char *path, const char *question,
                       int64_t *first, int64_t *second, struct err *err)
{
    sqlite3_stmt *s = store_prepare(db, path, question, err);

    if (!s)
        return -1;
    int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW) {
        *first = sqlite3_column_int64(s, 0);
        *second = sqlite3_column_int64(s, 1);
    }
    sqlite3_finalize(s);
    return rc == SQLITE_ROW ? 0 : store_fail(db, path, rc, err);
}

int store_count_rows(sqlite3 *db, const char *path, struct store_counts *n,
                     struct err *err)
{
    *n = (struct store_counts){0};
    if (store_lists(db, path, &n->lists, err) < 0)
        return -1;
    FOR_COUNTED (t, name, n->lists) {
        /* The query counts a column, because SQLite counts whole rows without
         * steps. */
        char *sql = xasprintf("SELECT count(digest), 0 FROM %s", name);
        int64_t ignored;
        int result = ask_numbers(db, path, sql, &n->rows[t], &ignored, err);
        free(sql);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* Checks that a table has as many rows as were written. */
static int check_count(sqlite3 *db, const char *path, const char *table,
                       int64_t rows, struct err *err)
{
    char *text = store_value(db, path, table, err);
    uint64_t written;

    if (!text)
        return -1;
    int result = 0;
    if (!number_count(text, &written) || (uint64_t)rows != written)
        result = fail(err,
                      "%s: a damaged database: %lld rows of %s, %s were "
                      "written",
                      path, (long long)rows, table, text);
    free(text);
    return result;
}

int store_check_counts(sqlite3 *db, const char *path, struct store_counts *n,
                       struct err *err)
{
    if (store_count_rows(db, path, n, err) < 0)
        return -1;
    FOR_COUNTED (t, name, n->lists)
        if (check_count(db, path, name, n->rows[t], err) < 0)
            return -1;
    return 0;
}

/* Returns "SELECT count(digest), total(digest IS NOT digest_of("point", ...))
 * FROM runs"; the caller frees it. */
static char *count_changed(sqlite3 *db, const char *path, const char *table,
                           struct err *err)
{
    char *all = xasprintf("SELECT * FROM %s LIMIT 0", table), *text;
    sqlite3_stmt *s = store_prepare(db, path, all, err);
    size_t size;

    free(all);
    if (!s)
        return NULL;
    FILE *to = open_memstream(&text, &size);
    fputs("SELECT count(digest), total(digest IS NOT digest_of(", to);
    for (int i = 0; i + 1 < sqlite3_column_count(s); i++) {
        char *name = sqlite3_mprintf("%w", sqlite3_column_name(s, i));
        fprintf(to, "%s\"%s\"", i ? ", " : "", name);
        sqlite3_free(name);
    }
    fprintf(to, ")) FROM %s", table);
    fclose(to);
    sqlite3_finalize(s);
    return text;
}

static int check_table(sqlite3 *db, const char *path, const char *table,
                       struct err *err)
{
    char *sql = count_changed(db, path, table, err);
    int64_t rows = 0, changed = 0;
    int result = sql ? ask_numbers(db, path, sql, &rows, &changed, err) : -1;

    free(sql);
    if (result < 0)
        return -1;
    if (changed)
        return fail(err,
                    "%s: a damaged database: %lld rows of %s are not as they "
                    "were written",
                    path, (long long)changed, table);
    return check_count(db, path, table, rows, err);
}

int store_check_rows(sqlite3 *db, const char *path, struct err *err)
{
    unsigned lists;

    if (store_lists(db, path, &lists, err) < 0)
        return -1;
    FOR_COUNTED (t, name, lists)
        if (check_table(db, path, name, err) < 0)
            return -1;
    return 0;
}
