/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice validate: simulates what was measured and prints the errors. */
#include "platforms/platform.h"
#include "cli/cli.h"
#include "cli/validate_native.h"
#include "cli/validate_print.h"
#include "base/json.h"
#include "validate/measure/measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELP                                                                   \
    "--against: micro-benchmarks. A file is recognised by its columns: "       \
    "ping_pong, all_pairs\nsummary, maxrate, inj_bw, node_pong, "              \
    "multi_pair_ping_pong, memcpy, memcpy_mult,\nall_to_all_v, alltoall, "     \
    "mult_pong, "                                                              \
    "spmv; it may be compressed (.xz). What is not simulated\nand differs is " \
    "a group of its own. noise is that of the repeats; baseline is the\n"      \
    "error without a simulator: interpolation of one message, one of many "    \
    "alone, or n times\na ping-pong (results/validation).\n"                   \
    "--native: halo exchanges, as `sluice-native run` writes them. A case is " \
    "what strategies\nare compared in. native us is the median of its "        \
    "samples, +- its noise: 1.57 IQR /\nsqrt(n), of several runs at least "    \
    "what their medians tell. A native winner is clear\nwhen it is ahead of "  \
    "the next by more than the sum of both noises. slower: what\nchoosing "    \
    "the predicted winner costs natively.\n"                                   \
    "`sluice figure native` draws them.\n"

static void cmd_validate_progress(size_t done, size_t all)
{
    if (isatty(2))
        fprintf(stderr, "\r%zu of %zu points simulated%s", done, all,
                done == all ? "\n" : "");
}

static void cmd_validate_print_points(const struct measured *f)
{
    printf("%s\n", f->path);
    printf("  %-34s %-40s %5s %12s %12s %8s\n", "group", "point", "rows",
           "measured us", "simulated us", "error");
    for (size_t i = 0; i < f->npoints; i++) {
        const struct measured_point *p = &f->points[i];
        if (p->simulated_s == 0)
            continue;
        printf("  %-34s %-40s %5zu %12.3f %12.3f %+7.1f%%\n", p->name, p->label,
               p->nrows, p->measured_s * 1e6, p->simulated_s * 1e6,
               100 * (p->simulated_s / p->measured_s - 1));
    }
}

static struct json *point_json(const struct measured *f,
                               const struct measured_point *p)
{
    struct json *o = json_new_object();

    json_add_string(o, "file", f->path);
    json_add_number(o, "line", p->line);
    json_add_string(o, "group", p->name);
    json_add_string(o, "mpi", p->mpi);
    json_add_string(o, "point", p->label);
    json_add_number(o, "rows", (double)p->nrows);
    json_add_number(o, "measured_s", p->measured_s);
    json_add_number(o, "simulated_s", p->simulated_s);
    json_add_number(o, "error", p->simulated_s / p->measured_s - 1);
    json_add_number(o, "noise", p->noise);
    json_add_number(o, "baseline_s", p->baseline_s);
    return o;
}

static void cmd_validate_print_json(const struct measured *files, size_t nfiles,
                                    const struct error_summary *list, size_t n)
{
    struct json *doc = json_new_object();
    struct json *points = json_new_array();

    for (size_t f = 0; f < nfiles; f++)
        for (size_t i = 0; i < files[f].npoints; i++)
            if (files[f].points[i].simulated_s > 0)
                json_append(points, point_json(&files[f], &files[f].points[i]));
    json_add(doc, "groups", groups_json(list, n));
    json_add(doc, "points", points);
    json_print(doc, stdout);
    json_free(doc);
}

/* Each other MPI of the file once. */
static void tell_mpis(const struct measured *f, const struct machine *m)
{
    for (size_t i = 0; i < f->npoints; i++) {
        bool told = !f->points[i].other_mpi;
        for (size_t k = 0; k < i && !told; k++)
            told = !strcmp(f->points[k].mpi, f->points[i].mpi);
        if (told)
            continue;
        if (m->mpi)
            fprintf(stderr,
                    "sluice: %s: measured with %s, but the messages of %s are "
                    "%s's: in groups of their own\n",
                    f->path, f->points[i].mpi, m->name, m->mpi);
        else
            fprintf(stderr,
                    "sluice: %s: measured with %s; %s does not say which MPI "
                    "its messages are of\n",
                    f->path, f->points[i].mpi, m->name);
    }
}

