/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DUMPI files written call by call, and a real one, become the events that the
 * calls mean. */
#include "tests/check.h"
#include "tests/dumpi_toys.h"
#include "workloads/trace/trace.h"

static const char *const call_words[NTRACE_CALLS] = {
    "compute", "send", "recv",  "probe",  "wait", "poll",     "all",   "comm",
    "put",     "get",  "flush", "cancel", "init", "finalize", "other", "?"};

static void peer_line(FILE *f, char sign, uint32_t peer)
{
    if (peer == ANY_RANK)
        fprintf(f, " %cany", sign);
    else if (peer == NO_PEER)
        fprintf(f, " %cnone", sign);
    else
        fprintf(f, " %c%u", sign, peer);
}

static void counts_line(FILE *f, const char *what, const uint64_t *at, size_t n)
{
    for (size_t i = 0; at && i < n; i++)
        fprintf(f, "%s%llu", i ? "," : what, (unsigned long long)at[i]);
}

static void message_line(FILE *f, const struct trace_event *e)
{
    bool tagged = e->call == TRACE_SEND || e->call == TRACE_RECV ||
                  e->call == TRACE_PROBE || e->call == TRACE_POLL;

    if (e->peer != NO_PEER || tagged)
        peer_line(f, '@', e->peer);
    if (tagged && e->tag == ANY_TAG)
        fprintf(f, " tany");
    else if (tagged)
        fprintf(f, " t%u", e->tag);
    if (e->got_peer != ANY_RANK)
        fprintf(f, " got %u t%d", e->got_peer, (int)e->got_tag);
    if (e->bytes || e->recv_bytes)
        fprintf(f, " %lluB", (unsigned long long)e->bytes);
    if (e->recv_bytes)
        fprintf(f, "/%lluB", (unsigned long long)e->recv_bytes);
    counts_line(f, " to ", e->counts, e->ncounts);
    counts_line(f, " from ", e->recv_counts, e->ncounts);
}

/* "send!s c1 @3 t7 40B #5": it blocks, is synchronous, in communicator 1, to 3
 * with tag 7. */
static void event_line(FILE *f, const struct trace_event *e)
{
    fprintf(f, "%s%s%s", call_words[e->call], e->blocks ? "!" : "",
            e->synchronous ? "s" : "");
    if (e->call == TRACE_COLLECTIVE)
        fprintf(f, " %s", trace_collective_names[e->collective]);
    if (e->comm)
        fprintf(f, " c%u", e->comm);
    message_line(f, e);
    if (e->call == TRACE_COMM) {
        fprintf(f, " how %u", e->how);
        if (e->new_comm == NO_COMM)
            fprintf(f, " none");
        else
            fprintf(f, " new %u", e->new_comm);
        if (e->how == TRACE_SPLIT)
            fprintf(f, " %d %d", (int)e->color, (int)e->key);
        for (size_t i = 0; i < e->nmembers; i++)
            fprintf(f, "%s%u", i ? "," : " of ", e->members[i]);
    }
    if (e->request != NO_REQUEST)
        fprintf(f, " #%llx", (unsigned long long)e->request);
    for (size_t i = 0; i < e->nrequests; i++)
        fprintf(f, " after %llx", (unsigned long long)e->requests[i]);
    fputc('\n', f);
}

/* All events of a rank; an error is the last line. The caller frees it. */
static char *text_of(struct trace *t, uint32_t rank)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct trace_event e;
    struct err err = {0};
    int result;

    while ((result = trace_next(t, rank, &e, &err)) > 0)
        event_line(f, &e);
    if (result < 0)
        fprintf(f, "%s\n", strstr(err.text, "rank "));
    fclose(f);
    return text;
}

static void check_text(const char *got, const char *want, int line)
{
    check_count++;
    if (!strcmp(got, want))
        return;
    check_failures++;
    fprintf(stderr, "%s:%d: got\n%s--- expected\n%s", __FILE__, line, got,
            want);
}

