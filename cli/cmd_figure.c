/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice figure: draws the figures and tables of the papers, from our own
 * numbers. */
#include "platforms/platform.h"
#include "cli/cli.h"
#include "cli/document.h"
#include "cli/figure_draw.h"
#include "cli/figure_list.h"
#include "cli/figure_plot.h"
#include "cli/figure_script.h"
#include "cli/figure_sweep.h"
#include "cli/gnuplot.h"
#include "cli/validate_native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
    const char *platform, *out, *cells, *algorithm;
    unsigned gpus, nodes;
    bool as_is;
    struct texts workloads, sets, native, measured;
    struct figure_sweep_request sweep;
    struct figure_plot_request plot;
};

/* Returns the command that makes this one figure again, without the folder,
 * because that changes nothing. The caller frees it. */
static char *command_of(const struct figure *f, const struct request *r)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    fprintf(to, "sluice figure %s", f->name);
    for (size_t i = 0; f->of == OF_NATIVE && i < r->native.n; i++)
        fprintf(to, " --native %s", r->native.items[i]);
    bool measured = f->of == OF_MEASURED || f->of == OF_SIZES;
    for (size_t i = 0; measured && i < r->measured.n; i++)
        fprintf(to, " --measured %s", r->measured.items[i]);
    if (f->platform || (f->of == OF_NATIVE && r->platform))
        fprintf(to, " --platform %s", r->platform ? r->platform : f->platform);
    for (size_t i = 0; f->of_workloads && i < r->workloads.n; i++)
        fprintf(to, " --workload %s", r->workloads.items[i]);
    for (size_t i = 0; i < r->sets.n; i++)
        fprintf(to, " --set %s", r->sets.items[i]);
    if (f->of_cells && r->cells)
        fprintf(to, " --cells %s%s", r->cells, r->as_is ? " --as-is" : "");
    if (f->of == OF_SIZES && r->gpus)
        fprintf(to, " --gpus %u", r->gpus);
    if (f->of == OF_SIZES && r->nodes)
        fprintf(to, " --nodes %u", r->nodes);
    if (f->of == OF_SIZES && r->algorithm)
        fprintf(to, " --algorithm %s", r->algorithm);
    fclose(to);
    return text;
}

static int write_one(const struct figure *f, const struct request *r,
                     const struct figure_input *in, struct err *err)
{
    char *command = command_of(f, r);

    if (isatty(2))
        fprintf(stderr, "%s: %s\n", f->name, f->about);
    int result = figure_write(f, in, r->out, command, err);
    int i = 0;
    for (char *name; result == 0 && (name = figure_file(f, i)); i++) {
        printf("%s/%s\n", r->out, name);
        free(name);
    }
    free(command);
    return result < 0 ? -1 : stdout_flush(err);
}

static void add_texts(struct json *doc, const char *key, const struct texts *t)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < t->n; i++)
        json_append(list, json_new_string(t->items[i]));
    json_add(doc, key, list);
}

/* Returns the options as the document of a script, which the caller frees. */
static struct json *request_document(const struct figure *f,
                                     const struct request *r, const char *cells)
{
    struct json *doc = document_new("figure");
    const char *platform = r->platform ? r->platform : f->platform;

    if (platform)
        json_add_string(doc, "platform", platform);
    if (cells)
        json_add_string(doc, "cells", cells);
    add_texts(doc, "sets", &r->sets);
    add_texts(doc, "workloads", &r->workloads);
    return doc;
}

static int write_of_machine(const struct figure *f, const struct request *r,
                            const char *cells, struct err *err)
{
    struct json *request = request_document(f, r, cells);
    struct figure_input in = {.name = f->name,
                              .request = request,
                              .workloads = r->workloads.items,
                              .nworkloads = r->workloads.n,
                              .measured = r->measured.items,
                              .nmeasured = r->measured.n,
                              .gpus = r->gpus,
                              .nodes = r->nodes,
                              .algorithm = r->algorithm};
    struct machine m;
    int result = 0;

    if (f->platform) {
        result = platform_load(&m, r->platform ? r->platform : f->platform,
                               r->sets.items, r->sets.n, err);
        in.m = &m;
    }
    if (result == 0) {
        result = write_one(f, r, &in, err);
        if (in.m)
            machine_clear(&m);
    }
    json_free(request);
    return result;
}

