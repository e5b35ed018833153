/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links of zero and of infinite bandwidth, a million flows on one link, times
 * of eighteen orders of magnitude, and programs that never end. */
#include "sim/network/engine.h"
#include "sim/network/fluid.h"
#include "base/random.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct machine tiny;
static struct engine *engine;
static enum engine_kind kind;

/* --- a link, without an engine -------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Starts n flows of these sizes at once on a link of 1 GB/s; stores their ends,
 * in order. */
static void share_one_link(double *ends, const double *bytes, uint32_t n,
                           double tolerance)
{
    struct fluid *net = fluid_new(tolerance);
    uint32_t link = fluid_add_link(net, 1e9, FLUID_NO_RANK);
    double now = 0;

    for (uint32_t i = 0; i < n; i++)
        fluid_start(net, 0, &link, 1, bytes[i], 0);
    for (uint32_t i = 0; i < n;) {
        double end = fluid_next_end(net, INFINITY);
        CHECK(end >= now && !isinf(end));
        now = end;
        do {
            fluid_end(net, now);
            ends[i++] = now;
        } while (fluid_ends_now(net, now));
    }
    CHECK(isinf(fluid_next_end(net, INFINITY)));
    fluid_free(net);
}

/* All have the same rate, so as long as k are left each byte of each takes k
 * ns. */
static void compare_with_sum(uint32_t n, bool equal, double tolerance)
{
    double *bytes = xcalloc(n, sizeof *bytes), *ends = xcalloc(n, sizeof *ends);
    double sent = 0, want = 0;
    uint64_t seed = 1;

    for (uint32_t i = 0; i < n; i++)
        bytes[i] = equal ? 1000 : 1 + (double)(next_random(&seed) % 1000000);
    share_one_link(ends, bytes, n, tolerance);
    qsort(bytes, n, sizeof *bytes, by_size);
    int before = check_failures;
    for (uint32_t i = 0; i < n && check_failures == before; i++) {
        want += (bytes[i] - sent) * (n - i) * 1e-9;
        sent = bytes[i];
        CHECK_NEAR(ends[i], want, tolerance > 0 ? tolerance : 1e-9);
    }
    free(bytes);
    free(ends);
}

/* Flows of 1 ps to 10^6 s, each limited by its own cap on a link that is wide
 * enough, run one after the other in time and in parallel. */
static void wide_times(void)
{
    struct fluid *net = fluid_new(0);
    uint32_t link = fluid_add_link(net, INFINITY, FLUID_NO_RANK);
    double now = 0;

    for (int e = -12; e <= 6; e++)
        fluid_start(net, 0, &link, 1, 1, pow(10, -e));
    for (int e = -12; e <= 6; e++) {
        double end = fluid_next_end(net, INFINITY);
        CHECK(end >= now);
        CHECK_NEAR(end, pow(10, e), 1e-9);
        now = end;
        fluid_end(net, now);
    }
    /* At 10^6 s the clock has a resolution of 0.12 ns: shorter flows end at
     * once. */
    for (int e = -12; e <= 6; e++) {
        fluid_start(net, now, &link, 1, 1, pow(10, -e));
        double end = fluid_next_end(net, INFINITY);
        CHECK(end >= now);
        CHECK(fabs(end - now - pow(10, e)) <= 2.4e-10);
        now = end;
        fluid_end(net, now);
    }
    fluid_free(net);
}

/* --- engines -------------------------------------------------------------- */

static void start(unsigned from, unsigned to, double bytes, double cap,
                  void (*fn)(void *), void *arg)
{
    engine_flow(engine, engine_core(&tiny, from, 0), engine_core(&tiny, to, 0),
                bytes, cap, NIC_OF_SOCKET, fn, arg);
}

static void note(void *arg)
{
    *(double *)arg = engine_now(engine);
}

static void again(void *arg)
{
    start(0, 1, 1000, 0, again, arg);
}

static void again_at_once(void *arg)
{
    engine_after(engine, 0, again_at_once, arg);
}

static void endless(void)
{
    struct err err = {0};

    engine_set_max_events(engine, 1000);
    again(NULL);
    CHECK(engine_run(engine, &err) < 0);
    CHECK_EQ(err.kind, ERR_WORK);
    CHECK_HAS(err.text, "more than 1000 events, at 0.0001001 s");
}

/* The simulated time does not even advance. */
static void endless_at_once(void)
{
    struct err err = {0};

    engine_set_max_events(engine, 1000);
    again_at_once(NULL);
    CHECK(engine_run(engine, &err) < 0);
    CHECK_HAS(err.text, "more than 1000 events, at 0 s");
}

/* One flow is stuck, the other is not. */
static void no_bandwidth(void)
{
    struct err err = {0};
    double a = -1, b = -1;

    start(0, 1, 1000, 0, note, &a);
    engine_flow(engine, engine_gpu(&tiny, 0, 0), engine_core(&tiny, 0, 1), 1000,
                0, NIC_OF_SOCKET, note, &b);
    CHECK(engine_run(engine, &err) < 0);
    CHECK_HAS(err.text, "never end: 1");
    CHECK_NEAR(a, 1e-7, 1e-9);
    CHECK_EQ(b, -1);
}

static void infinite_bandwidth(void)
{
    struct err err = {0};
    double free = -1, capped = -1;

    start(0, 1, 1e6, 0, note, &free);
    start(0, 1, 1e6, 1e9, note, &capped);
    CHECK(engine_run(engine, &err) == 0);
    CHECK_EQ(free, 0);
    CHECK_NEAR(capped, 1e-3, 1e-9);
}

static void in_child(void (*test)(void), double gpu_Bps, double rest_Bps)
{
    int status;

    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct err err = {0};
        check_failures = check_count = 0;
        for (size_t w = 0; w < tiny.nwires; w++)
            tiny.wires[w].bandwidth_Bps =
                tiny.devices[tiny.wires[w].ends[1]].kind == DEVICE_GPU
                    ? gpu_Bps
                    : rest_Bps;
        tiny.network.bandwidth_Bps = rest_Bps;
        engine = engine_new(kind, &tiny, 2, &err);
        test();
        fflush(NULL);
        _exit(check_failures != 0 || check_count == 0);
    }
    waitpid(pid, &status, 0);
    CHECK_EQ(status, 0);
}

int main(void)
{
    compare_with_sum(1000000, true, 0);
    compare_with_sum(10000, false, 0);
    compare_with_sum(1000000, false, 0.01);
    wide_times();
    tiny_machine(&tiny, 4);
    for (kind = 0; kind <= ENGINE_FLUID; kind++) {
        in_child(endless, 10e9, 10e9);
        in_child(endless_at_once, 10e9, 10e9);
    }
    kind = ENGINE_FLUID;
    in_child(no_bandwidth, 0, 10e9);
    in_child(infinite_bandwidth, INFINITY, INFINITY);
    machine_clear(&tiny);
    return check_result();
}
