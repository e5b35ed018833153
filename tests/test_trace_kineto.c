/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of PyTorch: some that were made public, and small ones written here
 * in the forms of several versions. */
#include "tests/trace_text.h"

#include <stdarg.h>

#ifndef SLUICE_YAJL
int main(void)
{
    return 77; /* built without yajl */
}
#else

struct sums {
    size_t n, collectives, gaps;
    double work_s;
    uint64_t bytes;
};

static struct sums sums_of(struct trace *t, uint32_t rank)
{
    struct sums s = {0};
    struct trace_event e;
    struct err err = {0};
    int result;

    while ((result = trace_next(t, rank, &e, &err)) > 0) {
        bool gap = e.name && !strcmp(e.name, "gap");
        s.n++;
        s.gaps += gap;
        s.collectives += e.call == TRACE_COLLECTIVE;
        s.bytes += e.call == TRACE_COLLECTIVE ? e.bytes : 0;
        s.work_s += e.call == TRACE_COMPUTE && !gap ? e.work_s : 0;
    }
    CHECK_EQ(result, 0);
    return s;
}

/* Counts and sums of the JSON by a script: rank 0 has 1,204 activities, 10 of
 * which are NCCL's, and 211,645 us of the others (some of which overlap on a
 * stream: 211 ms). */
static void test_a100(void)
{
    struct trace t;

    check_open(&t, "tests/data/kineto/a100_sampled_rank-1.json.gz");
    CHECK_EQ(t.ranks, 128);
    CHECK(!t.rank[0].missing && !t.rank[1].missing && t.rank[2].missing);
    struct sums s = sums_of(&t, 0);
    CHECK_EQ(s.n - s.gaps, 1204);
    CHECK_EQ(s.collectives, 10);
    CHECK_NEAR(s.work_s, 0.211645, 0.02);
    s = sums_of(&t, 1);
    CHECK_EQ(s.n - s.gaps, 1154);
    CHECK_EQ(s.collectives, 10);
    CHECK_NEAR(s.work_s, 0.288477, 0.02);
    check_remark(&t, "20 collectives do not say of which group");
    struct err err = {0};
    CHECK_EQ(trace_rewind(&t, 0, &err), 0);
    CHECK_EQ(sums_of(&t, 0).collectives, 10);
    trace_close(&t);
}

static void test_others(void)
{
    struct trace t;

    check_open(&t, "tests/data/kineto/alexnet_trace.json.gz");
    CHECK_EQ(t.ranks, 1);
    struct sums s = sums_of(&t, 0);
    CHECK_EQ(s.n - s.gaps, 79 + 16 + 3);
    CHECK_EQ(s.collectives, 0);
    trace_close(&t);

    /* There are five allreduces of 321,271 floats and five of 2,082,411. */
    check_open(&t, "tests/data/kineto/cpu_only_rank-34.json.gz");
    CHECK_EQ(t.ranks, 300);
    CHECK(t.rank[33].missing && !t.rank[34].missing);
    s = sums_of(&t, 34);
    CHECK_EQ(s.collectives, 10);
    CHECK_EQ(s.bytes, 5 * 4 * (321271 + 2082411));
    trace_close(&t);
}

/* --- own profiles --------------------------------------------------------- */

static char profile[8192];
static size_t used;

static void say(const char *format, ...) PRINTF_LIKE(1, 2);
static void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    used +=
        (size_t)vsnprintf(profile + used, sizeof profile - used, format, args);
    va_end(args);
}

static void begin(const char *rank, const char *size, const char *more)
{
    used = 0;
    say("{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", "
        "\"rank\": %s, \"world_size\": %s%s},\n\"traceEvents\": [\n",
        rank, size, more);
}

static void kernel(const char *name, int stream, double ts, double dur,
                   const char *args)
{
    if (profile[used - 1] == '}')
        say(",\n");
    say("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, "
        "\"tid\": %d, \"ts\": %g, \"dur\": %g, \"args\": {\"stream\": %d%s}}",
        name, stream, ts, dur, stream, args);
}

/* Returns the arguments that newer versions write for kernels of NCCL. */
static const char *words(const char *collective, int in, int out,
                         const char *group, const char *ranks, int size)
{
    static char text[512];

    snprintf(text, sizeof text,
             ", \"Collective name\": \"%s\", \"In msg nelems\": %d, \"Out msg "
             "nelems\": %d, \"Group size\": %d, \"dtype\": \"BFloat16\", \"In "
             "split size\": \"[]\", \"Out split size\": \"[]\", \"Process "
             "Group Name\": \"%s\", \"Process Group Description\": \"tp\", "
             "\"Process Group Ranks\": \"%s\"",
             collective, in, out, size, group, ranks);
    return text;
}

static const char *end(void)
{
    say("],\n\"traceName\": \"x\"}\n");
    return profile;
}

/* Writes two streams: a kernel, then a collective on the other that waits for
 * it, and one that waits for the collective; not in the order of time. */