/* --- choice of figures ---------------------------------------------------- */

/* Returns the path of the cells, which the caller frees; NULL if no chosen
 * figure shows some. Cells that the file lacks are simulated and added to
 * it. */
static int complete_cells(char **path, const struct figure_list *l,
                          const char *name, const struct request *r,
                          struct err *err)
{
    struct json *doc = document_new("figure"), *names = json_new_array();
    int result = 0;

    *path = NULL;
    json_add(doc, "figures", names);
    for (size_t i = 0; i < l->n; i++)
        if (figure_chosen(&l->items[i], name) && l->items[i].of_cells)
            json_append(names, json_new_string(l->items[i].name));
    if (json_size(names)) {
        *path =
            r->cells ? xstrdup(r->cells) : xasprintf("%s/cells.csv", r->out);
        json_add_string(doc, "cells", *path);
        result = figure_folder(r->out, err);
        if (result == 0 && !r->as_is) {
            struct json *done = figure_script_ask("cells", doc, err);
            result = done ? 0 : -1;
            json_free(done);
        }
    }
    json_free(doc);
    return result;
}

/* Refuses options that the chosen figures would ignore. */
static int refuse_unused(const struct figure_list *l, const char *name,
                         const struct request *r, struct err *err)
{
    bool of_cells = false, of_workloads = false, of_native = false;
    bool of_measured = false, of_sizes = false;

    for (size_t i = 0; i < l->n; i++) {
        const struct figure *f = &l->items[i];
        of_native |= figure_chosen(f, name) && f->of == OF_NATIVE;
        of_measured |= figure_chosen(f, name) && f->of == OF_MEASURED;
        of_sizes |= figure_chosen(f, name) && f->of == OF_SIZES;
        if (figure_chosen(f, name) && !f->platform && f->of != OF_NATIVE &&
            (r->platform || r->sets.n))
            return fail(err, "--platform, --set: not for %s, which has its own",
                        f->name);
        of_cells |= figure_chosen(f, name) && f->of_cells;
        of_workloads |= figure_chosen(f, name) && f->of_workloads;
    }
    if (r->workloads.n && !of_workloads)
        return fail(err, "--workload: not for %s", name);
    if (!r->native.n != !of_native)
        return fail(err, "--native: %s",
                    of_native ? "expected RESULTS.csv"
                              : "only for the figure native");
    if (!r->measured.n != !of_measured && !of_sizes)
        return fail(err, "--measured: %s",
                    of_measured ? "expected FILE.csv"
                                : "only for the figures ratio, collective");
    if ((r->gpus || r->nodes || r->algorithm) && !of_sizes)
        return fail(err, "--gpus, --nodes, --algorithm: only for the figure "
                         "collective");
    if (r->as_is && !r->cells)
        return fail(err, "--as-is: only with --cells FILE");
    if (r->cells && !of_cells)
        return fail(err, "--cells: not for %s", name);
    return 0;
}

static int check_tools(const struct figure_list *l, const char *name,
                       struct err *err)
{
    for (size_t i = 0; i < l->n; i++)
        if (figure_chosen(&l->items[i], name) && !figure_is_table(&l->items[i]))
            return gnuplot_check(err);
    return 0;
}

/* Reads the native runs, if the chosen figure needs them. */
static int read_native(struct native_results *native, const struct request *r,
                       struct err *err)
{
    struct native_request request = {r->platform, r->native, r->sets, NULL};

    *native = (struct native_results){0};
    if (!r->native.n)
        return 0;
    if (figure_folder(r->out, err) < 0)
        return -1;
    return native_read(native, &request, err);
}

