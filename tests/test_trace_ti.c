/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time-independent traces: the meaning of each action, files of one rank and of
 * all, and refusals. */
#include "tests/trace_text.h"
#include "workloads/trace/pending.h"

#include <sys/stat.h>

/* Checks rank 0 of two; the other has only init and finalize. */
static void test_actions(const char *lines, const char *want)
{
    char *text = xasprintf("%s1 init\n1 finalize\n", lines);
    char *path = scratch_file("ti", text);
    struct trace t;
    struct err err = {0};

    CHECK_EQ(trace_open(&t, path, &err), 0);
    if (!err.text[0]) {
        CHECK_EQ(t.ranks, 2);
        CHECK(t.has_flops && !t.has_clock);
        check_trace_text(&t, 0, want);
        CHECK_EQ(trace_rewind(&t, 0, &err), 0);
        check_trace_text(&t, 0, want);
        trace_close(&t);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    free(path);
    free(text);
}

/* SimGrid's types 0, 1 and 6 are MPI_DOUBLE, MPI_INT and MPI_BYTE; its default
 * is MPI_BYTE, with "init 1" MPI_DOUBLE. */
static void test_point_to_point(void)
{
    test_actions("0 init\n0 isend 1 7 100\n0 irecv 1 8 1e3 1\n0 wait 1 0 8\n"
                 "0 test 0 1 7\n0 wait 0 1 7\n0 wait 0 1 7\n0 finalize\n",
                 "1 init init\n2 isend send to 1 tag 7 100 B #0\n"
                 "3 irecv recv from 1 tag 8 4000 B #1\n4 wait wait after #1\n"
                 "5 test poll\n6 wait wait after #0\n7 wait wait\n"
                 "8 finalize finalize\n");
    test_actions("0 init 1\n0 send 1 0 2\n0 recv 1 0 2\n0 recv -555 -444 3 6\n"
                 "0 recv 1 2 -1\n0 send -666 0 1\n0 finalize\n",
                 "1 init init\n2 send blocking send to 1 tag 0 16 B\n"
                 "3 recv blocking recv from 1 tag 0 16 B\n"
                 "4 recv blocking recv from any tag any 3 B\n"
                 "5 recv blocking probe to 1 tag 2 0 B\n"
                 "5 recv blocking recv from 1 tag 2 any B\n"
                 "6 send blocking send to none tag 0 8 B\n"
                 "7 finalize finalize\n");
    test_actions("0 sendRecv 5 1 6 1 1 6\n",
                 "1 sendRecv recv from 1 tag 0 6 B #0\n"
                 "1 sendRecv send to 1 tag 0 20 B #1\n"
                 "1 sendRecv wait after #0 after #1\n");
}

/* For equal names the oldest counts; requests that are never waited for end at
 * the end; a receive from any rank is named by the rank it got. */
static void test_waits(void)
{
    test_actions("0 irecv 1 1 4\n0 irecv 1 1 5\n0 wait 1 0 1\n0 waitall\n"
                 "0 irecv -1 3 1\n0 isend 1 9 2\n0 wait 1 0 3\n0 finalize\n",
                 "1 irecv recv from 1 tag 1 4 B #0\n"
                 "2 irecv recv from 1 tag 1 5 B #1\n3 wait wait after #0\n"
                 "4 waitall wait after #1\n5 irecv recv from any tag 3 1 B #2\n"
                 "6 isend send to 1 tag 9 2 B #3\n7 wait wait after #2\n"
                 "8 waitall wait after #3\n8 finalize finalize\n");
    test_actions("0 isend 1 1 4\n",
                 "1 isend send to 1 tag 1 4 B #0\n1 waitall wait after #0\n");
}

static void test_collectives(void)
{
    test_actions("0 barrier\n0 bcast 4\n0 bcast 4 1 1\n0 reduce 5 9e2 1 1\n"
                 "0 allreduce 5 0 1\n0 scan 1 2.5\n0 exscan 1 0\n",
                 "1 barrier blocking all barrier to none\n"
                 "2 bcast blocking all broadcast to 0 4 B\n"
                 "3 bcast blocking all broadcast to 1 16 B\n"
                 "4 reduce blocking all reduce to 1 20 B\n"
                 "4 reduce compute 900 flops\n"
                 "5 allreduce blocking all allreduce to none 20 B\n"
                 "6 scan blocking all scan to none 1 B\n"
                 "6 scan compute 2.5 flops\n"
                 "7 exscan blocking all exscan to none 1 B\n");
    test_actions("0 alltoall 2 3 1 0\n0 gather 2 3 1 1 0\n0 scatter 2 3\n"
                 "0 allgather 2 3 1 1\n",
                 "1 alltoall blocking all alltoall to none 8 B 24 B each\n"
                 "2 gather blocking all gather to 1 8 B 24 B each\n"
                 "3 scatter blocking all scatter to 0 2 B 3 B each\n"
                 "4 allgather blocking all allgather to none 8 B 12 B each\n");
    test_actions("0 alltoallv 9 1 2 9 3 4 1 0\n0 gatherv 2 3 4 1\n"
                 "0 allgatherv 2 3 4 1 1\n0 allgatherv 2 3 4\n"
                 "0 allgatherv 2 3 4 1 1 0 5\n0 scatterv 3 4 2 1 1 0\n"
                 "0 reducescatter 3 4 10 1\n",
                 "1 alltoallv blocking all alltoall to none to 4,8 from 24,32\n"
                 "2 gatherv blocking all gather to 1 2 B from 3,4\n"
                 "3 allgatherv blocking all allgather to none 8 B from 12,16\n"
                 "4 allgatherv blocking all allgather to none 2 B from 3,4\n"
                 "5 allgatherv blocking all allgather to none 8 B from 12,16\n"
                 "6 scatterv blocking all scatter to 1 16 B each to 12,16\n"
                 "7 reducescatter blocking all reduce-scatter to none to 12,16 "
                 "from 12,16\n7 reducescatter compute 10 flops\n");
}

static void test_rest(void)
{
    test_actions("# a comment\n\n0 compute 1.5e9\n 0\tsleep  0.25 \r\n"
                 "0 comm_size 2\n0 location f.c 7\n0 fly 1 2\n0 Isend 1 2 3\n",
                 "3 compute compute 1.5e+09 flops\n4 sleep compute 0.25 s\n"
                 "5 comm_size other\n6 location other\n7 fly ?\n"
                 "8 isend send to 1 tag 2 3 B #0\n8 waitall wait after #0\n");
}

/* Lines of ranks are in turns, one after the other, in separate files, in a
 * folder, gzipped: all the same except for the line numbers. */
static void test_files(void)
{
    static const char mixed[] = "0 init\n1 init\n2 init\n1 compute 1\n"
                                "0 send 1 0 5\n2 compute 3\n1 recv 0 0 5\n";
    char *path = scratch_file("mixed", mixed);
    struct trace t;
    struct err err = {0};

    CHECK_EQ(trace_open(&t, path, &err), 0);
    CHECK_EQ(t.ranks, 3);
    check_trace_text(&t, 1,
                     "2 init init\n4 compute compute 1 flops\n"
                     "7 recv blocking recv from 0 tag 0 5 B\n");
    check_trace_text(&t, 2, "3 init init\n6 compute compute 3 flops\n");
    CHECK_EQ(trace_rewind(&t, 2, &err), 0);
    check_trace_text(&t, 2, "3 init init\n6 compute compute 3 flops\n");
    trace_close(&t);
    free(path);

    static const char *const own[] = {"0 init\n0 send 1 0 5\n",
                                      "1 init\n1 compute 1\n1 recv 0 0 5\n",
                                      "2 init\n2 compute 3\n"};
    static const char *const names[] = {"b.txt", "a.txt.gz", "c.txt"};
    char *folder = scratch_path("folder");
    CHECK_EQ(mkdir(folder, 0700), 0);
    for (int i = 0; i < 3; i++) {
        char *name = xasprintf("folder/%s", names[i]);
        free(scratch_file(name, own[i]));
        free(name);
    }
    char *index = scratch_file(
        "index", "folder/b.txt\nfolder/a.txt.gz\n\nfolder/c.txt\n");
    const char *const both[] = {folder, index};
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(trace_open(&t, both[i], &err), 0);
        CHECK_EQ(t.ranks, 3);
        check_trace_text(&t, 1,
                         "1 init init\n2 compute compute 1 flops\n"
                         "3 recv blocking recv from 0 tag 0 5 B\n");
        check_trace_text(&t, 2, "1 init init\n2 compute compute 3 flops\n");
        trace_close(&t);
    }
    /* Two ranks' files are mixed up; one is missing; there is one too many. */
    free(scratch_file("index", "folder/b.txt\nfolder/c.txt\n"));
    char *got = trace_refusal(index);
    CHECK_HAS(got, "folder/c.txt:1: rank 1: a line of rank 2");
    free(got);
    free(scratch_file("index", "folder/b.txt\nfolder/d.txt\n"));
    got = trace_refusal(index);
    CHECK_HAS(got, "index:2: no such file: folder/d.txt");
    free(got);
    free(scratch_file("folder/d.txt", "2 init\n"));
    got = trace_refusal(folder);
    CHECK_HAS(got, "folder/d.txt: rank 2 is in");
    free(got);
    free(scratch_file("folder/d.txt", "7 init\n"));
    got = trace_refusal(folder);
    CHECK_HAS(got, "folder/d.txt: rank 7, but there are 4 files of ranks");
    free(got);
    for (int i = 0; i < 4; i++) {
        char *name = xasprintf("%s/%s", folder, i < 3 ? names[i] : "d.txt");
        CHECK_EQ(unlink(name), 0);
        free(name);
    }
    CHECK_EQ(rmdir(folder), 0);
    free(folder);
    free(index);
}

