/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DUMPI files written call by call, and a real one, become the events that the
 * calls mean. */
#include "tests/dumpi_text.h"
#include "workloads/trace/dumpi/find.h"

/* --- messages ------------------------------------------------------------- */

static void test_sends(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_INIT, "is", 1, "app");
    toy(&f, T_SEND, "ihiih", 10, T_INT, 3, 7, T_WORLD);
    toy(&f, T_BSEND, "ihiih", 10, T_BYTE, 3, 7, T_WORLD);
    toy(&f, T_SSEND, "ihiih", 1, T_BYTE, 0, 0, T_WORLD);
    toy(&f, T_RSEND, "ihiih", 2, T_BYTE, -2, 0, T_WORLD); /* to MPI_PROC_NULL */
    toy(&f, T_ISEND, "ihiihi", 1, T_INT, 2, 5, T_WORLD, 2);
    toy(&f, T_IBSEND, "ihiihi", 1, T_INT, 2, 5, T_WORLD, 3);
    toy(&f, T_ISSEND, "ihiihi", 1, T_INT, 2, 5, T_WORLD, 4);
    toy(&f, T_WAITALL, "iax", 3, 3, 2, 3, 4, 0);
    toy(&f, T_FINALIZE, "");
    CHECK_FILE(f, "init\n"
                  "send! @3 t7 40B\n"
                  "send @3 t7 10B\n"
                  "send!s @0 t0 1B\n"
                  "send! @none t0 2B\n"
                  "send @2 t5 4B #2\n"
                  "send @2 t5 4B\n"
                  "sends @2 t5 4B #4\n"
                  "wait after 2 after 4\n"
                  "finalize\n");
}

static void test_receives(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_RECV, "ihiihx", 10, T_BYTE, 3, 7, T_WORLD, 1, 8, 3, 7);
    toy(&f, T_RECV, "ihiihx", 10, T_BYTE, -1, -1, T_WORLD, 1, 8, 2, 9);
    toy(&f, T_RECV, "ihiihx", 10, T_BYTE, -1, 4, T_WORLD, 0);
    toy(&f, T_RECV, "ihiihx", 10, T_BYTE, -2, 4, T_WORLD, 0);
    toy(&f, T_IRECV, "ihiihi", 10, T_BYTE, -1, -1, T_WORLD, 8);
    toy(&f, T_PROBE, "iihx", -1, 6, T_WORLD, 1, 4, 0, 6);
    toy(&f, T_IPROBE, "iihix", -1, 6, T_WORLD, 0, 0);
    toy(&f, T_IPROBE, "iihix", 3, -1, T_WORLD, 1, 1, 4, 3, 2);
    toy(&f, T_CANCEL, "i", 8);
    toy(&f, T_WAIT, "ix", 8, 1, 0, -1, -1);
    toy(&f, T_CANCEL, "i", 8); /* its request is complete */
    CHECK_FILE(f, "recv! @3 t7 got 3 t7 10B\n"
                  "recv! @any tany got 2 t9 10B\n"
                  "recv! @any t4 10B\n"
                  "recv! @none t4 10B\n"
                  "recv @any tany 10B #8\n"
                  "probe @any t6 got 0 t6\n"
                  "poll @any t6\n"
                  "probe @3 tany got 3 t2\n"
                  "cancel after 8\n"
                  "wait after 8\n"
                  "other\n");
}

/* If MPI_PROC_NULL is -1 too, a receive from it has no sender, unless its
 * status names one. */
static void test_null_like_any(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_IRECV, "ihiihi", 1, T_BYTE, -1, 4, T_WORLD, 2);
    toy(&f, T_RECV, "ihiihx", 1, T_BYTE, -1, 4, T_WORLD, 1, 1, 3, 4);
    toy(&f, T_SEND, "ihiih", 1, T_BYTE, -1, 4, T_WORLD);
    CHECK_FILE(f, "recv @none t4 1B #2\n"
                  "recv! @any t4 got 3 t4 1B\n"
                  "send! @none t4 1B\n");
}

