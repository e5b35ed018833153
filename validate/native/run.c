/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes the strategies of a halo exchange on real ranks: each one's plan
 * until its time is steady. */
#include "sim/plan/plan_check.h"
#include "study/run/shapes.h"
#include "base/json.h"
#include "base/printable.h"
#include "validate/native/bench.h"
#include "validate/native/calls.h"
#include "validate/native/runner.h"
#include "workloads/plan_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 5, MOST = 200 };

struct run_request {
    struct request job;
    struct native_options native;
};

/* The origin of a plan, for its rows. */
struct subject {
    const char *workload, *partition;
    const struct halo *halo; /* NULL if the plan carries no values */
    unsigned ngpus;          /* GPUs per node */
};

static void rows(struct table *t, const struct native *n,
                 const struct subject *j, const char *strategy,
                 const struct samples *s)
{
    uint32_t gpus = j->halo ? j->halo->ngpus : (unsigned)n->nodes * j->ngpus;

    const char *quote = strchr(j->partition, ',') ? "\"" : "";

    /* A workload such as random:rows=8,row_nnz=2 has commas. */
    for (size_t i = 0; i < s->n; i++)
        table_row(t, "\"%s\",%s%s%s,%u,%d,%d,%u,%s,%s,%zu,%.6e", j->workload,
                  quote, j->partition, quote, gpus, n->nodes, n->per_node,
                  j->halo ? j->halo->value_bytes : 0, strategy, n->gpu->memory,
                  i, s->s[i]);
}

/* Returns whether each rank can make the calls of the plan in its order. If a
 * message is matched by its tag, or goes by CUDA IPC, the plan may need a rank
 * that serves what is ready first. */
static bool is_list(const struct native *n, const struct plan *p)
{
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_SEND || o->kind == OP_RECV ||
            (o->src_gpu != NO_GPU && plan_sends(o) && !n->device_mpi))
            return false;
    }
    return true;
}

/* Times the plan as lists of calls. */
static int time_calls(struct samples *s, const struct native *n,
                      const struct subject *j, const struct plan *p,
                      const struct repeat *how, struct err *err)
{
    struct calls_memory memory;
    struct calls calls;

    calls_memory_init(&memory, n, j->ngpus, false);
    calls_memory_needs(&memory, p);
    int result = calls_memory_new(&memory, err);
    if (result == 0)
        result = calls_init(&calls, &memory, p, NULL, true, err);
    if (result == 0) {
        calls_check(&calls, UINT64_C(1) << 32);
        repeat(s, n, how, calls_once_batch, &calls);
        calls_check(&calls, UINT64_C(2) << 32);
        calls_clear(&calls);
    }
    calls_memory_free(&memory);
    return result;
}

static int run_plan(struct table *t, const struct native *n,
                    const struct subject *j, const struct plan *p,
                    const struct run_request *q, struct err *err)
{
    const struct repeat how = {
        .least = LEAST, .most = MOST, .per_point_s = q->native.per_point_s};
    struct runner r;
    struct samples s = {0};

    if (runner_init(&r, n, p, j->halo, NULL, j->ngpus, err) < 0)
        return -1;
    runner_check_flow(&r);
    if (is_list(n, p)) {
        runner_clear(&r);
        if (time_calls(&s, n, j, p, &how, err) < 0)
            return -1;
    } else {
        runner_fill(&r);
        repeat(&s, n, &how, runner_batch, &r);
        runner_verify(&r);
    }
    rows(t, n, j, p->name, &s);
    if (n->rank == 0)
        fprintf(stderr, "sluice-native: %-16s %10.1f us, %zu x %u executions\n",
                p->name, 1e6 * samples_median(&s), s.n, s.iterations);
    samples_clear(&s);
    runner_clear(&r);
    return 0;
}

/* Refuses plans with operations that are only simulated. */
static int check_simulated(const struct plan *p, struct err *err)
{
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        const char *what = o->kind == OP_PROBE               ? "probes"
                           : o->kind == OP_SEND && o->synced ? "synchronous "
                                                               "sends"
                           : o->kind == OP_WORK && o->lane
                               ? "work beside the CPU"
                               : NULL;
        if (what)
            return fail(err, "%s: %s are simulated only", p->name, what);
    }
    return plan_check_ranks(p, err);
}

/* Returns 0; or 1 if the strategy cannot run here (err says why) and the user
 * did not name it. */
static int run_strategy(struct table *t, const struct native *n,
                        const struct job *j, const struct choice *c,
                        const struct run_request *q, struct err *err)
{
    const struct load *l = &j->load;
    const struct subject of = {j->words, l->partition ? l->partition : "",
                               job_shape(j)->closed_forms ? &l->halo : NULL,
                               j->machine->ngpus};
    struct plan room;

    const struct plan *p = job_plan(&room, j, c, err);
    if (!p)
        return j->all ? 1 : -1;
    int result = plan_check(p, j->machine, err);
    if (result == 0)
        result = check_simulated(p, err);
    if (result == 0)
        result = run_plan(t, n, &of, p, q, err);
    plan_clear(&room);
    return result < 0 && j->all && err->kind == ERR_INPUT ? 1 : result;
}