/* A file of rank 1 of 4, closed and opened: its events, twice. */
static void check_file(struct toy_file *f, const char *want, int line)
{
    struct trace t;
    struct err err = {0};

    toy_close(f);
    char *path = toy_write(f, "toy-0001.bin");
    char *meta = scratch_file("toy.meta", "numprocs=4\nfileprefix=toy\n");
    if (trace_open(&t, path, &err) < 0) {
        check_text(err.text, want, line);
    } else {
        char *once = text_of(&t, 1);
        CHECK(trace_rewind(&t, 1, &err) == 0);
        char *twice = text_of(&t, 1);
        check_text(once, want, line);
        CHECK(!strcmp(once, twice));
        free(once);
        free(twice);
        trace_close(&t);
    }
    unlink(path);
    unlink(meta);
    free(path);
    free(meta);
}
#define CHECK_FILE(f, want) check_file(&(f), want, __LINE__)

/* --- messages ------------------------------------------------------------- */

static void test_sends(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_INIT, "is", 1, "app");
    toy(&f, T_SEND, "ihiih", 10, T_INT, 3, 7, T_WORLD);
    toy(&f, T_BSEND, "ihiih", 10, T_BYTE, 3, 7, T_WORLD);
    toy(&f, T_SSEND, "ihiih", 1, T_BYTE, 0, 0, T_WORLD);
    toy(&f, T_RSEND, "ihiih", 2, T_BYTE, -2, 0, T_WORLD); /* to nobody */
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
    toy(&f, T_CANCEL, "i", 8); /* there is none any more */
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

/* Where MPI_PROC_NULL is -1 too, a receive from it is from nobody, unless its
 * status tells of somebody. */
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
    toy(&f, T_ISEND, "ihiihi", 0, T_BYTE, 0, 0, T_WORLD, 6); /* once more */
    toy(&f, T_REQUEST_FREE, "i", 6);
    toy(&f, T_ISEND, "ihiihi", 0, T_BYTE, 0, 0, T_WORLD, 6); /* another */
    CHECK_FILE(f, "send @0 t0 #2\nsend @0 t0 #3\nsend @0 t0 #4\n"
                  "send @0 t0 #5\nsend @0 t0 #6\nsend @0 t0 #7\n"
                  "send @0 t0 #8\nsend @0 t0 #9\n"
                  "poll @none t0\nwait after 2\nwait after 4\nwait\n"
                  "poll @none t0\nwait after 5\nwait after 3 after 7\n"
                  "poll @none t0\nwait after 8\npoll @none t0\n"
                  "wait after 6 after 9\n"
                  "send @0 t0 #6\nother\nsend @0 t0 #100000006\n");
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

/* --- collectives ---------------------------------------------------------- */

static void test_rooted(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_BARRIER, "h", T_WORLD);
    toy(&f, T_BCAST, "ihih", 3, T_INT, 2, T_WORLD);
    toy(&f, T_REDUCE, "ihbih", 3, T_DOUBLE, 1, 1, T_WORLD);
    toy(&f, T_GATHER, "iihih", 1, 3, T_INT, 0, T_WORLD);
    toy(&f, T_GATHER, "iihihih", 1, 0, 1, 1, T_WORLD, 3, T_INT); /* in place */
    toy(&f, T_GATHERV, "iiihihh", 1, 4, 6, T_BYTE, 0, T_WORLD, T_BYTE);
    toy(&f, T_GATHERV, "iiihihaah", 1, 4, 2, T_BYTE, 1, T_WORLD, 4, 1, 2, 3, 4,
        4, 0, 0, 0, 0, T_INT);
    toy(&f, T_SCATTER, "iihih", 1, 3, T_INT, 0, T_WORLD);
    toy(&f, T_SCATTERV, "iihihih", 1, 4, T_BYTE, 5, T_BYTE, 0, T_WORLD);
    toy(&f, T_SCATTERV, "iihihihaa", 1, 4, T_BYTE, 2, T_BYTE, 1, T_WORLD, 4, 1,
        2, 3, 4, 4, 0, 0, 0, 0);
    CHECK_FILE(f, "all! barrier\n"
                  "all! broadcast @2 12B/12B\n"
                  "all! reduce @1 24B/24B\n"
                  "all! gather @0 12B\n"
                  "all! gather @1 12B/12B\n"
                  "all! gather @0 6B\n"
                  "all! gather @1 2B from 4,8,12,16\n"
                  "all! scatter @0 0B/12B\n"
                  "all! scatter @0 0B/5B\n"
                  "all! scatter @1 0B/2B to 1,2,3,4\n");
}