static void test_sendrecv(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_SENDRECV, "ihiiihiihx", 4, T_BYTE, 2, 5, 2, T_INT, 0, 6, T_WORLD,
        1, 8, 0, 6);
    toy(&f, T_SENDRECV_REPLACE, "ihiiiihx", 4, T_INT, -2, 5, -1, -1, T_WORLD, 1,
        3, 3, 9);
    CHECK_FILE(f, "send @2 t5 4B #8000000000000000\n"
                  "recv @0 t6 got 0 t6 8B #8000000000000001\n"
                  "wait after 8000000000000000 after 8000000000000001\n"
                  "send @none t5 16B #8000000000000000\n"
                  "recv @any tany got 3 t9 16B #8000000000000001\n"
                  "wait after 8000000000000000 after 8000000000000001\n");
}

static void test_waits(void)
{
    struct toy_file f = toy_file_new();

    for (int i = 2; i < 10; i++)
        toy(&f, T_ISEND, "ihiihi", 0, T_BYTE, 0, 0, T_WORLD, i);
    toy(&f, T_TEST, "iix", 2, 0, 0);
    toy(&f, T_TEST, "iix", 2, 1, 0);
    toy(&f, T_WAITANY, "iaix", 3, 3, 2, 4, 3, 1, 0);
    toy(&f, T_WAITANY, "iaix", 1, 1, 1, -32766, 0); /* none is active */
    toy(&f, T_TESTANY, "iaiix", 2, 2, 3, 5, 0, 0, 0);
    toy(&f, T_TESTANY, "iaiix", 2, 2, 3, 5, 1, 1, 0);
    toy(&f, T_WAITSOME, "iaiax", 3, 3, 3, 6, 7, 2, 2, 0, 2, 0);
    toy(&f, T_TESTSOME, "iaiax", 2, 2, 6, 8, 0, 0, 0);
    toy(&f, T_TESTSOME, "iaiax", 2, 2, 6, 8, 1, 1, 1, 0);
    toy(&f, T_TESTALL, "iaix", 2, 2, 6, 9, 0, 0);
    toy(&f, T_TESTALL, "iaix", 3, 3, 6, 1, 9, 1, 0);
    toy(&f, T_ISEND, "ihiihi", 0, T_BYTE, 0, 0, T_WORLD, 6); /* used again */
    toy(&f, T_REQUEST_FREE, "i", 6);
    toy(&f, T_ISEND, "ihiihi", 0, T_BYTE, 0, 0, T_WORLD, 6); /* another one */
    toy(&f, T_ISEND, "ihiihi", 0, T_BYTE, 0, 0, T_WORLD, 6); /* shared */
    toy(&f, T_WAITALL, "iax", 2, 2, 6, 6, 0);
    CHECK_FILE(f, "send @0 t0 #2\nsend @0 t0 #3\nsend @0 t0 #4\n"
                  "send @0 t0 #5\nsend @0 t0 #6\nsend @0 t0 #7\n"
                  "send @0 t0 #8\nsend @0 t0 #9\n"
                  "poll @none t0\nwait after 2\nwait after 4\nwait\n"
                  "poll @none t0\nwait after 5\nwait after 3 after 7\n"
                  "poll @none t0\nwait after 8\npoll @none t0\n"
                  "wait after 6 after 9\n"
                  "send @0 t0 #6\nother\nsend @0 t0 #100000006\n"
                  "send @0 t0 #200000006\n"
                  "wait after 100000006 after 200000006\n");
}

