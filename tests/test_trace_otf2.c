/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of OTF2: Score-P's own, and archives written here by the library. */
#include "tests/trace_text.h"

#ifndef SLUICE_OTF2
int main(void)
{
    return 77; /* built without OTF2 */
}
#else

#include "tests/otf2_archive.h"

/* Suppresses leaks, because the library keeps its data of an archive that it
 * refuses. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libopen-trace-format2";
}

/* --- tests ---------------------------------------------------------------- */

/* The counts are otf2-print's. */
static void test_score_p(void)
{
    struct trace t;

    check_open(&t, "tests/data/otf2/traces.otf2");
    CHECK_EQ(t.ranks, 2);
    CHECK(t.has_clock);
    for (uint32_t r = 0; r < 2; r++) {
        char *text = trace_text(&t, r);
        CHECK_EQ(lines_with(text, "MPI_Send blocking send"), 8);
        CHECK_EQ(lines_with(text, "MPI_Recv blocking recv"), 8);
        CHECK_EQ(lines_with(text, "\n"), 20);
        CHECK_EQ(lines_with(text, "MPI_Init init"), 1);
        CHECK_EQ(lines_with(text, "MPI_Finalize finalize"), 1);
        CHECK_EQ(lines_with(text, " 2097152 B"), 2);
        CHECK_EQ(lines_with(text, " other"), 2);
        free(text);
    }
    /* 7397467382760060 - 7397466976977800 ticks, with 2095075000 a second: the
     * clock begins at the trace's beginning. */
    struct err err = {0};
    CHECK_EQ(trace_rewind(&t, 0, &err), 0);
    char *text = trace_text(&t, 0);
    CHECK_HAS(text, "9 MPI_Send blocking send to 1 tag 10 16384 B [");
    CHECK_EQ(lines_with(text, "\n"), 20);
    free(text);
    CHECK_EQ(t.nremarks, 0);
    trace_close(&t);
}

static void write_messages(struct archive *a, uint32_t rank)
{
    uint32_t peer = 1 - rank;

    enter(a, INIT);
    leave(a, INIT);
    enter(a, IRECV);
    OTF2_EvtWriter_MpiIrecvRequest(a->writer, NULL, a->now, 7);
    leave(a, IRECV);
    enter(a, ISEND);
    OTF2_EvtWriter_MpiIsend(a->writer, NULL, a->now, peer, WORLD, 3, 100, 8);
    leave(a, ISEND);
    enter(a, TEST);
    OTF2_EvtWriter_MpiRequestTest(a->writer, NULL, a->now, 7);
    leave(a, TEST);
    enter(a, WAITALL);
    OTF2_EvtWriter_MpiIrecv(a->writer, NULL, a->now, peer, WORLD, 3, 100, 7);
    OTF2_EvtWriter_MpiIsendComplete(a->writer, NULL, a->now, 8);
    leave(a, WAITALL);
    enter(a, SENDRECV);
    OTF2_EvtWriter_MpiSend(a->writer, NULL, a->now, rank, TURNED, 4, 50);
    OTF2_EvtWriter_MpiRecv(a->writer, NULL, a->now, rank, TURNED, 4, 50);
    leave(a, SENDRECV);
    if (rank == 0) {
        enter(a, SSEND);
        OTF2_EvtWriter_MpiSend(a->writer, NULL, a->now, 1, AGAIN, 5, 9);
        leave(a, SSEND);
    } else {
        enter(a, RECV);
        OTF2_EvtWriter_MpiRecv(a->writer, NULL, a->now, 0, AGAIN, 5, 9);
        leave(a, RECV);
    }
    enter(a, FILE_READ);
    leave(a, FILE_READ);
    enter(a, FINALIZE);
    leave(a, FINALIZE);
}