static void test_all_to_all(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_ALLREDUCE, "ihbh", 2, T_DOUBLE, 3, T_WORLD);
    toy(&f, T_ALLGATHER, "ihihh", 2, T_INT, 8, T_BYTE, T_WORLD);
    toy(&f, T_ALLGATHERV, "iihaahh", 4, 2, T_INT, 4, 1, 2, 3, 4, 0, T_INT,
        T_WORLD);
    toy(&f, T_ALLTOALL, "ihihh", 0, 1, 4, T_BYTE, T_WORLD); /* in place */
    toy(&f, T_ALLTOALLV, "iaahaahh", 4, 4, 1, 2, 3, 4, 0, T_INT, 4, 5, 6, 7, 8,
        0, T_BYTE, T_WORLD);
    toy(&f, T_ALLTOALLW, "iaataath", 4, 4, 1, 2, 3, 4, 0, 4, T_BYTE, T_INT,
        T_DOUBLE, T_BYTE, 4, 1, 1, 1, 1, 0, 4, T_INT, T_INT, T_INT, T_INT,
        T_WORLD);
    toy(&f, T_REDUCE_SCATTER, "iahbh", 4, 4, 1, 2, 3, 4, T_INT, 1, T_WORLD);
    toy(&f, T_SCAN, "ihbh", 2, T_INT, 1, T_WORLD);
    toy(&f, T_EXSCAN, "ihbh", 2, T_BYTE, 1, T_WORLD);
    CHECK_FILE(f, "all! allreduce 16B/16B\n"
                  "all! allgather 8B/8B\n"
                  "all! allgather 8B from 4,8,12,16\n"
                  "all! alltoall 4B/4B\n"
                  "all! alltoall to 4,8,12,16 from 5,6,7,8\n"
                  "all! alltoall to 1,8,24,4 from 4,4,4,4\n"
                  "all! reduce-scatter 0B/8B to 4,8,12,16\n"
                  "all! scan 8B/8B\n"
                  "all! exscan 2B/2B\n");
}

static void test_types(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_TYPE_CONTIGUOUS, "ihh", 3, T_INT, 28);
    toy(&f, T_TYPE_VECTOR, "iiihh", 2, 5, 9, 28, 29);
    toy(&f, T_TYPE_INDEXED, "iaahh", 2, 2, 1, 3, 2, 0, 8, T_DOUBLE, 30);
    toy(&f, T_TYPE_STRUCT, "iaath", 2, 2, 2, 1, 2, 0, 8, 2, T_INT, 30, 31);
    toy(&f, T_TYPE_SIZE, "hi", 40, 100);
    for (int type = 28; type < 32; type++)
        toy(&f, T_SEND, "ihiih", 1, type, 0, 0, T_WORLD);
    toy(&f, T_SEND, "ihiih", 2, 40, 0, 0, T_WORLD);
    toy(&f, T_SEND, "ihiih", 2, 50, 0, 0, T_WORLD); /* nobody says */
    CHECK_FILE(f, "other\nother\nother\nother\nother\n"
                  "send! @0 t0 12B\nsend! @0 t0 120B\nsend! @0 t0 32B\n"
                  "send! @0 t0 40B\nsend! @0 t0 200B\nsend! @0 t0\n");
}

/* --- communicators -------------------------------------------------------- */

