/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench strategies: all strategies for the halos of large matrices on
 * many GPUs, one after the other and in parallel. */
#include "cli/bench.h"

#include "base/child.h"
#include "base/jobs.h"
#include "base/seconds.h"
#include "study/run/run.h"

#include <stdio.h>

static const struct {
    const char *words;
    unsigned gpus;
} cases[] = {{"stencil:27pt:123x123x123", 1024},
             {"stencil:27pt:123x123x123", 4096},
             {"stencil:27pt:123x123x123", 16384},
             {"random:rows=1000000,row_nnz=9,seed=1", 256},
             {"surrogate:audikw_1", 1024}};
enum { NCASES = sizeof cases / sizeof cases[0] };

bool bench_strategies_case(size_t i, const char **words, unsigned *gpus)
{
    if (i >= NCASES)
        return false;
    *words = cases[i].words;
    *gpus = cases[i].gpus;
    return true;
}

/* A case, in memory that is shared with the process that runs it. */
struct strategies_case {
    const struct machine *m;
    struct exec_options exec;
    const char *words;
    unsigned gpus;
    size_t strategies;
    double halo_s, plan_s, run_s; /* wall time, summed over all strategies */
};

static int bench_strategies_run(void *arg)
{
    struct strategies_case *c = arg;
    const struct run_options options = {0};
    struct request r;
    struct machine wide;
    struct outcome *list;
    struct err err = {0};
    struct job j;
    size_t n;
    double begin = seconds();

    request_init(&r);
    r.work.words = c->words;
    r.work.gpus = c->gpus;
    r.exec = &c->exec;
    if (!c->m->ngpus) {
        fprintf(stderr, "sluice: %s has no GPUs\n", c->m->name);
        return -1;
    }
    if (bench_widen(&wide, c->m, (c->gpus + c->m->ngpus - 1) / c->m->ngpus,
                    &err) < 0 ||
        job_load_on(&j, &wide, &r, &err) < 0)
        return err_print(&err), -1;
    c->halo_s = seconds() - begin;
    if (job_run(&list, &n, &j, &options, &err) < 0)
        return err_print(&err), -1;
    c->strategies = n;
    c->plan_s = c->run_s = 0;
    for (size_t i = 0; i < n; i++) {
        c->plan_s += list[i].plan_wall_s;
        c->run_s += list[i].run_wall_s;
    }
    outcomes_free(list, n);
    job_clear(&j);
    return 0;
}

static bool bench_strategies_one(struct bench *b, struct strategies_case *c,
                                 unsigned cores)
{
    bench_row(b, &c->exec);
    bench_json_workload(b, c->words);
    bench_text(b, "%-38s ", c->words);
    bench_number(b, "gpus", "%6.0f ", c->gpus);
    c->exec.jobs = cores;
    struct took both = bench_measure(bench_strategies_run, c, b->limit_s);
    c->exec.jobs = 1;
    struct took one = both;
    if (!both.code)
        one = bench_measure(bench_strategies_run, c, b->limit_s);
    if (one.code)
        return bench_ended(b, one.code);
    bench_number(b, "strategies", "%4.0f ", (double)c->strategies);
    bench_number(b, "halo_s", "%7.2f ", c->halo_s);
    bench_number(b, "plan_s", "%7.2f ", c->plan_s);
    bench_number(b, "simulate_s", "%7.2f ", c->run_s);
    bench_number(b, "cpu_s", "%7.2f ", one.cpu_s);
    bench_number(b, "wall_s", "%7.2f ", one.wall_s);
    bench_scaled(b, "peak_bytes", "%7.0f ", one.peak_B, BENCH_MIB);
    bench_json_number(b, "jobs", cores);
    bench_number(b, "jobs_cpu_s", "%9.2f ", both.cpu_s);
    bench_number(b, "jobs_wall_s", "%7.2f ", both.wall_s);
    bench_scaled(b, "jobs_peak_bytes", "%7.0f", both.peak_B, BENCH_MIB);
    return bench_ended(b, 0);
}

unsigned bench_strategies(struct bench *b)
{
    struct strategies_case *c = child_shared(sizeof *c);
    unsigned failed = 0, cores = jobs_cores();

    bench_text(b,
               "all strategies on %s made as wide, engine %s; one after the "
               "other (halo, plan, simulate: wall seconds), then %u at a time\n"
               "%-38s %6s %4s %7s %7s %7s %7s %7s %7s %9s %7s %7s\n",
               b->m->name, engine_kind_names[exec_engine(b->exec)], cores,
               "matrix", "GPUs", "of", "halo", "plan", "sim", "CPU s", "wall s",
               "peak MB", "CPU s", "wall s", "peak MB");
    for (size_t i = 0; i < NCASES; i++) {
        *c = (struct strategies_case){.m = b->m,
                                      .exec = *b->exec,
                                      .words = cases[i].words,
                                      .gpus = cases[i].gpus};
        c->exec.most_links = 5; /* like sluice run */
        failed += bench_strategies_one(b, c, cores);
    }
    child_unshare(c, sizeof *c);
    return failed;
}