static void test_refused(void)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"0 init\n0 send 9 0 1\n", "r:2: rank 0: send: rank 9 of 1"},
        {"0 init\n0 send 0\n", "expected a tag, and the line ends"},
        {"0 init\n0 send 0 1 x\n", "expected a count, got 'x'"},
        {"0 init\n0 send 0 1 -3\n", "expected a count, got '-3'"},
        {"0 init\n0 send 0 1 1e99\n", "expected a count, got '1e99'"},
        {"0 init\n0 send 0 1 1 60\n", "type 60"},
        {"0 init\n0 send 0 1 1 1 1\n", "expected the end of the line"},
        {"0 init\n0 send 0 -1 1\n", "a send to any tag"},
        {"0 init\n0 recv 0 -7 1\n", "tag -7"},
        {"0 init\n0 compute -1\n", "expected flops, got '-1'"},
        {"0 init\n0 compute nan\n", "expected flops, got 'nan'"},
        {"0 init\n0 sleep 1x\n", "expected seconds"},
        {"0 init\n0 bcast 1 1\n", "rank 1 of 1"},
        {"0 init\n0\n", "r:2: rank 0: expected an action"},
        {"0 init\nx init\n", "r:2: expected the number of a rank"},
        {"0 init\n2 init\n", "no line of rank 1, but of rank 2"},
        {"0 init\n4000000000 init\n", "r:2: rank 4000000000 in a file of 23 B"},
        {"0 alltoallv 1 1 1 1\n1 init\n",
         "alltoallv: expected a count for each rank, and the line ends"},
        {"0 reducescatter 1 1\n1 init\n", "expected flops, and the line ends"},
        {"0 init\n0 send 0 0 99999999999999999999\n",
         "expected a count, got '99999999999999999999'"},
        {"# nothing\n", "not a trace of a known format"},
        {"", "not a trace of a known format"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_trace_refused("r", cases[i].text, cases[i].part);
}