static void test_comms(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_COMM_SIZE, "hi", T_WORLD, 4);
    toy(&f, T_COMM_RANK, "hi", T_WORLD, 1);
    toy(&f, T_COMM_DUP, "hh", T_WORLD, 4);
    toy(&f, T_COMM_SPLIT, "hiih", 4, 7, -3, 5);
    toy(&f, T_COMM_SPLIT, "hiih", T_WORLD, -32766, 0, 1); /* not in it */
    toy(&f, T_BARRIER, "h", 5);
    toy(&f, T_COMM_FREE, "h", 4);
    toy(&f, T_COMM_DUP, "hh", 5, 4); /* the number comes again */
    toy(&f, T_BARRIER, "h", 4);
    toy(&f, T_BARRIER, "h", T_SELF);
    toy(&f, T_BARRIER, "h", 9); /* nobody made it */
    CHECK_FILE(f, "other\nother\n"
                  "comm how 0 new 1\n"
                  "comm c1 how 1 new 2 7 -3\n"
                  "comm how 1 none -32766 0\n"
                  "all! barrier c2\nother\n"
                  "comm c2 how 0 new 3\n"
                  "all! barrier c3\n"
                  "comm how 3 new 4 of 1\n"
                  "all! barrier c4\n"
                  "all! barrier c5\n");
}

static void test_groups(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_COMM_GROUP, "hh", T_WORLD, 3);
    toy(&f, T_GROUP_INCL, "hiah", 3, 2, 2, 3, 1, 4);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 4, 4);
    toy(&f, T_GROUP_EXCL, "hiah", 3, 1, 1, 0, 5); /* 1, 2, 3 */
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 5, 5);
    toy(&f, T_COMM_GROUP, "hh", 5, 6);
    toy(&f, T_GROUP_INCL, "hiah", 6, 2, 2, 2, 0, 7); /* 3, 1 of the world */
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 7, 6);
    toy(&f, T_COMM_CREATE, "hhh", 5, 7, 7); /* 2, 0 of that one */
    toy(&f, T_GROUP_UNION, "hhh", 4, 5, 8);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 8, 8);
    toy(&f, T_GROUP_INTERSECTION, "hhh", 5, 4, 9);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 9, 9);
    toy(&f, T_GROUP_DIFFERENCE, "hhh", 3, 4, 10);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 10, 1);
    toy(&f, T_GROUP_RANGE_INCL, "hiiah", 3, 1, 1, 3, 3, 0, -2, 11);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 11, 10);
    toy(&f, T_GROUP_RANGE_EXCL, "hiiah", 3, 1, 1, 3, 0, 2, 2, 12);
    toy(&f, T_COMM_CREATE, "hhh", T_WORLD, 12, 11);
    CHECK_FILE(f, "other\nother\n"
                  "comm how 2 new 1 of 3,1\nother\n"
                  "comm how 2 new 2 of 1,2,3\nother\nother\n"
                  "comm how 2 new 3 of 3,1\n"
                  "comm c2 how 2 new 4 of 2,0\nother\n"
                  "comm how 2 new 5 of 3,1,2\nother\n"
                  "comm how 2 new 6 of 1,3\nother\n"
                  "comm how 2 none of 0,2\nother\n"
                  "comm how 2 new 7 of 3,1\nother\n"
                  "comm how 2 new 8 of 1,3\n");
}

/* Rank 1 of 2 x 2 is in row 0 and column 1. */
static void test_topologies(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_CART_CREATE, "hiaaih", T_WORLD, 2, 2, 2, 2, 2, 0, 0, 0, 4);
    toy(&f, T_CART_SUB, "ihah", 2, 4, 2, 0, 1, 5);
    toy(&f, T_CART_SUB, "ihah", 2, 4, 2, 1, 0, 6);
    toy(&f, T_CART_CREATE, "hiaaih", T_WORLD, 1, 1, 3, 1, 0, 0, 7);
    toy(&f, T_GRAPH_CREATE, "ihiaaih", 0, T_WORLD, 2, 2, 0, 0, 0, 0, 8);
    toy(&f, T_INTERCOMM_CREATE, "hihiih", T_WORLD, 0, 4, 0, 0, 9);
    CHECK_FILE(f, "comm how 0 new 1\n"
                  "comm c1 how 1 new 2 0 1\n"
                  "comm c1 how 1 new 3 1 0\n"
                  "comm how 2 new 4 of 0,1,2\n"
                  "comm how 2 new 5 of 0,1\n"
                  "?\n");
}

/* --- one-sided ------------------------------------------------------------ */

