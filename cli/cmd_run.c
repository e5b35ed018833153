/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice run: simulates a workload under each strategy and ranks them. */
#include "cli/cli.h"
#include "cli/list_columns.h"
#include "cli/print_rounds.h"
#include "cli/print_sizes.h"
#include "cli/print_trace.h"
#include "base/json.h"
#include "apps/agents/traverse_trace.h"
#include "strategies/collective/libraries/remarks.h"
#include "study/run/shapes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The default number of operations whose times documents have: about 0.3 MB for
 * each strategy. */
enum { SOME_OPERATIONS = 2000 };

struct form {
    bool json, csv, details, timings;
    unsigned repeat, operations;
    bool every_step;
    const char *timeline, *list;
};

/* Prints the solver's work. Unlike seconds, these counts do not depend on the
 * machine. */
static void print_work(const struct outcome *o)
{
    const struct solver_work *w = &o->work;
    double n = (double)o->durations.n;

    if (!w->flows || !o->durations.n)
        return;
    fprintf(stderr,
            "sluice: %s: per message %.3f flows, %.3f solves, %.3f by Newton's "
            "method, %.2f visits, %.2f tells, %.3f moves\n",
            o->name, (double)w->flows / n, (double)w->solves / n,
            (double)w->fills / n, (double)w->visits / n, (double)w->tells / n,
            (double)w->moves / n);
}

static bool is_said(const struct outcome *o, const char *remark)
{
    for (size_t i = 0; o->origin && i < o->origin->nremarks; i++)
        if (!strcmp(o->origin->remarks[i], remark))
            return true;
    return false;
}

/* Prints the remarks on a trace, each once for all candidates. */
static void remark_trace(const struct outcome *list, size_t nth)
{
    const struct plan_origin *of = list[nth].origin;

    for (size_t i = 0; of && i < of->nremarks; i++) {
        bool said = false;
        for (size_t k = 0; k < nth; k++)
            said |= is_said(&list[k], of->remarks[i]);
        if (!said)
            fprintf(stderr, "sluice: %s\n", of->remarks[i]);
    }
}

/* Prints notes that are no results to standard error. */
static void remark(const struct outcome *list, size_t nth,
                   const struct form *form)
{
    const struct outcome *o = &list[nth];

    if (o->why)
        return;
    remark_trace(list, nth);
    if (form->timings && o->graph)
        fprintf(stderr,
                "sluice: %s: simulated in %.3f s, a plain computation and "
                "the comparison in %.3f s\n",
                o->name, o->run_wall_s, o->check_wall_s);
    else if (form->timings && !o->on_hosts) {
        fprintf(stderr, "sluice: %s: planned in %.3f s, simulated in %.3f s\n",
                o->name, o->plan_wall_s, o->run_wall_s);
        if (o->origin)
            fprintf(stderr, "sluice: %s: %" PRIu64 " events of the trace\n",
                    o->name, o->origin->events);
        print_work(o);
    }
}

static void remark_timeline(const struct outcome *list, const struct form *form)
{
    if (form->timeline && list->graph && list->graph->trace->merged_s > 0)
        fprintf(stderr,
                "sluice: %s: steps and transfers that follow each other within "
                "%.3g us are shown as one\n",
                form->timeline, list->graph->trace->merged_s * 1e6);
}

/* --- candidates that are left out ----------------------------------------- */

struct left_out {
    const char *name, *reason; /* reason: follows the name in the error */
};

static const char *reason_of(const struct outcome *o)
{
    size_t n = strlen(o->name);
    bool named = !strncmp(o->why->text, o->name, n) &&
                 !strncmp(o->why->text + n, ": ", 2);

    return named ? o->why->text + n + 2 : o->why->text;
}

static bool is_known(const struct left_out *list, size_t n,
                     const struct left_out *one)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, one->name) &&
            !strcmp(list[i].reason, one->reason))
            return true;
    return false;
}

/* Returns each candidate once for each reason, for all sizes together. The
 * caller frees it. */
static struct left_out *find_left_out(size_t *n, const struct sweep *s)
{
    struct left_out *list = NULL;

    *n = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->sizes[i].runs.n; k++) {
            const struct outcome *o = &s->sizes[i].runs.list[k];
            if (!o->why)
                continue;
            struct left_out one = {o->name, reason_of(o)};
            if (is_known(list, *n, &one))
                continue;
            list = xrealloc(list, *n + 1, sizeof *list);
            list[(*n)++] = one;
        }
    return list;
}

