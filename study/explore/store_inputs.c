/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores digests of the files that runs were made of, and compares them with
 * the present files. */
#include "study/explore/store_parts.h"

#include "study/explore/inputs.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* --- adding --------------------------------------------------------------- */

static int compare_inputs(const void *a, const void *b)
{
    const struct input *x = a, *y = b;

    if (x->platform != y->platform)
        return x->platform ? 1 : -1;
    return strcmp(x->path, y->path);
}

static int insert(sqlite3 *db, const char *path, const struct input *in,
                  uint64_t digest, struct err *err)
{
    sqlite3_stmt *s = store_prepare(
        db, path, "INSERT OR IGNORE INTO inputs VALUES (?, ?, ?)", err);

    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, in->path, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 2, in->platform);
    sqlite3_bind_int64(s, 3, (sqlite3_int64)digest);
    int rc = sqlite3_step(s);
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? 0 : store_fail(db, path, rc, err);
}

/* Stores an input once; *known takes over a new one. */
static int add_one(sqlite3 *db, const char *path, void **known,
                   struct input *in, struct err *err)
{
    uint64_t digest;

    if (tfind(in, known, compare_inputs))
        return 0;
    if (input_digest(in, &digest) == 0 && insert(db, path, in, digest, err) < 0)
        return -1;
    struct input *kept = xmalloc(sizeof *kept);
    *kept = *in;
    in->path = NULL;
    if (!tsearch(kept, known, compare_inputs))
        err_no_memory("names of files");
    return 0;
}

int store_add_inputs(sqlite3 *db, const char *path, void **known,
                     const struct json *experiment, struct err *err)
{
    struct inputs in;
    int result = 0;

    inputs_of(&in, experiment);
    for (size_t i = 0; i < in.n && result == 0; i++)
        result = add_one(db, path, known, &in.list[i], err);
    inputs_clear(&in);
    return result;
}

void store_forget_inputs(void **known)
{
    while (*known) {
        struct input *in = *(struct input **)*known;
        tdelete(in, known, compare_inputs);
        free(in->path);
        free(in);
    }
}

/* --- comparing ------------------------------------------------------------ */

static bool names_input(const char *text, const struct input *in)
{
    struct err ignored;
    struct json *experiment = json_parse(text, "experiment", &ignored);
    struct inputs named;
    bool found = false;

    if (!experiment)
        return false;
    inputs_of(&named, experiment);
    for (size_t i = 0; i < named.n && !found; i++)
        found = compare_inputs(&named.list[i], in) == 0;
    inputs_clear(&named);
    json_free(experiment);
    return found;
}

/* Returns 1 if some result was made of the input. */
static int is_used(sqlite3 *db, const char *path, const struct input *in,
                   struct err *err)
{
    sqlite3_stmt *s = store_prepare(
        db, path,
        "SELECT experiment FROM runs WHERE error IS NULL GROUP BY point", err);
    int rc, used = 0;

    if (!s)
        return -1;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW && !used) {
        const char *text = (const char *)sqlite3_column_text(s, 0);
        used = text && names_input(text, in);
    }
    sqlite3_finalize(s);
    return used || rc == SQLITE_DONE ? used : store_fail(db, path, rc, err);
}

/* If only failed runs were made of a changed file, its digest is dropped, to be
 * computed anew. */
static int check_input(sqlite3 *db, const char *path, const struct input *in,
                       uint64_t digest, struct err *err)
{
    uint64_t now;

    if (input_digest(in, &now) < 0 || now == digest)
        return 0;
    int used = is_used(db, path, in, err);
    if (used > 0)
        return fail(err,
                    "%s: of another %s: that has changed since; name another "
                    "database",
                    path, in->path);
    sqlite3_stmt *s =
        used < 0
            ? NULL
            : store_prepare(db, path, "DELETE FROM inputs WHERE name = ?", err);
    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, in->path, -1, SQLITE_STATIC);
    int rc = sqlite3_step(s);
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? 0 : store_fail(db, path, rc, err);
}

int store_check_inputs(sqlite3 *db, const char *path, struct err *err)
{
    sqlite3_stmt *s = store_prepare(
        db, path, "SELECT name, platform, digest FROM inputs ORDER BY name",
        err);
    int rc = SQLITE_DONE, result = s ? 0 : -1;

    while (result == 0 && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        struct input in = {.platform = sqlite3_column_int(s, 1),
                           .path = xstrdup(name ? name : "")};
        result = check_input(db, path, &in,
                             (uint64_t)sqlite3_column_int64(s, 2), err);
        free(in.path);
    }
    sqlite3_finalize(s);
    return result == 0 && rc != SQLITE_DONE ? store_fail(db, path, rc, err)
                                            : result;
}