static void write_streams(void)
{
    char args[600];

    begin("1", "4", "");
    kernel("after", 7, 1150.5, 20, "");
    kernel("gemm", 7, 1000, 50, "");
    kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(args)", 20, 1060, 80,
           words("allreduce", 1024, 1024, "7", "[1, 3]", 2));
    kernel("ncclDevKernel_AllGather(args)", 20, 1200, 80,
           words("_allgather_base", 100, 200, "7", "[1, 3]", 2));
    snprintf(args, sizeof args, "%s, \"Dst Rank\": 3",
             words("send", 100, 100, "7", "[1, 3]", 2));
    kernel("ncclDevKernel_SendRecv(args)", 20, 1300, 80, args);
    kernel("ncclDevKernel_ReduceScatter(args)", 20, 1400, 80,
           words("reduce_scatter_tensor", 200, 100, "0", "[0, ..., 3]", 4));
    kernel("ncclDevKernel_Generic(args)", 20, 1480, 5, "");
}

static void test_streams(void)
{
    struct trace t;

    write_streams();
    char *path = scratch_file("own-1.json", end());
    check_open(&t, path);
    CHECK_EQ(t.ranks, 4);
    CHECK(t.rank[0].missing && !t.rank[1].missing);
    char *text = trace_text(&t, 1);
    CHECK_HAS(text, " gemm free compute 5e-05 s lane 1 #1\n");
    /* 10 us after gemm. */
    CHECK_HAS(text, " gap free compute 1e-05 s lane 2 #2 after #1\n");
    CHECK_HAS(text, " 7 comm\n");
    CHECK_HAS(text, " ncclDevKernel_AllReduce_Sum_bf16_RING_LL(args) free all "
                    "allreduce to none 2048 B 2048 B each gpu lane 2 #3 after "
                    "#2\n");
    /* It ended at 1,140. */
    CHECK_HAS(text, " gap free compute 1.05e-05 s lane 1 #4 after #1 "
                    "after #3\n");
    CHECK_HAS(text, " after free compute 2e-05 s lane 1 #5 after #4\n");
    CHECK_HAS(text, " free all allgather to none 200 B 200 B each gpu lane 2 "
                    "#7");
    CHECK_HAS(text, " free send to 1 tag 0 200 B gpu lane 2 #9");
    /* [0, ..., 3] is too short to show how it continues: its size is that of
     * the world. */
    CHECK_HAS(text, " free all reduce-scatter to none 100 B 100 B each gpu "
                    "lane 2 #11");
    CHECK_HAS(text, " ncclDevKernel_Generic(args) free compute 5e-06 s lane 2 "
                    "#13");
    check_remark(&t, "1 kernels communicate, but the profile does not say");
    CHECK_EQ(t.nremarks, 1);
    free(text);
    trace_close(&t);
    unlink(path);
    free(path);
}

/* Checks older versions: the kernel's launch lies within a note on its thread,
 * which gives the size in these words. */
static void check_launches(const char *size)
{
    char *events = xasprintf(
        "[{\"ph\": \"M\", \"name\": \"process_name\"},\n"
        "{\"name\": \"nccl:reduce_scatter\", \"ph\": \"X\", \"cat\": "
        "\"user_annotation\", \"ts\": 10, \"dur\": 30, \"tid\": 5, \"args\": "
        "{%s}},\n"
        "{\"ph\": \"X\", \"cat\": \"Runtime\", \"name\": "
        "\"cudaLaunchKernelExC\", \"tid\": 5, \"ts\": 20, \"dur\": 5, "
        "\"args\": {\"correlation\": 99}},\n"
        "{\"ph\": \"X\", \"cat\": \"Kernel\", \"name\": "
        "\"ncclKernel_ReduceScatter\", \"tid\": \"stream 7\", \"ts\": 30, "
        "\"dur\": 9, \"args\": {\"stream\": 7, \"correlation\": 99}},\n"
        "{\"ph\": \"X\", \"cat\": \"Kernel\", \"name\": "
        "\"ncclKernel_Other\", \"tid\": \"stream 7\", \"ts\": 40, \"dur\": 9, "
        "\"args\": {\"stream\": 7, \"correlation\": 100}}]",
        size);
    struct trace t;
    char *path = scratch_file("old-0.json.gz", events);
    char *other = scratch_file("old-1.json.gz", events);

    check_open(&t, path);
    CHECK_EQ(t.ranks, 2);
    char *text = trace_text(&t, 0);
    CHECK_HAS(text, " ncclKernel_ReduceScatter free all reduce-scatter to none "
                    "128 B 128 B each gpu lane 1 #1\n");
    CHECK_HAS(text,
              " ncclKernel_Other free compute 9e-06 s lane 1 #3 after #2\n");
    check_remark(&t, "taken as of all ranks");
    free(text);
    trace_close(&t);
    unlink(other);
    free(other);
    unlink(path);
    free(path);
    free(events);
}