static void test_persistent(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_SEND_INIT, "ihiihi", 3, T_BYTE, 2, 8, T_WORLD, 2);
    toy(&f, T_RECV_INIT, "ihiihi", 3, T_INT, -1, 8, T_WORLD, 3);
    toy(&f, T_BSEND_INIT, "ihiihi", 5, T_BYTE, 2, 8, T_WORLD, 4);
    toy(&f, T_WAIT, "ix", 2, 0); /* not started: complete */
    for (int i = 0; i < 2; i++) {
        toy(&f, T_STARTALL, "ia", 3, 3, 2, 3, 4);
        toy(&f, T_WAITALL, "iax", 3, 3, 2, 3, 4, 0);
    }
    toy(&f, T_START, "i", 3);
    toy(&f, T_REQUEST_FREE, "i", 2);
    toy(&f, T_START, "i", 2);
    CHECK_FILE(f, "other\nother\nother\nwait\n"
                  "send @2 t8 3B #2\nrecv @any t8 12B #3\nsend @2 t8 5B\n"
                  "wait after 2 after 3\n"
                  "send @2 t8 3B #2\nrecv @any t8 12B #3\nsend @2 t8 5B\n"
                  "wait after 2 after 3\n"
                  "recv @any t8 12B #3\nother\n"
                  "rank 1: MPI_Start: request 2: no recorded call made it\n");
}

/* --- clocks --------------------------------------------------------------- */

/* Makes two calls of 1 us, 1 us apart, with a clock of 16 bits of seconds. */
static void test_clock(void)
{
    struct toy_file f = toy_file_new();
    struct trace t;
    struct trace_event e;
    struct err err;

    toy(&f, T_BARRIER, "h", T_WORLD);
    toy(&f, T_ENTER, "l", 4096); /* the program's, not MPI's */
    toy(&f, T_EXIT, "l", 4096);
    toy(&f, T_BARRIER, "h", T_WORLD);
    size_t second = f.n - 2 - 24;
    toy_close(&f);
    f.at[second + 12] = 0xff; /* its wall clock begins at 0xff05 s, */
    f.at[second + 19] = 0x06; /* and ends at 6 s, after it has wrapped */
    char *path = toy_write(&f, "clock.bin");
    CHECK(trace_open(&t, path, &err) == 0);
    CHECK(t.has_clock);
    CHECK(trace_next(&t, 0, &e, &err) == 1);
    CHECK_NEAR(e.begin_s, 5, 1e-12);
    CHECK_NEAR(e.end_s, 5 + 1e-6, 1e-12);
    CHECK_EQ(e.place, 16);
    CHECK(!strcmp(e.name, "MPI_Barrier"));
    CHECK(trace_next(&t, 0, &e, &err) == 1);
    CHECK_NEAR(e.begin_s, 0xff05 + 6e-6, 1e-12);
    CHECK_NEAR(e.end_s, 0x10006 + 7e-6, 1e-12);
    CHECK(trace_next(&t, 0, &e, &err) == 0);
    trace_close(&t);
    unlink(path);
    free(path);
}

/* Records have no times, threads and statuses, but hardware counters. */
static void test_masks(void)
{
    struct toy_file f = toy_file_new();

    f.mask = 0x80;
    toy(&f, T_SEND, "ihiih", 1, T_BYTE, 0, 0, T_WORLD);
    toy(&f, T_RECV, "ihiihx", 1, T_BYTE, 0, 0, T_WORLD, 0);
    CHECK_FILE(f, "send! @0 t0 1B\nrecv! @0 t0 1B\n");
}

/* --- versions ------------------------------------------------------------- */

static void test_old_versions(void)
{
    struct toy_file f = toy_file_new();

    f.version[0] = 0;
    f.version[1] = 6;
    f.version[2] = 1;
    toy(&f, T_INIT, "iis", 1, 1, "app"); /* argc is there twice */
    toy(&f, T_RECV, "ihiihx", 1, T_BYTE, -1, 0, T_WORLD, 1, 1, 3, 0);
    toy(&f, T_TYPE_STRUCT, "iaith", 1, 1, 5, 0, 1, T_INT, 28);
    toy(&f, T_SEND, "ihiih", 1, 28, 0, 0, T_WORLD);
    /* It has no type. */
    toy(&f, T_GATHERV, "iiihih", 1, 4, 6, T_BYTE, 0, T_WORLD);
    toy(&f, T_FINALIZE, "");
    toy_put(&f, 0, 2); /* this ended the stream */
    toy_put(&f, 0x4f, 1);
    CHECK_FILE(f, "init\nrecv! @any t0 got 3 t-1 1B\nother\n"
                  "send! @0 t0 20B\nall! gather @0 6B\nfinalize\n");
}

