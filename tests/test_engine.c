/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine compared with flows computed by hand. Every case runs in a child
 * process, because a process has only one engine of SimGrid in its life. */
#include "sim/network/engine.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXACT 1e-9

static struct machine tiny;
static struct engine *engine;
static enum engine_kind kind;

struct end {
    double time;
    int order;
};
static int ended;

static void note(void *arg)
{
    struct end *end = arg;

    end->time = engine_now(engine);
    end->order = ended++;
}

/* Endpoints: cores 0-3 of socket 0, 4-7 of socket 1, GPUs 0-3. */
static uint32_t core(unsigned node, unsigned i)
{
    return engine_core(&tiny, node, i);
}

static uint32_t gpu(unsigned node, unsigned i)
{
    return engine_gpu(&tiny, node, i);
}

static void flow(uint32_t from, uint32_t to, double bytes, double cap,
                 struct end *end)
{
    engine_flow(engine, from, to, bytes, cap, NIC_OF_SOCKET, note, end);
}

static void run(void)
{
    struct err err = {0};

    if (engine_run(engine, &err) < 0) {
        err_print(&err);
        CHECK(!"runs");
    }
}

/* One flow is limited by its slowest wire: GPU to GPU off node, NIC 10 GB/s. */
static void one_flow(void)
{
    struct end a, b, c;

    flow(gpu(0, 0), gpu(1, 0), 1e5, 0, &a);
    flow(gpu(2, 2), gpu(2, 3), 1e5, 0, &b);     /* 40 GB/s, independent of a */
    flow(core(3, 0), core(3, 0), 1e5, 4e9, &c); /* to itself, capped */
    run();
    CHECK_NEAR(a.time, 1e-5, EXACT);
    CHECK_NEAR(b.time, 2.5e-6, EXACT);
    CHECK_NEAR(c.time, 2.5e-5, EXACT);
}

/*
 * Two flows of 100 kB leave by one NIC (10 GB/s): 5 each until both end at
 * 20 us. A third from the other socket has a NIC of its own: 10 us.
 */
static void shared_nic(void)
{
    struct end a, b, c;

    flow(core(0, 0), core(1, 0), 1e5, 0, &a);
    flow(core(0, 1), core(1, 1), 1e5, 0, &b);
    flow(core(0, 4), core(1, 4), 1e5, 0, &c);
    run();
    CHECK_NEAR(a.time, 2e-5, EXACT);
    CHECK_NEAR(b.time, 2e-5, EXACT);
    CHECK_NEAR(c.time, 1e-5, EXACT);
}

/* Among the same two, one has 50 kB: it ends at 10 us, when the other has 50 kB
 * left and the wire to itself: 15 us. */
static void leftover(void)
{
    struct end a, b;

    flow(core(0, 0), core(1, 0), 1e5, 0, &a);
    flow(core(0, 1), core(1, 1), 5e4, 0, &b);
    run();
    CHECK_NEAR(b.time, 1e-5, EXACT);
    CHECK_NEAR(a.time, 1.5e-5, EXACT);
}

/* A cap of 2 GB/s leaves 8 for the other: max-min, not equal shares. */
static void capped(void)
{
    struct end a, b;

    flow(core(0, 0), core(1, 0), 1e5, 2e9, &a);
    flow(core(0, 1), core(1, 1), 1e5, 0, &b);
    run();
    CHECK_NEAR(a.time, 5e-5, EXACT);
    CHECK_NEAR(b.time, 1.25e-5, EXACT);
}

/* Opposite directions do not disturb each other. */
static void full_duplex(void)
{
    struct end a, b;

    flow(core(0, 0), core(1, 0), 1e5, 0, &a);
    flow(core(1, 0), core(0, 0), 1e5, 0, &b);
    run();
    CHECK_NEAR(a.time, 1e-5, EXACT);
    CHECK_NEAR(b.time, 1e-5, EXACT);
}

/*
 * Two bottlenecks: f1, f2 leave node 0 by one NIC (10), f2, f3, f4 enter node 1
 * by one NIC (10): f2, f3, f4 get 10/3 each, f1 the remaining 20/3. At 15 us
 * f1's 100 kB are sent. f2, f3, f4 end together at 30 us.
 */
