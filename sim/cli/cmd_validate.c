/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/platform.h"
#include "sim/cli/cli.h"
#include "sim/json.h"
#include "validate/measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_progress(size_t done, size_t all)
{
    if (isatty(2))
        fprintf(stderr, "\r%zu of %zu points simulated%s", done, all,
                done == all ? "\n" : "");
}

static void print_points(const struct measured *f)
{
    printf("%s\n", f->path);
    printf("  %-34s %-40s %5s %12s %12s %8s\n", "group", "point", "rows",
           "measured us", "simulated us", "error");
    for (size_t i = 0; i < f->npoints; i++) {
        const struct measured_point *p = &f->points[i];
        if (p->simulated_s == 0)
            continue;
        printf("  %-34s %-40s %5zu %12.3f %12.3f %+7.1f%%\n", p->group,
               p->label, p->nrows, p->measured_s * 1e6, p->simulated_s * 1e6,
               100 * (p->simulated_s / p->measured_s - 1));
    }
}

static void print_summary(const struct error_summary *list, size_t n)
{
    printf("%-44s %7s %14s %11s\n", "group", "points", "median |error|",
           "90 % below");
    for (size_t i = 0; i < n; i++)
        printf("%-44s %7zu %13.1f%% %10.1f%%\n", list[i].name, list[i].points,
               100 * list[i].median, 100 * list[i].p90);
}

static struct json *point_json(const struct measured *f,
                               const struct measured_point *p)
{
    struct json *o = json_new_object();

    json_add_string(o, "file", f->path);
    json_add_number(o, "line", p->line);
    json_add_string(o, "group", p->group);
    json_add_string(o, "point", p->label);
    json_add_number(o, "rows", (double)p->nrows);
    json_add_number(o, "measured_s", p->measured_s);
    json_add_number(o, "simulated_s", p->simulated_s);
    json_add_number(o, "error", p->simulated_s / p->measured_s - 1);
    return o;
}

static void print_json(const struct measured *files, size_t nfiles,
                       const struct error_summary *list, size_t n)
{
    struct json *doc = json_new_object();
    struct json *groups = json_new_array(), *points = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "name", list[i].name);
        json_add_number(o, "points", (double)list[i].points);
        json_add_number(o, "median_abs_error", list[i].median);
        json_add_number(o, "p90_abs_error", list[i].p90);
        json_append(groups, o);
    }
    for (size_t f = 0; f < nfiles; f++)
        for (size_t i = 0; i < files[f].npoints; i++)
            if (files[f].points[i].simulated_s > 0)
                json_append(points, point_json(&files[f], &files[f].points[i]));
    json_add(doc, "groups", groups);
    json_add(doc, "points", points);
    json_print(doc, stdout);
    json_free(doc);
}

/* Loads and simulates the files, as far as it gets. */
static int simulate(struct measured *files, size_t *nfiles,
                    const struct texts *paths, const struct machine *m,
                    unsigned max_ops, struct err *err)
{
    for (size_t i = 0; i < paths->n; i++) {
        if (measured_load(&files[i], paths->items[i], m, err) < 0)
            return -1;
        *nfiles = i + 1;
        /* lassen-paper stands for lassen, too. */
        if (strncmp(m->name, files[i].machine, strlen(files[i].machine)) != 0)
            fprintf(stderr, "sluice: %s was measured on %s, not on %s\n",
                    files[i].path, files[i].machine, m->name);
        if (measured_simulate(&files[i], m, max_ops, show_progress, err) < 0)
            return -1;
        if (files[i].skipped)
            fprintf(stderr, "sluice: %s: %zu rows left out: %s\n",
                    files[i].path, files[i].skipped, files[i].skipped_why);
        size_t larger = 0;
        for (size_t k = 0; k < files[i].npoints; k++)
            larger += files[i].points[k].simulated_s == 0;
        if (larger)
            fprintf(stderr,
                    "sluice: %s: %zu points of more than %u operations left "
                    "out\n",
                    files[i].path, larger, max_ops);
    }
    return 0;
}

int cmd_validate(int argc, char **argv, struct err *err)
{
    struct engine_options engine = {0};
    const char *platform = NULL;
    struct texts against = {0}, sets = {0};
    bool json = false, points = false, helped;
    unsigned max_ops = 0;
    int noperands, result = -1;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &platform, "NAME", "the machine (lassen)"},
        ENGINE_OPTIONS(engine),
        {"against", OPT_TEXTS, &against, "FILE.csv",
         "measurements to compare with; may be given again"},
        {"set", OPT_TEXTS, &sets, "KEY=VALUE", "override a platform value"},
        {"points", OPT_FLAG, &points, NULL,
         "print every point, not only groups"},
        {"max-ops", OPT_COUNT, &max_ops, "N",
         "leave out points of more operations (SimGrid's time grows with the "
         "square)"},
        {"json", OPT_FLAG, &json, NULL, "groups and points as JSON"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "validate --platform NAME --against FILE.csv ...",
                   "A file is recognised by its columns: ping_pong, all_pairs "
                   "summary, maxrate, inj_bw,\nnode_pong, memcpy, memcpy_mult, "
                   "all_to_all_v, mult_pong, spmv.\n",
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (engine_choose(&engine, err) < 0)
        return -1;
    for (int i = 0; i < noperands; i++) {
        if (against.n == sizeof against.items / sizeof against.items[0])
            return fail(err, "%s: too many files, expected at most %zu",
                        argv[1 + i], against.n);
        against.items[against.n++] = argv[1 + i];
    }
    if (!against.n)
        return fail(err, "expected --against FILE.csv");

    struct machine m;
    if (platform_load(&m, platform ? platform : "lassen", sets.items, sets.n,
                      err) < 0)
        return -1;
    struct measured files[64];
    size_t nfiles = 0, n;
    if (simulate(files, &nfiles, &against, &m, max_ops, err) == 0) {
        struct error_summary *list = measured_summary(files, nfiles, &n);
        if (json) {
            print_json(files, nfiles, list, n);
        } else {
            for (size_t i = 0; points && i < nfiles; i++)
                print_points(&files[i]);
            print_summary(list, n);
        }
        free(list);
        result = 0;
    }
    for (size_t i = 0; i < nfiles; i++)
        measured_clear(&files[i]);
    machine_clear(&m);
    return result;
}
