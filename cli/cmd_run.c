/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice run: simulates a workload under the strategies and ranks them. */
#include "cli/cli.h"
#include "strategies/job.h"
#include "cli/run_exchange.h"
#include "cli/run_print.h"
#include "cli/run_traverse.h"
#include "sim/plan/exec.h"
#include "base/json.h"
#include "base/seconds.h"
#include "sim/plan/timeline.h"
#include "strategies/exchange/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_links(struct run *r, const struct exec_result *x)
{
    r->nlinks = x->nlinks < BUSIEST_LINKS ? x->nlinks : BUSIEST_LINKS;
    memcpy(r->links, x->links, r->nlinks * sizeof *r->links);
}

static void add_path(struct run *r, const struct machine *m,
                     const struct plan *p)
{
    for (size_t i = 0; i < r->report.npath; i++)
        op_describe(r->path[i], sizeof r->path[i], m, p, r->report.path[i].op);
}

/* 0, or 1 when the machine cannot do this strategy (err says why). */
static int simulate(struct run *r, const struct job *j,
                    const struct strategy *s, const struct model_input *in,
                    const char *timeline, bool timings, struct err *err)
{
    struct plan p;
    struct exec_result x;
    double begin = seconds();

    memset(r, 0, sizeof *r);
    r->strategy = s;
    if (strategy_plan(s, &p, &j->machine, &j->halo, &j->options, err) < 0)
        return 1;
    if (plan_check(&p, &j->machine, err) < 0) {
        plan_clear(&p);
        return 1;
    }
    double planned = seconds();
    if (exec_plan(&x, &j->machine, &p, j->exec, true, err) < 0) {
        plan_clear(&p);
        return fail_in(err, "%s", s->name);
    }
    if (timings)
        fprintf(stderr, "sluice: %s: planned in %.3f s, simulated in %.3f s\n",
                s->name, planned - begin, seconds() - planned);
    report_make(&r->report, &j->machine, &p, &x);
    add_links(r, &x);
    add_path(r, &j->machine, &p);
    struct err ignored;
    struct model_time model;
    if (model_predict(&model, &j->machine, in, s, MODEL_CORRECTED, &ignored) ==
        0)
        r->model_s = model.total_s;
    int result =
        timeline ? timeline_save(timeline, &j->machine, &p, &x, err) : 0;
    exec_result_clear(&x);
    plan_clear(&p);
    return result;
}

static int by_time(const void *a, const void *b)
{
    const struct run *x = a, *y = b;

    if (x->report.time_s != y->report.time_s)
        return x->report.time_s < y->report.time_s ? -1 : 1;
    return strcmp(x->strategy->name, y->strategy->name);
}

/* Why a strategy was left out, told once all are known: when none is left this
 * is one error, not ten lines. */
static int tell_left_out(const struct job *j, const struct err *why, size_t n,
                         struct err *err)
{
    if (n == j->nstrategies)
        return fail(err, "%s can do none of the strategies: %s",
                    j->machine.name, why[0].text);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, "sluice: left out: %s\n", why[i].text);
    return 0;
}

/* All strategies, ranked; *n of them could be run. */
static int simulate_all(struct run *runs, size_t *n, const struct job *j,
                        const char *timeline, bool timings, struct err *err)
{
    struct model_input in;

    struct err *why = xcalloc(j->nstrategies, sizeof *why);
    size_t left_out = 0;
    int result = 0;

    model_input_from_halo(&in, &j->machine, &j->halo, &j->options);
    for (size_t i = 0; i < j->nstrategies && result == 0; i++) {
        struct err *e = &why[left_out];
        int got =
            simulate(&runs[*n], j, j->strategies[i], &in, timeline, timings, e);
        if (got == 0) {
            (*n)++;
        } else if (got == 1 && j->all) {
            left_out++;
        } else {
            *err = *e;
            result = -1;
        }
    }
    if (result == 0)
        result = tell_left_out(j, why, left_out, err);
    free(why);
    if (result == 0)
        qsort(runs, *n, sizeof *runs, by_time);
    return result;
}

