/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench traverse: BFS and PageRank on simulated GPUs compared with one
 * thread that computes the same. */
#include "cli/bench.h"

#include "base/child.h"
#include "strategies/agents/edge_cost.h"
#include "strategies/agents/traverse.h"
#include "workloads/load/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In memory that the process of the case shares. */
struct traverse_case {
    const struct machine *m;
    const struct exec_options *exec;
    const char *words; /* of the graph */
    enum algorithm algorithm;
    unsigned gpus;
    uint64_t arcs, edges; /* of the graph; that were visited */
    double graph_B, wall_s, plain_s;
};

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
                                             .threshold = 1e-2};
    struct execution x;
    struct load l;
    struct traverse_result r;
    struct err err = {0};

    const struct workload *w = workload_find(words, &err);
    if (!w || load_make(&l, w, c->m, &request, &err) < 0 ||
        execution_load(&x, "atos-persistent", NULL, 0, &err) < 0)
        return err_print(&err), -1;
    struct traverse_input in = {
        .m = c->m,
        .g = &l.graph,
        .part = l.part,
        .ngpus = c->gpus,
        .x = &x,
        .algorithm = c->algorithm,
        .edge_s = edge_cost(&l.graph, c->algorithm, c->m->gpu.memory_Bps).s,
        .source = l.source,
        .damping = l.damping,
        .threshold = l.threshold,
        .exec = c->exec};
    if (traverse_run(&r, &in, &err) < 0)
        return err_print(&err), -1;
    c->arcs = graph_arcs(&l.graph);
    c->edges = r.edges;
    c->graph_B = 8.0 * (l.graph.n + 1.0) + 4.0 * (double)c->arcs;
    c->wall_s = r.wall_s;
    c->plain_s = r.plain_wall_s;
    return 0;
}

unsigned bench_traverse(const struct machine *m, const struct exec_options *o,
                        unsigned limit_s)
{
    static const char *const words[] = {
        "rmat:scale=18,edge_factor=16,seed=1",
        "rmat:scale=20,edge_factor=16,seed=1",
        "rmat:scale=22,edge_factor=16,seed=1",
        "road:vertices=24000000,arcs=58000000,diameter=6800"};
    static const unsigned gpus[] = {2, 4, 8};
    struct traverse_case *c = child_shared(sizeof *c);
    unsigned failed = 0;

    printf("atos-persistent on %s; plain: the same by one thread, and the "
           "comparison of the results\n%-8s %-52s %4s %10s %8s %8s %6s %9s "
           "%9s\n",
           m->name, "", "graph", "GPUs", "Medges", "sim s", "plain s", "ratio",
           "graph MB", "peak MB");
    for (int a = 0; a < NALGORITHMS; a++)
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            for (size_t g = 0; g < 3; g++) {
                *c = (struct traverse_case){.m = m,
                                            .exec = o,
                                            .words = words[w],
                                            .algorithm = (enum algorithm)a,
                                            .gpus = gpus[g]};
                struct took t = bench_measure(bench_traverse_run, c, limit_s);
                printf("%-8s %-52s %4u ", algorithm_name((enum algorithm)a),
                       words[w], gpus[g]);
                failed += t.code == 1;
                if (t.code)
                    printf("%s\n", t.code == 2 ? "over the limit" : "failed");
                else
                    printf("%10.1f %8.3f %8.3f %6.2f %9.0f %9.0f\n",
                           (double)c->edges / 1e6, c->wall_s, c->plain_s,
                           c->wall_s / c->plain_s, c->graph_B / 1e6, t.peak_MB);
                fflush(stdout);
            }
    child_unshare(c, sizeof *c);
    return failed;
}
