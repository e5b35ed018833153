/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text traces of liballprof: the meaning of each call, requests known by
 * address, clocks, the files of the ranks, and refusals. */
#include "tests/trace_text.h"

#include <sys/stat.h>

#define HEAD "# collprof 0.9 output file\n# Init clockdiff: 0.000000\n\n"
#define INIT "MPI_Init:-:1:2:1000.000000\n"

static void test_calls(const char *lines, const char *want)
{
    char *text = xasprintf(HEAD INIT "%s", lines);
    char *path = scratch_file("rank-0.txt", text);
    char *other = scratch_file(
        "rank-1.txt", "# Init clockdiff: 250.000000\nMPI_Init:-:1:2:1000\n");
    struct trace t;
    struct err err = {0};

    CHECK_EQ(trace_open(&t, path, &err), 0);
    if (!err.text[0]) {
        CHECK_EQ(t.ranks, 2);
        CHECK(t.has_clock && !t.has_flops);
        char *all = xasprintf("4 MPI_Init init [0, 0]\n%s", want);
        check_trace_text(&t, 0, all);
        CHECK_EQ(trace_rewind(&t, 0, &err), 0);
        check_trace_text(&t, 0, all);
        /* Its clock shows 250 us less than the first rank's. */
        check_trace_text(&t, 1, "2 MPI_Init init [0.00025, 0.00025]\n");
        free(all);
        trace_close(&t);
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    unlink(path);
    unlink(other);
    free(path);
    free(other);
    free(text);
}

static void test_messages(void)
{
    test_calls("MPI_Send:1001:77:4500:11,8,8:1:7:0,0,2:1003.5\n"
               "MPI_Recv:1004:77:10:2,4,4:-1:-1:0,0,2:99:1005\n"
               "MPI_Isend:1006:77:3:13,1,1:1:2:0,0,2:640:1007\n"
               "MPI_Irecv:1007:77:3:13,1,1:1:2:0,0,2:648:1008\n"
               "MPI_Waitall:1009:2:640:0:1010\n"
               "MPI_Send:1011:77:1:13,1,1:-2:2:0,0,2:1012\n",
               "5 MPI_Send blocking send to 1 tag 7 36000 B [1e-06, 3.5e-06]\n"
               "6 MPI_Recv blocking recv from any tag any 40 B [4e-06, 5e-06]\n"
               "7 MPI_Isend send to 1 tag 2 3 B [6e-06, 7e-06] #0\n"
               "8 MPI_Irecv recv from 1 tag 2 3 B [7e-06, 8e-06] #1\n"
               "9 MPI_Waitall wait [9e-06, 1e-05] after #0 after #1\n"
               "10 MPI_Send blocking send to none tag 2 1 B [1.1e-05, "
               "1.2e-05]\n");
    /* Decimals of a time after the sixth are skipped. */
    test_calls("MPI_Send:1001.25000000125:77:1:13,1,1:1:7:0,0,2:1002.5\n",
               "5 MPI_Send blocking send to 1 tag 7 1 B [1.25e-06, "
               "2.5e-06]\n");
    test_calls("MPI_Sendrecv:1001:77:2:2,4,4:1:5:78:3:2,4,4:1:6:0,0,2:9:1004\n"
               "MPI_Iprobe:1004:1:5:0,0,2:9:9:1005\n"
               "MPI_Probe:1005:-1:5:0,0,2:9:1006\n",
               "5 MPI_Sendrecv recv from 1 tag 6 12 B [1e-06, 1e-06] #0\n"
               "5 MPI_Sendrecv send to 1 tag 5 8 B [1e-06, 1e-06] #1\n"
               "5 MPI_Sendrecv wait [1e-06, 4e-06] after #0 after #1\n"
               "6 MPI_Iprobe poll [4e-06, 5e-06]\n"
               "7 MPI_Probe blocking probe to any tag 5 0 B [5e-06, 6e-06]\n");
}

/* Fortran's requests have 4 B; an address is used again; for any of a list the
 * oldest counts; requests are started again. */
static void test_requests(void)
{
    test_calls("MPI_Irecv:1:7:1:13,1,1:1:2:0,0,2:640:1\n"
               "MPI_Irecv:1:7:1:13,1,1:1:2:0,0,2:644:1\n"
               "MPI_Irecv:1:7:1:13,1,1:1:2:0,0,2:648:1\n"
               "MPI_Waitany:1:3:640:8:0:1\nMPI_Irecv:1:7:1:13,1,1:1:3:0,0,2:"
               "644:1\nMPI_Waitall:1:3:640:0:1\nMPI_Wait:1:640:0:1\n",
               "5 MPI_Irecv recv from 1 tag 2 1 B [-0.000999, -0.000999] #0\n"
               "6 MPI_Irecv recv from 1 tag 2 1 B [-0.000999, -0.000999] #1\n"
               "7 MPI_Irecv recv from 1 tag 2 1 B [-0.000999, -0.000999] #2\n"
               "8 MPI_Waitany wait [-0.000999, -0.000999] after #0\n"
               "9 MPI_Irecv recv from 1 tag 3 1 B [-0.000999, -0.000999] #3\n"
               "10 MPI_Waitall wait [-0.000999, -0.000999] after #2 after #3\n"
               "11 MPI_Wait wait [-0.000999, -0.000999]\n");
    test_calls("MPI_Send_init:1000:7:5:13,1,1:1:2:0,0,2:640:1000\n"
               "MPI_Recv_init:1000:7:6:13,1,1:1:3:0,0,2:648:1000\n"
               "MPI_Startall:1001:2:640:1002\nMPI_Waitall:1003:2:640:0:1004\n"
               "MPI_Start:1005:648:1006\nMPI_Wait:1006:648:0:1007\n",
               "5 MPI_Send_init other\n6 MPI_Recv_init other\n"
               "7 MPI_Startall send to 1 tag 2 5 B [1e-06, 1e-06] #0\n"
               "7 MPI_Startall recv from 1 tag 3 6 B [1e-06, 2e-06] #1\n"
               "8 MPI_Waitall wait [3e-06, 4e-06] after #0 after #1\n"
               "9 MPI_Start recv from 1 tag 3 6 B [5e-06, 6e-06] #2\n"
               "10 MPI_Wait wait [6e-06, 7e-06] after #2\n");
}

#define AT ":1000:"
static void test_collectives(void)
{
    test_calls(
        "MPI_Barrier" AT "0,0,2:1000\n"
        "MPI_Bcast" AT "7:1:2,4,4:1:0,0,2:1000\n"
        "MPI_Reduce" AT "7:8:3:2,4,4:3:1:0,0,2:1000\n"
        "MPI_Allreduce" AT "7:8:3:11,8,8:3:0,0,2:1000\n"
        "MPI_Scan" AT "7:8:3:11,8,8:3:0,0,2:1000\n"
        "MPI_Alltoall" AT "7:3:2,4,4:8:3:2,4,4:0,0,2:1000\n"
        "MPI_Gather" AT "7:3:2,4,4:8:5:2,4,4:1:0,0,2:1000\n",
        "5 MPI_Barrier blocking all barrier to none [0, 0]\n"
        "6 MPI_Bcast blocking all broadcast to 1 4 B [0, 0]\n"
        "7 MPI_Reduce blocking all reduce to 1 12 B [0, 0]\n"
        "8 MPI_Allreduce blocking all allreduce to none 24 B [0, 0]\n"
        "9 MPI_Scan blocking all scan to none 24 B [0, 0]\n"
        "10 MPI_Alltoall blocking all alltoall to none 12 B 12 B each "
        "[0, 0]\n"
        "11 MPI_Gather blocking all gather to 1 12 B 20 B each [0, 0]\n");
    test_calls(
        "MPI_Alltoallv" AT
        "7:9:1,2:9:0,1:2,4,4:8:9:3,4:9:0,3:1,8,8:0,0,2:1000\n"
        "MPI_Gatherv" AT "7:3:2,4,4:8:9:3,-7:9:0,3:2,4,4:1:0,0,2:1000\n"
        "MPI_Allgatherv" AT "7:3:2,4,4:8:9:3,4:9:0,3:2,4,4:0,0,2:1000\n"
        "MPI_Scatterv" AT "7:9:3,4:9:0,3:2,4,4:8:5:2,4,4:0:0,0,2:1000\n"
        "MPI_Reduce_scatter" AT "7:8:9:3,4:2,4,4:3:0,0,2:1000\n",
        "5 MPI_Alltoallv blocking all alltoall to none to 4,8 from 24,32 [0, "
        "0]\n"
        "6 MPI_Gatherv blocking all gather to 1 12 B from 12,0 [0, 0]\n"
        "7 MPI_Allgatherv blocking all allgather to none 12 B from 12,16 [0, "
        "0]\n"
        "8 MPI_Scatterv blocking all scatter to 0 20 B each to 12,16 [0, 0]\n"
        "9 MPI_Reduce_scatter blocking all reduce-scatter to none to 12,16 "
        "from 12,16 [0, 0]\n");
    test_calls("MPI_Comm_size" AT "91,0,2:7:1000\nMPI_Type_commit" AT
               "3:1000\nMPI_Win_fence" AT "0:8:1000\n"
               "MPI_Comm_split" AT "91,0,2:3:4:8:1000\n"
               "MPI_Barrier" AT "92,0,1:1000\nMPI_Finalize:1000:-\n",
               "5 MPI_Comm_size other [0, 0]\n6 MPI_Type_commit other [0, 0]\n"
               "7 MPI_Win_fence ? [0, 0]\n8 MPI_Comm_split blocking comm [0, "
               "0]\n9 MPI_Barrier blocking all barrier to none [0, 0]\n"
               "10 MPI_Finalize finalize [0, 0]\n");
}

static void write_rank(const char *name, unsigned rank, unsigned size)
{
    char *text =
        xasprintf(HEAD INIT "MPI_Comm_size:1001:0,%u,%u:7:1002\n", rank, size);

    free(scratch_file(name, text));
    free(text);
}

static void test_files(void)
{
    char *folder = scratch_path("folder");
    struct trace t;
    struct err err = {0};

    CHECK_EQ(mkdir(folder, 0700), 0);
    write_rank("folder/p-00.txt.gz", 0, 3);
    write_rank("folder/p-02.txt.gz", 2, 3);
    CHECK_EQ(trace_open(&t, folder, &err), 0);
    CHECK_EQ(t.ranks, 3);
    CHECK(t.rank[1].missing && !t.rank[2].missing);
    CHECK_EQ(t.nremarks, 1);
    check_trace_text(&t, 2,
                     "4 MPI_Init init [0, 0]\n"
                     "5 MPI_Comm_size other [1e-06, 2e-06]\n");
    trace_close(&t);

    /* The file is of another rank; of a larger run; there twice. */
    write_rank("folder/p-01.txt.gz", 2, 3);
    char *got = trace_refusal(folder);
    CHECK_HAS(got, "p-01.txt.gz:5: rank 1: MPI_Comm_size: it says that it is "
                   "rank 2 of the world");
    free(got);
    write_rank("folder/p-01.txt.gz", 1, 3);
    write_rank("folder/p-03.txt.gz", 3, 4);
    got = trace_refusal(folder);
    CHECK_HAS(got, "p-03.txt.gz: rank 3, but");
    CHECK_HAS(got, "p-00.txt.gz speaks of 3 ranks");
    free(got);
    write_rank("folder/p-3.txt.gz", 3, 4);
    got = trace_refusal(folder);
    CHECK_HAS(got, "p-3.txt.gz: rank 3 is in");
    free(got);
    static const char *const names[] = {"00", "01", "02", "03", "3"};
    for (int i = 0; i < 5; i++) {
        char *name = xasprintf("%s/p-%s.txt.gz", folder, names[i]);
        CHECK_EQ(unlink(name), 0);
        free(name);
    }
    CHECK_EQ(rmdir(folder), 0);
    free(folder);
}

static void test_refused(void)
{
    static const struct {
        const char *line, *part;
    } cases[] = {
        {"MPI_Send:5:7:1:13,1,1:9:2:0,0,1:6", "r:5: rank 0: MPI_Send: rank 9 "
                                              "of 1"},
        {"MPI_Send:5:7:1:13,1,1:-3:2:0,0,1:6", "rank -3 of 1"},
        {"MPI_Send:5:7:-1:13,1,1:0:2:0,0,1:6", "a count from 0 to 2147483647"},
        {"MPI_Send:5:7:x:13,1,1:0:2:0,0,1:6", "expected a count at 'x:13"},
        {"MPI_Send:5:7:1:13,1:0:2:0,0,1", "expected a time at ''"},
        {"MPI_Send:5:7:1:13:0:2:0,0,1:6", "rank 6 of 1"},
        {"MPI_Send:5:7:1:13,9999999999,1:0:2:0,0,1:6", "a size of a type up"},
        {"MPI_Send:5:7:1:13,1,1:0:-2:0,0,1:6", "tag -2"},
        {"MPI_Send:5:7:1:13,1,1:0:-1:0,0,1:6", "a send to any tag"},
        {"MPI_Send:5:7:1:13,1,1:0:2:0,1,1:6", "rank 1 in a communicator of 1"},
        {"MPI_Send:5:7:1:13,1,1:0:2:0,0,9:6", "of 9, but there are 1 ranks"},
        {"MPI_Send:5:7:1:13,1,1:0:2:0,0,1:4", "ends before it begins"},
        {"MPI_Send:5:7:1:13,1,1:0:2:0,0,1:6:7", "expected the end of the line"},
        {"MPI_Send:x:7:1:13,1,1:0:2:0,0,1:6", "expected a time at 'x:7"},
        {"MPI_Send", "expected MPI_ and a call at 'MPI_Send'"},
        {"hello:1:2", "expected MPI_ and a call at 'hello:1:2'"},
        {"MPI_Bcast:5:7:1:2,4,4:3:0,0,1:6", "root 3 of 1"},
        {"MPI_Gatherv:5:7:1:2,4,4:8:9:1,2:9:0,0:2,4,4:0:0,0,1:6",
         "no more counts than ranks"},
        {"MPI_Waitall:5:-1:640:0:6", "expected a number of requests"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = xasprintf(HEAD INIT "%s\n", cases[i].line);
        check_trace_refused("r", text, cases[i].part);
        free(text);
    }
    check_trace_refused("rank-99999999.txt", HEAD INIT, "rank 99999999");
}

int main(void)
{
    scratch_make();
    test_messages();
    test_requests();
    test_collectives();
    test_files();
    test_refused();
    scratch_clear();
    return check_result();
}
