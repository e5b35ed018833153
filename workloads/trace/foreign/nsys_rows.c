/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries a report of Nsight Systems, by SQLite, for its MPI calls. */
#include "workloads/trace/foreign/files.h"
#include "workloads/trace/foreign/nsys_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- queries -------------------------------------------------------------- */

static int nsys_fail(struct nsys_file *f, struct err *err)
{
    /* The message may quote lines of a table. */
    const char *why = sqlite3_errmsg(f->db);

    if (sqlite3_errcode(f->db) == SQLITE_NOMEM)
        err_no_memory("a report of Nsight Systems");
    return fail(err, "%s: SQLite: %.*s", f->path, (int)strcspn(why, "\n"), why);
}

static sqlite3_stmt *ask(struct nsys_file *f, const char *question,
                         struct err *err)
{
    sqlite3_stmt *s = NULL;

    if (sqlite3_prepare_v2(f->db, question, -1, &s, NULL) == SQLITE_OK)
        return s;
    (void)nsys_fail(f, err);
    sqlite3_finalize(s);
    return NULL;
}

/* Returns 1 if there is a row, 0 at the end. */
static int step(struct nsys_file *f, sqlite3_stmt *s, struct err *err)
{
    int result = sqlite3_step(s);

    if (result == SQLITE_ROW)
        return 1;
    return result == SQLITE_DONE ? 0 : nsys_fail(f, err);
}

static int64_t whole(sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) == SQLITE_NULL
               ? NSYS_NOT_SAID
               : sqlite3_column_int64(s, column);
}

/* Returns 1 if there is a table, 0 if not. A view does not count, because it
 * could compute anything. */
static int has_table(struct nsys_file *f, const char *name, struct err *err)
{
    sqlite3_stmt *s =
        ask(f,
            "SELECT 1 FROM sqlite_master WHERE type='table' AND name=?1 AND "
            "sql NOT LIKE 'CREATE VIRTUAL%'",
            err);

    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    int result = step(f, s, err);
    sqlite3_finalize(s);
    return result;
}

static int has_column(struct nsys_file *f, const char *table,
                      const char *column, struct err *err)
{
    sqlite3_stmt *s =
        ask(f, "SELECT 1 FROM pragma_table_info(?1) WHERE name=?2", err);

    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, column, -1, SQLITE_STATIC);
    int result = step(f, s, err);
    sqlite3_finalize(s);
    return result;
}

static int count_of(struct nsys_file *f, const char *table, uint64_t *n,
                    struct err *err)
{
    int there = has_table(f, table, err);

    *n = 0;
    if (there <= 0)
        return there;
    char *question = xasprintf("SELECT count(*) FROM %s", table);
    sqlite3_stmt *s = ask(f, question, err);
    free(question);
    int result = s ? step(f, s, err) : -1;
    if (result > 0)
        *n = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return result < 0 ? -1 : 0;
}

/* --- the calls ------------------------------------------------------------ */

static const char *const nsys_tables[NSYS_NTABLES] = {
    [NSYS_P2P] = "MPI_P2P_EVENTS",
    [NSYS_COLLECTIVES] = "MPI_COLLECTIVES_EVENTS",
    [NSYS_START_WAIT] = "MPI_START_WAIT_EVENTS",
    [NSYS_OTHER] = "MPI_OTHER_EVENTS",
    [NSYS_NVTX] = "NVTX_EVENTS"};

/* The columns in the order of the query; the peer of a collective is its
 * root. */
static const char *const nsys_columns[] = {
    "commHandle", "tag", "remoteRank", "size", "recvSize", "requestHandle"};
enum { NCOLUMNS = sizeof nsys_columns / sizeof nsys_columns[0] };

/* Writes the part of the query for one table. */
static int select_of(struct nsys_file *f, enum nsys_table t, FILE *to,
                     struct err *err)
{
    const char *table = nsys_tables[t];
    int thread = has_column(f, table, "globalTid", err);
    int text = has_column(f, table, "text", err);

    if (thread < 0 || text < 0)
        return -1;
    fprintf(to, "SELECT %d AS kind, e.start AS start, e.end AS end, %s, ",
            (int)t, text ? "coalesce(s.value, e.text)" : "s.value");
    for (int i = 0; i < NCOLUMNS; i++) {
        const char *column =
            t == NSYS_COLLECTIVES && i == 2 ? "rootRank" : nsys_columns[i];
        int there = has_column(f, table, column, err);
        if (there < 0)
            return -1;
        fprintf(to, "%s%s, ", there ? "e." : "", there ? column : "NULL");
    }
    fprintf(to,
            "e.rowid AS place FROM %s e LEFT JOIN StringIds s ON s.id = "
            "e.textId WHERE %s%s",
            table, thread ? "(?1 IS NULL OR (e.globalTid >> 24) = ?1)" : "1",
            t == NSYS_NVTX
                ? " AND (s.value LIKE 'MPI\\_%' ESCAPE '\\' OR e.text "
                  "LIKE 'MPI\\_%' ESCAPE '\\') AND e.end IS NOT NULL"
                : "");
    return 0;
}

