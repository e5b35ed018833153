/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Direction-optimised search: edges, updates and times by hand; and all depths
 * are right (traverse_run() compares them) on many graphs, numbers of GPUs and
 * partitions. */
#include "platforms/platform.h"
#include "tests/check.h"
#include "tests/traverse_toys.h"

static struct machine daisy, dgx, summit;

struct how {
    const char *preset, *sets[4];
    size_t nsets;
    double edge_s; /* 0 for the input's */
};

static void run_how(struct run *run, struct traverse_input in,
                    const struct how *how)
{
    memset(run, 0, sizeof *run);
    run->result =
        execution_load(&run->x, how->preset, how->sets, how->nsets, &run->err);
    in.x = &run->x;
    if (how->edge_s > 0)
        in.edge_s = how->edge_s;
    if (run->result == 0)
        run->result = traverse_run(&run->r, &in, &run->err);
    if (run->result < 0)
        err_print(&run->err);
    CHECK_EQ(run->result, 0);
}

/* --- by hand -------------------------------------------------------------- */

/* Makes n vertices that are all neighbours of each other. */
static void complete_graph(struct graph *g, uint32_t n)
{
    uint32_t *tail = xcalloc((size_t)n * n, sizeof *tail);
    uint32_t *head = xcalloc((size_t)n * n, sizeof *head);

    for (uint32_t i = 0; i < n * n; i++) {
        tail[i] = i / n;
        head[i] = i % n;
    }
    graph_from_arcs(g, n, tail, head, (uint64_t)n * n);
    g->name = xstrdup("complete");
    free(tail);
    free(head);
}

/*
 * Ten vertices: the 9 arcs of the first are more than 81 / 14 of the others',
 * so the others pull, and the first vertex that each looks at is the source: 9
 * edges. Then all are found, and the second round has none. A hundred: 99 arcs
 * are less than 99 * 99 / 14, so they are pushed.
 */
static void complete_on_one_gpu(void)
{
    static const struct how how = {
        "bulk-async", {"direction=optimised"}, 1, 100e-9};
    const double *call = daisy.gpu.calls.s;
    double cpu = call[GPU_CALL_LAUNCH] + call[GPU_CALL_SYNC];
    uint32_t part[100] = {0};
    struct run one;

    for (uint32_t n = 10; n <= 100; n *= 10) {
        struct graph g;
        complete_graph(&g, n);
        run_how(&one, toy_input(&daisy, &g, part, 1), &how);
        CHECK_EQ(one.r.edges, n - 1);
        CHECK_EQ(one.r.visits, n);
        CHECK_NEAR(one.r.time_s,
                   2 * (63e-6 + cpu + 2 * call[GPU_CALL_COPY_TO_GPU] +
                        2 * call[GPU_CALL_COPY_TO_HOST] +
                        n * 21 / daisy.gpu.memory_Bps) +
                       (n - 1) * 100e-9,
                   1e-9);
        clear(&one);
        graph_clear(&g);
    }
}

/*
 * The same ten, whose threads wait for each access: nine in one warp look at an
 * arc each, all at once, which takes 20 accesses; or their warp does, one
 * vertex after the other.
 */
static void complete_by_warps(void)
{
    static const struct how hows[] = {
        {"bulk-async",
         {"direction=optimised", "work.bfs.pull_alone=32",
          "work.bfs.pull_chain=0"},
         3,
         100e-9},
        {"bulk-async",
         {"direction=optimised", "work.bfs.pull_alone=32",
          "work.bfs.pull_chain=20"},
         3,
         100e-9},
        {"bulk-async",
         {"direction=optimised", "work.bfs.pull_alone=0.5",
          "work.bfs.pull_chain=20"},
         3,
         100e-9}};
    double time_s[3], chain_s = 20 * daisy.gpu.access.latency_miss_s;
    uint32_t part[10] = {0};
    struct graph g;
    struct run one;

    complete_graph(&g, 10);
    for (int i = 0; i < 3; i++) {
        run_how(&one, toy_input(&daisy, &g, part, 1), &hows[i]);
        CHECK_EQ(one.r.edges, 9);
        time_s[i] = one.r.time_s;
        clear(&one);
    }
    CHECK_NEAR(time_s[1] - time_s[0], chain_s - 9 * 100e-9, 1e-9);
    CHECK_NEAR(time_s[2] - time_s[0], 9.5 * chain_s - 9 * 100e-9, 1e-9);
    graph_clear(&g);
}

/*
 * Ten vertices on two GPUs in turn, in supersteps. The source is sent to the
 * other GPU. Its own GPU's other 4 vertices pull, one edge each, and are sent;
 * the other GPU pushes to its 5, an edge each. Because these have found all, it
 * now pulls too, and sends its 5.
 */
