/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice calibrate: fits a platform's costs to measured files and writes the
 * platform. */
#include "platforms/platform.h"
#include "cli/calibrate_costs.h"
#include "cli/calibrate_matching.h"
#include "cli/calibrate_rows.h"
#include "cli/calibrate_runtimes.h"
#include "cli/calibrate_sources.h"
#include "cli/cli.h"
#include "cli/document.h"
#include "cli/subcommand.h"
#include "base/json.h"
#include "validate/calibrate/fit.h"
#include "validate/calibrate/fit_compare.h"
#include "validate/measure/cost_points.h"
#include "validate/measure/match_points.h"
#include "validate/measure/runtime_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const struct fit_row *r)
{
    if (isnan(r->old))
        printf("%-56s %10s ", r->path, "-");
    else
        printf("%-56s %10.5g ", r->path, r->old);
    if (r->kept)
        printf("%10s %10s ", "kept", "");
    else
        printf("%10.5g %10.2g ", r->fitted.value, r->fitted.half);
    printf("%6zu %7.1f%%\n", r->points, 100 * r->residual);
}

/* Prints a breakpoint, whose interval is from one measured size to another. */
static void print_breakpoint(const struct fit_row *r)
{
    char old[24] = "-", range[40];

    if (!isnan(r->old))
        snprintf(old, sizeof old, "%.0f", r->old);
    snprintf(range, sizeof range, "%.0f..%.0f", r->from, r->to);
    printf("%-56s %10s %10.0f %-21s %zu\n", r->path, old, r->fitted.value,
           range, r->points);
}

static void print_rows(const struct fit *f)
{
    printf("%-56s %10s %10s %10s %6s %8s\n", "parameter", "old", "fitted",
           "95 % +-", "points", "residual");
    for (size_t i = 0; i < f->nrows; i++) {
        const struct fit_row *r = &f->rows[i];
        if (r->to > 0)
            print_breakpoint(r);
        else
            print_row(r);
    }
}

static void warn_rows(const struct fit *f)
{
    for (size_t i = 0; i < f->nrows; i++) {
        const struct fit_row *r = &f->rows[i];
        if (r->kept)
            fprintf(stderr, "sluice: %s: kept: %s\n", r->path, r->kept);
        else if (r->note)
            fprintf(stderr, "sluice: %s: %s\n", r->path, r->note);
    }
}

static struct json *change_json(const struct fit_change *c)
{
    struct json *o = json_new_object();

    json_add_string(o, "group", c->name);
    json_add_number(o, "points", (double)c->points);
    json_add_number(o, "median_error_old", c->before);
    json_add_number(o, "median_error_fitted", c->after);
    json_add_number(o, "worst_error_fitted", c->worst);
    return o;
}

/* Reports how well the fit reproduces the files that it was made from: as text
 * unless quiet, and in the document if there is one. */
static int print_changes(const struct fit *f, bool quiet, struct json *doc,
                         struct err *err)
{
    struct fit_change *changes = NULL;
    struct err left_out;
    struct machine now;
    size_t n;

    if (platform_read(&now, f->doc, err) < 0)
        return -1;
    fit_compare(&changes, &n, f->files, f->nfiles, f->m, &now, &left_out);
    if (*left_out.text)
        fprintf(stderr, "sluice: not compared: %s\n", left_out.text);
    if (n && !quiet)
        printf("\n%-40s %6s %10s %10s %10s\n", "median |error| on the inputs",
               "points", "old", "fitted", "worst");
    struct json *list = doc ? json_new_array() : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct fit_change *c = &changes[i];
        if (doc)
            json_append(list, change_json(c));
        if (!quiet)
            printf("%-40s %6zu %9.1f%% %9.1f%% %+9.1f%%%s\n", c->name,
                   c->points, 100 * c->before, 100 * c->after, 100 * c->worst,
                   fit_is_worse(c) ? "  worse" : "");
        if (fit_is_worse(c))
            fprintf(stderr,
                    "sluice: %s: predicted worse than before: median |error| "
                    "%.1f %%, %.1f %% with %s\n",
                    c->name, 100 * c->after, 100 * c->before, f->m->name);
    }
    if (doc)
        json_add(doc, "inputs", list);
    free(changes);
    machine_clear(&now);
    return 0;
}

