/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph algorithms on simulated GPUs: results against igraph, times by hand,
 * what changes when one axis does. */
#include "platforms/platform.h"
#include "sim/network/engine.h"
#include "strategies/agents/traverse.h"
#include "tests/check.h"
#include "tests/traverse_toys.h"

#include <igraph/igraph.h>
#include <stdlib.h>

static struct machine daisy;
static const char *const presets[] = {"bsp",           "async-cpu",
                                      "bulk-async",    "atos-persistent",
                                      "atos-discrete", "atos-priority"};
enum { NPRESETS = 6 };

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

/* --- against igraph ------------------------------------------------------- */

/* What igraph says of a graph: hops from vertex 0, and ranks. */
struct reference {
    igraph_matrix_t hops;
    igraph_vector_t ranks;
};

static void to_igraph(igraph_t *to, const struct graph *g)
{
    igraph_vector_int_t edges;

    igraph_vector_int_init(&edges, (igraph_integer_t)(2 * graph_arcs(g)));
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++) {
            VECTOR(edges)[2 * a] = v;
            VECTOR(edges)[2 * a + 1] = g->to[a];
        }
    igraph_create(to, &edges, (igraph_integer_t)g->n, true);
    igraph_vector_int_destroy(&edges);
}

static void make_reference(struct reference *want, const struct graph *g)
{
    igraph_t graph;
    igraph_real_t value;

    to_igraph(&graph, g);
    igraph_matrix_init(&want->hops, 0, 0);
    igraph_distances(&graph, &want->hops, igraph_vss_1(0), igraph_vss_all(),
                     IGRAPH_OUT);
    igraph_vector_init(&want->ranks, 0);
    igraph_pagerank(&graph, IGRAPH_PAGERANK_ALGO_PRPACK, &want->ranks, &value,
                    igraph_vss_all(), true, 0.85, NULL, NULL);
    igraph_destroy(&graph);
}

static void reference_clear(struct reference *want)
{
    igraph_matrix_destroy(&want->hops);
    igraph_vector_destroy(&want->ranks);
}

static void same_depths(const struct traverse_result *r,
                        const struct reference *want)
{
    int before = check_failures;

    for (uint32_t v = 0; v < r->n && check_failures == before; v++) {
        double hops = MATRIX(want->hops, 0, v);
        CHECK_EQ(r->depth[v], isinf(hops) ? UINT32_MAX : (uint32_t)hops);
    }
}

static void same_ranks(const struct traverse_result *r,
                       const struct reference *want)
{
    double off = 0;

    for (uint32_t v = 0; v < r->n && off <= 1e-6; v++)
        off = fabs(r->rank[v] / VECTOR(want->ranks)[v] - 1);
    CHECK(off <= 1e-6);
}

/* As exact as what same_ranks() asks for, by residues and by sweeps. */
static struct traverse_input ask_ranks(struct traverse_input in,
                                       const char *preset)
{
    in.algorithm = PAGERANK;
    in.max_iterations = 1000;
    if (!strcmp(preset, "bsp"))
        in.threshold = 1e-8;
    return in;
}

/* What one GPU sent another has received; the sizes are all of the transfers;
 * the parts of the time hold all bytes on the wire; what a GPU did takes all of
 * the time. */
static void balances(const struct traverse_result *r)
{
    uint64_t sent = 0, received = 0, sizes = 0;
    double wire = 0;

    for (uint32_t i = 0; i < r->ngpus; i++) {
        sent += r->gpus[i].updates;
        received += r->gpus[i].received;
        const struct traverse_gpu *g = &r->gpus[i];
        CHECK(g->busy_s > 0 || g->visits == 0);
        CHECK_NEAR(g->busy_s + g->waiting_s + g->idle_s, r->time_s, 1e-9);
        CHECK(g->queue_mean <= (double)g->queue_most);
    }
    for (int i = 0; i < TRAVERSE_SIZES; i++)
        sizes += r->sizes[i];
    for (int i = 0; i < TRAVERSE_PARTS; i++)
        wire += r->used_B[i];
    CHECK_EQ(sent, received);
    CHECK_EQ(sizes, r->transfers);
    CHECK_EQ(r->transfer_B, 8 * sent);
    CHECK(fabs(wire - (double)r->wire_B) <= 1e-6 * wire + (double)r->transfers);
}