/* A halo exchange, by each strategy. */
static int run_halo(const struct job_request *request, struct run_form form,
                    struct err *err)
{
    struct job job;
    size_t n = 0;

    if (job_load(&job, request, err) < 0)
        return -1;
    struct run *runs = xcalloc(job.nstrategies, sizeof *runs);
    int result;
    if (form.timeline && job.nstrategies != 1)
        result = fail(err, "--timeline: expected one --strategy, got %zu",
                      job.nstrategies);
    else
        result = simulate_all(runs, &n, &job, form.timeline, form.timings, err);
    if (result == 0) {
        if (form.json)
            run_print_json(&job, runs, n);
        else if (form.csv)
            run_print_csv(runs, n);
        else
            run_print(&job, runs, n, form.details);
    }
    free(runs);
    job_clear(&job);
    return result;
}

static int run_any(const struct job_request *request,
                   const struct traverse_request *traverse,
                   struct run_form form, struct err *err)
{
    const char *workload = request->workload;

    if (workload && run_is_traverse(workload))
        return run_traverse(request, traverse, form, err);
    if (traverse->source || !isnan(traverse->damping) ||
        !isnan(traverse->threshold) || !isnan(traverse->edge_ns))
        return fail(err, "--source, --damping, --threshold, --edge-ns: only "
                         "for bfs: and pagerank:");
    if (!workload || !run_is_exchange(workload))
        return run_halo(request, form, err);
    if (form.csv || form.details)
        return fail(err, "--csv, --details: not for %s", workload);
    return run_exchange(request, form.json, form.timeline, err);
}

int cmd_run(int argc, char **argv, struct err *err)
{
    struct job_request request = {0};
    struct traverse_request traverse = {
        .damping = NAN, .threshold = NAN, .edge_ns = NAN};
    struct engine_options engine = {0};
    struct exec_options exec;
    const char *timeline = NULL;
    bool json = false, csv = false, details = false, timings = false, helped;
    int noperands, result;
    struct json *doc = NULL;
    const struct opt opts[] = {
        JOB_OPTIONS(request),
        TRAVERSE_OPTIONS(traverse),
        ENGINE_OPTIONS(engine),
        {"details", OPT_FLAG, &details, NULL,
         "of every strategy, not only the fastest: links, critical path, GPUs"},
        {"timeline", OPT_TEXT, &timeline, "FILE",
         "the run in time, for Perfetto (one strategy)"},
        {"timings", OPT_FLAG, &timings, NULL,
         "how long planning and simulating took, on standard error"},
        {"json", OPT_FLAG, &json, NULL, "results as JSON"},
        {"csv", OPT_FLAG, &csv, NULL, "results as CSV"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "run [EXPERIMENT.json] --workload W [OPTIONS]",
                   "Simulates the halo exchange of a sparse matrix by each "
                   "strategy and ranks them;\nor messages that are given "
                   "(exchange:, schedule:, random:ranks=), as they "
                   "are.\nEXPERIMENT.json holds the same "
                   "words as keys (platform, workload, gpus, nodes,\n"
                   "partition, value_bytes, strategy, keep_duplicates, "
                   "message_cap_bytes,\nranks_per_node, source, damping, "
                   "threshold, edge_ns, set).\n",
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands > 1)
        return fail(err, "run: expected one experiment file, got '%s' too",
                    argv[2]);
    if (engine_choose(&exec, &engine, err) < 0)
        return -1;
    request.exec = &exec;
    if (json && csv)
        return fail(err, "--json and --csv: say one of them");
    if (timeline && !strcmp(timeline, "-"))
        return fail(err, "--timeline: expected a file: the results go to "
                         "standard output");
    if (noperands == 1 &&
        job_read_experiment(&request, &traverse, &doc, argv[1], err) < 0)
        return -1;

    struct run_form form = {json, csv, details, timings, timeline};
    result = run_any(&request, &traverse, form, err);
    json_free(doc);
    return result;
}
