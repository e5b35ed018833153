/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of Nsight Systems as SQLite: an old one that was made public, and
 * databases made here with the tables of newer versions. */
#include "tests/trace_text.h"

#ifndef SLUICE_SQLITE
int main(void)
{
    return 77; /* built without SQLite */
}
#else

#include <sqlite3.h>

/* There are 10 MPI_Send and 5 MPI_Recv among the NVTX ranges, counted by
 * sqlite3; 5 kernels and 15 copies. */
static void test_2022(void)
{
    struct trace t;

    check_open(&t, "tests/data/nsys/saxpy-mpi-cuda_nsys_perlmutter0.sqlite.xz");
    CHECK_EQ(t.ranks, 1);
    char *text = trace_text(&t, 0);
    size_t sends = 0, recvs = 0;
    for (const char *at = text; (at = strstr(at, "MPI_Send ?")); at++)
        sends++;
    for (const char *at = text; (at = strstr(at, "MPI_Recv ?")); at++)
        recvs++;
    CHECK_EQ(sends, 10);
    CHECK_EQ(recvs, 5);
    CHECK_HAS(text, "MPI_Init init [0, 0.645678983]\n");
    CHECK_HAS(text, "MPI_Finalize finalize [2.01747541, 2.02382689]\n");
    check_remark(&t, "15 calls of MPI are written without their arguments");
    check_remark(&t, "5 kernels and 15 copies");
    free(text);
    trace_close(&t);
}

/* --- own reports ---------------------------------------------------------- */

static const char *const calls[] = {
    "MPI_Init",     "MPI_Send",      "MPI_Recv",      "MPI_Isend",
    "MPI_Irecv",    "MPI_Waitall",   "MPI_Allreduce", "MPI_Sendrecv",
    "MPI_Test",     "MPI_Send_init", "MPI_Start",     "MPI_Bcast",
    "MPI_Alltoall", "MPI_Finalize",  "MPI_Comm_rank", "MPI_Ibarrier",
    "MPI_Wait",     "MPI_Alltoallv"};

static const char tables[] =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
    "CREATE TABLE MPI_RANKS (globalTid INTEGER, rank INTEGER);"
    "CREATE TABLE MPI_P2P_EVENTS (start, end, globalTid, textId, commHandle, "
    "tag, remoteRank, size, requestHandle);"
    "CREATE TABLE MPI_COLLECTIVES_EVENTS (start, end, globalTid, textId, "
    "commHandle, rootRank, size, recvSize, requestHandle);"
    "CREATE TABLE MPI_START_WAIT_EVENTS (start, end, globalTid, textId, "
    "requestHandle);"
    "CREATE TABLE MPI_OTHER_EVENTS (start, end, globalTid, textId);"
    "CREATE TABLE MPI_COMMUNICATORS (rank, timestamp, commHandle, "
    "parentHandle, localRank, size, groupRoot, groupRootUid, members, "
    "commUid);";

static void run(sqlite3 *db, const char *sql)
{
    char *why = NULL;

    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, why);
        exit(1);
    }
}

static char *make(const char *name, const char *sql)
{
    char *path = scratch_path(name);
    sqlite3 *db;

    unlink(path);
    sqlite3_open(path, &db);
    run(db, "BEGIN");
    run(db, tables);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char *text =
            xasprintf("INSERT INTO StringIds VALUES (%zu, '%s')", i, calls[i]);
        run(db, text);
        free(text);
    }
    run(db, sql);
    run(db, "COMMIT");
    sqlite3_close(db);
    return path;
}

/* Two ranks are in one file: threads 1<<24 and 2<<24; communicator 900 is the
 * world's, 901 has both in reverse order. */
static const char two_ranks[] =
    "INSERT INTO MPI_RANKS VALUES (16777217, 0), (33554434, 1);"
    "INSERT INTO MPI_COMMUNICATORS VALUES (0, 1, 900, 0, 0, 2, 0, 0, '', 1),"
    " (1, 1, 900, 0, 1, 2, 0, 0, '', 1), (0, 2, 901, 900, 1, 2, 1, 1, '', 2),"
    " (1, 2, 901, 900, 0, 2, 1, 1, '', 2);"
    "INSERT INTO MPI_OTHER_EVENTS VALUES (1000, 2000, 16777217, 0),"
    " (9000, 9500, 16777217, 13), (1000, 2000, 33554434, 0);"
    "INSERT INTO MPI_P2P_EVENTS VALUES"
    " (3000, 3100, 16777217, 4, 900, -1, -1, 64, 77),"
    " (3200, 3300, 16777217, 3, 900, 5, 1, 64, 78),"
    " (5000, 5100, 16777217, 7, 901, 6, 0, 32, 0),"
    " (6000, 6100, 16777217, 9, 900, 7, 1, 16, 79),"
    " (3000, 3100, 33554434, 1, 900, 5, -2, 64, 0);"
    "INSERT INTO MPI_START_WAIT_EVENTS VALUES"
    " (3400, 3500, 16777217, 8, 77),"
    " (4000, 4500, 16777217, 5, 77), (4000, 4500, 16777217, 5, 78),"
    " (6200, 6300, 16777217, 10, 79), (6400, 6500, 16777217, 5, 79);"
    "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES"
    " (7000, 7500, 16777217, 6, 901, NULL, 800, 800, 0),"
    " (8000, 8100, 16777217, 11, 900, 1, 24, 24, 0),"
    " (8200, 8300, 16777217, 17, 900, NULL, 48, 48, 0),"
    " (8400, 8410, 16777217, 15, 900, NULL, NULL, NULL, 80),"
    " (8500, 8510, 16777217, 12, 555, NULL, 8, 8, 0);";