/* Prints lines such as "a, b: REASON". */
static void remark_left_out(const struct sweep *s)
{
    size_t n;
    struct left_out *list = find_left_out(&n, s);

    for (size_t i = 0; i < n; i++) {
        if (!list[i].name)
            continue;
        fprintf(stderr, "sluice: left out: %s", list[i].name);
        for (size_t k = i + 1; k < n; k++)
            if (list[k].name && !strcmp(list[k].reason, list[i].reason)) {
                fprintf(stderr, ", %s", list[k].name);
                list[k].name = NULL;
            }
        fprintf(stderr, ": %s\n", list[i].reason);
    }
    free(list);
}

/* Prints the remarks on the library's choice of a collective, which are the
 * same for all sizes. */
static void remark_library(const struct job *j, const struct request *r)
{
    char *list[MOST_REMARKS];

    if (!j->workload->collective)
        return;
    struct collective asked = job_collective(j);
    if (r->nccl.n && asked.memory != COLLECTIVE_DEVICE)
        fprintf(stderr, "sluice: --nccl: NCCL is for memory=device; what is "
                        "simulated is of other libraries\n");
    size_t n = library_remarks(list, j->machine, &asked);
    for (size_t i = 0; i < n; i++) {
        fprintf(stderr, "sluice: %s\n", list[i]);
        free(list[i]);
    }
}

static void remark_choice(const struct sweep *s, const struct request *r)
{
    size_t i = 0;

    while (i < s->n && s->sizes[i].why)
        i++;
    if (i < s->n)
        remark_library(&s->sizes[i].job, r);
}

/* -------------------------------------------------------------------------- */

/* Print one list of the results, instead of their ranking. */
static void print_list_head(const struct run_results *r,
                            const struct form *form)
{
    struct err err; /* because check_form() has checked the name */

    if (form->csv)
        print_list_csv_head(list_find(form->list, &err));
    else
        print_run_heading(r, r->job->words);
}

static void print_list_of(const struct run_results *r, const struct form *form)
{
    struct err err;
    const struct list *l = list_find(form->list, &err);

    if (form->csv)
        print_list_csv_rows(r, l);
    else
        print_list(r, l);
}

static int print_one(const struct sweep_size *one, const struct form *form,
                     struct err *err)
{
    struct compared compared = {0};

    if (job_run_compared(&compared, &one->job, err) < 0)
        return -1;
    struct run_results results = sweep_results(one, &compared, form->details);
    for (size_t i = 0; i < one->runs.n; i++)
        remark(one->runs.list, i, form);
    remark_timeline(one->runs.list, form);
    if (form->list) {
        print_list_head(&results, form);
        print_list_of(&results, form);
    } else if (form->json) {
        print_run_json(&results);
    } else if (form->csv && form->details && one->runs.list->ranks) {
        print_rank_times_csv(&results);
    } else if (form->csv) {
        print_run_csv_head(&results);
        print_run_csv_rows(&results);
    } else {
        print_run(&results);
    }
    return 0;
}

/* Prints one list of all sizes. */
static void print_range_list(const struct sweep *s, const struct form *form)
{
    bool begun = false;

    for (size_t i = 0; i < s->n; i++) {
        if (s->sizes[i].why)
            continue;
        struct run_results r = sweep_results(&s->sizes[i], NULL, true);
        if (!begun || !form->csv)
            print_list_head(&r, form);
        begun = true;
        print_list_of(&r, form);
    }
}

static enum sizes_form sizes_form(const struct form *form)
{
    return form->json ? SIZES_JSON : form->csv ? SIZES_CSV : SIZES_TEXT;
}

/* Prints the sizes or platforms that are left out, and the other notes. */
static void remark_all(const struct sweep *s, const struct form *form)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct sweep_size *size = &s->sizes[i];
        if (size->why)
            fprintf(stderr, "sluice: left out: %s\n", size->why->text);
        for (size_t o = 0; o < size->runs.n && !size->why; o++)
            remark(size->runs.list, o, form);
    }
}