/* Three nodes of four GPUs: with batches by node the same results, by fewer and
 * larger transfers between nodes. */
static void grouped_by_node(const char *words)
{
    struct machine summit;
    struct graph g;
    struct err err = {0};
    const char *four = "gpus_used=4";
    struct reference want;
    struct run by_gpu, by_node;

    CHECK(graph_from_words(&g, words, &err) == 0);
    CHECK(platform_load(&summit, "summit", &four, 1, &err) == 0);
    make_reference(&want, &g);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    CHECK(graph_partition(part, &g, 11, GRAPH_RANDOM, 3, &err) == 0);
    struct traverse_input in = input(&g, part, 11);
    in.m = &summit;
    for (int a = 0; a < 2; a++) {
        in.algorithm = a ? PAGERANK : BFS;
        run(&by_gpu, in, "atos-persistent", NULL);
        run(&by_node, in, "atos-persistent", "aggregator.group=node");
        if (by_node.result < 0)
            err_print(&by_node.err);
        CHECK_EQ(by_gpu.result, 0);
        CHECK_EQ(by_node.result, 0);
        balances(&by_node.r);
        if (a)
            same_ranks(&by_node.r, &want);
        else
            same_depths(&by_node.r, &want);
        CHECK(by_node.r.flushed_waited + by_node.r.flushed_full <
              by_gpu.r.flushed_waited + by_gpu.r.flushed_full);
        clear(&by_gpu);
        clear(&by_node);
    }
    reference_clear(&want);
    free(part);
    graph_clear(&g);
    machine_clear(&summit);
}

/* Nodes of one GPU, batches of one, few and many updates. */
static void nodes_on(const char *words)
{
    static const char *const batches[] = {
        "aggregator.batch_bytes=0", "aggregator.batch_bytes=80",
        "aggregator.batch_bytes=4096", "aggregator.wait_visits=1000"};
    const char *one_gpu = "gpus_used=1";
    struct machine summit;
    struct graph g;
    struct err err = {0};
    struct reference want;

    CHECK(graph_from_words(&g, words, &err) == 0);
    CHECK(platform_load(&summit, "summit", &one_gpu, 1, &err) == 0);
    make_reference(&want, &g);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    CHECK(graph_partition(part, &g, 5, GRAPH_RANDOM, 3, &err) == 0);
    for (size_t i = 0; i < NPRESETS; i++)
        for (int b = 0; b < 4; b++)
            for (int a = 0; a < 2; a++) {
                struct traverse_input in = input(&g, part, 5);
                struct run one;
                in.m = &summit;
                run(&one, a ? ask_ranks(in, presets[i]) : in, presets[i],
                    batches[b]);
                if (one.result < 0)
                    err_print(&one.err);
                CHECK_EQ(one.result, 0);
                if (one.result == 0) {
                    balances(&one.r);
                    if (a)
                        same_ranks(&one.r, &want);
                    else
                        same_depths(&one.r, &want);
                }
                clear(&one);
            }
    reference_clear(&want);
    free(part);
    graph_clear(&g);
    machine_clear(&summit);
}