static void test_two_ranks(void)
{
    struct trace t;
    char *path = make("own.sqlite", two_ranks);

    check_open(&t, path);
    CHECK_EQ(t.ranks, 2);
    CHECK(t.has_clock);
    for (int twice = 0; twice < 2; twice++) {
        struct err err = {0};
        check_trace_text(
            &t, 0,
            "1 MPI_Init init [0, 1e-06]\n"
            "1 MPI_Irecv recv from any tag any 64 B [2e-06, 2.1e-06] #0\n"
            "2 MPI_Isend send to 1 tag 5 64 B [2.2e-06, 2.3e-06] #1\n"
            "1 MPI_Test poll [2.4e-06, 2.5e-06]\n"
            "2 MPI_Waitall blocking wait [3e-06, 3.5e-06] after #0 after #1\n"
            "3 MPI_Sendrecv comm [4e-06, 4e-06]\n"
            "3 MPI_Sendrecv send to 0 tag 6 32 B [4e-06, 4e-06] #2\n"
            "3 MPI_Sendrecv recv from 0 tag 6 32 B [4e-06, 4e-06] #3\n"
            "3 MPI_Sendrecv blocking wait [4e-06, 4.1e-06] after #2 after #3\n"
            "4 MPI_Send_init other [5e-06, 5.1e-06]\n"
            "4 MPI_Start send to 1 tag 7 16 B [5.2e-06, 5.3e-06] #5\n"
            "5 MPI_Waitall blocking wait [5.4e-06, 5.5e-06] after #5\n"
            "1 MPI_Allreduce blocking all allreduce to none 800 B 800 B each "
            "[6e-06, 6.5e-06]\n"
            "2 MPI_Bcast blocking all broadcast to 1 24 B 24 B each [7e-06, "
            "7.1e-06]\n"
            "3 MPI_Alltoallv blocking all alltoall to none 24 B 24 B each "
            "[7.2e-06, 7.3e-06]\n"
            "4 MPI_Ibarrier all barrier to none [7.4e-06, 7.41e-06] #6\n"
            "5 MPI_Alltoall ? [7.5e-06, 7.51e-06]\n"
            "2 waitall blocking wait [8e-06, 8e-06] after #6\n"
            "2 MPI_Finalize finalize [8e-06, 8.5e-06]\n");
        CHECK_EQ(trace_rewind(&t, 0, &err), 0);
    }
    /* It is Open MPI's MPI_ANY_SOURCE, because no rank sends to -1. */
    check_trace_text(&t, 1,
                     "3 MPI_Init init [0, 1e-06]\n"
                     "5 MPI_Send blocking send to none tag 5 64 B [2e-06, "
                     "2.1e-06]\n");
    /* Counted once, although rank 0 was read twice. */
    check_remark(&t, "1 calls are in communicators whose members");
    check_remark(&t, "1 collectives have a count for each member");
    check_remark(&t, "1 requests complete in calls that the report");
    trace_close(&t);
    unlink(path);
    free(path);
}

/* The receive, or the send, of MPI_Sendrecv is in a communicator that the
 * report does not have; a send that is known is waited for. */
static void test_half_known(void)
{
    struct trace t;
    char *path =
        make("half.sqlite", "INSERT INTO MPI_RANKS VALUES (16777217, 0), "
                            "(33554434, 1);"
                            "INSERT INTO MPI_COMMUNICATORS VALUES"
                            " (0, 1, 900, 0, 0, 2, 0, 0, '', 1),"
                            " (1, 1, 900, 0, 1, 2, 0, 0, '', 1);"
                            "INSERT INTO MPI_P2P_EVENTS VALUES"
                            " (1000, 2000, 16777217, 7, 900, 6, 1, 32, 0),"
                            " (1000, 2000, 16777217, 7, 555, 6, 1, 32, 0),"
                            " (3000, 4000, 16777217, 7, 555, 6, 1, 32, 0),"
                            " (3000, 4000, 16777217, 7, 900, 6, 1, 32, 0);");

    check_open(&t, path);
    check_trace_text(&t, 0,
                     "1 MPI_Sendrecv send to 1 tag 6 32 B [0, 0] #0\n"
                     "1 MPI_Sendrecv ? [0, 0]\n"
                     "1 MPI_Sendrecv blocking wait [0, 1e-06] after #0\n"
                     "3 MPI_Sendrecv ? [2e-06, 3e-06]\n");
    check_remark(&t, "2 calls are in communicators whose members");
    trace_close(&t);
    unlink(path);
    free(path);
}

