/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of a graph algorithm's run other than its time, by hand. */
#include "platforms/platform.h"
#include "apps/agents/traverse_trace.h"
#include "tests/check.h"
#include "tests/traverse_toys.h"

static struct machine daisy, summit;
static double cross_s; /* one update from a GPU of Daisy to another */

static void must_run(struct run *one, struct traverse_input in,
                     const char *preset, const char *set)
{
    run(one, in, preset, set);
    if (one->result < 0) {
        err_print(&one->err);
        exit(1);
    }
}

static void has(const struct run *one, uint32_t gpu, double busy_s,
                double waiting_s)
{
    const struct traverse_gpu *g = &one->r.gpus[gpu];

    CHECK_NEAR(g->busy_s, busy_s, 1e-9);
    CHECK_NEAR(g->waiting_s, waiting_s, 1e-9);
    CHECK_NEAR(g->idle_s + busy_s + waiting_s, one->r.time_s, 1e-9);
}

/* Checks the i-th link in use: its name, and the number of updates. */
static void carried(const struct run *one, size_t i, const char *name,
                    unsigned updates)
{
    CHECK_HAS(one->r.links[i].name, name);
    CHECK_EQ(one->r.links[i].flows, updates);
    CHECK_NEAR(one->r.links[i].bytes, updates * 68.0, 1e-12);
    CHECK_NEAR(one->r.links[i].bandwidth_Bps, 25e9, 1e-12);
}

/*
 * A path has every second vertex on another GPU: ten steps, nine edges (the
 * last vertex has none), nine updates that cross, for which the other GPU only
 * waits. No vertex waits in a queue.
 */
static void path_in_turns(void)
{
    struct graph g;
    struct run one;
    uint32_t part[10];
    const double step = 77.2e-6;

    path_graph(&g);
    for (uint32_t v = 0; v < 10; v++)
        part[v] = v % 2;
    struct traverse_input in = toy_input(&daisy, &g, part, 2);
    must_run(&one, in, "atos-persistent", NULL);
    has(&one, 0, 5 * 6.8e-6 + 5 * 1e-9, 4 * cross_s);
    has(&one, 1, 5 * 6.8e-6 + 4 * 1e-9, 5 * cross_s);
    CHECK_EQ(one.r.gpus[0].queue_most, 1);
    CHECK_NEAR(one.r.gpus[0].queue_mean, 0, 1e-12);
    CHECK_EQ(one.r.nlinks, 2);
    carried(&one, 0, "node0.gpu0>gpu1", 5);
    carried(&one, 1, "node0.gpu1>gpu0", 4);
    clear(&one);

    /* In supersteps a GPU waits whenever it does not work, until the CPUs find
     * that there is nothing left. */
    must_run(&one, in, "bsp", NULL);
    double busy = 5 * step;
    has(&one, 0, busy, one.r.time_s - busy);
    has(&one, 1, busy, one.r.time_s - busy);
    clear(&one);
    graph_clear(&g);
}

/* Checks the step or the transfer of this turn: 10 steps, with an edge in all
 * but the last. */
static void in_turn(const struct task_trace_event *e, struct track k,
                    unsigned turn)
{
    const double edge = turn < 9 ? 1e-9 : 0, step = 6.8e-6 + edge;
    const double begin = turn * (6.8e-6 + 1e-9 + cross_s);
    bool is_step = k.kind == TRACK_STEPS;

    CHECK_EQ(k.from, turn % 2);
    CHECK_EQ(k.to, (is_step ? turn : turn + 1) % 2);
    CHECK_NEAR(e->from_s, is_step ? begin : begin + step, 1e-9);
    CHECK_NEAR(e->to_s - e->from_s, is_step ? step : 68 / 25e9, 1e-6);
    CHECK_EQ(e->amount, is_step ? 1 : 8);
    CHECK_EQ(e->more, !is_step ? 68 : turn < 9);
}

/* The same path has a timeline of steps in turns, with a transfer after each
 * but the last. */
static void path_timeline(void)
{
    struct graph g;
    struct run one;
    uint32_t part[10];
    unsigned steps = 0, transfers = 0;
    double wire = 0;

    path_graph(&g);
    for (uint32_t v = 0; v < 10; v++)
        part[v] = v % 2;
    struct traverse_input in = toy_input(&daisy, &g, part, 2);
    in.timeline = true;
    must_run(&one, in, "atos-persistent", NULL);
    const struct task_trace_report *trace = one.r.trace;
    for (size_t i = 0; i < trace->n; i++) {
        const struct task_trace_event *e = &trace->events[i];
        struct track k = track_of_number(&trace->tracks, e->track);
        in_turn(e, k, k.kind == TRACK_STEPS ? steps++ : transfers++);
    }
    CHECK_EQ(steps, 10);
    CHECK_EQ(transfers, 9);
    for (int i = 0; i < TRACE_PARTS; i++)
        wire += trace->used_B[i];
    CHECK_NEAR(wire, 9 * 68, 1e-12);
    clear(&one);
    graph_clear(&g);
}

/*
 * Discrete kernels on two GPUs: 0 (to 1 and 2), 1, 4, 5 one after the other on
 * GPU 0. The vertices that a kernel finds wait while its CPU reads a counter,
 * 10.4 us. 2 on GPU 1 sends 3 back while that of 0 does, and 3 is dequeued
 * together with 1.
 */
