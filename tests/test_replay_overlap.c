/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of a GPU do not delay messages: traces of PyTorch and Chakra on the 8
 * GPUs of a DGX H100, whose times are added up by hand. */
#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "apps/replay/replay.h"
#include "tests/trace_text.h"

#include <stdarg.h>
#include <sys/stat.h>

#ifndef SLUICE_YAJL
int main(void)
{
    return 77; /* built without yajl */
}
#else

enum { RANKS = 8 };

static struct machine dgx;
static char text[16384];
static size_t used;

static void say(const char *format, ...) PRINTF_LIKE(1, 2);
static void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
}

static void write_rank(const char *format, int rank)
{
    char name[32];

    snprintf(name, sizeof name, format, rank);
    free(scratch_file(name, text));
}

/* Returns the time of the replay of the scratch folder's files, one of which is
 * named. */
static double replay_us(const char *file)
{
    const struct replay_options options = {.compute_scale = 1, .flops = 1e9};
    char *words = scratch_path(file);
    struct trace t;
    struct plan p, shape;
    struct exec_result x;
    struct err err = {0};
    double time_s = NAN;

    check_open(&t, words);
    plan_init(&shape, &dgx, "overlap", 1, RANKS, NULL);
    if (replay_plan(&p, &dgx, &t, &shape, &options, &err) == 0) {
        if (exec_plan(&x, &dgx, &p, NULL, 0, &err) == 0) {
            time_s = x.time_s;
            exec_result_clear(&x);
        }
        plan_clear(&p);
    }
    CHECK(!err.text[0]);
    if (err.text[0])
        fprintf(stderr, "%s\n", err.text);
    plan_clear(&shape);
    trace_close(&t);
    free(words);
    return time_s * 1e6;
}

/* --- profiles of PyTorch -------------------------------------------------- */

static void profile(int rank)
{
    used = 0;
    say("{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", "
        "\"rank\": %d, \"world_size\": %d}, \"traceEvents\": [{}",
        rank, RANKS);
}

static void kernel(int stream, double ts, double dur)
{
    say(",\n{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": %g, "
        "\"dur\": %g, \"args\": {\"stream\": %d}}",
        ts, dur, stream);
}

/* Adds an all-reduce of 64 MiB by all. */
static void allreduce(int stream, double ts)
{
    say(",\n{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": "
        "\"ncclDevKernel_AllReduce\", \"ts\": %g, \"dur\": 1500, \"args\": "
        "{\"stream\": %d, \"Collective name\": \"allreduce\", \"In msg "
        "nelems\": 33554432, \"Out msg nelems\": 33554432, \"Group size\": %d, "
        "\"dtype\": \"BFloat16\", \"Process Group Name\": \"0\", \"Process "
        "Group Ranks\": \"[0, 1, 2, 3, 4, 5, 6, 7]\"}}",
        ts, stream, RANKS);
}

static void profile_end(int rank)
{
    say("]}\n");
    write_rank("rank%d.json", rank);
}

/* Returns the time with a kernel of this length at 1,000 us on one stream, and
 * an all-reduce at 1,500 on another; a kernel of 0 is left out. */
static double beside_us(double kernel_us, bool reduces)
{
    for (int rank = 0; rank < RANKS; rank++) {
        profile(rank);
        if (kernel_us > 0)
            kernel(7, 1000, kernel_us);
        if (reduces)
            allreduce(20, 1500);
        profile_end(rank);
    }
    return replay_us("rank0.json");
}

static void test_two_streams(void)
{
    double alone_us = beside_us(0, true);

    CHECK(alone_us > 100 && alone_us < 4500);
    /* The all-reduce ends inside the kernel, or 500 us and its own time after
     * the kernel's beginning. */
    CHECK_NEAR(beside_us(5000, true), 5000, 1e-12);
    CHECK_NEAR(beside_us(600, true), 500 + alone_us, 1e-12);
    CHECK_NEAR(beside_us(5000, false), 5000, 1e-12);
}

/* Returns the time of ten layers: a kernel of 2,000 us every 2,010, and 100 us
 * before its end an all-reduce on another stream, which no kernel waits for.
 * Its own stream has time for all: they take less than the 1,500 us of the
 * profile. */
static double layers_us(bool idle_stream)
{
    for (int rank = 0; rank < RANKS; rank++) {
        profile(rank);
        for (int i = 0; i < 20 && idle_stream; i++)
            kernel(1, 881 + i, 0.5);
        for (int i = 0; i < 10; i++) {
            kernel(7, 1000 + 2010 * i, 2000);
            allreduce(20, 2900 + 2010 * i);
        }
        profile_end(rank);
    }
    return replay_us("rank0.json");
}

static void test_layers(void)
{
    /* This is from the first kernel's beginning to the last one's end, plus 119
     * us before them: no stream is another's CPU. */
    CHECK_NEAR(layers_us(false), 10 * 2000 + 9 * 10, 1e-12);
    CHECK_NEAR(layers_us(true), 119 + 10 * 2000 + 9 * 10, 1e-12);
}

/* --- graphs of Chakra ----------------------------------------------------- */

/* Returns the time of a node that computes for 5,000 us, on the GPU or the CPU,
 * and one that reduces 64 MiB, which may wait for it. */
static double graph_us(bool computes, bool on_cpu, bool waits)
{
    for (int rank = 0; rank < RANKS; rank++) {
        used = 0;
        say("{\"workload_graph\": [");
        if (computes)
            say("{\"Id\": 1, \"Name\": \"gemm\", \"NodeType\": 4, "
                "\"data_deps\": [], \"runtime\": 5000, \"is_cpu_op\": %s},\n",
                on_cpu ? "true" : "false");
        say("{\"Id\": 2, \"Name\": \"reduce\", \"NodeType\": 7, \"data_deps\": "
            "[%s], \"is_cpu_op\": false, \"comm_type\": 0, \"comm_size\": "
            "67108864}]}\n",
            waits ? "1" : "");
        write_rank("graph.%d.json", rank);
    }
    return replay_us("graph.0.json");
}

static void test_two_nodes(void)
{
    double alone_us = graph_us(false, false, false);

    CHECK(alone_us > 100 && alone_us < 4500);
    CHECK_NEAR(graph_us(true, false, false), 5000, 1e-12);
    CHECK_NEAR(graph_us(true, true, false), 5000, 1e-12);
    CHECK_NEAR(graph_us(true, false, true), 5000 + alone_us, 1e-12);
}

int main(void)
{
    struct err err = {0};

    if (platform_load(&dgx, "dgx-h100", NULL, 0, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    scratch_make();
    test_two_streams();
    test_layers();
    scratch_clear();
    CHECK_EQ(mkdir(scratch, 0700), 0);
    test_two_nodes();
    machine_clear(&dgx);
    scratch_clear();
    return check_result();
}
#endif