/* Fails if the file has rows of several machines, because their points would be
 * pooled. */
static int one_machine(const char *path, struct err *err)
{
    const char *kind;
    char **names;
    size_t n;

    if (measured_machines(&names, &n, &kind, path, err) < 0)
        return -1;
    int result = n < 2 ? 0
                       : fail(err,
                              "%s: rows of %zu machines (%s, %s ...): expected "
                              "those of one",
                              path, n, names[0], names[1]);
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
    return result;
}

/* Loads one file, and reports its points that are not used. */
static int cmd_calibrate_load_one(struct measured *file, const char *path,
                                  const struct machine *m,
                                  const struct log_facts *facts,
                                  struct err *err)
{
    const struct measured_words words = {.facts = facts};

    if (one_machine(path, err) < 0 ||
        measured_load_of(file, path, m, &words, err) < 0)
        return -1;
    for (size_t k = 0; k < file->nnotes; k++)
        fprintf(stderr, "sluice: %s: %zu rows%s: %s\n", path,
                file->notes[k].rows, file->notes[k].left_out ? " left out" : "",
                file->notes[k].text);
    return 0;
}

/* Loads the files. Files that are not for fitting are left out, and, if others
 * remain, files that cannot be read, because one bad file shall not cost a long
 * measurement. */
static int cmd_calibrate_load(struct measured *files, size_t *n,
                              char *const *paths, size_t npaths,
                              const struct machine *m,
                              const struct log_facts *facts, struct err *err)
{
    struct err *bad = xcalloc(npaths, sizeof *bad);
    size_t nbad = 0;

    for (size_t i = 0; i < npaths; i++) {
        struct measured *file = &files[*n];
        if (cmd_calibrate_load_one(file, paths[i], m, facts, &bad[nbad]) < 0) {
            nbad++;
            measured_clear(file);
        } else if (fit_takes(file)) {
            measured_pool(file);
            ++*n;
        } else {
            fprintf(stderr, "sluice: %s: not used: kept for validation\n",
                    paths[i]);
            measured_clear(file);
        }
    }
    for (size_t i = 0; i < nbad && *n; i++)
        fprintf(stderr, "sluice: left out: %s\n", bad[i].text);
    int result = 0;
    if (!*n && nbad)
        result = (*err = bad[0], -1);
    else if (!*n)
        result = fail(err, "no file to fit to: expected ping_pong, all_pairs "
                           "summary, maxrate, multi_pair, mult_pong, "
                           "memcpy or memcpy_mult, or a log (sluice list "
                           "logs)");
    free(bad);
    return result;
}

/* Checks that the fitted platform reads back, before it replaces a file. */
static int checked(const struct json *doc, struct err *err)
{
    struct machine m;

    if (platform_read(&m, doc, err) < 0)
        return fail_in(err, "the fitted platform");
    machine_clear(&m);
    return 0;
}

static int calibrate(struct json *doc, const struct machine *m,
                     char *const *paths, size_t npaths,
                     const struct calibrate_to *to, bool keep_breakpoints,
                     struct err *err)
{
    bool quiet = to->doc || !strcmp(to->file, "-");
    struct measured *files = xcalloc(npaths, sizeof *files);
    struct fit f = {.doc = doc,
                    .m = m,
                    .files = files,
                    .keep_breakpoints = keep_breakpoints};
    int result =
        cmd_calibrate_load(files, &f.nfiles, paths, npaths, m, to->facts, err);