static void queue_while_busy(void)
{
    uint32_t tail[] = {0, 0, 2, 1, 4}, head[] = {1, 2, 3, 4, 5};
    uint32_t part[] = {0, 0, 1, 0, 0, 0};
    const double before = 5.4e-6, after = 10.4e-6, step = before + after;
    const double edge = 1e-9;
    struct graph g;
    struct run one;

    graph_from_arcs(&g, 6, tail, head, 5);
    must_run(&one, toy_input(&daisy, &g, part, 2), "atos-discrete",
             "launch=in_turn");
    CHECK_NEAR(one.r.time_s, 4 * step, 1e-9);
    has(&one, 0, 4 * step, 0);
    has(&one, 1, step, cross_s);
    CHECK_EQ(one.r.gpus[0].queue_most, 2);
    CHECK_NEAR(one.r.gpus[0].queue_mean,
               (3 * after + after - before - 7 * edge - 2 * cross_s) /
                   one.r.time_s,
               1e-9);
    clear(&one);
    graph_clear(&g);
}

/*
 * A hub is on the first of four nodes of one GPU, with ten leaves on each of
 * the others: all are found at once. Updates that fill a batch are sent before
 * the next ones are gathered.
 */
static void aggregator_memory(void)
{
    uint32_t tail[30] = {0}, head[30], part[31] = {0};
    struct graph g;
    struct run one;

    for (uint32_t i = 0; i < 30; i++) {
        head[i] = i + 1;
        part[i + 1] = 1 + i / 10;
    }
    graph_from_arcs(&g, 31, tail, head, 30);
    struct traverse_input in = toy_input(&summit, &g, part, 4);
    must_run(&one, in, "atos-persistent", "aggregator.batch_bytes=4096");
    CHECK_EQ(one.r.gpus[0].gathered_most_B, 30 * 8);
    CHECK_EQ(one.r.gpus[0].buffers_B, 3 * 4096);
    CHECK_EQ(one.r.gpus[1].gathered_most_B, 0);
    CHECK_EQ(one.r.flushed_waited, 3);
    clear(&one);
    must_run(&one, in, "atos-persistent", "aggregator.batch_bytes=80");
    CHECK_EQ(one.r.gpus[0].gathered_most_B, 10 * 8);
    CHECK_EQ(one.r.gpus[0].buffers_B, 3 * 80);
    CHECK_EQ(one.r.flushed_full, 3);
    clear(&one);
    must_run(&one, in, "atos-persistent", "aggregator.batch_bytes=0");
    CHECK_EQ(one.r.gpus[0].gathered_most_B, 0);
    CHECK_EQ(one.r.gpus[0].buffers_B, 0);
    clear(&one);
    must_run(&one, in, "bsp", NULL);
    CHECK_EQ(one.r.gpus[0].buffers_B, 0);
    clear(&one);
    graph_clear(&g);
}

/* Five GPUs are on nodes of two, with updates from the first to all others:
 * batches for three GPUs, or for two nodes. */
static void aggregator_by_node(void)
{
    uint32_t tail[4] = {0}, head[] = {1, 2, 3, 4}, part[] = {0, 1, 2, 3, 4};
    struct machine pairs;
    struct graph g;
    struct err err = {0};
    struct run one;
    const char *two = "gpus_used=2";

    CHECK(platform_load(&pairs, "summit", &two, 1, &err) == 0);
    graph_from_arcs(&g, 5, tail, head, 4);
    struct traverse_input in = toy_input(&pairs, &g, part, 5);
    must_run(&one, in, "atos-persistent", NULL);
    CHECK_EQ(one.r.gpus[0].buffers_B, 3 * one.x.batch_B);
    CHECK_EQ(one.r.gpus[4].buffers_B, 4 * one.x.batch_B);
    CHECK_EQ(one.r.gpus[0].gathered_most_B, 3 * 8);
    clear(&one);
    must_run(&one, in, "atos-persistent", "aggregator.group=node");
    CHECK_EQ(one.r.gpus[0].buffers_B, 2 * one.x.batch_B);
    /* Updates for the last node are sent to it directly, because it has no
     * second GPU. */
    CHECK_EQ(one.r.gpus[1].buffers_B, 2 * one.x.batch_B);
    CHECK_EQ(one.r.gpus[0].gathered_most_B, 3 * 8);
    clear(&one);
    graph_clear(&g);
    machine_clear(&pairs);
}

int main(void)
{
    struct err err = {0};
    const char *one_gpu = "gpus_used=1";

    if (platform_load(&daisy, "daisy", NULL, 0, &err) < 0 ||
        platform_load(&summit, "summit", &one_gpu, 1, &err) < 0)
        return err_print(&err);
    /* Like in test_traverse.c, it is an atomic of 32 B and 4 B into a queue. */
    cross_s = (32 + 16 + 4 + 16) / 25e9 + daisy.gpu.remote_atomic_s;
    path_in_turns();
    path_timeline();
    queue_while_busy();
    aggregator_memory();
    aggregator_by_node();
    machine_clear(&summit);
    machine_clear(&daisy);
    return check_result();
}