static int cmd_figure_write_all(const struct figure_list *l, const char *name,
                                const struct request *r, struct err *err)
{
    struct native_results native = {0};
    char *cells = NULL;

    if (refuse_unused(l, name, r, err) < 0 || check_tools(l, name, err) < 0)
        return -1;
    int result = complete_cells(&cells, l, name, r, err);
    if (result == 0)
        result = read_native(&native, r, err);
    for (size_t i = 0; result == 0 && i < l->n; i++) {
        const struct figure *f = &l->items[i];
        const struct figure_input in = {.native = &native};
        if (!figure_chosen(f, name))
            continue;
        result = f->of == OF_NATIVE ? write_one(f, r, &in, err)
                                    : write_of_machine(f, r, cells, err);
        if (result < 0)
            result = fail_in(err, "%s", f->name);
    }
    native_clear(&native);
    free(cells);
    return result;
}

/* -------------------------------------------------------------------------- */

/* Returns whether options of the papers' figures are given. */
static bool says_more(const struct request *r)
{
    return r->platform || r->cells || r->algorithm || r->gpus || r->nodes ||
           r->as_is || r->workloads.n || r->sets.n || r->native.n ||
           r->measured.n;
}

static int write_sweep(const struct request *r, struct err *err)
{
    struct figure_sweep_request sweep = r->sweep;

    if (says_more(r) || r->plot.results || r->plot.by || r->plot.log)
        return fail(err, "figure sweep: takes --runs, --x, --y and --out only");
    sweep.out = r->out;
    return figure_sweep(&sweep, err);
}

static int write_plot(const struct request *r, struct err *err)
{
    struct figure_plot_request plot = r->plot;

    if (says_more(r) || r->sweep.runs)
        return fail(err, "figure plot: takes --results, --x, --y, --by, --log "
                         "and --out only");
    plot.x = r->sweep.x;
    plot.y = r->sweep.y;
    plot.out = r->out;
    return figure_plot(&plot, err);
}

/* Returns the list of all figures, for --help. The caller frees it. */
static char *list_figures(const struct figure_list *l)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    const char *group = "";

    fprintf(to, "Draws figures and tables of papers from simulations.\n");
    for (size_t i = 0; i < l->n; i++) {
        const struct figure *f = &l->items[i];
        for (size_t g = 0; f->group && g < l->ngroups; g++)
            if (!strcmp(f->group, l->groups[g].name) &&
                strcmp(f->group, group) != 0)
                fprintf(to, "%s (all: %s):\n", l->groups[g].title, f->group);
        group = f->group ? f->group : group;
        if (f->of == OF_NATIVE)
            fprintf(to, "Native runs, or measurements of others, compared "
                        "with predictions, and collectives:\n");
        fprintf(to, "  %-13s %s\n", f->name, f->about);
    }
    fprintf(to,
            "Pictures of a database of `sluice sweep`:\n  %-13s lines, a "
            "heat map, the Pareto front, parallel coordinates\n",
            "sweep");
    fprintf(to,
            "Results of users:\n  %-13s two columns of a CSV file, a line for "
            "each value of a third\n",
            "plot");
    fprintf(
        to,
        "A figure is DIR/fig-NAME.csv, from which gnuplot draws .svg, .pdf "
        "and .png; a table is DIR/NAME.csv and .md. Those of atos except 2, 4 "
        "and 6 are of simulated cells: cells that FILE does not have are "
        "simulated into it, at scales that take minutes (`sluice study` does "
        "so at other scales, and repeats cells of an older model).\n");
    fclose(to);
    return text;
}

static const struct opts_page page = {
    .usage = "figure NAME|lockhart|atos|faraji|klenk|lci|all [OPTIONS]",
    .examples = {{"Draw the time of a message by its size and its two ends",
                  "sluice figure 2.5 --out out"},
                 {"Draw the objectives of a sweep",
                  "sluice figure sweep --runs runs.db --out out"}},
};

/* The values of the command line. */
struct figure_words {
    struct request r;
    int noperands;
    bool helped;
};

