/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph algorithms on simulated GPUs: times by hand, the effect of changing one
 * axis, and refusals. */
#include "platforms/platform.h"
#include "apps/agents/traverse.h"
#include "tests/check.h"
#include "tests/traverse_toys.h"

#include <stdlib.h>

static struct machine daisy;

/* --- running -------------------------------------------------------------- */

static struct traverse_input input(const struct graph *g, const uint32_t *part,
                                   uint32_t ngpus)
{
    return toy_input(&daisy, g, part, ngpus);
}

static double time_of(struct traverse_input in, const char *preset,
                      const char *set)
{
    struct run one;

    run(&one, in, preset, set);
    if (one.result < 0)
        err_print(&one.err);
    CHECK_EQ(one.result, 0);
    double time = one.r.time_s;
    clear(&one);
    return time;
}

/* --- by hand -------------------------------------------------------------- */

/*
 * Nine edges of 1 ns, each after the one before; ten steps, each with its
 * calls: Gunrock's take 77.2 us (7 launches of 5, 3 copies of 2.4, 4
 * synchronisations of 8, 3 events of 1), those of Atos' discrete kernels are a
 * launch, a copy and a synchronisation, and others' a launch and a
 * synchronisation, and a fixed time. The factor of the edges and the fixed time
 * are the presets'. An edge hides behind a call that the CPU makes meanwhile.
 */
static void path_on_one_gpu(void)
{
    struct graph g;
    uint32_t part[10] = {0};
    const double *call = daisy.gpu.calls.s, sync = call[GPU_CALL_SYNC];
    const double cpu = call[GPU_CALL_LAUNCH] + sync;

    path_graph(&g);
    struct traverse_input in = input(&g, part, 1);
    CHECK_NEAR(time_of(in, "atos-persistent", NULL), 10 * 6.4e-6 + 9 * 1e-9,
               1e-9);
    CHECK_NEAR(time_of(in, "atos-discrete", NULL), 10 * 15.4e-6, 1e-9);
    CHECK_NEAR(time_of(in, "bsp", NULL), 10 * 77.2e-6, 1e-9);
    /* Groute's kernel is launched once. A turn has 4 barriers of 1.8 us, 10
     * accesses of 126 ns and 4 of 400 ns, and a fixed time. */
    CHECK_NEAR(time_of(in, "async-cpu", NULL),
               10 * (8.9e-6 + 4 * 1.8e-6 + 10 * 126e-9 + 4 * 400e-9) +
                   9 * 1e-9 + cpu,
               1e-9);
    /* There are two counters in each direction. Dense: 21 B of each of the 10
     * vertices in each step. */
    CHECK_NEAR(time_of(in, "bulk-async", NULL),
               10 * (63e-6 + cpu + 2 * call[GPU_CALL_COPY_TO_GPU] +
                     2 * call[GPU_CALL_COPY_TO_HOST] +
                     10 * 21 / daisy.gpu.memory_Bps) +
                   9 * 1e-9,
               1e-9);
    graph_clear(&g);
}

/*
 * The same with every second vertex on another GPU, joined by one NVLink of 25
 * GB/s: nine updates cross, each an atomic of 32 B and 4 B into a queue, with
 * two headers of 16 B, and 1.3 us late; a step reads the other queue's counter,
 * 0.4 us. Then both GPUs look twice at the other's counters.
 */
static void path_on_two_gpus(void)
{
    struct graph g;
    uint32_t part[10];

    path_graph(&g);
    for (uint32_t v = 0; v < 10; v++)
        part[v] = v % 2;
    double cross = (32 + 16 + 4 + 16) / 25e9 + 1.3e-6;
    CHECK_NEAR(time_of(input(&g, part, 2), "atos-persistent", NULL),
               10 * 6.8e-6 + 9 * 1e-9 + 9 * cross + 4 * 1.3e-6, 1e-9);
    graph_clear(&g);
}

