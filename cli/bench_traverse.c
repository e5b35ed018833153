/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench traverse: BFS and PageRank on simulated GPUs compared with one
 * thread that computes the same. */
#include "cli/bench.h"

#include "base/child.h"
#include "base/seconds.h"
#include "apps/agents/traverse.h"
#include "workloads/load/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A case, in memory that is shared with the process that runs it. */
struct traverse_case {
    const struct machine *m;
    const struct exec_options *exec;
    const char *words; /* the graph's words */
    enum algorithm algorithm;
    unsigned gpus;
    uint64_t edges, plain_edges; /* edges that were visited */
    double graph_B, wall_s, plain_s;
};

/* Returns the seconds of a BFS by one thread; PageRank needs no such function,
 * because its result already has a plain computation to compare with. */
static double plain_bfs_s(const struct graph *g, uint32_t source)
{
    uint32_t *depth = xmalloc(g->n * sizeof *depth);
    double begin = seconds();

    traverse_plain_bfs(depth, g, source);
    free(depth);
    return seconds() - begin;
}

static int bench_traverse_run(void *arg)
{
    struct traverse_case *c = arg;
    char *words = xasprintf("%s:%s", algorithm_name(c->algorithm), c->words);
    bool road = !strncmp(c->words, "road:", 5);
    const struct workload_request request = {.words = words,
                                             .gpus = c->gpus,
                                             .partition = road ? "geometric"
                                                               : "contiguous",
                                             .source = NAN,
                                             .damping = NAN,
                                             .threshold = NAN};
    struct execution x;
    struct load l;
    struct traverse_result r;
    struct err err = {0};

    const struct workload *w = workload_find(words, &err);
    if (!w || load_make(&l, w, c->m, &request, &err) < 0 ||
        execution_load(&x, "atos-persistent", NULL, 0, &err) < 0)
        return err_print(&err), -1;
    struct traverse_input in = {.m = c->m,
                                .g = &l.graph,
                                .part = l.part,
                                .ngpus = c->gpus,
                                .x = &x,
                                .algorithm = c->algorithm,
                                .source = l.source,
                                .damping = l.damping,
                                .threshold = l.threshold,
                                .exec = c->exec};
    if (traverse_run(&r, &in, &err) < 0)
        return err_print(&err), -1;
    c->edges = r.edges;
    c->plain_edges = r.plain_edges;
    c->graph_B = 8.0 * (l.graph.n + 1.0) + 4.0 * (double)graph_arcs(&l.graph);
    c->wall_s = r.wall_s;
    c->plain_s = r.check_wall_s;
    if (c->algorithm == BFS)
        c->plain_s += plain_bfs_s(&l.graph, l.source);
    return 0;
}

#define RMAT(scale) "rmat:scale=" #scale ",edge_factor=16,seed=1"
#define ROAD "road:vertices=8000000,arcs=19300000,diameter=4000"

static const struct row {
    enum algorithm algorithm;
    const char *words;
    unsigned gpus;
} rows[] = {
    {BFS, RMAT(18), 4},      {BFS, RMAT(18), 8},      {BFS, RMAT(20), 4},
    {BFS, RMAT(20), 8},      {BFS, RMAT(22), 4},      {BFS, ROAD, 4},
    {PAGERANK, RMAT(18), 4}, {PAGERANK, RMAT(18), 8}, {PAGERANK, RMAT(20), 4},
    {PAGERANK, ROAD, 4},     {BFS, RMAT(20), 384},    {BFS, RMAT(20), 1024},
};

static void bench_traverse_print(struct bench *b, const struct traverse_case *c,
                                 double peak_B)
{
    double ratio = c->wall_s / c->plain_s;
    double redundancy = (double)c->edges / (double)c->plain_edges;

    bench_scaled(b, "edges", "%10.1f ", (double)c->edges, 1e6);
    bench_number(b, "visits", "%7.2f ", redundancy);
    bench_number(b, "simulate_s", "%8.3f ", c->wall_s);
    bench_number(b, "plain_s", "%8.3f ", c->plain_s);
    bench_number(b, "ratio", "%8.2f ", ratio);
    bench_number(b, "ratio_by_edge", "%8.2f ", ratio / redundancy);
    bench_scaled(b, "graph_bytes", "%9.0f ", c->graph_B, 1e6);
    bench_scaled(b, "peak_bytes", "%9.0f", peak_B, BENCH_MIB);
}

/* Runs a case and adds its row. Returns whether it failed. */
static bool bench_traverse_row(struct bench *b, const struct row *row,
                               struct traverse_case *c)
{
    *c = (struct traverse_case){.m = b->m,
                                .exec = b->exec,
                                .words = row->words,
                                .algorithm = row->algorithm,
                                .gpus = row->gpus};
    bench_row(b, b->exec);
    const char *algorithm = algorithm_name(row->algorithm);
    char *words = xasprintf("%s:%s", algorithm, row->words);
    bench_json_workload(b, words);
    free(words);
    bench_text(b, "%-8s %-50s ", algorithm, row->words);
    bench_number(b, "gpus", "%5.0f ", row->gpus);
    if (row->gpus > (uint64_t)b->m->ngpus * b->m->network.nodes) {
        char *why = xasprintf("not so many on %s", b->m->name);
        bench_words(b, "error", "%s", why);
        free(why);
        return bench_ended(b, 0);
    }
    struct took t = bench_measure(bench_traverse_run, c, b->limit_s);
    if (!t.code)
        bench_traverse_print(b, c, t.peak_B);
    return bench_ended(b, t.code);
}

unsigned bench_traverse(struct bench *b)
{
    struct traverse_case *c = child_shared(sizeof *c);
    unsigned failed = 0;

    bench_text(b,
               "atos-persistent on %s; plain: the same by one thread, and the "
               "comparison of the results;\nvisits: edges visited, by those of "
               "plain; by edge: the ratio of the times of an edge\n"
               "%-8s %-50s %5s %10s %7s %8s %8s %8s %8s %9s %9s\n",
               b->m->name, "", "graph", "GPUs", "Medges", "visits", "sim s",
               "plain s", "ratio", "by edge", "graph MB", "peak MB");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        failed += bench_traverse_row(b, &rows[i], c);
    child_unshare(c, sizeof *c);
    return failed;
}