static int run_all(struct table *t, const struct native *n, const struct job *j,
                   const struct run_request *q, struct err *err)
{
    size_t done = 0;

    for (size_t i = 0; i < j->nchoices; i++) {
        int got = run_strategy(t, n, j, &j->choices[i], q, err);
        if (got < 0)
            return -1;
        done += got == 0;
        if (got == 1 && n->rank == 0)
            fprintf(stderr, "sluice-native: left out: %s\n", err->text);
    }
    return done ? 0 : fail(err, "none of the strategies can be run here");
}

static int open_runs(struct table *t, const struct native *n,
                     struct run_request *q, const char *machine,
                     struct err *err)
{
    static const char *const notes[] = {
        "each row is the mean of a batch of executions, each from a common "
        "start until the last rank's last operation, maximum over the ranks; "
        "two batches before do not count; receives are posted before the "
        "start; packing is not timed",
        "memory host: host memory stands for GPU memory, copies are memcpy and "
        "device-aware messages are messages between host memory",
        "every byte received is compared with what it must be", NULL};

    if (!q->native.machine)
        q->native.machine = machine;
    return table_open(t, n, &q->native,
                      "halo exchanges, each strategy's plan on real ranks",
                      notes,
                      "workload,partition,gpus,nodes,ranks_per_node,"
                      "value_bytes,strategy,memory,sample,time_s",
                      err);
}

static int run_job(struct native *n, struct run_request *q, struct err *err)
{
    struct job j;
    struct table t;

    if (workload_compares(&q->job.work))
        return native_agree(
            n, fail(err, "--compare-partition: not for sluice-native"), err);
    if (native_agree(n, request_no_runtime(&q->job, "sluice-native", err),
                     err) < 0 ||
        native_agree(n, job_load(&j, &q->job, err), err) < 0)
        return -1;
    /* Only a plan from a file packs. */
    j.options.pack = false;
    int result = open_runs(&t, n, q, j.machine->name, err);
    if (result == 0)
        result = table_end(&t, n, run_all(&t, n, &j, q, err), err);
    job_clear(&j);
    return result;
}

static int refuse(void *path, const char *option, struct err *err)
{
    (void)option;
    return fail(err, "%s: a plan leaves nothing else to choose",
                (const char *)path);
}

/* Loads a plan. Only those whose messages are MPI's are accepted, because other
 * runtimes are only simulated. */
static int load_file(struct plan_file *f, const char *path, struct err *err)
{
    if (plan_file_load(f, path, err) < 0)
        return -1;
    if (f->plan.runtime == RUNTIME_MPI)
        return 0;
    (void)fail(err, "%s: messages of %s are simulated only", path,
               runtime_words[f->plan.runtime]);
    plan_file_clear(f);
    return -1;
}

/* Runs a plan of `sluice export --plan`. */
static int run_file(struct native *n, struct run_request *q, const char *path,
                    struct err *err)
{
    struct plan_file f;
    struct table t;

    if (request_said(&q->job, refuse, (void *)path, err) < 0)
        return -1;
    if (native_agree(n, load_file(&f, path, err), err) < 0)
        return -1;
    char *workload = xasprintf("plan:%s", path);
    const struct subject of = {workload, "", f.halo.ngpus ? &f.halo : NULL,
                               f.gpus_per_node};
    int result = open_runs(&t, n, q, f.machine, err);
    if (result == 0)
        result = table_end(&t, n, run_plan(&t, n, &of, &f.plan, q, err), err);
    free(workload);
    plan_file_clear(&f);
    return result;
}

/* Returns whether the file is an experiment, which is JSON, and not a plan. */
static bool is_experiment(const char *path)
{
    FILE *f = fopen(path, "r");
    char mark[4] = "";
    int c = ' ';

    if (f && (fread(mark, 1, 3, f) < 3 || skip_byte_order_mark(mark) == mark))
        rewind(f);
    while (f && (c == ' ' || c == '\n' || c == '\t' || c == '\r'))
        c = getc(f);
    if (f)
        fclose(f);
    return c == '{' || c == '[';
}

static int run_experiment(struct native *n, struct run_request *q,
                          const char *path, struct err *err)
{
    struct json *doc;

    if (native_agree(n, request_read(&q->job, &doc, path, err), err) < 0)
        return -1;
    int result = run_job(n, q, err);
    json_free(doc);
    return result;
}

static const struct opts_page page = {
    .usage = "run [EXPERIMENT.json | PLAN] [OPTIONS]",
    .about =
        "Runs halo exchanges: the experiments of `sluice run`, whose platform "
        "says how many ranks and GPUs a node has; or a plan of `sluice export "
        "--plan`.\n",
    .examples = {{"Run a plan of `sluice export`, on 4 ranks",
                  "mpirun -n 4 sluice-native run plan.csv"}},
};

int bench_run(struct native *n, int argc, char **argv, struct err *err)
{
    struct run_request q = {0};
    bool helped;
    int noperands;

    request_init(&q.job);
    const struct opt opts[] = {REQUEST_OPTIONS(q.job),
                               NATIVE_OPTIONS(q.native)};

    if (native_opts(n, argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                    &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands > 1)
        return fail(err, "run: expected one experiment or plan, got '%s' too",
                    argv[2]);
    if (native_start(n, &q.native, err) < 0)
        return -1;
    if (!noperands)
        return run_job(n, &q, err);
    return is_experiment(argv[1]) ? run_experiment(n, &q, argv[1], err)
                                  : run_file(n, &q, argv[1], err);
}