static int find_tables(struct nsys_file *f, struct err *err)
{
    int strings = has_table(f, "StringIds", err), any = 0;

    if (strings < 0)
        return -1;
    for (int t = 0; t < NSYS_NTABLES && strings; t++) {
        int there = has_table(f, nsys_tables[t], err);
        if (there > 0)
            there = has_column(f, nsys_tables[t], "textId", err);
        if (there < 0)
            return -1;
        f->has[t] = there;
        any += there && t < NSYS_OTHER;
    }
    if (any) /* NVTX ranges would repeat the calls of these tables */
        f->has[NSYS_NVTX] = false;
    return 0;
}

static int make_select(struct nsys_file *f, struct err *err)
{
    size_t size;
    FILE *to = open_memstream(&f->select, &size);
    int parts = 0, result = 0;

    fprintf(to, "SELECT * FROM (");
    for (int t = 0; t < NSYS_NTABLES && result == 0; t++) {
        if (!f->has[t])
            continue;
        fprintf(to, "%s", parts++ ? " UNION ALL " : "");
        result = select_of(f, (enum nsys_table)t, to, err);
    }
    fprintf(to, ") ORDER BY start, kind, place");
    fclose(to);
    if (result == 0 && parts == 0)
        return fail(err, "%s: has neither calls of MPI nor ranges of NVTX",
                    f->path);
    return result;
}

int nsys_sends_to(struct nsys_file *f, int64_t peer, struct err *err)
{
    int there = f->has[NSYS_P2P]
                    ? has_column(f, "MPI_P2P_EVENTS", "remoteRank", err)
                    : 0;

    if (there <= 0)
        return there;
    sqlite3_stmt *s = ask(f,
                          "SELECT 1 FROM MPI_P2P_EVENTS e JOIN StringIds s ON "
                          "s.id = e.textId WHERE e.remoteRank = ?1 AND s.value "
                          "NOT LIKE '%recv%' LIMIT 1",
                          err);
    if (!s)
        return -1;
    sqlite3_bind_int64(s, 1, peer);
    int result = step(f, s, err);
    sqlite3_finalize(s);
    return result;
}

sqlite3_stmt *nsys_calls(struct nsys_file *f, int64_t process, struct err *err)
{
    sqlite3_stmt *s = ask(f, f->select, err);

    if (s && process != NSYS_NOT_SAID)
        sqlite3_bind_int64(s, 1, process);
    return s;
}

int nsys_next(struct nsys_file *f, sqlite3_stmt *calls, struct nsys_row *row,
              struct err *err)
{
    int result = step(f, calls, err);

    if (result <= 0)
        return result;
    const unsigned char *name = sqlite3_column_text(calls, 3);
    row->table = (enum nsys_table)sqlite3_column_int(calls, 0);
    row->begin_ns = sqlite3_column_int64(calls, 1);
    row->end_ns = whole(calls, 2);
    if (row->end_ns < row->begin_ns) /* it did not end in the trace */
        row->end_ns = row->begin_ns;
    snprintf(row->name, sizeof row->name, "%s", name ? (const char *)name : "");
    plain_name(row->name);
    row->comm = whole(calls, 4);
    row->tag = whole(calls, 5);
    row->peer = whole(calls, 6);
    row->bytes = whole(calls, 7);
    row->recv_bytes = whole(calls, 8);
    row->request = whole(calls, 9);
    row->place = (uint64_t)sqlite3_column_int64(calls, 10);
    return 1;
}

/* --- ranks ---------------------------------------------------------------- */

static void add_process(struct nsys_process **list, size_t *n,
                        struct nsys_process p)
{
    *list = xrealloc(*list, *n + 1, sizeof **list);
    (*list)[(*n)++] = p;
}

/* Finds ranks in older versions, which mark "MPI Rank 3" by NVTX. */
static int marked_rank(struct nsys_file *f, struct nsys_process **list,
                       size_t *n, struct err *err)
{
    int there = has_table(f, "NVTX_EVENTS", err);
    int text = there > 0 ? has_column(f, "NVTX_EVENTS", "text", err) : there;
    int thread =
        text > 0 ? has_column(f, "NVTX_EVENTS", "globalTid", err) : text;

    if (thread <= 0)
        return thread;
    sqlite3_stmt *s = ask(f,
                          "SELECT substr(text, 10), globalTid >> 24 FROM "
                          "NVTX_EVENTS WHERE text LIKE 'MPI Rank %'",
                          err);
    int result = s ? 1 : -1;
    while (result > 0 && (result = step(f, s, err)) > 0)
        add_process(list, n,
                    (struct nsys_process){sqlite3_column_int64(s, 0),
                                          sqlite3_column_int64(s, 1)});
    sqlite3_finalize(s);
    return result;
}