static void two_bottlenecks(void)
{
    struct end f[4];

    flow(core(0, 0), core(2, 0), 1e5, 0, &f[0]);
    flow(core(0, 1), core(1, 0), 1e5, 0, &f[1]);
    flow(core(3, 0), core(1, 1), 1e5, 0, &f[2]);
    flow(core(4, 0), core(1, 2), 1e5, 0, &f[3]);
    run();
    CHECK_NEAR(f[0].time, 1.5e-5, EXACT);
    for (int i = 1; i < 4; i++)
        CHECK_NEAR(f[i].time, 3e-5, EXACT);
}

/* Simultaneous flows of equal size end in the order of their start. */
static void simultaneous(void)
{
    struct end f[8];

    for (unsigned i = 0; i < 8; i++)
        flow(core(i, 0), core((i + 1) % 8, 0), 1e5, 0, &f[i]);
    run();
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(f[i].time, 1e-5, EXACT);
        CHECK_EQ(f[i].order, i);
    }
}

/* Ends that are near each other are not merged: 1 byte more on a separate wire
 * is 0.1 ns. */
static void nearby(void)
{
    struct end a, b;

    flow(core(0, 0), core(1, 0), 1e5, 0, &a);
    flow(core(2, 0), core(3, 0), 1e5 + 1, 0, &b);
    run();
    CHECK_NEAR(a.time, 1e-5, 1e-12);
    CHECK_NEAR(b.time, 1e-5 + 1e-10, 1e-12);
}

static struct end chain_end;

static void next_flow(void *arg)
{
    note(arg);
    flow(core(1, 0), core(0, 1), 1e5, 0, &chain_end);
}

static void timer_starts_flow(void *arg)
{
    engine_flow(engine, core(0, 0), core(1, 0), 1e5, 0, NIC_OF_SOCKET,
                next_flow, arg);
}

/* A timer starts a flow, whose end starts another: 3 + 10 + 10 us. */
static void chain(void)
{
    struct end first;

    engine_after(engine, 3e-6, timer_starts_flow, &first);
    run();
    CHECK_NEAR(first.time, 1.3e-5, EXACT);
    CHECK_NEAR(chain_end.time, 2.3e-5, EXACT);
}

/* Equal times are in order of the calls; zero bytes take no time. */
static void timers(void)
{
    struct end t[4], none;

    engine_after(engine, 2e-6, note, &t[0]);
    engine_after(engine, 1e-6, note, &t[1]);
    engine_after(engine, 2e-6, note, &t[2]);
    engine_after(engine, 0, note, &t[3]);
    flow(core(0, 0), core(1, 0), 0, 0, &none);
    run();
    CHECK_NEAR(t[0].time, 2e-6, EXACT);
    CHECK_EQ(t[3].order, 0);
    CHECK_EQ(none.order, 1);
    CHECK_EQ(t[1].order, 2);
    CHECK_EQ(t[0].order, 3);
    CHECK_EQ(t[2].order, 4);
    CHECK_NEAR(none.time, 0, EXACT);
}

/* Choosing NIC 0 makes the two sockets share it. */
static void chosen_nic(void)
{
    struct end a, b;

    engine_flow(engine, core(0, 0), core(1, 0), 1e5, 0, 0, note, &a);
    engine_flow(engine, core(0, 4), core(1, 4), 1e5, 0, 0, note, &b);
    run();
    CHECK_NEAR(a.time, 2e-5, EXACT);
    CHECK_NEAR(b.time, 2e-5, EXACT);
}

/* The traffic of the links, by name; the busiest first. */
static void link_use(void)
{
    struct end a, b;
    struct link_use *used;
    bool seen = false;

    flow(gpu(0, 3), core(1, 0), 1e5, 0, &a);
    run();
    size_t all;
    CHECK(engine_links_used(engine, 0, &used, &all) > 1);
    free(used);
    flow(gpu(0, 3), core(0, 4), 1e5, 0, &b);
    run();
    for (size_t i = 0; i < engine_link_count(engine); i++) {
        struct link_use use;
        engine_link_use(engine, i, &use);
        if (strcmp(use.name, "node0.gpu3>cpu1") != 0)
            continue;
        seen = true;
        CHECK_NEAR(use.bytes, 2e5, EXACT);
        CHECK_EQ(use.flows, 2);
        CHECK_NEAR(use.bandwidth_Bps, 1e10, EXACT);
    }
    CHECK(seen);
    size_t n = engine_links_used(engine, 0, &used, &all);
    CHECK_EQ(all, n);
    for (size_t i = 0; i < n; i++) {
        CHECK(used[i].bytes > 0 && used[i].flows > 0);
        CHECK(i == 0 || used[i].bytes / used[i].bandwidth_Bps <=
                            used[i - 1].bytes / used[i - 1].bandwidth_Bps);
    }
    /* Only the first links: they are the same ones, even if several are
     * utilised equally. */
    for (size_t most = 1; most <= n + 1; most++) {
        struct link_use *some;
        size_t some_all;
        CHECK_EQ(engine_links_used(engine, most, &some, &some_all),
                 most < n ? most : n);
        CHECK_EQ(some_all, n);
        for (size_t i = 0; i < most && i < n; i++)
            CHECK(!strcmp(some[i].name, used[i].name) &&
                  some[i].bytes == used[i].bytes);
        free(some);
    }
    free(used);
}

