/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice export: writes a plan for other programs: GOAL, SimGrid traces and
 * platforms, sluice-native. */
#include "cli/cli.h"
#include "sim/plan/plan_check.h"
#include "study/run/job.h"
#include "sim/plan/exec.h"
#include "sim/export/export.h"
#include "base/json.h"
#include "workloads/plan_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The exported plan of one strategy, or the workload's messages themselves. */
struct subject {
    struct job job;
    struct plan room;
    const struct plan *plan;
    struct exec_result run;
};

static void subject_clear(struct subject *s)
{
    exec_result_clear(&s->run);
    plan_clear(&s->room);
    job_clear(&s->job);
}

static int cmd_export_make(struct subject *s, const struct request *r,
                           struct err *err)
{
    const struct workload *w =
        r->work.words ? workload_find(r->work.words, err) : NULL;

    *s = (struct subject){0};
    if (workload_compares(&r->work))
        return fail(err, "--compare-partition: not for export");
    if (w && w->algorithm)
        return fail(err,
                    "export: %s has no plan: what it sends depends on when",
                    r->work.words);
    if (request_no_runtime(r, "export", err) < 0 ||
        job_load(&s->job, r, err) < 0)
        return -1;
    if (s->job.nchoices != 1)
        return fail(err,
                    "export: expected one --strategy, got %zu: a plan is of "
                    "one",
                    s->job.nchoices);
    s->plan = job_plan(&s->room, &s->job, s->job.choices, err);
    if (!s->plan)
        return -1;
    if (plan_check_ranks(s->plan, err) < 0)
        return -1;
    return exec_plan(&s->run, s->job.machine, s->plan, r->exec, EXEC_SENT, err);
}

/* --- files ---------------------------------------------------------------- */

enum { GOAL, TI, TI_LIST, PLATFORM, HOSTFILE, PLAN, NOUTPUTS };

struct output {
    const char *option, *path;
    struct outfile file;
};

static int write_output(const struct subject *s, int kind, FILE *f,
                        const struct output *outputs, struct err *err)
{
    struct exported x = {s->job.machine, s->plan, &s->run,
                         outputs[PLATFORM].path != NULL};

    switch (kind) {
    case GOAL:
        return export_goal(f, &x, err);
    case TI:
        return export_ti(f, &x, err);
    case TI_LIST:
        fprintf(f, "%s\n", outputs[TI].path);
        return 0;
    case PLATFORM:
        return export_simgrid(f, &x, err);
    case HOSTFILE:
        export_hosts(f, &x);
        return 0;
    default:
        return plan_file_write(f, s->plan, s->job.machine, &s->job.load.halo,
                               err);
    }
}

/* Returns whether two options name the same file, as in --goal x --ti ./x: then
 * the path of the temporary file of `a` leads to the one that `b` has open. */