/* --- a real trace --------------------------------------------------------- */

/* The counts are another reader's: see tests/data/dumpi/README.md. */
static void test_real(void)
{
    uint64_t n[NTRACE_CALLS] = {0}, bytes = 0;
    struct trace t;
    struct trace_event e;
    struct err err;

    CHECK(trace_open(&t, "tests/data/dumpi", &err) == 0);
    CHECK_EQ(t.ranks, 4);
    CHECK_EQ(t.nremarks, 0);
    for (uint32_t r = 0; r < t.ranks; r++)
        while (trace_next(&t, r, &e, &err) > 0) {
            n[e.call]++;
            bytes += e.call == TRACE_SEND ? e.bytes : 0;
            CHECK(e.begin_s <= e.end_s && e.begin_s >= 0 && e.end_s < 2);
        }
    CHECK_EQ(n[TRACE_SEND], 48);
    CHECK_EQ(n[TRACE_RECV], 48);
    CHECK_EQ(n[TRACE_WAIT], 32);
    CHECK_EQ(n[TRACE_COLLECTIVE], 16);
    CHECK_EQ(n[TRACE_FINALIZE], 4);
    CHECK_EQ(bytes, 48 * 4);
    trace_close(&t);
}

/* Rank 1 of tests/data/dumpi/calls/calls.c has these calls, counted there by
 * hand; the numbers of MPI_Test and MPI_Iprobe that found nothing were
 * chance. */
static void test_recorded(void)
{
    static const uint64_t want[NTRACE_CALLS] = {
        [TRACE_SEND] = 17,       [TRACE_RECV] = 20, [TRACE_PROBE] = 2,
        [TRACE_WAIT] = 15,       [TRACE_COMM] = 9,  [TRACE_PUT] = 4,
        [TRACE_COLLECTIVE] = 23, [TRACE_GET] = 1,   [TRACE_FLUSH] = 4,
        [TRACE_CANCEL] = 1,      [TRACE_INIT] = 1,  [TRACE_FINALIZE] = 1};
    uint64_t n[NTRACE_CALLS] = {0}, sent = 0, put = 0, types = 0;
    struct trace t;
    struct trace_event e;
    struct err err;

    CHECK(trace_open(&t, "tests/data/dumpi/calls/calls-0002.bin.xz", &err) ==
          0);
    CHECK_EQ(t.ranks, 4);
    while (trace_next(&t, 1, &e, &err) > 0) {
        n[e.call]++;
        sent += e.call == TRACE_SEND ? e.bytes : 0;
        put += e.call == TRACE_PUT ? e.bytes : 0;
        if (e.call == TRACE_SEND && e.tag >= 20)
            types = types * 1000 + e.bytes;
    }
    for (int c = 0; c < NTRACE_CALLS; c++)
        if (c != TRACE_POLL && c != TRACE_OTHER)
            CHECK_EQ(n[c], want[c]);
    CHECK_EQ(sent, 40 + 40 + 28 + 32 + 2 * 12 + 4 + 148 + 4);
    CHECK_EQ(types, 12080012020024);
    CHECK_EQ(put, 12 + 4 + 4 + 4);
    trace_close(&t);
}

/* A file with three of the keys that dumpi writes is its metafile. */
static void test_metafile(void)
{
    static const char *const texts[] = {
        "a text of nothing\n",
        "hostname=a\n",
        "hostname=a\nusername=b\n",
        "hostname=a\nnumprocs=2\nfileprefix=dumpi-1\n",
        "hostname=a\nnumprocs=2\nusername=b\nstartime=1\nfileprefix=d\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK_EQ(dumpi_find_meta(texts[i], strlen(texts[i])), i >= 3);
    CHECK(!dumpi_find_meta(texts[3], 22)); /* only two of them */
}

int main(void)
{
    scratch_make();
    test_sends();
    test_receives();
    test_null_like_any();
    test_sendrecv();
    test_waits();
    test_persistent();
    test_clock();
    test_masks();
    test_old_versions();
    test_real();
    test_recorded();
    test_metafile();
    scratch_clear();
    return check_result();
}