/* On nodes of one GPU, batches wait 4 visits of 1 us, then 8 B pass a NIC, at
 * most at the 1 / 0.2533 ns/B of Summit's eager messages, and the put's latency
 * follows. */
static void path_on_two_nodes(void)
{
    struct machine summit;
    struct graph g;
    struct err err = {0};
    uint32_t part[10];
    const char *one_gpu = "gpus_used=1";

    CHECK(platform_load(&summit, "summit", &one_gpu, 1, &err) == 0);
    path_graph(&g);
    for (uint32_t v = 0; v < 10; v++)
        part[v] = v % 2;
    struct traverse_input in = input(&g, part, 2);
    in.m = &summit;
    double put = machine_put_s(&summit);
    double got = time_of(in, "atos-persistent", NULL);
    double least = 10 * 6.8e-6 + 9 * 1e-9 + 9 * (4e-6 + put) + 4 * put;
    CHECK(got > least && got < least + 9 * 8 / 3.9e9);
    /* Without an aggregator no update waits. */
    double eager = time_of(in, "atos-persistent", "aggregator.batch_bytes=0");
    CHECK_NEAR(got - eager, 9 * 4e-6, 0.01);
    graph_clear(&g);
    machine_clear(&summit);
}

/*
 * 0 leads to 1, 2 and 3; 3 to a path of 5. Also 1 has 3 arcs and 2 has 2, to
 * known vertices. 1 is found half-way through the arcs of 0, 2 and 3 at their
 * end. The workers that dequeue 1, 2 and 3 then have a third of the GPU each,
 * so that 3 is done after 3 edges, not 1.
 */
static void workers_share(void)
{
    uint32_t tail[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7};
    uint32_t head[] = {1, 2, 3, 0, 2, 3, 0, 1, 4, 5, 6, 7, 8};
    uint32_t part[9] = {0};
    struct graph g;
    const double step = 6.4e-6, edge = 1e-6;

    graph_from_arcs(&g, 9, tail, head, 13);
    g.name = xstrdup("fan");
    struct traverse_input in = input(&g, part, 1);
    in.edge_s = edge;
    CHECK_NEAR(time_of(in, "atos-persistent", "queue.fetch=1"),
               7 * step + (3 + 3 + 4) * edge, 1e-9);
    /* One worker has the whole GPU: 1, then 2 and 3. */
    CHECK_NEAR(time_of(in, "atos-persistent", "worker_threads=0"),
               7 * step + (1.5 + 3 + 3 + 4) * edge, 1e-9);
    /* One worker has 1, another 2 and then 3, from half-way through 1: 1.5
     * edges of each take 3, the rest is alone. */
    CHECK_NEAR(time_of(in, "atos-persistent", "queue.fetch=3"),
               7 * step + (3 + 3 + 1.5 + 4) * edge, 1e-9);
    graph_clear(&g);
}

/* The GPU has one SM, 2048 threads: a persistent kernel dequeues no more
 * vertices at once. Updates that the CPU copies wait for no thread. */
static void few_threads(void)
{
    enum { LEAVES = 5000 };
    static uint32_t tail[LEAVES], head[LEAVES], part[LEAVES + 1];
    struct machine small = daisy;
    struct graph g;
    struct run one;

    small.gpu.sms = 1;
    for (uint32_t i = 0; i < LEAVES; i++)
        head[i] = i + 1;
    graph_from_arcs(&g, LEAVES + 1, tail, head, LEAVES);
    g.name = xstrdup("star");
    struct traverse_input in = input(&g, part, 1);
    in.m = &small;
    run(&one, in, "async-cpu", NULL);
    CHECK_EQ(one.result, 0);
    CHECK_EQ(one.r.steps, 1 + 3);
    clear(&one);
    for (uint32_t v = 0; v <= LEAVES; v++)
        part[v] = v % 2;
    in.ngpus = 2;
    double time = time_of(in, "bulk-async", NULL);
    in.m = &daisy;
    CHECK(time_of(in, "bulk-async", NULL) == time);
    small.gpu.threads_per_sm = 256;
    in.m = &small;
    run(&one, in, "atos-priority", NULL);
    CHECK(one.result < 0);
    CHECK_HAS(one.err.text, "worker_threads: 512, but daisy has 256");
    clear(&one);
    graph_clear(&g);
}