static void test_messages(void)
{
    struct archive a;
    struct trace t;

    begin(&a, 2);
    for (uint32_t r = 0; r < 2; r++) {
        rank_begin(&a, r);
        enter(&a, MAIN);
        write_messages(&a, r);
        rank_end(&a, r);
    }
    end(&a);
    char *path = scratch_path("own.otf2");
    check_open(&t, path);
    CHECK_EQ(t.ranks, 2);
    check_trace_text(
        &t, 0,
        "2 MPI_Init init [0.01, 0.02]\n"
        "4 MPI_Irecv recv from 1 tag 3 100 B [0.11, 0.12] #7\n"
        "7 MPI_Isend send to 1 tag 3 100 B [0.21, 0.22] #8\n"
        "10 MPI_Test poll [0.31, 0.32]\n"
        "13 MPI_Waitall blocking wait [0.41, 0.42] after #7 after #8\n"
        "17 MPI_Sendrecv comm [0.51, 0.51]\n"
        "17 MPI_Sendrecv send to 0 tag 4 50 B [0.51, 0.51] "
        "#9223372036854775808\n"
        "17 MPI_Sendrecv recv from 0 tag 4 50 B [0.51, 0.51] "
        "#9223372036854775809\n"
        "17 MPI_Sendrecv blocking wait [0.51, 0.52] after "
        "#9223372036854775808 after #9223372036854775809\n"
        "21 MPI_Ssend comm [0.61, 0.61]\n"
        "21 MPI_Ssend blocking send to 1 tag 5 9 B [0.61, 0.62]\n"
        "24 MPI_File_read ? [0.71, 0.72]\n"
        "26 MPI_Finalize finalize [0.81, 0.82]\n");
    struct trace_event e;
    struct err err = {0};
    for (int i = 0; i < 5; i++)
        CHECK_EQ(trace_next(&t, 1, &e, &err), 1);
    CHECK_EQ(e.call, TRACE_WAIT);
    CHECK_EQ(trace_next(&t, 1, &e, &err), 1);
    CHECK_EQ(e.call, TRACE_COMM);
    CHECK_EQ(e.how, TRACE_KNOWN);
    CHECK_EQ(e.nmembers, 2);
    CHECK_EQ(e.members[0], 1);
    CHECK_EQ(e.members[1], 0);
    uint32_t comm = e.new_comm;
    CHECK_EQ(trace_next(&t, 1, &e, &err), 1);
    CHECK_EQ(e.comm, comm);
    trace_close(&t);
    free(path);
    clear();
}

static void collective(struct archive *a, unsigned region, uint8_t op,
                       uint32_t comm, uint32_t root, uint64_t sent,
                       uint64_t received)
{
    enter(a, region);
    OTF2_EvtWriter_MpiCollectiveBegin(a->writer, NULL, a->now);
    OTF2_EvtWriter_MpiCollectiveEnd(a->writer, NULL, a->now, op, comm, root,
                                    sent, received);
    leave(a, region);
}

/* Writes totals as Score-P does: for 4 ranks, 8 bytes each. */
static void write_collectives(struct archive *a, uint32_t rank)
{
    uint32_t none = OTF2_COLLECTIVE_ROOT_NONE;

    collective(a, BARRIER, OTF2_COLLECTIVE_OP_BARRIER, WORLD, none, 0, 0);
    collective(a, ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, WORLD, none, 32, 32);
    collective(a, ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, WORLD, none, 30,
               30); /* in place: 3 of 10 */
    collective(a, BCAST, OTF2_COLLECTIVE_OP_BCAST, WORLD, 2, rank == 2 ? 32 : 0,
               8);
    collective(a, ALLTOALLV, OTF2_COLLECTIVE_OP_ALLTOALLV, WORLD, none, 64, 32);
    collective(a, SCAN, OTF2_COLLECTIVE_OP_SCAN, WORLD, none, 8 * (4 - rank),
               8 * (rank + 1));
    collective(a, BARRIER, OTF2_COLLECTIVE_OP_BARRIER, SELF, none, 0, 0);
    enter(a, IALLREDUCE);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(a->writer, NULL, a->now, 5);
    leave(a, IALLREDUCE);
    enter(a, WAITALL);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(a->writer, NULL, a->now,
                                                 OTF2_COLLECTIVE_OP_ALLREDUCE,
                                                 WORLD, none, 64, 64, 5);
    leave(a, WAITALL);
    enter(a, PUT);
    OTF2_EvtWriter_RmaPut(a->writer, NULL, a->now, 0, 3 - rank, 77, 1);
    leave(a, PUT);
    enter(a, FENCE);
    OTF2_EvtWriter_RmaCollectiveBegin(a->writer, NULL, a->now);
    OTF2_EvtWriter_RmaOpCompleteRemote(a->writer, NULL, a->now, 0, 1);
    OTF2_EvtWriter_RmaCollectiveEnd(a->writer, NULL, a->now,
                                    OTF2_COLLECTIVE_OP_BARRIER,
                                    OTF2_RMA_SYNC_LEVEL_PROCESS, 0, none, 0, 0);
    leave(a, FENCE);
    enter(a, PUT); /* to a stream of a GPU */
    OTF2_EvtWriter_MpiSend(a->writer, NULL, a->now, 0, STREAMS, 0, 1);
    leave(a, PUT);
    enter(a, IRECV); /* never completed */
    OTF2_EvtWriter_MpiIrecvRequest(a->writer, NULL, a->now, 9);
    leave(a, IRECV);
    /* These records are outside of any call. */
    OTF2_EvtWriter_RmaPut(a->writer, NULL, a->now, 0, 3 - rank, 66, 2);
    a->now += 100;
    OTF2_EvtWriter_RmaOpCompleteRemote(a->writer, NULL, a->now, 0, 2);
}