/* Prints the times of a graph on hosts, which is divided once for all. */
static void remark_rounds(const struct sweep *s)
{
    bool divided = false;

    for (size_t i = 0; i < s->n; i++) {
        const struct sweep_size *size = &s->sizes[i];
        if (size->why)
            continue;
        if (!divided)
            fprintf(stderr, "sluice: divided and run in %.3f s\n",
                    size->job.rounds->wall_s);
        divided = true;
        for (size_t k = 0; k < size->shown; k++)
            fprintf(stderr, "sluice: %s: %s: simulated in %.3f s\n",
                    size->job.machine->name, size->runs.list[k].name,
                    size->runs.list[k].run_wall_s);
    }
}

static void print_range(const struct sweep *s, const struct form *form)
{
    remark_all(s, form);
    if (form->list)
        print_range_list(s, form);
    else
        print_sweep(s, sizes_form(form), form->details);
}

/* Prints the results of a graph on hosts. */
static void print_on_hosts(const struct sweep *s, const struct form *form)
{
    struct err err; /* because check_form() has checked the name */

    remark_all(s, form);
    if (form->timings)
        remark_rounds(s);
    if (form->list)
        print_rounds_list(s, list_find(form->list, &err), form->csv);
    else
        print_rounds(s, sizes_form(form), form->details);
}

/* Repeats the steps of each size, as --repeat asks. */
static int repeat_all(struct sweep *s, const struct request *request,
                      const struct form *form, struct err *err)
{
    const struct workload *w = request_workload(request);
    const char *no_repeat = job_shapes[request_shape(request, w)].no_repeat;

    if (form->every_step && no_repeat)
        return fail(err, "--every-step: not for %s", no_repeat);
    if (form->every_step && form->repeat < 2 && !w->collective)
        return fail(err, "--every-step: only with --repeat, and for "
                         "collectives");
    for (size_t i = 0; i < s->n; i++) {
        struct job *job = &s->sizes[i].job;
        job->every_step = form->every_step;
        if (!s->sizes[i].why && form->repeat &&
            job_repeat(job, form->repeat, err) < 0)
            return -1;
    }
    return 0;
}

/* Fails unless some outcome has times of operations: graphs on GPUs have none,
 * nor have workloads that run in steps. */
static int check_operations(const struct sweep *s, struct err *err)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct job_runs *runs = &s->sizes[i].runs;
        for (size_t k = 0; k < runs->n; k++)
            if (runs->list[k].timeline)
                return 0;
    }
    return fail(err, "--operations: not of graphs on GPUs, nor of what is done "
                     "in steps");
}

static int cmd_run_all(const struct request *request, const struct form *form,
                       struct err *err)
{
    struct run_options options = {.timeline = form->timeline,
                                  .needs_ops = form->operations > 0,
                                  .queues = form->details || form->list,
                                  .times_only = !form->json && !form->list &&
                                                !form->timeline};
    struct sweep sweep;

    if (sweep_load(&sweep, request, err) < 0)
        return -1;
    if (form->json && form->details)
        options.timeline_ops = form->operations ? form->operations
                               : sweep.ranged   ? 0
                                                : SOME_OPERATIONS;
    const struct job_shape *of =
        &job_shapes[request_shape(request, request_workload(request))];
    int result = repeat_all(&sweep, request, form, err);
    if (result == 0)
        result = sweep_run(&sweep, &options, err);
    if (result == 0 && form->operations)
        result = check_operations(&sweep, err);
    if (result == 0) {
        remark_left_out(&sweep);
        remark_choice(&sweep, request);
    }
    if (result == 0 && of->on_hosts)
        print_on_hosts(&sweep, form);
    else if (result == 0 && sweep.ranged)
        print_range(&sweep, form);
    else if (result == 0)
        result = print_one(sweep.sizes, form, err);
    sweep_clear(&sweep);
    return result;
}

static int cmd_run_plans(struct request *request, const struct form *form,
                         struct err *err)
{
    if (!form->csv && !form->timeline)
        request_compare(request);
    if (form->timeline)
        request_one_candidate(request);
    if (form->csv && workload_compares(&request->work))
        return fail(err, "--compare-partition: not with --csv, whose rows "
                         "are of one partition");
    return cmd_run_all(request, form, err);
}

/* --- the command ---------------------------------------------------------- */