static bool same_file(const struct output *a, const struct output *b)
{
    struct stat x, y;

    return a->path && a->file.temporary && !stat(a->file.temporary, &x) &&
           !fstat(fileno(b->file.stream), &y) && S_ISREG(x.st_mode) &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int cmd_export_check_distinct(const struct output *outputs, int last,
                                     struct err *err)
{
    for (int i = 0; i < last; i++)
        if (same_file(&outputs[i], &outputs[last]))
            return fail(err, "--%s, --%s: the same file, %s", outputs[i].option,
                        outputs[last].option, outputs[last].path);
    return 0;
}

/* Writes all outputs, or none if one fails. */
static int cmd_export_write_all(const struct subject *s, struct output *outputs,
                                struct err *err)
{
    int opened = 0, result = 0;

    for (; opened < NOUTPUTS && result == 0; opened++) {
        struct output *o = &outputs[opened];
        if (!o->path)
            continue;
        if (outfile_open(&o->file, o->path, err) < 0) {
            result = -1;
            break;
        }
        if (cmd_export_check_distinct(outputs, opened, err) < 0)
            result = -1;
        else if (write_output(s, opened, o->file.stream, outputs, err) < 0)
            result = fail_in(err, "--%s", o->option);
    }
    for (int i = 0; i < opened; i++) {
        if (!outputs[i].path)
            continue;
        if (result == 0)
            result = outfile_close(&outputs[i].file, err);
        else
            outfile_abandon(&outputs[i].file);
    }
    return result;
}

static bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

static int cmd_export_check_outputs(const struct output *outputs,
                                    struct err *err)
{
    int files = 0, streams = 0;

    for (int i = 0; i < NOUTPUTS; i++) {
        files += outputs[i].path != NULL;
        streams += is_stdout(outputs[i].path);
    }
    if (!files)
        return fail(err, "export: expected --goal, --ti, --simgrid-platform, "
                         "--hostfile or --plan");
    if (streams > 1)
        return fail(err, "-: only one file goes to standard output");
    for (int i = 0; i < NOUTPUTS; i++)
        for (int k = 0; k < i; k++)
            if (outputs[i].path && outputs[k].path &&
                !strcmp(outputs[i].path, outputs[k].path))
                return fail(err, "--%s, --%s: the same file, %s",
                            outputs[k].option, outputs[i].option,
                            outputs[i].path);
    return 0;
}

/* Reports which files were written, and how SimGrid runs them. */
static void cmd_export_tell(const struct subject *s,
                            const struct output *outputs)
{
    const struct plan *p = s->plan;

    for (int i = 0; i < NOUTPUTS; i++)
        if (is_stdout(outputs[i].path))
            return;
    printf("%s on %s: %u ranks, %zu operations, %.3f us\n", p->name,
           s->job.machine->name, p->nodes * p->ranks_per_node, p->nops,
           s->run.time_s * 1e6);
    if (outputs[TI].path && outputs[PLATFORM].path && outputs[HOSTFILE].path)
        printf("smpirun -platform %s -hostfile %s -replay %s\n",
               outputs[PLATFORM].path, outputs[HOSTFILE].path,
               outputs[TI_LIST].path);
}

static int export_all(const struct request *r, struct output *outputs,
                      struct err *err)
{
    struct subject s;
    char *list = NULL;

    /* The list of traces needs a file too, because smpirun takes the name of a
     * file of names. */
    if (outputs[TI].path && !is_stdout(outputs[TI].path))
        outputs[TI_LIST].path = list = xasprintf("%s.list", outputs[TI].path);
    int result = cmd_export_check_outputs(outputs, err);
    if (result == 0) {
        result = cmd_export_make(&s, r, err);
        if (result == 0)
            result = cmd_export_write_all(&s, outputs, err);
        if (result == 0)
            cmd_export_tell(&s, outputs);
        subject_clear(&s);
    }
    free(list);
    return result;
}

static const struct opts_page page = {
    .usage = "export [EXPERIMENT.json] --workload W --FORMAT FILE ... "
             "[OPTIONS]",
    .about =
        "Writes the plan of one strategy, or the messages of a workload "
        "(exchange:, schedule:, random:ranks=), for other simulators and for "
        "native runs; '-' is standard output. Workloads and EXPERIMENT.json "
        "are those of `sluice run`. validate/PEERS.md lists the limits of "
        "each format.\n",
    .examples =
        {{"Write a GOAL schedule for LogGOPSim",
          "sluice export --workload stencil:9pt:400x400 --nodes 2 --strategy "
          "3-step/staged --goal plan.goal"},
         {"Write a plan for `sluice-native run`",
          "sluice export --workload stencil:9pt:400x400 --nodes 2 --strategy "
          "split+md --plan plan.csv"}},
};

int cmd_export(int argc, char **argv, struct err *err)
{
    struct request request;
    struct engine_options engine = {0};
    struct exec_options exec;
    struct output outputs[NOUTPUTS] = {
        [GOAL] = {.option = "goal"},
        [TI] = {.option = "ti"},
        [TI_LIST] = {.option = "ti"},
        [PLATFORM] = {.option = "simgrid-platform"},
        [HOSTFILE] = {.option = "hostfile"},
        [PLAN] = {.option = "plan"},
    };
    struct json *doc = NULL;
    int noperands;
    bool helped;

    request_init(&request);
    const struct opt opts[] = {
        OPT_HEADING("Formats"),
        {"goal", OPT_OUTPUT, &outputs[GOAL].path, "FILE",
         "GOAL schedule, for LogGOPSim and ATLAHS"},
        {"ti", OPT_OUTPUT, &outputs[TI].path, "FILE",
         "time-independent trace of SimGrid; smpirun reads FILE.list"},
        {"simgrid-platform", OPT_OUTPUT, &outputs[PLATFORM].path, "FILE",
         "platform of SimGrid, with SMPI's options"},
        {"hostfile", OPT_OUTPUT, &outputs[HOSTFILE].path, "FILE",
         "host of each rank on that platform"},
        {"plan", OPT_OUTPUT, &outputs[PLAN].path, "FILE",
         "the plan itself, for sluice-native run"},
        REQUEST_OPTIONS(request),
        ENGINE_OPTIONS(engine),
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (request_begin(&request, &doc, &exec, &engine, noperands, argv, err) < 0)
        return -1;
    request_one_candidate(&request);
    int result = 0;
    for (int i = 0; i < NOUTPUTS && result == 0; i++)
        if (request_check_output(&request, outputs[i].path, err) < 0)
            result = fail_in(err, "--%s", outputs[i].option);
    if (result == 0)
        result = export_all(&request, outputs, err);
    json_free(doc);
    return result;
}