int nsys_processes(struct nsys_file *f, struct nsys_process **list, size_t *n,
                   struct err *err)
{
    int there = has_table(f, "MPI_RANKS", err), result = 0;

    *list = NULL;
    *n = 0;
    if (there < 0)
        return -1;
    if (there == 0)
        return marked_rank(f, list, n, err);
    sqlite3_stmt *s = ask(
        f, "SELECT rank, globalTid >> 24 FROM MPI_RANKS ORDER BY rank", err);
    while (s && (result = step(f, s, err)) > 0)
        add_process(
            list, n,
            (struct nsys_process){sqlite3_column_int64(s, 0), whole(s, 1)});
    sqlite3_finalize(s);
    return s && result == 0 ? 0 : -1;
}

int nsys_memberships(struct nsys_file *f, struct nsys_membership **list,
                     size_t *n, struct err *err)
{
    const char *uid = "commUid", *table = "MPI_COMMUNICATORS";
    int there = has_table(f, table, err), result = 0;

    *list = NULL;
    *n = 0;
    if (there > 0) {
        there = has_column(f, table, uid, err);
        if (there == 0) {
            uid = "groupRootUid";
            there = has_column(f, table, uid, err);
        }
    }
    if (there > 0)
        there = has_column(f, table, "localRank", err);
    if (there <= 0)
        return there;
    char *question =
        xasprintf("SELECT rank, commHandle, localRank, size, groupRoot, %s "
                  "FROM MPI_COMMUNICATORS ORDER BY timestamp",
                  uid);
    sqlite3_stmt *s = ask(f, question, err);
    free(question);
    while (s && (result = step(f, s, err)) > 0) {
        *list = xrealloc(*list, *n + 1, sizeof **list);
        (*list)[(*n)++] =
            (struct nsys_membership){whole(s, 0), whole(s, 1), whole(s, 2),
                                     whole(s, 3), whole(s, 4), whole(s, 5)};
    }
    sqlite3_finalize(s);
    return s && result == 0 ? 0 : -1;
}

/* --- the file ------------------------------------------------------------- */

/* Opens the mapped file as the database, so that SQLite looks for no journal
 * and writes nothing, and packed files need no other treatment. */
static int open_database(struct nsys_file *f, struct err *err)
{
    sqlite3_int64 n = f->in.end - f->in.begin;

    if (sqlite3_open_v2(":memory:", &f->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return fail_work(err, "%s: SQLite cannot be used", f->path);
    (void)sqlite3_db_config(f->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(f->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_db_config(f->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(f->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    if (sqlite3_deserialize(f->db, "main",
                            (unsigned char *)(uintptr_t)f->in.begin, n, n,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        return nsys_fail(f, err);
    if (sqlite3_exec(f->db, "PRAGMA cache_size=-256; PRAGMA query_only=1", NULL,
                     NULL, NULL) != SQLITE_OK)
        return nsys_fail(f, err);
    return 0;
}

static int first_time(struct nsys_file *f, struct err *err)
{
    char *question = xasprintf("SELECT min(start) FROM (%s)", f->select);
    sqlite3_stmt *s = ask(f, question, err);
    int result = s ? step(f, s, err) : -1;

    free(question);
    if (result > 0)
        f->begin_ns = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return result < 0 ? -1 : 0;
}

int nsys_file_open(struct nsys_file *f, const char *path, struct err *err)
{
    *f = (struct nsys_file){.path = xstrdup(path)};
    if (input_open(&f->in, path, err) < 0)
        return -1;
    if (f->in.end - f->in.begin < 100 ||
        memcmp(f->in.begin, "SQLite format 3", 16) != 0)
        return fail(err, "%s: not a database of SQLite", path);
    if (open_database(f, err) < 0 || find_tables(f, err) < 0 ||
        make_select(f, err) < 0)
        return -1;
    if (first_time(f, err) < 0 ||
        count_of(f, "CUPTI_ACTIVITY_KIND_KERNEL", &f->kernels, err) < 0 ||
        count_of(f, "CUPTI_ACTIVITY_KIND_MEMCPY", &f->copies, err) < 0)
        return -1;
    return 0;
}

void nsys_file_close(struct nsys_file *f)
{
    if (f->db)
        sqlite3_close(f->db);
    free(f->select);
    free(f->path);
    input_close(&f->in);
    *f = (struct nsys_file){0};
}