static int figure_parse(struct figure_words *w, const struct figure_list *l,
                        int argc, char **argv, struct err *err)
{
    struct request *r = &w->r;
    const struct opt opts[] = {
        OPT_HEADING("All figures"),
        {"out", OPT_TEXT, &r->out, "DIR", "folder of the files [default: out]"},
        {"platform", OPT_TEXT, &r->platform, "NAME",
         "platform [default: lassen; that of the figure or of its rows]"},
        {"set", OPT_TEXTS, &r->sets, "KEY=VALUE",
         "override a value of the platform; may be repeated"},
        OPT_HEADING("Figures 4.2, 5.1 and collective"),
        {"workload", OPT_TEXTS, &r->workloads, "W",
         "workload of 4.2 and 5.1: spmv:FILE, ...; may be repeated; of "
         "collective: allreduce:bytes=8..1G, ..."},
        {"gpus", OPT_COUNT, &r->gpus, "N", "collective: number of GPUs"},
        {"nodes", OPT_COUNT, &r->nodes, "N",
         "collective: number of nodes [default: 16]"},
        {"algorithm", OPT_TEXT, &r->algorithm, "A,...",
         "collective: algorithms, a line for each [default: all]"},
        OPT_HEADING("Simulated cells and measurements"),
        {"cells", OPT_TEXT, &r->cells, "FILE",
         "cells of `sluice study` [default: DIR/cells.csv]"},
        {"as-is", OPT_FLAG, &r->as_is, NULL,
         "simulate nothing: leave out cells that the file does not have"},
        {"native", OPT_TEXTS, &r->native, "FILE",
         "native: results of `sluice-native run`; may be repeated"},
        {"measured", OPT_TEXTS, &r->measured, "FILE",
         "ratio: measured all-to-alls; collective: a log (sluice list logs), "
         "or columns bytes, time_s and label; may be repeated"},
        OPT_HEADING("Figures sweep and plot"),
        {"runs", OPT_TEXT, &r->sweep.runs, "RUNS.db",
         "sweep: database of `sluice sweep`"},
        {"results", OPT_TEXT, &r->plot.results, "FILE.csv",
         "plot: a table, such as the output of `sluice run --csv`"},
        {"x", OPT_TEXT, &r->sweep.x, "AXIS",
         "sweep: axis or candidate on the x axis [default: that of most "
         "values]; plot: column"},
        {"y", OPT_TEXT, &r->sweep.y, "AXIS",
         "likewise on the y axis of the heat map [default: the next]"},
        {"by", OPT_TEXT, &r->plot.by, "COLUMN",
         "plot: column, of each value of which there is a line"},
        {"log", OPT_TEXT, &r->plot.log, "AXES",
         "plot: logarithmic axes: x, y, xy or none [default: axes whose "
         "largest value is 20 times the smallest]"},
    };
    char *more = list_figures(l);
    struct opts_page with = page;

    *w = (struct figure_words){0};
    with.about = more;
    int result = opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                            &with, &w->noperands, &w->helped, err);
    free(more);
    return result;
}

/* Draws what the first operand names. */
static int figure_draw_all(const struct figure_list *l, struct request *r,
                           const char *name, struct err *err)
{
    r->out = r->out ? r->out : "out";
    if (!*r->out)
        return fail(err, "--out: expected a folder");
    if (!strcmp(name, "sweep"))
        return write_sweep(r, err);
    if (!strcmp(name, "plot"))
        return write_plot(r, err);
    if (r->sweep.runs || r->sweep.x || r->sweep.y || r->plot.results ||
        r->plot.by || r->plot.log)
        return fail(err, "--runs, --results, --x, --y, --by, --log: only for "
                         "the figures sweep and plot");
    if (!figure_list_is_group(l, name) && !figure_list_find(l, name, err))
        return -1;
    return cmd_figure_write_all(l, name, r, err);
}

int cmd_figure(int argc, char **argv, struct err *err)
{
    struct figure_words w;
    struct figure_list l;

    if (figure_list_read(&l, err) < 0)
        return -1;
    int result = figure_parse(&w, &l, argc, argv, err);
    if (result == 0 && !w.helped)
        result = w.noperands != 1
                     ? fail(err, "figure: expected one figure or all (see "
                                 "--help)")
                     : figure_draw_all(&l, &w.r, argv[1], err);
    figure_list_clear(&l);
    return result;
}
