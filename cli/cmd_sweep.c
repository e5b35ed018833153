/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice sweep: simulates the points of a space into a database, joins
 * databases, and shows their best points. */
#include "base/cleanup.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/print_points.h"
#include "cli/sweep_run.h"
#include "cli/sweep_slurm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sweep_form {
    const char *out, *shard, *lists;
    struct engine_options engine;
    unsigned jobs, slurm;
    struct texts sbatch;
    bool retry, progress;
    struct points_form points;
};

/* --- running -------------------------------------------------------------- */

/* Reads "2/8", the second of eight parts. */
static int read_shard(unsigned *part, unsigned *parts, const char *text,
                      struct err *err)
{
    uint64_t i, n = 0;

    *part = *parts = 1;
    if (!text)
        return 0;
    const char *slash = number_take_whole(text, &i);
    if (!slash || *slash != '/' || !number_whole(slash + 1, &n) || !i ||
        i > n || n > UINT32_MAX)
        return fail(err, "--shard %s: expected I/N, from 1/N to N/N", text);
    *part = (unsigned)i;
    *parts = (unsigned)n;
    return 0;
}

/* Fails if there are more parts than points, because a part without a point is
 * a mistake. */
static int check_parts(const char *option, unsigned parts,
                       const struct space *space, const char *path,
                       struct err *err)
{
    if (parts <= space->npoints)
        return 0;
    return fail(err, "%s: %s has only %zu points: %u parts are too many",
                option, path, space->npoints, parts);
}

static int run_space(const char *path, const struct sweep_form *form, bool kept,
                     struct err *err)
{
    struct exec_options exec;
    struct space space;
    char *how =
        xasprintf("%s %s", form->engine.engine ? form->engine.engine : "fluid",
                  form->engine.accuracy ? form->engine.accuracy : "auto");
    int result = -1;

    struct sweep_run r = {.space = &space,
                          .exec = &exec,
                          .how = how,
                          .database = form->out,
                          .lists = form->lists,
                          .unkept = kept ? NULL : path,
                          .jobs = jobs_choose(form->jobs),
                          .retry = form->retry,
                          .progress = form->progress};
    if (engine_choose(&exec, &form->engine, err) == 0 &&
        read_shard(&r.part, &r.parts, form->shard, err) == 0 &&
        space_load(&space, path, err) == 0) {
        result = check_parts("--shard", r.parts, &space, path, err);
        if (result == 0 && explore_check(&space, err) < 0)
            result = fail_in(err, "%s", path);
        if (result == 0)
            result = sweep_carry_out(&r, err);
        space_clear(&space);
    }
    free(how);
    return result;
}

/* --- commands ------------------------------------------------------------- */

/* Shows the runs of a database; `name`, unless NULL, is printed in place of its
 * path. */
static int show_database(const char *path, const char *name,
                         const struct points_form *form, struct err *err)
{
    struct stored t;

    if (stored_load(&t, path, err) < 0)
        return -1;
    if (name) {
        free(t.path);
        t.path = xstrdup(name);
    }
    int result = print_points(&t, form, err);
    stored_clear(&t);
    return result;
}

static int merge(int n, char **parts, const struct sweep_form *form,
                 struct err *err)
{
    size_t points, missing;

    if (!n)
        return fail(err, "sweep merge: expected databases");
    if (!form->out)
        return fail(err, "sweep merge: expected -o RUNS.db");
    if (store_merge(form->out, (const char *const *)parts, (size_t)n, &points,
                    &missing, err) < 0)
        return -1;
    printf("%s: %zu points", form->out, points);
    if (missing)
        printf(", %zu of the space are missing", missing);
    printf("\n");
    return 0;
}

/* Collects the options that every part gets. The caller frees *jobs and
 * *events. */
static size_t part_options(const char *options[10], char **jobs, char **events,
                           const struct sweep_form *form)
{
    size_t n = 0;

    if (form->engine.engine)
        options[n++] = "--engine", options[n++] = form->engine.engine;
    if (form->engine.accuracy)
        options[n++] = "--accuracy", options[n++] = form->engine.accuracy;
    if (form->engine.max_events) {
        *events = xasprintf("--max-events=%llu",
                            (unsigned long long)form->engine.max_events);
        options[n++] = *events;
    }
    if (form->jobs) {
        *jobs = xasprintf("--jobs=%u", form->jobs);
        options[n++] = *jobs;
    }
    if (form->lists)
        options[n++] = "--lists", options[n++] = form->lists;
    if (form->retry)
        options[n++] = "--retry";
    return n;
}

static int submit(const char *path, const struct sweep_form *form,
                  struct err *err)
{
    const char *options[10];
    char *jobs = NULL, *events = NULL;
    struct exec_options exec;
    struct space space;

    if (!form->out)
        return fail(err, "--slurm: expected -o FOLDER, of the parts");
    if (form->shard)
        return fail(err, "--shard: not with --slurm, whose parts are shards");
    if (engine_choose(&exec, &form->engine, err) < 0 ||
        space_load(&space, path, err) < 0)
        return -1;
    const struct sweep_slurm s = {
        .space = &space,
        .folder = form->out,
        .parts = form->slurm,
        .sbatch = &form->sbatch,
        .options = options,
        .noptions = part_options(options, &jobs, &events, form)};
    int result = check_parts("--slurm", form->slurm, &space, path, err);
    if (result == 0 && explore_check(&space, err) < 0)
        result = fail_in(err, "%s", path);
    if (result == 0)
        result = sweep_submit(&s, err);
    free(jobs);
    free(events);
    space_clear(&space);
    return result;
}