    if (result == 0)
        fit_platform(&f);
    if (result == 0 && !f.nrows)
        result = fail(err, "the files determine no number of %s", m->name);
    if (result == 0)
        calibrate_rename(doc, to);
    if (result == 0)
        result = checked(doc, err);
    if (result == 0)
        result = json_write(doc, to->file, err);
    if (result == 0) {
        warn_rows(&f);
        if (to->doc)
            calibrate_rows_json(to->doc, f.rows, f.nrows);
        if (!quiet)
            print_rows(&f);
        result = print_changes(&f, quiet, to->doc, err);
        if (!quiet)
            undetermined_print(doc);
    }
    for (size_t i = 0; i < f.nfiles; i++)
        measured_clear(&files[i]);
    free(files);
    fit_clear(&f);
    return result;
}

static int calibrate_platform(const char *base, char *const *paths,
                              size_t npaths, const struct calibrate_to *to,
                              bool keep_breakpoints, struct err *err)
{
    struct json *doc = platform_json(base, NULL, 0, err);
    struct machine m;
    if (!doc)
        return -1;
    int result = platform_read(&m, doc, err);
    if (result < 0)
        (void)fail_in(err, "%s", base);
    if (result == 0) {
        result = calibrate(doc, &m, paths, npaths, to, keep_breakpoints, err);
        machine_clear(&m);
    }
    json_free(doc);
    return result;
}

/* --- kinds of files ------------------------------------------------------- */

/* The kinds of measurements, which are the subcommands. */
enum kind { MESSAGES, MATCHING, COSTS, RUNTIMES, ANY_KIND };

/* Calibrates the costs of a GPU; fails unless all files are of that kind. */
static int calibrate_all_costs(const char *base, char *const *paths,
                               size_t npaths, const struct calibrate_to *to,
                               struct err *err)
{
    for (size_t i = 0; i < npaths; i++)
        if (!cost_points_are(paths[i]))
            return fail(err, "%s: not of sluice-native graph-costs%s", paths[i],
                        npaths > 1 ? ", as the others" : "");
    return calibrate_costs(base, paths, npaths, to, err);
}

/* The kinds of which only one file is accepted, and no other beside it. */
static const struct {
    bool (*are)(const char *path);
    int (*calibrate)(const char *base, const char *path,
                     const struct calibrate_to *to, struct err *err);
    const char *what;
} alone[ANY_KIND] = {
    [MATCHING] = {match_points_are, calibrate_matching, "matching"},
    [RUNTIMES] = {runtime_points_are, calibrate_runtimes, "runtimes"}};

static int calibrate_alone(enum kind kind, const char *base, char *const *paths,
                           size_t npaths, const struct calibrate_to *to,
                           struct err *err)
{
    const char *path = paths[0];

    for (size_t i = npaths; i-- > 0;)
        path = alone[kind].are(paths[i]) ? paths[i] : path;
    if (!alone[kind].are(path))
        return fail(err, "%s: not measured %s", path, alone[kind].what);
    if (npaths > 1)
        return fail(err, "%s: measured %s: expected no other files with it",
                    path, alone[kind].what);
    return alone[kind].calibrate(base, path, to, err);
}

/* Returns the kind of the files by their columns: messages and copies, unless
 * one holds something else. */
static enum kind kind_of_files(char *const *paths, size_t npaths)
{
    for (size_t i = 0; i < npaths; i++)
        if (cost_points_are(paths[i]))
            return COSTS;
    for (int kind = 0; kind < ANY_KIND; kind++)
        for (size_t i = 0; i < npaths; i++)
            if (alone[kind].are && alone[kind].are(paths[i]))
                return (enum kind)kind;
    return MESSAGES;
}

/* Returns the name of the new platform: the given one, or that of the output
 * file. The caller frees it. */
static char *calibrated_name(const char *name, const char *output)
{
    const char *slash = strrchr(output, '/');
    const char *file = slash ? slash + 1 : output;
    size_t n = strlen(file), end = n > 5 ? n - 5 : n;

    if (name)
        return xstrdup(name);
    if (!strcmp(output, "-"))
        return xstrdup("calibrated");
    return xasprintf("%.*s", (int)(strcmp(file + end, ".json") ? n : end),
                     file);
}