/* All presets on 1 to 4 GPUs of Daisy, and 8 of a DGX-1V. */
static void results_on(const char *words)
{
    static struct machine dgx;
    struct graph g;
    struct err err = {0};
    struct reference want;

    CHECK(graph_from_words(&g, words, &err) == 0);
    CHECK(platform_load(&dgx, "dgx-1v", NULL, 0, &err) == 0);
    make_reference(&want, &g);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    for (uint32_t ngpus = 1; ngpus <= 8; ngpus += ngpus < 4 ? 1 : 4)
        for (size_t i = 0; i < NPRESETS; i++) {
            struct traverse_input in = input(&g, part, ngpus);
            struct run one;
            CHECK(graph_partition(part, &g, ngpus,
                                  i % 2 ? GRAPH_RANDOM : GRAPH_CONTIGUOUS, 7,
                                  &err) == 0);
            in.m = ngpus > 4 ? &dgx : &daisy;
            for (int a = 0; a < 2; a++) {
                run(&one, a ? ask_ranks(in, presets[i]) : in, presets[i], NULL);
                if (one.result < 0)
                    err_print(&one.err);
                CHECK_EQ(one.result, 0);
                if (one.result == 0)
                    balances(&one.r);
                if (one.result == 0 && a)
                    same_ranks(&one.r, &want);
                else if (one.result == 0)
                    same_depths(&one.r, &want);
                clear(&one);
            }
        }
    reference_clear(&want);
    free(part);
    graph_clear(&g);
    machine_clear(&dgx);
}

/* --- by hand -------------------------------------------------------------- */

/*
 * Nine edges of 1 ns, each after the one before; ten steps, each with its
 * calls: of Gunrock's 77.2 us (7 launches of 5, 3 copies of 2.4, 4
 * synchronisations of 8, 3 events of 1), of Atos' discrete kernels a launch, a
 * copy and a synchronisation, of others a launch and a synchronisation, and a
 * fixed time. The factor of the edges and the fixed time are the presets'. An
 * edge hides behind a call that the CPU makes meanwhile.
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
    /* Groute's kernel is launched once. A turn: 4 barriers of 1.8 us, 10
     * accesses of 126 ns and 4 of 400 ns, and a fixed time. */
    CHECK_NEAR(time_of(in, "async-cpu", NULL),
               10 * (8.9e-6 + 4 * 1.8e-6 + 10 * 126e-9 + 4 * 400e-9) +
                   9 * 1e-9 + cpu,
               1e-9);
    /* Two counters each way. Dense: 21 B of each of the 10 vertices in each
     * step. */
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
 * 0.4 us. Then both GPUs look twice at the
 * other's counters.
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

/* On nodes of one GPU: batches that wait 4 visits of 1 us, then 8 B over a NIC,
 * at most at the 1 / 0.2533 ns/B of Summit's eager messages, and the put's
 * latency. */
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
    /* Without an aggregator nothing waits. */
    double eager = time_of(in, "atos-persistent", "aggregator.batch_bytes=0");
    CHECK_NEAR(got - eager, 9 * 4e-6, 0.01);
    graph_clear(&g);
    machine_clear(&summit);
}

/*
 * 0 leads to 1, 2 and 3; 3 to a path of 5. Also 1 has 3 arcs and 2 has 2, to
 * what is known. 1 is found half-way through the arcs of 0, 2 and 3 at their
 * end. The workers that take 1, 2 and 3 then have a third of the GPU each, so 3
 * is done after 3 edges, not 1.
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
    /* One worker, the whole GPU: 1, then 2 and 3. */
    CHECK_NEAR(time_of(in, "atos-persistent", "worker_threads=0"),
               7 * step + (1.5 + 3 + 3 + 4) * edge, 1e-9);
    /* One has 1, another 2 and then 3, from half-way through 1: 1.5 edges of
     * each take 3, the rest is alone. */
    CHECK_NEAR(time_of(in, "atos-persistent", "queue.fetch=3"),
               7 * step + (3 + 3 + 1.5 + 4) * edge, 1e-9);
    graph_clear(&g);
}

/* A GPU of one SM, 2048 threads: a persistent kernel takes no more vertices at
 * once. What the CPU copies waits for no thread. */
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