/* Runs the sweep in a temporary database. */
static int run_and_forget(const char *path, struct sweep_form *form,
                          struct err *err)
{
    const char *place = getenv("TMPDIR");
    char *folder =
        xasprintf("%s/sluice-XXXXXX", place && *place ? place : "/tmp");

    if (!mkdtemp(folder)) {
        int result =
            fail_work(err, "%s: cannot be made: %s", folder, strerror(errno));
        free(folder);
        return result;
    }
    char *database = xasprintf("%s/runs.db", folder);
    char *journal = xasprintf("%s-journal", database);
    const int numbers[] = {cleanup_add(database), cleanup_add(journal),
                           cleanup_add(folder)};
    form->out = database;
    int result = run_space(path, form, false, err);
    if (result == 0)
        result = show_database(database, path, &form->points, err);
    unlink(database);
    unlink(journal);
    rmdir(folder);
    for (size_t i = 0; i < 3; i++)
        cleanup_drop(numbers[i]);
    free(journal);
    free(database);
    free(folder);
    return result;
}

static const struct opts_page page = {
    .usage = "sweep SPACE.json [-o RUNS.db] [OPTIONS]\n"
             "       sluice sweep show RUNS.db [OPTIONS]\n"
             "       sluice sweep merge PART.db ... -o RUNS.db",
    .about =
        "Simulates every point of a space, with every candidate, into a "
        "database (SQLite): a row for each candidate, with all parameters. "
        "Rows that the database has already are not simulated again: a sweep "
        "that was interrupted, even killed, resumes. At the end the best are "
        "shown. `sweep show` shows them again, also during a sweep; `sweep "
        "merge` joins the databases of shards. docs/spaces.md describes "
        "SPACE.json and the database.\n",
    .examples = {{"Simulate a space of machines and workloads",
                  "sluice sweep docs/space.json -o runs.db"},
                 {"Show the Pareto front of its objectives",
                  "sluice sweep show runs.db --pareto"}},
};

static int sweep_command(int n, char **operands, struct sweep_form *form,
                         struct err *err)
{
    const char *word = n ? operands[0] : "";

    if (!strcmp(word, "merge"))
        return merge(n - 1, operands + 1, form, err);
    if (!strcmp(word, "show") && n == 2)
        return show_database(operands[1], NULL, &form->points, err);
    if (n != 1 || !strcmp(word, "show"))
        return fail(err, "sweep: expected SPACE.json, show RUNS.db, or merge "
                         "PART.db ... (see --help)");
    if (form->slurm)
        return submit(operands[0], form, err);
    if (form->sbatch.n)
        return fail(err, "--sbatch: only with --slurm");
    if (!form->out)
        return run_and_forget(operands[0], form, err);
    if (run_space(operands[0], form, true, err) < 0)
        return -1;
    return show_database(form->out, NULL, &form->points, err);
}

int cmd_sweep(int argc, char **argv, struct err *err)
{
    struct sweep_form form = {.points = {.best = 0}};
    int noperands;
    bool helped;
    const struct opt opts[] = {
        OPT_HEADING("Database"),
        {"o", OPT_OUTPUT, &form.out, "RUNS.db",
         "database: a new one, or one of the same space, which is resumed "
         "[default: none is kept]"},
        {"lists", OPT_TEXT, &form.lists, "NAMES",
         "lists of each run that a new database keeps, each in a table of its "
         "own, such as links,phases:"
#define LIST(list, type, label, kind, entries, entry, has, words) " " #list
#define COLUMN(list, key, unit, text, value)
#define SHOWN(list, name, text, value)
#include "study/run/lists.def"
         " [default: none]"},
        {"shard", OPT_TEXT, &form.shard, "I/N",
         "simulate only the I-th of N parts of the points"},
        {"slurm", OPT_COUNT, &form.slurm, "N",
         "submit N shards to Slurm, as an array job; -o is then the folder of "
         "their databases"},
        {"sbatch", OPT_TEXTS, &form.sbatch, "OPTION",
         "with --slurm: an option of sbatch, such as --time=1:00:00; may be "
         "repeated"},
        {"retry", OPT_FLAG, &form.retry, NULL,
         "simulate points that failed again"},
        ENGINE_OPTIONS(form.engine),
        JOBS_OPTION(form.jobs),
        OPT_HEADING("Output"),
        {"progress", OPT_FLAG, &form.progress, NULL,
         "report points, rate and time left on standard error, even if it is "
         "no terminal"},
        {"best", OPT_COUNT, &form.points.best, "N",
         "only the best N of each workload [default of the table: 10 rows]"},
        {"pareto", OPT_FLAG, &form.points.pareto, NULL,
         "the Pareto front of the objectives, instead of the best by the "
         "first"},
        {"csv", OPT_FLAG, &form.points.csv, NULL,
         "all runs as CSV; with --pareto or --best only those"},
        {"json", OPT_FLAG, &form.points.json, NULL, "the same as JSON"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    unsigned lists;
    if (list_read_names(&lists, form.lists, err) < 0)
        return fail_in(err, "--lists");
    if (form.points.csv && form.points.json)
        return fail(err, "--json and --csv: say one of them");
    return helped ? 0 : sweep_command(noperands, argv + 1, &form, err);
}