static void test_collectives(void)
{
    struct archive a;
    struct trace t;

    begin(&a, 4);
    for (uint32_t r = 0; r < 4; r++) {
        rank_begin(&a, r);
        write_collectives(&a, r);
        rank_end(&a, r);
    }
    end(&a);
    char *path = scratch_path("own.otf2");
    check_open(&t, path);
    check_trace_text(
        &t, 1,
        "1 MPI_Barrier blocking all barrier to none [0, 0.01]\n"
        "5 MPI_Allreduce blocking all allreduce to none 8 B 8 B each [0.1, "
        "0.11]\n"
        "9 MPI_Allreduce blocking all allreduce to none 10 B 10 B each [0.2, "
        "0.21]\n"
        "13 MPI_Bcast blocking all broadcast to 2 8 B 8 B each [0.3, 0.31]\n"
        "17 MPI_Alltoallv blocking all alltoall to none 16 B 16 B each [0.4, "
        "0.41]\n"
        "21 MPI_Scan blocking all scan to none 8 B 8 B each [0.5, 0.51]\n"
        "25 MPI_Barrier comm [0.6, 0.6]\n"
        "25 MPI_Barrier blocking all barrier to none [0.6, 0.61]\n"
        "29 MPI_Iallreduce all allreduce to none 16 B 16 B each [0.7, 0.71] "
        "#5\n"
        "32 MPI_Waitall blocking wait [0.8, 0.81] after #5\n"
        "35 MPI_Put put 77 B [0.9, 0.91]\n"
        "38 MPI_Win_fence blocking flush [1, 1]\n"
        "38 MPI_Win_fence blocking all barrier to none [1, 1.01]\n"
        "43 MPI_Put other [1.1, 1.11]\n"
        "49 RMA_PUT put 66 B [1.3, 1.3]\n"
        "50 RMA_OP_COMPLETE blocking flush [1.4, 1.4]\n");
    check_remark(&t, "1 collectives have a count for each member");
    check_remark(&t, "1 nonblocking receives or collectives never complete");
    check_remark(&t, "1 records are in communicators of threads or GPUs");
    for (uint32_t r = 0; r < 4; r++) {
        char *text = trace_text(&t, r);
        free(text);
    }
    check_remark(&t, "4 collectives have a count for each member");
    trace_close(&t);
    free(path);
    clear();
}

/* Score-P without XNONBLOCK writes neither requests nor posted receives. */
static void test_without_requests(void)
{
    struct archive a;
    struct trace t;

    begin(&a, 1);
    rank_begin(&a, 0);
    for (uint32_t i = 0; i < 2; i++) {
        enter(&a, IRECV);
        leave(&a, IRECV);
        enter(&a, ISEND);
        OTF2_EvtWriter_MpiSend(a.writer, NULL, a.now, 0, WORLD, i, 100);
        leave(&a, ISEND);
    }
    enter(&a, WAITALL);
    OTF2_EvtWriter_MpiRecv(a.writer, NULL, a.now, 0, WORLD, 0, 100);
    OTF2_EvtWriter_MpiRecv(a.writer, NULL, a.now, 0, WORLD, 1, 100);
    leave(&a, WAITALL);
    rank_end(&a, 0);
    end(&a);
    char *path = scratch_path("own.otf2");
    check_open(&t, path);
    char *text = trace_text(&t, 0);
    CHECK_EQ(lines_with(text, "MPI_Isend send to 0"), 2);
    CHECK_EQ(lines_with(text, "MPI_Waitall recv from 0"), 2);
    CHECK_EQ(lines_with(text, "MPI_Waitall blocking wait"), 1);
    CHECK_EQ(lines_with(text, "after #"), 4);
    check_remark(&t, "2 nonblocking sends have no request");
    free(text);
    trace_close(&t);
    free(path);
    clear();
}