/* What was left out, or inferred. An error when nothing is left. */
static int cmd_validate_tell(const struct measured *f, const struct machine *m,
                             unsigned max_ops, struct err *err)
{
    size_t larger = 0;

    for (size_t k = 0; k < f->npoints; k++)
        larger += f->points[k].simulated_s == 0;
    if (f->npoints == larger)
        return fail(err, "%s: nothing to compare: %s%s", f->path,
                    larger      ? "all points have more than --max-ops"
                    : f->nnotes ? f->notes[0].text
                                : "no rows",
                    !larger && f->nnotes > 1 ? ", and other reasons" : "");
    tell_mpis(f, m);
    for (size_t i = 0; i < f->nnotes; i++)
        fprintf(stderr, "sluice: %s: %zu rows%s: %s\n", f->path,
                f->notes[i].rows, f->notes[i].left_out ? " left out" : "",
                f->notes[i].text);
    if (larger)
        fprintf(stderr,
                "sluice: %s: %zu points of more than %u operations left out\n",
                f->path, larger, max_ops);
    return 0;
}

/* Loads and simulates the files, as far as it gets. */
static int cmd_validate_simulate(struct measured *files, size_t *nfiles,
                                 const struct texts *paths,
                                 const struct machine *m, unsigned max_ops,
                                 const struct exec_options *exec,
                                 struct err *err)
{
    for (size_t i = 0; i < paths->n; i++) {
        if (measured_load(&files[i], paths->items[i], m, err) < 0)
            return -1;
        *nfiles = i + 1;
        /* lassen-paper stands for lassen, too. */
        if (strncmp(m->name, files[i].machine, strlen(files[i].machine)) != 0)
            fprintf(stderr, "sluice: %s was measured on %s, not on %s\n",
                    files[i].path, files[i].machine, m->name);
        if (measured_simulate(&files[i], m, max_ops, exec,
                              cmd_validate_progress, err) < 0)
            return -1;
        if (cmd_validate_tell(&files[i], m, max_ops, err) < 0)
            return -1;
    }
    return 0;
}

static int validate_measured(const struct native_request *r, bool json,
                             bool points, unsigned max_ops, struct err *err)
{
    struct measured files[64];
    struct machine m;
    size_t nfiles = 0, n;
    int result = -1;

    if (platform_load(&m, r->platform ? r->platform : "lassen", r->sets.items,
                      r->sets.n, err) < 0)
        return -1;
    if (cmd_validate_simulate(files, &nfiles, &r->files, &m, max_ops, r->exec,
                              err) == 0) {
        struct error_summary *list = measured_summary(files, nfiles, &n);
        if (json) {
            cmd_validate_print_json(files, nfiles, list, n);
        } else {
            for (size_t i = 0; points && i < nfiles; i++)
                cmd_validate_print_points(&files[i]);
            groups_print(list, n);
        }
        free(list);
        result = 0;
    }
    for (size_t i = 0; i < nfiles; i++)
        measured_clear(&files[i]);
    machine_clear(&m);
    return result;
}

/* Operands are more of the files that an option names one of. */
static int add_operands(struct texts *files, char **operands, int n,
                        struct err *err)
{
    for (int i = 0; i < n; i++) {
        if (files->n == sizeof files->items / sizeof files->items[0])
            return fail(err, "%s: too many files, expected at most %zu",
                        operands[i], files->n);
        files->items[files->n++] = operands[i];
    }
    return 0;
}

int cmd_validate(int argc, char **argv, struct err *err)
{
    struct engine_options engine = {0};
    struct exec_options exec;
    struct native_request request = {0};
    struct texts against = {0}, native = {0};
    bool json = false, points = false, helped;
    unsigned max_ops = 0;
    int noperands;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &request.platform, "NAME",
         "the machine [default: lassen; --native: the one that the rows name]"},
        ENGINE_OPTIONS(engine),
        {"against", OPT_TEXTS, &against, "FILE.csv",
         "measurements to compare with; may be given again"},
        {"native", OPT_TEXTS, &native, "FILE.csv",
         "native runs of strategies to compare with; may be given again"},
        {"set", OPT_TEXTS, &request.sets, "KEY=VALUE",
         "override a platform value"},
        {"points", OPT_FLAG, &points, NULL,
         "print every point, not only groups of points"},
        {"max-ops", OPT_COUNT, &max_ops, "N",
         "leave out points of more than N operations"},
        {"json", OPT_FLAG, &json, NULL, "groups and points as JSON"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "validate --platform NAME --against FILE.csv ...\n"
                   "       sluice validate --native RESULTS.csv ...",
                   HELP, &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (engine_choose(&exec, &engine, err) < 0)
        return -1;
    request.exec = &exec;
    if (against.n && native.n)
        return fail(err, "--against and --native: say one of them");
    if (native.n && (points || max_ops))
        return fail(err, "--points, --max-ops: not with --native");
    request.files = native.n ? native : against;
    if (add_operands(&request.files, argv + 1, noperands, err) < 0)
        return -1;
    if (!request.files.n)
        return fail(err, "expected --against FILE.csv or --native FILE.csv");
    return native.n ? validate_native(&request, json, err)
                    : validate_measured(&request, json, points, max_ops, err);
}