/* Two ranks keep 64 numbers of 2 bytes each of the 128 that each has. An
 * unknown type does not hide the one next to it. */
static void test_launches(void)
{
    check_launches("\"Input Dims\": [[64, 2], [3]], "
                   "\"Input type\": [\"c10::Half\", \"int\"]");
    check_launches("\"Input Dims\": [[7]], \"Input type\": [\"x\"], "
                   "\"Out msg nelems\": 64, \"dtype\": \"Half\"");
}

/* An abbreviated list of ranks continues as it began; a group is known only by
 * its name, from pg_config. */
static void test_groups(void)
{
    struct trace t;
    struct trace_event e;
    struct err err = {0};

    begin("2", "64",
          ", \"pg_config\": [{\"pg_name\": \"9\", \"ranks\": [2, "
          "5]}]");
    kernel("ncclDevKernel_AllToAll(args)", 20, 1, 80,
           words("all_to_allv", 64, 64, "7", "[0, 2, 4, ..., 62]", 32));
    kernel("ncclDevKernel_Broadcast(args)", 20, 100, 80,
           ", \"Collective name\": \"broadcast\", \"In msg nelems\": 3, "
           "\"dtype\": \"Long\", \"Process Group Name\": \"9\"");
    kernel("ncclDevKernel_Strange(args)", 20, 200, 80,
           words("allreduce", 64, 64, "8", "[0, 2, 5, ..., 62]", 32));
    char *path = scratch_file("own-2.json", end());
    check_open(&t, path);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.call, TRACE_COMM);
    CHECK_EQ(e.nmembers, 32);
    CHECK_EQ(e.members[31], 62);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.collective, TRACE_ALLTOALL);
    CHECK_EQ(e.bytes, 4);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.nmembers, 2);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1); /* gap */
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.collective, TRACE_BROADCAST);
    CHECK_EQ(e.bytes, 24);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.call, TRACE_COMPUTE);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 0);
    check_remark(&t, "1 collectives do not say among which ranks");
    check_remark(&t, "1 collectives have a root that the profile does not say");
    trace_close(&t);
    unlink(path);
    free(path);
}

/* There is one file, of a world of unknown size. */
static void test_lone(void)
{
    static const char events[] =
        "{\"schemaVersion\": 1%s, \"traceEvents\": [{\"ph\": \"X\", \"cat\": "
        "\"kernel\", \"name\": \"ncclDevKernel_AllReduce\", \"ts\": 1, "
        "\"dur\": 2, \"args\": {\"stream\": 20, \"Collective name\": "
        "\"allreduce\", \"In msg nelems\": 8, \"Out msg nelems\": 8, "
        "\"dtype\": \"Half\", \"Process Group Name\": \"0\"}}]}";
    struct trace t;

    used = 0;
    say(events, "");
    check_trace_refused(
        "lone.json", profile,
        "lone.json: byte 37: rank 0: ncclDevKernel_AllReduce: the profile says "
        "neither its group's ranks nor the size of the world");
    used = 0;
    say(events, ", \"distributedInfo\": {\"rank\": 0, \"world_size\": 1}");
    char *path = scratch_file("alone.json", profile);
    check_open(&t, path);
    CHECK_EQ(sums_of(&t, 0).collectives, 1);
    trace_close(&t);
    unlink(path);
    free(path);
}

static void test_refused(void)
{
    begin("0", "1", "");
    say("{\"ph\": \"X\"");
    check_trace_refused("cut.json", profile,
                        "cut.json: byte 116: the JSON text ends too early");
    begin("0", "1", "");
    say("{\"ph\": }");
    check_trace_refused("bad.json", profile, "bad.json: byte 114: not JSON: ");
    begin("77777777", "1", "");
    check_trace_refused("far.json", end(), "far.json: rank 77777777 of 1");
    begin("0", "1e15", "");
    check_trace_refused("wide.json", end(), "wide.json: rank");
    begin("0", "4", "");
    kernel("ncclDevKernel", 20, 1, 2, words("send", 1, 1, "", "[1, 2]", 2));
    kernel("ncclDevKernel", 20, 5, 2,
           words("allreduce", 1, 1, "", "[1, 2]", 2));
    check_trace_refused("own.json", end(),
                        "own.json: byte 106: rank 0: ncclDevKernel: its group "
                        "does not have its own rank");
    begin("0", "2", "");
    kernel("ncclDevKernel", 20, 5, 2,
           words("allreduce", 1, 1, "", "[0, 2]", 2));
    check_trace_refused("own.json", end(),
                        "its group has a rank that the trace has not");
    begin("0", "2", "");
    char *other = scratch_file("r-1.json", end());
    check_trace_refused("r-2.json", profile, "of rank 0, as ");
    unlink(other);
    free(other);
}

int main(void)
{
    scratch_make();
    test_a100();
    test_others();
    test_streams();
    test_launches();
    test_groups();
    test_lone();
    test_refused();
    scratch_clear();
    return check_result();
}
#endif