/* There are more ranks than open readers, read in turns, far apart. */
static void test_many_ranks(void)
{
    enum { RANKS = 100, ROUNDS = 2048 };
    struct archive a;
    struct trace t;
    struct trace_event e;
    struct err err = {0};

    begin(&a, RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        rank_begin(&a, r);
        for (uint32_t i = 0; i < ROUNDS; i++) {
            enter(&a, SSEND);
            OTF2_EvtWriter_MpiSend(a.writer, NULL, a.now, (r + 1) % RANKS,
                                   WORLD, i, r);
            leave(&a, SSEND);
        }
        rank_end(&a, r);
    }
    end(&a);
    char *path = scratch_path("own.otf2");
    check_open(&t, path);
    size_t wrong = 0;
    for (uint32_t i = 0; i < ROUNDS; i++)
        for (uint32_t r = 0; r < RANKS; r++)
            if (trace_next(&t, r, &e, &err) != 1 || e.tag != i ||
                e.bytes != r || e.peer != (r + 1) % RANKS || !e.synchronous)
                wrong++;
    CHECK_EQ(wrong, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        CHECK_EQ(trace_next(&t, r, &e, &err), 0);
    trace_close(&t);
    free(path);
    clear();
}

/* --- wrong input ---------------------------------------------------------- */

static void write_small(void (*rank)(struct archive *, uint32_t),
                        uint32_t ranks)
{
    struct archive a;

    begin(&a, ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        rank_begin(&a, r);
        rank(&a, r);
        rank_end(&a, r);
    }
    end(&a);
}

static void write_stranger(struct archive *a, uint32_t rank)
{
    enter(a, SSEND);
    OTF2_EvtWriter_MpiSend(a->writer, NULL, a->now, 2 + rank, WORLD, 0, 1);
    leave(a, SSEND);
}

static void write_nowhere(struct archive *a, uint32_t rank)
{
    (void)rank;
    enter(a, SSEND);
    OTF2_EvtWriter_MpiSend(a->writer, NULL, a->now, 0, 77, 0, 1);
    leave(a, SSEND);
}

static void check_refusal(const char *part)
{
    char *path = scratch_path("own.otf2"), *text = trace_refusal(path);

    CHECK_HAS(text, part);
    CHECK(!strchr(text, '\n'));
    free(text);
    free(path);
    clear();
}

/* Copies a file without its last bytes. */
static void copy_damaged(const char *from, const char *to)
{
    char bytes[8192], *path = scratch_path(from);
    FILE *f = fopen(path, "r");
    size_t n = fread(bytes, 1, sizeof bytes, f);

    fclose(f);
    CHECK(n > 40 && n < sizeof bytes);
    free(path);
    path = scratch_bytes(to, bytes, n);
    scratch_damage(path, 40, 0);
    free(path);
}

static void test_refused(void)
{
    write_small(write_stranger, 2);
    check_refusal("own/0.evt:1: rank 0: MPI_Ssend: not a member of its "
                  "communicator: 2 of 2");
    write_small(write_nowhere, 2);
    check_refusal("its communicator is not defined: 77 of 5");

    write_small(write_messages, 2);
    char *path = scratch_path("own/0.evt");
    scratch_damage(path, 20, 0);
    free(path);
    check_refusal("own/0.evt: ");

    write_small(write_messages, 2);
    copy_damaged("own.def", "own/0.def");
    check_refusal("own/0.def: ");

    write_small(write_messages, 2);
    path = scratch_path("own.def");
    scratch_damage(path, 40, 0);
    free(path);
    check_refusal("own.otf2: the definitions cannot be read");

    write_small(write_messages, 2);
    path = scratch_path("own.def");
    unlink(path);
    free(path);
    check_refusal("own.def: No such file or directory");

    write_small(write_messages, 2);
    path = scratch_path("own.otf2");
    scratch_damage(path, 60, 0);
    free(path);
    check_refusal("own.otf2: ");

    write_small(write_messages, 2);
    path = scratch_path("own.otf2");
    scratch_damage(path, 0, 20); /* in the number of properties */
    free(path);
    check_refusal("4278190080 properties in a file of ");
    check_trace_refused("none.otf2", "not an archive\n", "none.otf2: ");
    check_trace_refused("empty.otf2", "", "not a trace of a known format");
}

static void test_missing(void)
{
    struct trace t;

    write_small(write_messages, 2);
    char *path = scratch_path("own/0.evt");
    unlink(path);
    free(path);
    path = scratch_path("own.otf2");
    check_open(&t, path);
    CHECK(t.rank[0].missing && !t.rank[1].missing);
    char *text = trace_text(&t, 1);
    CHECK_EQ(lines_with(text, "MPI_Waitall"), 1);
    free(text);
    trace_close(&t);
    free(path);
    path = scratch_path("own/10.evt");
    unlink(path);
    free(path);
    check_refusal("no rank's file of events is there");
}

int main(void)
{
    scratch_make();
    test_score_p();
    test_messages();
    test_collectives();
    test_without_requests();
    test_many_ranks();
    test_refused();
    test_missing();
    scratch_clear();
    return check_result();
}
#endif