/* Runs the test in a child process, because SimGrid's state is the
 * process's. */
static void in_child(void (*test)(void), const char *name,
                     enum topology topology)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct err err = {0};
        check_failures = check_count = 0;
        tiny.network.topology = topology;
        tiny.network.levels = topology == TOPOLOGY_TORUS ? 3 : 2;
        for (int l = 0; l < 4; l++)
            tiny.network.down[l] = topology == TOPOLOGY_FAT_TREE ? 8
                                   : topology == TOPOLOGY_TORUS  ? 4
                                                                 : 2;
        tiny.network.up[0] = 1;
        tiny.network.up[1] = 8;
        for (int l = 0; l < 4; l++)
            tiny.network.parallel[l] = 1;
        if (topology == TOPOLOGY_DRAGONFLY) {
            tiny.network.levels = 4;
            tiny.network.down[0] = 4;
        }
        if (topology == TOPOLOGY_DRAGONFLY_PLUS) {
            tiny.network.levels = 3;
            tiny.network.group_wires = 1;
        }
        if (topology == TOPOLOGY_RAILS) {
            tiny.network.down[1] = 16;
            tiny.network.rails = 2;
        }
        engine = engine_new(kind, &tiny, 8, &err);
        if (!engine) {
            err_print(&err);
            _exit(1);
        }
        test();
        fflush(NULL);
        _exit(check_failures != 0 || check_count == 0);
    }
    int status;
    waitpid(pid, &status, 0);
    if (status != 0)
        fprintf(stderr, "%s: %s on a %s failed\n", engine_kind_names[kind],
                name, topology_names[topology]);
    CHECK_EQ(status, 0);
}

/* In a ring of 64 nodes half of its length is too far for the fluid engine,
 * which reports it; SimGrid simulates it. */
static void far_away(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        struct err err = {0};
        struct end a;
        tiny.network.topology = TOPOLOGY_TORUS;
        tiny.network.levels = 1;
        tiny.network.down[0] = 64;
        engine = engine_new(kind, &tiny, 64, &err);
        flow(core(0, 0), core(32, 0), 1e5, 0, &a);
        int got = engine_run(engine, &err);
        _exit(kind == ENGINE_SIMGRID
                  ? got != 0 || fabs(a.time - 1e-5) > 1e-14
                  : got == 0 || !strstr(err.text, "34 links"));
    }
    int status;
    waitpid(pid, &status, 0);
    CHECK_EQ(status, 0);
}

static void all_cases(void)
{
    for (enum topology t = TOPOLOGY_CROSSBAR; t < NTOPOLOGIES; t++) {
        in_child(one_flow, "one_flow", t);
        in_child(shared_nic, "shared_nic", t);
        in_child(full_duplex, "full_duplex", t);
    }
    in_child(leftover, "leftover", TOPOLOGY_CROSSBAR);
    in_child(capped, "capped", TOPOLOGY_FAT_TREE);
    in_child(two_bottlenecks, "two_bottlenecks", TOPOLOGY_FAT_TREE);
    in_child(simultaneous, "simultaneous", TOPOLOGY_FAT_TREE);
    in_child(nearby, "nearby", TOPOLOGY_CROSSBAR);
    in_child(chain, "chain", TOPOLOGY_FAT_TREE);
    in_child(timers, "timers", TOPOLOGY_CROSSBAR);
    in_child(chosen_nic, "chosen_nic", TOPOLOGY_CROSSBAR);
    in_child(link_use, "link_use", TOPOLOGY_CROSSBAR);
    far_away();
}

int main(void)
{
    tiny_machine(&tiny, 4);
    for (kind = 0; kind <= ENGINE_FLUID; kind++)
        all_cases();
    machine_clear(&tiny);
    return check_result();
}