/* On a mesh: control by the CPU, or barriers, cost what Atos gains. */
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
    /* As files of before say it. */
    CHECK(time_of(in, "atos-persistent", "steps=supersteps") == steps);
    CHECK(time_of(in, "atos-persistent", "kernel=discrete") > 2 * atos);
    /* Twice the same. */
    CHECK(time_of(in, "atos-persistent", NULL) == atos);
    free(part);
    graph_clear(&g);
}

/* Supersteps that exchange as a halo exchange does, on 4 nodes of Lassen: the
 * same results in other times. */
static void exchanges(void)
{
    static const char *const sets[] = {
        "exchange=copies",          "exchange=standard/staged",
        "exchange=standard/device", "exchange=3-step/staged",
        "exchange=2-step/device",   "exchange=split+md"};
    enum { N = sizeof sets / sizeof sets[0] };
    struct machine lassen;
    struct graph g;
    struct err err = {0};
    struct reference want;
    double times[N];

    CHECK(graph_from_words(&g, "rmat:scale=9,edge_factor=8,seed=3", &err) == 0);
    CHECK(platform_load(&lassen, "lassen", NULL, 0, &err) == 0);
    make_reference(&want, &g);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    CHECK(graph_partition(part, &g, 16, GRAPH_RANDOM, 3, &err) == 0);
    for (int i = 0; i < N; i++) {
        struct traverse_input in = input(&g, part, 16);
        struct run one;
        in.m = &lassen;
        run(&one, in, "bsp", sets[i]);
        if (one.result < 0)
            err_print(&one.err);
        CHECK_EQ(one.result, 0);
        same_depths(&one.r, &want);
        uint64_t sent = 0, received = 0;
        for (uint32_t k = 0; k < 16; k++) {
            sent += one.r.gpus[k].updates;
            received += one.r.gpus[k].received;
        }
        CHECK_EQ(sent, received);
        times[i] = one.r.time_s;
        for (int k = 0; k < i; k++)
            CHECK(times[k] != times[i]);
        clear(&one);
    }
    reference_clear(&want);
    free(part);
    graph_clear(&g);
    machine_clear(&lassen);
}

/* Priority keeps depths in order, and so saves visits that FIFO makes twice:
 * few, since what others send while the CPU waits for a kernel is ahead of what
 * that kernel found. */
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

/* However received vertices pass the order, and with either kernel, depths are
 * right. */
static void received_orders(void)
{
    static const char *const kernels[] = {"kernel=discrete",
                                          "kernel=persistent"};
    struct graph g;
    struct err err = {0};
    struct reference want;

    CHECK(graph_from_words(&g, "rmat:scale=9,edge_factor=8,seed=3", &err) == 0);
    make_reference(&want, &g);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    CHECK(graph_partition(part, &g, 4, GRAPH_RANDOM, 3, &err) == 0);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < NRECEIVED; i++) {
            struct traverse_input in = input(&g, part, 4);
            struct run one = {0};
            CHECK(execution_load(&one.x, "atos-priority", &kernels[k], 1,
                                 &err) == 0);
            one.x.received = (enum received_order)i;
            in.x = &one.x;
            one.result = traverse_run(&one.r, &in, &err);
            CHECK_EQ(one.result, 0);
            same_depths(&one.r, &want);
            balances(&one.r);
            clear(&one);
        }
    reference_clear(&want);
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
    received_orders();
    exchanges();
    refusals();
    grouped_by_node("rmat:scale=9,edge_factor=8,seed=3");
    nodes_on("uniform:vertices=700,arcs=2100,seed=5");
    results_on("rmat:scale=9,edge_factor=8,seed=3");
    results_on("uniform:vertices=700,arcs=2100,seed=5");
    results_on("road:vertices=2000,arcs=4800,diameter=100");
    results_on("workloads/data/san-joaquin_road.mtx.gz");
    machine_clear(&daisy);
    return check_result();
}
