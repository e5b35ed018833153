/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes and fills the tables of lists, which a database has if its sweep was
 * asked to keep them: a row for each entry of each run. */
#include "study/explore/store_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *store_list_columns(const struct list *l, bool types)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    fprintf(to,
            types ? "point INTEGER NOT NULL, run INTEGER NOT NULL, "
                    "entry INTEGER NOT NULL, %s %s NOT NULL"
                  : "point, run, entry, %s",
            l->label, l->numbered ? "INTEGER" : "TEXT");
    FOR_KEYS (c, l)
        fprintf(to, ", %s%s", c->key, types ? " REAL" : "");
    fprintf(to, types ? ", digest INTEGER NOT NULL, "
                        "PRIMARY KEY (point, run, entry)"
                      : ", digest");
    fclose(to);
    return text;
}

char *store_list_names(unsigned lists)
{
    char *names = xstrdup("");

    FOR_LISTS (l, lists) {
        char *longer = xasprintf("%s%s%s", names, *names ? "," : "", l->name);
        free(names);
        names = longer;
    }
    return names;
}

int store_make_lists(sqlite3 *db, const char *path, unsigned lists,
                     struct err *err)
{
    FOR_LISTS (l, lists) {
        char *columns = store_list_columns(l, true);
        char *sql = xasprintf("CREATE TABLE %s (%s)", l->name, columns);
        int result = store_exec(db, path, sql, err);
        free(columns);
        free(sql);
        if (result < 0)
            return -1;
    }
    return 0;
}

int store_lists(sqlite3 *db, const char *path, unsigned *lists, struct err *err)
{
    char *names = store_value(db, path, "lists", err);

    *lists = 0;
    if (!names)
        return -1;
    int result = list_read_names(lists, *names ? names : NULL, err);
    free(names);
    return result < 0 ? fail_in(err, "%s: a damaged database", path) : 0;
}

/* --- rows ----------------------------------------------------------------- */

static void bind_entry(sqlite3_stmt *s, const struct list *l,
                       const struct list_copy *c, size_t entry)
{
    size_t n = list_keys(l);

    sqlite3_bind_int64(s, 3, (sqlite3_int64)entry);
    if (l->numbered)
        sqlite3_bind_int64(s, 4, strtoll(c->names[entry], NULL, 10));
    else
        store_bind_text(s, 4, c->names[entry]);
    for (size_t i = 0; i < n; i++) {
        double value = c->values[entry * n + i];
        if (isnan(value))
            sqlite3_bind_null(s, 5 + (int)i);
        else
            sqlite3_bind_double(s, 5 + (int)i, value);
    }
}

int store_add_list(sqlite3 *db, const char *path, sqlite3_stmt *s,
                   const struct list *l, const struct list_copy *c,
                   struct err *err)
{
    for (size_t i = 0; i < c->n; i++) {
        bind_entry(s, l, c, i);
        int rc = sqlite3_step(s);
        sqlite3_reset(s);
        if (rc != SQLITE_DONE)
            return store_fail(db, path, rc, err);
    }
    return 0;
}
