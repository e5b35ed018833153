/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench strategies: all strategies for the halos of large matrices on
 * many GPUs, one after the other and side by side. */
#include "cli/bench.h"

#include "base/child.h"
#include "base/jobs.h"
#include "base/seconds.h"
#include "strategies/run/run.h"

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

/* In memory that the process of the case shares. */
struct strategies_case {
    const struct machine *m;
    struct exec_options exec;
    const char *words;
    unsigned gpus;
    size_t strategies;
    double halo_s, plan_s, run_s; /* wall; of all strategies added up */
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

static bool bench_strategies_one(struct strategies_case *c, unsigned cores,
                                 unsigned limit_s)
{
    printf("%-38s %6u ", c->words, c->gpus);
    fflush(stdout);
    c->exec.jobs = cores;
    struct took both = bench_measure(bench_strategies_run, c, limit_s);
    c->exec.jobs = 1;
    struct took one = both;
    if (!both.code)
        one = bench_measure(bench_strategies_run, c, limit_s);
    if (one.code)
        printf("%s\n", one.code == 2 ? "over the limit" : "failed");
    else
        printf("%4zu %7.2f %7.2f %7.2f %7.2f %7.2f %7.0f %9.2f %7.2f %7.0f\n",
               c->strategies, c->halo_s, c->plan_s, c->run_s, one.cpu_s,
               one.wall_s, one.peak_MB, both.cpu_s, both.wall_s, both.peak_MB);
    fflush(stdout);
    return one.code == 1;
}

unsigned bench_strategies(const struct machine *m, const struct exec_options *o,
                          unsigned limit_s)
{
    struct strategies_case *c = child_shared(sizeof *c);
    unsigned failed = 0, cores = jobs_cores();

    printf("all strategies on %s made as wide, engine %s; one after the other "
           "(halo, plan, simulate: wall seconds), then %u at a time\n"
           "%-38s %6s %4s %7s %7s %7s %7s %7s %7s %9s %7s %7s\n",
           m->name, engine_kind_names[exec_engine(o)], cores, "matrix", "GPUs",
           "of", "halo", "plan", "sim", "CPU s", "wall s", "peak MB", "CPU s",
           "wall s", "peak MB");
    for (size_t i = 0; i < NCASES; i++) {
        *c = (struct strategies_case){
            .m = m, .exec = *o, .words = cases[i].words, .gpus = cases[i].gpus};
        c->exec.most_links = 5; /* as sluice run */
        failed += bench_strategies_one(c, cores, limit_s);
    }
    child_unshare(c, sizeof *c);
    return failed;
}