static void complete_on_two_gpus(void)
{
    static const struct how how = {"bsp", {"direction=optimised"}, 1, 0};
    uint32_t part[10];
    struct graph g;
    struct run one;

    complete_graph(&g, 10);
    for (uint32_t v = 0; v < 10; v++)
        part[v] = v % 2;
    run_how(&one, toy_input(&daisy, &g, part, 2), &how);
    CHECK_EQ(one.r.edges, 9);
    CHECK_EQ(one.r.gpus[0].updates, 5);
    CHECK_EQ(one.r.gpus[1].updates, 5);
    CHECK_EQ(one.r.transfer_B, 80);
    CHECK_EQ(one.r.visits, 10);
    clear(&one);
    graph_clear(&g);
}

/*
 * Gunrock's rule. A source has 9 neighbours, each of which has 9 more, and all
 * arcs are in both directions: 91 vertices of 180 arcs, a star of stars. The
 * first step pushes 9 arcs. Then 10 are visited: 9 * 180 / 91 = 17.8 visits by
 * pushing compared with 81 * 91 / 10 = 737 by pulling, above a thousandth: 81
 * leaves look at their one in-arc. Then all are visited: 0 visits by pulling,
 * so the last step pulls, too, and finds nothing. On two GPUs the first decides
 * for both.
 */
static void gunrock_on_a_star_of_stars(void)
{
    static const struct how how = {"bsp", {"direction=gunrock"}, 1, 0};
    static const struct how push = {"bsp", {"direction=push"}, 1, 0};
    uint32_t tail[180], head[180], part[91] = {0}, n = 0;
    struct graph g;
    struct run one;

    for (uint32_t v = 1; v < 91; v++) {
        uint32_t up = v < 10 ? 0 : (v - 1) / 9;
        tail[n] = head[n + 1] = up;
        head[n] = tail[n + 1] = v;
        n += 2;
    }
    graph_from_arcs(&g, 91, tail, head, n);
    g.name = xstrdup("stars");
    run_how(&one, toy_input(&daisy, &g, part, 1), &push);
    CHECK_EQ(one.r.edges, 180);
    clear(&one);
    run_how(&one, toy_input(&daisy, &g, part, 1), &how);
    CHECK_EQ(one.r.edges, 9 + 81);
    CHECK_EQ(one.r.visits, 91);
    clear(&one);
    for (uint32_t v = 0; v < 91; v++)
        part[v] = v % 2;
    run_how(&one, toy_input(&daisy, &g, part, 2), &how);
    CHECK_EQ(one.r.visits, 91);
    CHECK_EQ(one.r.edges, 9 + 81);
    clear(&one);
    graph_clear(&g);
}

/* On a path, one visit by pushing is less than a fifth of those by pulling from
 * the second step on, where it begins to pull because few arcs are as bad; so
 * it pulls once, if at all, and then only pushes. */
static void gunrock_on_a_path(void)
{
    static const struct how how = {"bsp", {"direction=gunrock"}, 1, 0};
    enum { N = 31 };
    uint32_t tail[2 * N], head[2 * N], part[N + 1] = {0};
    struct graph g;
    struct run one;

    for (uint32_t v = 0; v < N; v++) {
        tail[2 * v] = head[2 * v + 1] = v;
        head[2 * v] = tail[2 * v + 1] = v + 1;
    }
    graph_from_arcs(&g, N + 1, tail, head, 2 * N);
    g.name = xstrdup("path");
    run_how(&one, toy_input(&daisy, &g, part, 1), &how);
    /* Step 1 pushes an arc. 1.94 visits compared with 480 thousandths: step 2
     * pulls, where 30 vertices look at 2 arcs, except that the first finds its
     * first one, and the last has one: 1 + 28 * 2 + 1. Then 1.94 compared with
     * 309 fifths, and 29 push 2 arcs each, and the last one. */
    CHECK_EQ(one.r.edges, 1 + 58 + 29 * 2 + 1);
    CHECK_EQ(one.r.visits, N + 1);
    clear(&one);
    graph_clear(&g);
}

/* In a graph of low diameter, most arcs need not be visited. Towards the end of
 * a small mesh few arcs are left, and distant vertices pull in vain. */
static void saves(void)
{
    static const struct how push = {"bulk-async", {"direction=push"}, 1, 0};
    static const struct how both = {
        "bulk-async", {"direction=optimised"}, 1, 0};
    static const char *const words[] = {
        "rmat:scale=12,edge_factor=16,seed=1",
        "road:vertices=2000,arcs=4800,diameter=100"};
    struct err err = {0};

    for (int i = 0; i < 2; i++) {
        struct graph g;
        struct run one, two;
        CHECK(graph_from_words(&g, words[i], &err) == 0);
        uint32_t *part = xcalloc(g.n, sizeof *part);
        struct traverse_input in = toy_input(&daisy, &g, part, 1);
        in.source = graph_hub(&g);
        run_how(&one, in, &push);
        run_how(&two, in, &both);
        double share = (double)two.r.edges / (double)one.r.edges;
        CHECK(i ? share > 1 && share < 3 : share < 0.1);
        CHECK_EQ(one.r.visits, two.r.visits);
        clear(&one);
        clear(&two);
        free(part);
        graph_clear(&g);
    }
}