static const struct opts_page page = {
    .usage =
        "calibrate KIND FILE.csv ... --base NAME -o FILE.json [OPTIONS]\n"
        "       sluice calibrate LOG|FILE.csv ... --base NAME -o FILE.json "
        "[OPTIONS]",
    .about =
        "Fits the numbers of a platform to measurements, each kind with "
        "options and help of its own. Without a kind, files are recognised by "
        "their columns.\n"
        "  messages  messages between processes and GPUs, copies, and logs "
        "(docs/logs.md)\n"
        "  matching  matching engines\n"
        "  costs     accesses and calls of a GPU\n"
        "  runtimes  the communication runtimes mpi-probe, mpi-rma and lci\n",
    .examples = {{"Fit the matching engines of a GPU",
                  "sluice calibrate matching results/h200/gpu/match.csv "
                  "--base platforms/matching/h200.json -o match.json"},
                 {"Fit NCCL on two nodes to the output of nccl-tests",
                  "sluice calibrate results/logs/alps_allreduce_2x4.txt --base "
                  "alps -o mine.json --name mine"}},
};

static const struct opts_page messages_page = {
    .usage =
        "calibrate messages LOG|FILE.csv ... --base NAME -o FILE [OPTIONS]",
    .about =
        "Fits the numbers of a platform to measurements of ping_pong, "
        "all_pairs summary, maxrate, multi_pair, mult_pong, memcpy and "
        "memcpy_mult, which are recognised by their columns, and to logs of "
        "OSU, IMB, nccl-tests, NCCL Inspector and nvbandwidth (docs/logs.md): "
        "latencies determine messages, calls of NCCL its own numbers. The "
        "machine keeps "
        "the structure of the base; segments end where the data say, unless "
        "the base's breakpoints are as good. A wire that is slower than the "
        "messages that cross it gets their rate. Numbers that the data do not "
        "determine are reported on standard error. results/calibration "
        "describes the method.\n"
        "The table has 95 % intervals (of a breakpoint: the sizes that are as "
        "likely); below it stands how well the base and the fitted platform "
        "predict the files: medians, and the worst point as fitted.\n",
    .examples = {{"Fit the copies of a machine",
                  "sluice calibrate messages --base lassen -o fitted.json "
                  "results/measured/lassen_spectrum_memcpy.csv"}},
};

static const struct opts_page matching_page = {
    .usage = "calibrate matching FILE.csv --base NAME -o FILE.json",
    .about = "Fits matching engines to the measurements of `sluice-native "
             "match`. The base may be a preset, such as "
             "platforms/matching/h200.json. A second table has the errors of "
             "the fitted and of the predicted cases.\n",
    .examples = {{"Fit the matching engines of a GPU",
                  "sluice calibrate matching results/h200/gpu/match.csv "
                  "--base platforms/matching/h200.json -o match.json"}},
};

static const struct opts_page costs_page = {
    .usage = "calibrate costs FILE.csv ... --base NAME -o FILE.json",
    .about = "Fits gpu.access and gpu.calls to the measurements of "
             "`sluice-native graph-costs`. The base may be a part, such as "
             "platforms/parts/h200-costs.json.\n",
    .examples = {{"Fit the accesses of a GPU",
                  "sluice calibrate costs results/h200/graph/costs-1.csv "
                  "--base platforms/parts/h200-costs.json -o costs.json"}},
};

static const struct opts_page runtimes_page = {
    .usage = "calibrate runtimes FILE.csv --base NAME -o FILE.json",
    .about = "Fits the communication runtimes mpi-probe, mpi-rma and lci to "
             "the measurements of `sluice-native runtime`.\n",
    .examples = {{"Fit the runtimes of a machine",
                  "sluice calibrate runtimes runtime.csv --base dane "
                  "-o runtimes.json"}},
};

