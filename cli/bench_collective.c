/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice bench collective: collectives of thousands of GPUs, in which repeated
 * steps are not simulated again. */
#include "cli/bench.h"

#include "base/child.h"
#include "study/run/run.h"

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

/* A case, in memory that is shared with the process that runs it. */
struct collective_case {
    const struct machine *m;
    struct exec_options exec;
    size_t i;
    double time_s, messages;
    uint32_t steps, simulated; /* 0 steps if it ran as a plan */
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

static bool bench_collective_one(struct bench *b, struct collective_case *c)
{
    bench_row(b, &c->exec);
    bench_json_workload(b, cases[c->i].words);
    bench_text(b, "%-32s ", cases[c->i].words);
    bench_words(b, "strategy", "%-19s ", cases[c->i].algorithm);
    bench_number(b, "gpus", "%5.0f ", cases[c->i].gpus);
    struct took t = bench_measure(bench_collective_run, c, b->limit_s);
    if (t.code)
        return bench_ended(b, t.code);
    bench_number(b, "messages", "%10.0f ", c->messages);
    if (c->steps) {
        bench_number(b, "steps", "%7.0f ", c->steps);
        bench_number(b, "steps_simulated", "%9.0f ", c->simulated);
    } else {
        bench_text(b, "%7s %9s ", "-", "-");
    }
    bench_scaled(b, "time_s", "%12.2f ", c->time_s, 1e-6);
    bench_number(b, "cpu_s", "%7.2f ", t.cpu_s);
    bench_number(b, "wall_s", "%7.2f ", t.wall_s);
    bench_scaled(b, "peak_bytes", "%7.0f", t.peak_B, BENCH_MIB);
    return bench_ended(b, 0);
}

unsigned bench_collectives(struct bench *b)
{
    struct collective_case *c = child_shared(sizeof *c);
    unsigned failed = 0;

    bench_text(b,
               "collectives on %s, engine %s; steps of a loop and those that "
               "were simulated, -: planned\n%-32s %-19s %5s %10s %7s %9s %12s "
               "%7s %7s %7s\n",
               b->m->name, engine_kind_names[exec_engine(b->exec)], "workload",
               "algorithm", "GPUs", "messages", "steps", "simulated", "us",
               "CPU s", "wall s", "peak MB");
    for (size_t i = 0; i < NCASES; i++) {
        *c = (struct collective_case){.m = b->m, .exec = *b->exec, .i = i};
        c->exec.most_links = 5; /* like sluice run */
        c->exec.jobs = 1;
        failed += bench_collective_one(b, c);
    }
    child_unshare(c, sizeof *c);
    return failed;
}