/* Compares with a list that is searched from its beginning. */
static void test_requests(void)
{
    enum { STEPS = 20000 };
    struct {
        uint32_t src, dst, tag;
        bool there;
    } *plain = xcalloc(STEPS, sizeof *plain);
    struct pending r = {0};
    uint32_t random = 1;
    size_t added = 0;

    for (int i = 0; i < STEPS; i++) {
        random = random * 1664525 + 1013904223;
        uint32_t src = random >> 30, tag = random >> 27 & 7;
        uint64_t id = NO_REQUEST, want = NO_REQUEST;
        if (random >> 20 & 1 || i < 100) {
            pending_add(&r, src, 1, tag, added);
            plain[added].src = src;
            plain[added].dst = 1;
            plain[added].tag = tag;
            plain[added++].there = true;
            continue;
        }
        for (size_t k = 0; k < added && want == NO_REQUEST; k++)
            if (plain[k].there && plain[k].src == src && plain[k].tag == tag)
                want = k;
        if (want != NO_REQUEST)
            plain[want].there = false;
        bool found = pending_take(&r, src, 1, tag, &id);
        if (found != (want != NO_REQUEST) || (found && id != want)) {
            CHECK_EQ(id, want);
            break;
        }
    }
    const uint64_t *ids;
    size_t n = pending_take_all(&r, &ids), left = 0;
    for (size_t k = 0; k < added; k++)
        if (plain[k].there)
            CHECK(left < n && ids[left++] == k);
    CHECK_EQ(left, n);
    CHECK_EQ(pending_take_all(&r, &ids), 0);
    pending_clear(&r);
    free(plain);
}

int main(void)
{
    scratch_make();
    test_point_to_point();
    test_waits();
    test_collectives();
    test_rest();
    test_files();
    test_refused();
    test_requests();
    scratch_clear();
    return check_result();
}