static const struct subcommand kinds[ANY_KIND + 1] = {
    [MESSAGES] = {"messages", &messages_page, NULL, NULL},
    [MATCHING] = {"matching", &matching_page, "keep-breakpoints fact", NULL},
    [COSTS] = {"costs", &costs_page, "keep-breakpoints fact", NULL},
    [RUNTIMES] = {"runtimes", &runtimes_page, "keep-breakpoints fact", NULL},
    [ANY_KIND] = {NULL, &page, NULL, NULL}};
static const struct subcommands calibrations = {"calibrate", kinds,
                                                ANY_KIND + 1};

/* The values of the command line. */
struct calibrate_words {
    const char *base, *output, *name;
    struct texts facts;
    struct log_facts known;
    bool keep_breakpoints, json, helped;
    int noperands;
    const struct subcommand *kind;
};

static int calibrate_parse(struct calibrate_words *w, int argc, char **argv,
                           struct err *err)
{
    const struct opt opts[] = {
        {"base", OPT_TEXT, &w->base, "NAME",
         "platform whose structure is kept and whose numbers are replaced"},
        {"o", OPT_OUTPUT, &w->output, "FILE.json",
         "file of the new platform; - is standard output"},
        {"name", OPT_TEXT, &w->name, "NAME",
         "name of the new platform [default: that of the file, or calibrated "
         "for -]"},
        FACT_OPTION(w->facts),
        {"keep-breakpoints", OPT_FLAG, &w->keep_breakpoints, NULL,
         "keep the sizes at which segments end in the base"},
        {"json", OPT_FLAG, &w->json, NULL, "tables as JSON; -o is a file then"},
    };

    if (subcommand_parse(&calibrations, w->kind, argc, argv, opts,
                         sizeof opts / sizeof opts[0], &w->noperands,
                         &w->helped, err) < 0)
        return -1;
    if (w->helped)
        return 0;
    if (!w->base)
        return fail(err, "calibrate: expected --base NAME");
    if (!w->output)
        return fail(err, "calibrate: expected -o FILE.json");
    if (!w->noperands)
        return fail(err, "calibrate: expected files of measurements");
    if (w->json && !strcmp(w->output, "-"))
        return fail(err, "--json: expected -o FILE.json, which is not -");
    return 0;
}

static int calibrate_words(const struct calibrate_words *w, enum kind kind,
                           char *const *paths, const struct calibrate_to *to,
                           struct err *err)
{
    size_t n = (size_t)w->noperands;

    switch (kind) {
    case COSTS:
        return calibrate_all_costs(w->base, paths, n, to, err);
    case MATCHING:
    case RUNTIMES:
        return calibrate_alone(kind, w->base, paths, n, to, err);
    case MESSAGES:
    case ANY_KIND:
        break;
    }
    return calibrate_platform(w->base, paths, n, to, w->keep_breakpoints, err);
}

int cmd_calibrate(int argc, char **argv, struct err *err)
{
    struct calibrate_words w = {
        .kind = subcommand_take(&calibrations, &argc, argv)};

    if (calibrate_parse(&w, argc, argv, err) < 0)
        return -1;
    if (w.helped)
        return 0;
    if (log_facts_read(&w.known, w.facts.items, w.facts.n, err) < 0)
        return -1;
    struct json *to = w.json ? document_new("calibrate") : NULL;
    struct calibrate_to into = {w.output, calibrated_name(w.name, w.output), to,
                                &w.known};
    enum kind named = (enum kind)(w.kind - kinds), kind = named;
    if (named == ANY_KIND)
        kind = kind_of_files(argv + 1, (size_t)w.noperands);
    int result = calibrate_words(&w, kind, argv + 1, &into, err);
    if (result == 0 && named == ANY_KIND && kind != MESSAGES)
        subcommand_hint(&calibrations, argv[1], kinds[kind].name);
    free(into.name);
    if (to && result == 0)
        document_print(to);
    else
        json_free(to);
    return result;
}
