/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of collectives by the algorithm that NCCL chooses among those that its
 * variables leave: a name is no prefix of another; the errors if they leave
 * none, and if the choice fails; and the CPU's part of calls. */
#include "validate/measure/library_call.h"

#include "platforms/platform.h"
#include "strategies/collective/collective.h"
#include "tests/check.h"

#include <math.h>

/* Runs an allreduce on a node of 4 GPUs of Alps with a value set, by_thread of
 * them launched by each thread of the CPU. */
static int call_by(struct library_call *r, const char *set, uint64_t bytes,
                   unsigned by_thread, bool in_graph, struct err *err)
{
    static const struct collective_algorithm asked = {.kind =
                                                          COLLECTIVE_ALLREDUCE};
    const struct experiment x = {.collective = &asked,
                                 .nodes = 1,
                                 .ranks_per_node = 4,
                                 .ranks = 4,
                                 .bytes = bytes,
                                 .by_thread = by_thread,
                                 .in_graph = in_graph,
                                 .gpu = true};
    struct machine m;

    if (platform_load(&m, "alps", &set, 1, err) < 0)
        return -1;
    int result = library_call_run(r, &m, &x, NULL, err);
    machine_clear(&m);
    return result;
}

static int call(struct library_call *r, const char *set, uint64_t bytes,
                struct err *err)
{
    return call_by(r, set, bytes, 0, false, err);
}

/* A thread whose calls for its GPUs take longer than the GPUs bounds calls in a
 * row, and none in a graph. */
static void check_calls(void)
{
    static const struct {
        const char *set;
        unsigned by_thread;
        bool in_graph;
        double s; /* 0: that of the GPUs alone */
    } cases[] = {{"nccl.call_us=100", 4, false, 400e-6},
                 {"nccl.call_us=100", 2, false, 200e-6},
                 {"nccl.call_us=100", 0, false, 100e-6},
                 {"nccl.call_us=100", 4, true, 0},
                 {"nccl.call_us=0.1", 4, false, 0}};
    struct err err = {0};
    struct library_call gpus, r;

    CHECK(call(&gpus, "nccl.call_us=0", 8, &err) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(call_by(&r, cases[i].set, 8, cases[i].by_thread,
                      cases[i].in_graph, &err) == 0);
        CHECK_NEAR(r.time_s, cases[i].s > 0 ? cases[i].s : gpus.time_s, 1e-12);
    }
    /* One channel adds nothing, all of 1 MiB a whole number of its times. */
    CHECK(call(&r, "nccl.channel_us=1000", 8, &err) == 0);
    CHECK(r.time_s < 100e-6);
    CHECK(call(&r, "nccl.channel_us=1000", 1 << 20, &err) == 0);
    double channels = floor(r.time_s / 1e-3);
    CHECK(channels >= 1 && r.time_s - channels * 1e-3 < 20e-6);
}

static void check_choice(const char *set, const char *end)
{
    struct library_call r;
    struct err err = {0};

    int result = call(&r, set, 64 << 20, &err);

    CHECK(result == 0);
    if (result < 0)
        return;
    size_t n = strlen(r.algorithm), most = strlen(end);
    CHECK(n >= most && !strcmp(r.algorithm + n - most, end));
    CHECK(r.time_s > 0);
}

int main(void)
{
    struct library_call r;
    struct err err = {0};

    check_choice("nccl.settings.NCCL_PROTO=\"LL\"", "/ll");
    check_choice("nccl.settings.NCCL_PROTO=\"LL128\"", "/ll128");
    check_choice("nccl.settings.NCCL_ALGO=\"Ring\"", "nccl_ring/simple");
    CHECK(call(&r, "nccl.settings.NCCL_ALGO=\"CollnetChain\"", 1024, &err) < 0);
    CHECK_HAS(err.text, "has no allreduce on alps");
    CHECK(call(&r, "nccl.settings.NCCL_ALGO=\"Ring\"", 1022, &err) < 0);
    CHECK_HAS(err.text, "1022 bytes are no whole elements of 4 B");
    check_calls();
    return check_result();
}