/* The tables have the fewest columns: names and times. */
static void test_few_columns(void)
{
    struct trace t;
    char *path = make("few.sqlite",
                      "DROP TABLE MPI_P2P_EVENTS; DROP TABLE MPI_RANKS;"
                      "DROP TABLE MPI_COLLECTIVES_EVENTS;"
                      "DROP TABLE MPI_COMMUNICATORS;"
                      "CREATE TABLE MPI_P2P_EVENTS (start, end, textId);"
                      "CREATE TABLE MPI_COLLECTIVES_EVENTS (start, end, "
                      "textId);"
                      "INSERT INTO MPI_P2P_EVENTS VALUES (10, 20, 1);"
                      "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (30, 40, 6);"
                      "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (50, NULL, "
                      "99);");

    check_open(&t, path);
    CHECK_EQ(t.ranks, 1);
    check_trace_text(&t, 0,
                     "1 MPI_Send ? [0, 1e-08]\n"
                     "1 MPI_Allreduce ? [2e-08, 3e-08]\n"
                     "2  ? [4e-08, 4e-08]\n");
    check_remark(&t, "2 calls of MPI are written without their arguments");
    trace_close(&t);
    unlink(path);
    free(path);
}

static void check_refused_sql(const char *sql, const char *part)
{
    char *path = make("bad.sqlite", sql), *got = trace_refusal(path);

    CHECK_HAS(got, part);
    CHECK(!strchr(got, '\n'));
    free(got);
    unlink(path);
    free(path);
}

static void test_refused(void)
{
    check_refused_sql("INSERT INTO MPI_RANKS VALUES (1, -4)",
                      "bad.sqlite: rank -4: expected 0 to");
    check_refused_sql("INSERT INTO MPI_RANKS VALUES (1, 1e12)",
                      "bad.sqlite: rank 1000000000000: expected 0 to");
    check_refused_sql("INSERT INTO MPI_RANKS VALUES (16777217, 0);"
                      "INSERT INTO MPI_P2P_EVENTS VALUES (3, 4, 16777217, 1, "
                      "900, 0, 7, 64, 0);",
                      "bad.sqlite:1: rank 0: MPI_Send: its peer is not a "
                      "member");
    check_refused_sql("INSERT INTO MPI_RANKS VALUES (16777217, 0);"
                      "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (3, 4, "
                      "16777217, 11, 900, 3, 64, 64, 0);",
                      "MPI_Bcast: its root is not a member");
    check_refused_sql("DROP TABLE MPI_P2P_EVENTS; DROP TABLE "
                      "MPI_COLLECTIVES_EVENTS; DROP TABLE "
                      "MPI_START_WAIT_EVENTS; DROP TABLE MPI_OTHER_EVENTS;",
                      "has neither calls of MPI nor ranges of NVTX");
    const char *rank = "INSERT INTO MPI_RANKS VALUES (16777217, 0)";
    char *one = make("r1.sqlite", rank);
    char *other =
        make("r2.sqlite", "INSERT INTO MPI_RANKS VALUES (33554434, 0)");
    char *got = trace_refusal(other);
    CHECK_HAS(got, "r2.sqlite: of rank 0, as ");
    free(got);
    unlink(one);
    unlink(other);
    free(one);
    free(other);
}

/* It is cut off, and a byte is inverted at many places: it is an error, or
 * read. */
static void test_damaged(void)
{
    char *path = make("cut.sqlite", two_ranks);

    scratch_damage(path, 5000, 0);
    char *got = trace_refusal(path);
    CHECK_HAS(got, "cut.sqlite: ");
    free(got);
    unlink(path);
    free(path);
    for (long spoil = 1; spoil < 50000; spoil += 397) {
        path = make("odd.sqlite", two_ranks);
        scratch_damage(path, 0, spoil);
        got = trace_refusal(path);
        CHECK(!strchr(got, '\n'));
        free(got);
        unlink(path);
        free(path);
    }
    check_trace_refused("short.sqlite", "SQLite format 3", "short.sqlite");
}

int main(void)
{
    scratch_make();
    test_2022();
    test_two_ranks();
    test_half_known();
    test_few_columns();
    test_refused();
    test_damaged();
    scratch_clear();
    return check_result();
}
#endif