static const struct opts_page page = {
    .usage = "run [EXPERIMENT.json] [--workload W] [OPTIONS]",
    .about =
        "Simulates a workload under each strategy that applies to it, and "
        "ranks the strategies. `sluice show workload` lists the options of a "
        "workload. EXPERIMENT.json holds options that describe the "
        "experiment, not its simulation or output, as keys with _ for -: "
        "platform, gpus, value_bytes, message_cap_bytes, ...\n",
    .examples =
        {{"Rank the strategies of a stencil's halo exchange on 16 GPUs",
          "sluice run --workload stencil:9pt:1000x1000 --gpus 16"},
         {"Compare algorithms of an all-reduce over a range of sizes, as CSV",
          "sluice run --platform frontier --nodes 4 --workload "
          "allreduce:bytes=1k..1M --algorithm ring,swing --csv"},
         {"Simulate PageRank on hosts with three communication runtimes",
          "sluice run --platform dane --nodes 8 --workload "
          "pagerank:rmat:scale=14 --runtime lci,mpi-probe,mpi-rma"}},
};

/* The values of the command line. */
struct run_words {
    struct request request;
    struct engine_options engine;
    struct form form;
    unsigned jobs;
    int noperands;
    bool helped;
};

static int run_parse(struct run_words *w, int argc, char **argv,
                     struct err *err)
{
    const struct opt opts[] = {
        REQUEST_OPTIONS(w->request),
        ENGINE_OPTIONS(w->engine),
        JOBS_OPTION(w->jobs),
        {"repeat", OPT_COUNT, &w->form.repeat, "N",
         "repeat the plan N times: a rank begins again when its own "
         "operations are complete [default: once]"},
        {"every-step", OPT_FLAG, &w->form.every_step, NULL,
         "simulate every step of --repeat or of a collective, even if its "
         "state repeats an earlier one"},
        OPT_HEADING("Output"),
        {"details", OPT_FLAG, &w->form.details, NULL,
         "every strategy in full, and all links; with --json also messages "
         "by rank and times of operations; of traces all ranks, with --csv a "
         "line for each"},
        {"list", OPT_TEXT, &w->form.list, "NAME",
         "instead of the ranking one list of every strategy, as a table or "
         "with --csv:"
#define LIST(list, type, label, kind, entries, entry, has, words) " " #list
#define COLUMN(list, key, unit, text, value)
#define SHOWN(list, name, text, value)
#include "study/run/lists.def"
        },
        {"operations", OPT_COUNT, &w->form.operations, "N",
         "with --json --details: times of the N longest operations of each "
         "strategy [default: 2000; over a range of sizes none]"},
        {"timeline", OPT_OUTPUT, &w->form.timeline, "FILE",
         "write a timeline of one strategy for Perfetto"},
        {"timings", OPT_FLAG, &w->form.timings, NULL,
         "report the time of planning and simulating and the work of the "
         "solver on standard error"},
        {"json", OPT_FLAG, &w->form.json, NULL, "results as JSON"},
        {"csv", OPT_FLAG, &w->form.csv, NULL, "results as CSV"},
    };

    *w = (struct run_words){0};
    request_init(&w->request);
    return opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                      &w->noperands, &w->helped, err);
}

static int check_form(const struct form *form, struct err *err)
{
    if (form->json && form->csv)
        return fail(err, "--json and --csv: say one of them");
    if (form->list && form->json)
        return fail(err, "--list: not with --json, which has the lists");
    if (form->list && !list_find(form->list, err))
        return fail_in(err, "--list");
    if (form->operations && !(form->json && form->details))
        return fail(err, "--operations: only with --json and --details");
    if (form->timeline && !strcmp(form->timeline, "-"))
        return fail(err, "--timeline: expected a file: the results go to "
                         "standard output");
    return 0;
}

int cmd_run(int argc, char **argv, struct err *err)
{
    struct run_words w;
    struct exec_options exec;
    struct json *doc = NULL;
    int result;

    if (run_parse(&w, argc, argv, err) < 0)
        return -1;
    if (w.helped)
        return 0;
    if (check_form(&w.form, err) < 0 ||
        request_begin(&w.request, &doc, &exec, &w.engine, w.noperands, argv,
                      err) < 0)
        return -1;
    exec.jobs = jobs_choose(w.jobs);
    exec.most_links = w.form.details || w.form.list ? 0 : BUSIEST_LINKS;
    if (request_check_output(&w.request, w.form.timeline, err) < 0)
        result = fail_in(err, "--timeline");
    else
        result = cmd_run_plans(&w.request, &w.form, err);
    json_free(doc);
    return result;
}