/* --- every depth is right ------------------------------------------------- */

static void all_depths(const struct graph *g, uint32_t source)
{
    static const struct how hows[] = {
        {"bulk-async", {"direction=optimised"}, 1, 0},
        {"bsp", {"direction=optimised"}, 1, 0},
        {"bsp", {"direction=gunrock"}, 1, 0},
        {"async-cpu",
         {"kernel=discrete", "direction=optimised", "queue.order=fifo",
          "transfer=direct"},
         4,
         0},
        /* Work takes long compared with the rounds, so that depths are found
         * out of order. */
        {"bulk-async", {"direction=optimised", "work.round_us=0"}, 2, 2e-6},
        {"bulk-async",
         {"direction=optimised", "queue.receive=per_gpu"},
         2,
         100e-9},
    };
    static const struct {
        const struct machine *m;
        uint32_t ngpus;
    } on[] = {{&daisy, 1}, {&daisy, 2},  {&daisy, 3}, {&dgx, 5},
              {&dgx, 8},   {&summit, 2}, {&summit, 5}};
    uint32_t *part = xcalloc(g->n, sizeof *part);
    struct err err = {0};

    for (size_t i = 0; i < sizeof on / sizeof on[0]; i++)
        for (int how = 0; how < NGRAPH_PARTITIONS; how++) {
            if (how == GRAPH_GEOMETRIC && !g->x)
                continue;
            CHECK(graph_partition(part, g, on[i].ngpus,
                                  (enum graph_partition)how, 3, &err) == 0);
            for (size_t k = 0; k < sizeof hows / sizeof hows[0]; k++) {
                struct traverse_input in =
                    toy_input(on[i].m, g, part, on[i].ngpus);
                struct run one;
                in.source = source;
                run_how(&one, in, &hows[k]);
                uint64_t sent = 0, received = 0;
                for (uint32_t n = 0; n < on[i].ngpus && one.r.gpus; n++) {
                    sent += one.r.gpus[n].updates;
                    received += one.r.gpus[n].received;
                }
                CHECK_EQ(sent, received);
                CHECK_EQ(one.r.transfer_B, 8 * sent);
                clear(&one);
            }
        }
    free(part);
}

static void depths_on(const char *words, unsigned seeds)
{
    for (unsigned seed = 1; seed <= seeds; seed++)
        for (int undirect = 0; undirect < 2; undirect++) {
            struct graph g;
            struct err err = {0};
            char *seeded = xasprintf("%s,seed=%u", words, seed);
            CHECK(graph_from_words(&g, seeded, &err) == 0);
            free(seeded);
            if (undirect)
                graph_undirect(&g);
            CHECK(!undirect || graph_is_symmetric(&g));
            all_depths(&g, seed % 2 ? graph_hub(&g) : seed);
            graph_clear(&g);
        }
}

static void symmetric(void)
{
    struct graph g;

    path_graph(&g);
    CHECK(!graph_is_symmetric(&g));
    graph_undirect(&g);
    CHECK(graph_is_symmetric(&g));
    graph_clear(&g);
}

/* --- refused -------------------------------------------------------------- */

static void refused(const char *preset, const char *want)
{
    struct execution x;
    struct err err = {0};
    const char *set = "direction=optimised";

    CHECK(execution_load(&x, preset, &set, 1, &err) < 0);
    CHECK_HAS(err.text, want);
}

int main(void)
{
    struct err err = {0};
    const char *one_gpu = "gpus_used=1";

    if (platform_load(&daisy, "daisy", NULL, 0, &err) < 0 ||
        platform_load(&dgx, "dgx-1v", NULL, 0, &err) < 0 ||
        platform_load(&summit, "summit", &one_gpu, 1, &err) < 0)
        return err_print(&err);
    symmetric();
    complete_on_one_gpu();
    complete_by_warps();
    complete_on_two_gpus();
    gunrock_on_a_star_of_stars();
    gunrock_on_a_path();
    saves();
    depths_on("rmat:scale=8,edge_factor=8", 4);
    depths_on("uniform:vertices=300,arcs=900", 4);
    depths_on("uniform:vertices=100,arcs=4000", 2);
    depths_on("road:vertices=500,arcs=1200,diameter=50", 2);
    refused("async-cpu", "direction: optimised is for discrete kernels");
    refused("atos-persistent", "direction: optimised is for discrete kernels");
    refused("atos-priority", "direction: optimised is for queues of order");
    refused("atos-discrete", "direction: optimised is for worker_threads 0");
    machine_clear(&daisy);
    machine_clear(&dgx);
    machine_clear(&summit);
    return check_result();
}
