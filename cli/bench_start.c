/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench start: the time of a single message on machines of many nodes,
 * which is the time to set them up. */
#include "cli/bench.h"

#include <math.h>

struct start_case {
    const struct machine *m;
    const struct exec_options *exec;
    unsigned nodes;
};

int bench_widen(struct machine *wide, const struct machine *m, unsigned nodes,
                struct err *err)
{
    struct network *n = &wide->network;
    unsigned below = 1;

    *wide = *m;
    n->nodes = nodes;
    if (n->topology == TOPOLOGY_CROSSBAR)
        return 0;
    if (n->topology != TOPOLOGY_FAT_TREE)
        return fail(err,
                    "%s: expected a fat tree or a crossbar: only they "
                    "can be made wider",
                    m->name);
    for (unsigned l = 0; l + 1 < n->levels; l++)
        below *= n->down[l];
    n->down[n->levels - 1] = (nodes + below - 1) / below;
    return 0;
}

/* Sends a message from the first rank to the last one. */
static int bench_start_run(void *arg)
{
    const struct start_case *c = arg;
    struct machine wide;
    struct exec_result r;
    struct plan p;
    struct err err = {0};

    if (bench_widen(&wide, c->m, c->nodes, &err) < 0)
        return err_print(&err), -1;
    plan_init(&p, &wide, "start", c->nodes, wide.ncores, NULL);
    plan_msg(&p, PHASE_OFF_NODE, 0, c->nodes * wide.ncores - 1, NO_GPU, NO_GPU,
             1000);
    int result = exec_plan(&r, &wide, &p, c->exec, EXEC_MAKESPAN, &err);
    if (result < 0)
        err_print(&err);
    else
        exec_result_clear(&r);
    plan_clear(&p);
    return result;
}

/* Adds the exponent of the growth of CPU time with the number of nodes, since
 * the row before. */
static void bench_start_exponent(struct bench *b, double cpu_s, double before_s,
                                 unsigned nodes, unsigned nodes_before)
{
    if (before_s > 0 && cpu_s > 0)
        bench_number(b, "exponent", "%9.2f",
                     log(cpu_s / before_s) / log((double)nodes / nodes_before));
    else
        bench_text(b, "%9s", "");
}

unsigned bench_start(struct bench *b)
{
    static const unsigned nodes[] = {1024, 4096, 16384, 65536};
    enum { RUNS = 5, N = sizeof nodes / sizeof nodes[0] };
    double before = 0, first = 0;
    unsigned failed = 0;

    bench_text(b,
               "one message on %s made as wide, engine %s; medians of %d\n"
               "%8s %9s %9s %9s %8s\n",
               b->m->name, engine_kind_names[exec_engine(b->exec)], RUNS,
               "nodes", "CPU s", "wall s", "exponent", "peak MB");
    for (size_t i = 0; i < N; i++) {
        struct start_case c = {b->m, b->exec, nodes[i]};
        struct took t[RUNS], *mid = &t[RUNS / 2];
        int code = bench_repeat(t, RUNS, bench_start_run, &c, b->limit_s);
        bench_row(b, b->exec);
        bench_number(b, "nodes", "%8.0f ", nodes[i]);
        if (code) {
            failed += bench_ended(b, code);
            break;
        }
        bench_number(b, "cpu_s", "%9.4f ", mid->cpu_s);
        bench_number(b, "wall_s", "%9.4f ", mid->wall_s);
        bench_start_exponent(b, mid->cpu_s, before, nodes[i],
                             nodes[i ? i - 1 : 0]);
        bench_scaled(b, "peak_bytes", " %8.0f", mid->peak_B, BENCH_MIB);
        bench_ended(b, 0);
        before = mid->cpu_s;
        first = i ? first : before;
        if (i == N - 1 && first > 0)
            bench_text(b, "exponent from %u to %u nodes: %.2f\n", nodes[0],
                       nodes[i],
                       log(before / first) / log((double)nodes[i] / nodes[0]));
    }
    return failed;
}