/* --- one axis at a time --------------------------------------------------- */

/* On a mesh, control by the CPU, or barriers, cost Atos its advantage. */
static void ablations(void)
{
    struct graph g;
    struct err err = {0};

    CHECK(graph_from_words(&g, "road:vertices=20000,arcs=48000,diameter=400",
                           &err) == 0);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    CHECK(graph_partition(part, &g, 4, GRAPH_GEOMETRIC, 1, &err) == 0);
    struct traverse_input in = input(&g, part, 4);
    double atos = time_of(in, "atos-persistent", NULL);
    CHECK(time_of(in, "atos-persistent", "control=cpu") > 2 * atos);
    double steps = time_of(in, "atos-persistent", "schedule=bulk_synchronous");
    CHECK(steps > 2 * atos);
    /* This is the spelling of earlier files. */
    CHECK(time_of(in, "atos-persistent", "steps=supersteps") == steps);
    CHECK(time_of(in, "atos-persistent", "kernel=discrete") > 2 * atos);
    /* A second run is equal. */
    CHECK(time_of(in, "atos-persistent", NULL) == atos);
    free(part);
    graph_clear(&g);
}

/* Priority keeps depths in order, and so saves visits that FIFO makes twice:
 * few, because others' updates that arrive while the CPU waits for a kernel are
 * dequeued before the vertices that this kernel found. */
static void priority(void)
{
    struct graph g;
    struct err err = {0};
    struct run fifo, ordered;

    CHECK(graph_from_words(&g, "workloads/data/andorra_osm.mtx.gz", &err) == 0);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    CHECK(graph_partition(part, &g, 4, GRAPH_CONTIGUOUS, 1, &err) == 0);
    struct traverse_input in = input(&g, part, 4);
    run(&fifo, in, "atos-discrete", NULL);
    run(&ordered, in, "atos-priority", "queue.received=in_order");
    if (ordered.result < 0)
        err_print(&ordered.err);
    CHECK_EQ(fifo.result, 0);
    CHECK_EQ(ordered.result, 0);
    CHECK(fifo.r.workload > 1.002);
    CHECK(ordered.r.workload < 1.001);
    clear(&fifo);
    clear(&ordered);
    free(part);
    graph_clear(&g);
}

static void refused(struct traverse_input in, const char *preset,
                    const char *set, const char *want)
{
    struct run one;

    run(&one, in, preset, set);
    CHECK(one.result < 0);
    CHECK_HAS(one.err.text, want);
    CHECK_EQ(one.err.kind, ERR_INPUT);
    clear(&one);
}

