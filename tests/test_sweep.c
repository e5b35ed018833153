/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PageRank by sweeps, compared with rounds that were computed by hand. */
#include "platforms/platform.h"
#include "tests/check.h"
#include "tests/traverse_toys.h"

#include <math.h>

static struct machine daisy;

static struct traverse_input sweeps(const struct graph *g, const uint32_t *part,
                                    uint32_t ngpus, double threshold)
{
    struct traverse_input in = toy_input(&daisy, g, part, ngpus);

    in.algorithm = PAGERANK;
    in.threshold = threshold;
    return in;
}

/*
 * A ring: all ranks are 1 - 0.85^(k + 1) after k sweeps. Sweep k changes them
 * by 0.15 * 0.85^k, which is at most 0.01 of 1 - 0.85^k if 0.85^k is at most
 * 1/16: first for k = 18. Before the first sweep the initial ranks are given
 * along all arcs, too.
 */
static void ring(void)
{
    enum { N = 12 };
    uint32_t tail[N], head[N], part[N];
    struct graph g;
    struct run one;

    for (uint32_t i = 0; i < N; i++) {
        tail[i] = i;
        head[i] = (i + 1) % N;
        part[i] = i / (N / 3);
    }
    graph_from_arcs(&g, N, tail, head, N);
    g.name = xstrdup("ring");
    run(&one, sweeps(&g, part, 3, 0.01), "bsp", NULL);
    CHECK_EQ(one.result, 0);
    CHECK_EQ(one.r.visits, 18 * N);
    CHECK_EQ(one.r.edges, 19 * N);
    CHECK_NEAR(one.r.workload, 18, 1e-12);
    CHECK_NEAR(one.r.last_change, 0.15 * pow(0.85, 18) / (1 - pow(0.85, 18)),
               1e-12);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(one.r.gpus[i].updates, 19);
        CHECK_EQ(one.r.gpus[i].received, 19);
    }
    clear(&one);

    /* It is much closer, if that is asked for: 0.85^k <= 1e-9 / (0.15 +
     * 1e-9). */
    struct traverse_input in = sweeps(&g, part, 3, 1e-9);
    in.max_iterations = 1000;
    run(&one, in, "bsp", NULL);
    CHECK_EQ(one.r.visits, 116 * N);
    CHECK_NEAR(one.r.rank[5], 1.0 / N, 1e-15);
    clear(&one);
    graph_clear(&g);
}

/* A path of three: sweep 1 gives 0.15, 0.2775, 0.2775, and sweep 2 0.15,
 * 0.2775, 0.385875. The third iteration is the last that is allowed. */
static void path(void)
{
    const uint32_t tail[] = {0, 1}, head[] = {1, 2}, part[] = {0, 0, 1};
    static const double want[] = {0.15, 0.2775, 0.385875};
    struct graph g;
    struct run one;

    graph_from_arcs(&g, 3, tail, head, 2);
    g.name = xstrdup("path");
    struct traverse_input in = sweeps(&g, part, 2, 1e-6);
    in.max_iterations = 3;
    run(&one, in, "bsp", NULL);
    CHECK_EQ(one.result, 0);
    CHECK_EQ(one.r.visits, 6);
    CHECK_EQ(one.r.edges, 6);
    CHECK_EQ(one.r.gpus[0].updates, 3);
    CHECK_EQ(one.r.gpus[1].updates, 0);
    for (int v = 0; v < 3; v++)
        CHECK_NEAR(one.r.rank[v] * 0.813375, want[v], 1e-15);
    CHECK_NEAR(one.r.last_change, 0.108375 / 0.2775, 1e-12);
    clear(&one);

    /* This is the execution's own bound; and it is not reached after four
     * sweeps. */
    in.max_iterations = 0;
    run(&one, in, "bsp", "max_iterations=2");
    CHECK_EQ(one.r.visits, 3);
    clear(&one);
    run(&one, in, "bsp", NULL);
    CHECK_EQ(one.r.visits, 9);
    CHECK_EQ((int)(one.r.last_change * 1e9), 0);
    clear(&one);
    graph_clear(&g);
}

/* Supersteps push residues if the execution asks for it: the ranks are the
 * same. */
static void residues(void)
{
    struct graph g;
    struct err err = {0};
    struct run by_sweeps, by_residues;

    CHECK(graph_from_words(&g, "rmat:scale=9,edge_factor=6", &err) == 0);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    for (uint32_t v = 0; v < g.n; v++)
        part[v] = v % 4;
    struct traverse_input in = sweeps(&g, part, 4, 1e-8);
    in.max_iterations = 1000;
    run(&by_sweeps, in, "bsp", NULL);
    in.threshold = 1e-6;
    run(&by_residues, in, "bsp", "pagerank=residual");
    CHECK_EQ(by_sweeps.result, 0);
    CHECK_EQ(by_residues.result, 0);
    for (uint32_t v = 0; v < g.n; v++)
        CHECK_NEAR(by_sweeps.r.rank[v], by_residues.r.rank[v], 1e-6);
    CHECK(by_residues.r.visits != by_sweeps.r.visits);
    clear(&by_sweeps);
    clear(&by_residues);
    free(part);
    graph_clear(&g);
}

/* The graph is large, and its arcs lead far: ranks are within 1e-5 of a power
 * iteration, which the run itself checks. The same arcs are visited. */
static void large(void)
{
    struct graph g;
    struct err err = {0};
    struct run one;

    CHECK(graph_from_words(&g, "rmat:scale=19,edge_factor=2", &err) == 0);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    for (uint32_t v = 0; v < g.n; v++)
        part[v] = v % 3;
    struct traverse_input in = sweeps(&g, part, 3, 1e-6);
    in.max_iterations = 1000;
    run(&one, in, "bsp", NULL);
    CHECK_EQ(one.result, 0);
    CHECK_EQ(one.r.edges, (one.r.visits / g.n + 1) * graph_arcs(&g));
    CHECK(one.r.last_change <= 1e-6);
    clear(&one);
    free(part);
    graph_clear(&g);
}

int main(void)
{
    struct err err = {0};

    if (platform_load(&daisy, "daisy", NULL, 0, &err) < 0)
        return err_print(&err);
    ring();
    path();
    residues();
    large();
    machine_clear(&daisy);
    return check_result();
}