static void test_windows(void)
{
    struct toy_file f = toy_file_new();

    toy(&f, T_COMM_GROUP, "hh", T_WORLD, 3);
    toy(&f, T_GROUP_INCL, "hiah", 3, 2, 2, 0, 2, 4);
    toy(&f, T_WIN_CREATE, "iihhh", 100, 1, 0, T_WORLD, 1);
    toy(&f, T_PUT, "ihiiihh", 3, T_INT, 2, 0, 3, T_INT, 1);
    toy(&f, T_WIN_FENCE, "bh", 0, 1);
    toy(&f, T_WIN_LOCK, "bibh", 1, 3, 0, 1);
    toy(&f, T_WIN_UNLOCK, "ih", 3, 1);
    toy(&f, T_WIN_POST, "hbh", 4, 0, 1);
    toy(&f, T_WIN_START, "hbh", 4, 0, 1);
    toy(&f, T_WIN_COMPLETE, "h", 1);
    toy(&f, T_WIN_TEST, "hi", 1, 0);
    toy(&f, T_WIN_WAIT, "h", 1);
    toy(&f, T_WIN_FREE, "h", 1);
    toy(&f, T_FILE_READ, "hihx", 1, 5, T_INT, 0);
    CHECK_FILE(f, "other\nother\ncomm how 0 new 1\n"
                  "put c1 @2 12B\nflush c1 @any\nall! barrier c1\n"
                  "other\nflush c1 @3\n"
                  "send c1 @0 t0\nsend c1 @2 t0\n"
                  "recv! c1 @0 t0\nrecv! c1 @2 t0\n"
                  "flush c1 @any\nsend c1 @0 t1\nsend c1 @2 t1\n"
                  "poll @none t0\n"
                  "recv! c1 @0 t1\nrecv! c1 @2 t1\n"
                  "all! barrier c1\n?\n");
}

/* --- clocks --------------------------------------------------------------- */

/* Two calls of 1 us, 1 us apart, of a clock of 16 bits of seconds. */
static void test_clock(void)
{
    struct toy_file f = toy_file_new();
    struct trace t;
    struct trace_event e;
    struct err err;

    toy(&f, T_BARRIER, "h", T_WORLD);
    toy(&f, T_ENTER, "l", 4096); /* of the program, not of MPI */
    toy(&f, T_EXIT, "l", 4096);
    toy(&f, T_BARRIER, "h", T_WORLD);
    size_t second = f.n - 2 - 24;
    toy_close(&f);
    f.at[second + 12] = 0xff; /* its wall clock: begins at 0xff05 s, */
    f.at[second + 19] = 0x06; /* ends at 6 s, when it has wrapped */
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

/* Records without times, threads and statuses, and with hardware counters. */
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
    toy(&f, T_INIT, "iis", 1, 1, "app"); /* argc twice */
    toy(&f, T_RECV, "ihiihx", 1, T_BYTE, -1, 0, T_WORLD, 1, 1, 3, 0);
    toy(&f, T_TYPE_STRUCT, "iaith", 1, 1, 5, 0, 1, T_INT, 28);
    toy(&f, T_SEND, "ihiih", 1, 28, 0, 0, T_WORLD);
    toy(&f, T_GATHERV, "iiihih", 1, 4, 6, T_BYTE, 0, T_WORLD); /* no type */
    toy(&f, T_FINALIZE, "");
    toy_put(&f, 0, 2); /* so did the stream end */
    toy_put(&f, 0x4f, 1);
    CHECK_FILE(f, "init\nrecv! @any t0 got 3 t-1 1B\nother\n"
                  "send! @0 t0 20B\nall! gather @0 6B\nfinalize\n");
}

/* --- a real trace --------------------------------------------------------- */

/* Counted by another reader: see tests/data/dumpi/README.md. */
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

int main(void)
{
    scratch_make();
    test_sends();
    test_receives();
    test_null_like_any();
    test_sendrecv();
    test_waits();
    test_persistent();
    test_rooted();
    test_all_to_all();
    test_types();
    test_comms();
    test_groups();
    test_topologies();
    test_windows();
    test_clock();
    test_masks();
    test_old_versions();
    test_real();
    scratch_clear();
    return check_result();
}