static void refusals(void)
{
    struct graph g;
    uint32_t part[10] = {0};

    path_graph(&g);
    struct traverse_input in = input(&g, part, 1), bad = in;
    refused(in, "gunrok", NULL, "gunrok: unknown execution");
    refused(in, "bsp", "kernel=warp", "kernel: expected \"discrete\"");
    refused(in, "bsp", "schedule=lazy",
            "schedule: expected \"asynchronous\" or \"bulk_synchronous\", got "
            "\"lazy\"");
    refused(in, "bsp", "steps=lazy", "schedule: expected \"asynchronous\"");
    refused(in, "async-cpu", "direction=gunrock",
            "direction: gunrock is for discrete kernels only");
    refused(in, "atos-discrete", "sync={\"log2_us\":1,\"rounds\":1}",
            "sync: is for schedule asynchronous and control cpu only");
    refused(in, "atos-discrete", "queue.quiet=2",
            "queue: quiet: is for persistent kernels only");
    refused(in, "atos-discrete", "queue.push_threads=32",
            "queue: push_threads: is for persistent kernels only");
    refused(in, "atos-discrete", "step.came=[\"sync\"]",
            "step: came: is for schedule bulk_synchronous only");
    refused(in, "bulk-async", "sync.rounds.bfs=-1",
            "sync: rounds: bfs: expected");
    refused(in, "bulk-async", "sync.rounds.sssp=1",
            "sync: rounds: sssp: unknown key");
    refused(in, "bsp", "pull_above=-1", "pull_above: expected");
    refused(in, "bsp", "queue.capacity=0", "queue: capacity: expected 1");
    refused(in, "atos-persistent", "aggregator.wait_visits=0",
            "aggregator: wait_visits: expected 1");
    refused(in, "atos-priority", "queue.fetch=0", "queue: fetch: expected 1");
    refused(in, "atos-priority", "queue.receive=one",
            "queue: receive: expected \"shared\"");
    refused(in, "atos-priority", "queue.received=soon",
            "queue: received: expected \"in_order\", \"checked\" or "
            "\"bypass\"");
    refused(in, "atos-priority", "worker_threads=2048",
            "worker_threads: expected 0 to 1024");
    refused(in, "bsp", "work.pagerank_factor=1",
            "work: pagerank_factor: no longer read: expected the accesses of "
            "bfs and pagerank instead");
    refused(in, "bsp", "work.bfs.value_bytes=3",
            "work: bfs: value_bytes: expected a power of two from 0.125");
    refused(in, "bsp", "work.bfs.arc.atomics=-1",
            "work: bfs: arc: atomics: expected");
    refused(in, "bsp", "work.pagerank.visit.read=1",
            "work: pagerank: visit: read: unknown key (did you mean reads?)");
    refused(in, "bsp", "work.bfs.chain=1e7",
            "work: bfs: chain: expected a number up to 1e+06");
    refused(in, "atos-priority", "queue.delta=0", "queue: delta: expected 1");
    refused(in, "bsp", "exchange=4-step", "exchange: 4-step: unknown strategy");
    refused(in, "atos-discrete", "transfer=ring",
            "transfer: ring is for schedule asynchronous");
    refused(in, "async-cpu", "queue.scope=some", "queue: scope: expected");
    refused(in, "atos-discrete", "exchange=split+md",
            "exchange: only schedule bulk_synchronous has one");
    bad.source = 10;
    refused(bad, "bsp", NULL, "source 10: path has 10 vertices");
    bad = in;
    bad.ngpus = 5;
    refused(bad, "bsp", NULL, "5 GPUs wanted, daisy has 1 nodes of 4");
    bad = in;
    bad.algorithm = PAGERANK;
    bad.damping = 1;
    refused(bad, "bsp", NULL, "damping: expected a number between 0 and 1");
    bad.damping = 0.85;
    bad.threshold = 0;
    refused(bad, "bsp", NULL, "threshold: expected a number between 0 and 1");
    bad.threshold = 1e-6;
    refused(bad, "bsp", "kernel=persistent",
            "pagerank: sweep is for discrete kernels and schedule "
            "bulk_synchronous only");
    refused(bad, "bsp", "pagerank=residues",
            "pagerank: expected \"residual\", \"topology\" or \"sweep\"");
    refused(bad, "async-cpu", "pagerank=topology",
            "pagerank: topology is for discrete kernels and worker_threads 0 "
            "only");
    refused(bad, "bsp", "max_iterations=0", "max_iterations: expected 1");
    refused(bad, "bulk-async", "queue.capacity=9",
            "the queue of GPU 0 overflows: its capacity is 9 vertices");
    graph_clear(&g);
}

int main(void)
{
    struct err err = {0};

    if (platform_load(&daisy, "daisy", NULL, 0, &err) < 0)
        return err_print(&err);
    path_on_one_gpu();
    path_on_two_gpus();
    path_on_two_nodes();
    workers_share();
    few_threads();
    ablations();
    priority();
    refusals();
    machine_clear(&daisy);
    return check_result();
}
