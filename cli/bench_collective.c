/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench collective: collectives of thousands of GPUs, of which steps
 * that are the same again are left out. */
#include "cli/bench.h"

#include "base/child.h"
#include "strategies/run/run.h"

#include <stdio.h>

static const struct {
    const char *words, *algorithm;
    unsigned gpus;
} cases[] = {{"allreduce:bytes=1G", "ring", 4096},
             {"allreduce:bytes=1G", "hierarchical_ring", 4096},
             {"allreduce:bytes=1G", "lanes_ring", 4096},
             {"allreduce:bytes=1G", "recursive_doubling", 4096},
             {"allreduce:bytes=1G", "rabenseifner", 4096},
             {"allreduce:bytes=1G", "double_binary_tree", 4096},
             {"allreduce:bytes=1G", "nonoverlapping", 4096},
             {"alltoall:memory=device,bytes=1G", "pairwise", 1024},
             {"alltoall:memory=device,bytes=1G", "bruck", 1024}};
enum { NCASES = sizeof cases / sizeof cases[0] };

/* In memory that the process of the case shares. */
struct collective_case {
    const struct machine *m;
    struct exec_options exec;
    size_t i;
    double time_s, messages;
    uint32_t steps, simulated; /* steps 0: it was planned */
};

static int bench_collective_run(void *arg)
{
    struct collective_case *c = arg;
    const struct run_options options = {0};
    struct outcome *list;
    struct request r;
    struct err err = {0};
    struct job j;
    size_t n;

    request_init(&r);
    r.work.words = cases[c->i].words;
    r.work.gpus = cases[c->i].gpus;
    r.algorithm = cases[c->i].algorithm;
    r.exec = &c->exec;
    if (job_load_on(&j, c->m, &r, &err) < 0 ||
        job_run(&list, &n, &j, &options, &err) < 0)
        return err_print(&err), -1;
    c->time_s = list->time_s;
    c->steps = list->in_steps ? list->loop.steps : 0;
    c->simulated = list->loop.simulated;
    c->messages = 0;
    for (int where = 0; where < NLOCALITIES; where++)
        c->messages += (double)list->report.messages[where];
    outcomes_free(list, n);
    job_clear(&j);
    return 0;
}

static bool bench_collective_one(struct collective_case *c, unsigned limit_s)
{
    printf("%-32s %-19s %5u ", cases[c->i].words, cases[c->i].algorithm,
           cases[c->i].gpus);
    fflush(stdout);
    struct took t = bench_measure(bench_collective_run, c, limit_s);
    if (t.code)
        printf("%s\n", t.code == 2 ? "over the limit" : "failed");
    else if (c->steps)
        printf("%10.0f %7u %9u %12.2f %7.2f %7.2f %7.0f\n", c->messages,
               c->steps, c->simulated, c->time_s * 1e6, t.cpu_s, t.wall_s,
               t.peak_MB);
    else
        printf("%10.0f %7s %9s %12.2f %7.2f %7.2f %7.0f\n", c->messages, "-",
               "-", c->time_s * 1e6, t.cpu_s, t.wall_s, t.peak_MB);
    fflush(stdout);
    return t.code == 1;
}

unsigned bench_collectives(const struct machine *m,
                           const struct exec_options *o, unsigned limit_s)
{
    struct collective_case *c = child_shared(sizeof *c);
    unsigned failed = 0;

    printf("collectives on %s, engine %s; steps of a loop and those that were "
           "simulated, -: planned\n%-32s %-19s %5s %10s %7s %9s %12s %7s %7s "
           "%7s\n",
           m->name, engine_kind_names[exec_engine(o)], "workload", "algorithm",
           "GPUs", "messages", "steps", "simulated", "us", "CPU s", "wall s",
           "peak MB");
    for (size_t i = 0; i < NCASES; i++) {
        *c = (struct collective_case){.m = m, .exec = *o, .i = i};
        c->exec.most_links = 5; /* as sluice run */
        c->exec.jobs = 1;
        failed += bench_collective_one(c, limit_s);
    }
    child_unshare(c, sizeof *c);
    return failed;
}
