/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits matching engines, and prints the predictions of the fitted laws for each
 * case. */
#include "cli/calibrate_matching.h"

#include "base/json.h"
#include "cli/calibrate_rows.h"
#include "platforms/platform.h"
#include "validate/calibrate/fit_matching.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void matching_print_numbers(const struct fit_matching *f)
{
    printf("%-28s %10s %10s %10s %6s %8s\n", "parameter", "old", "fitted",
           "95 % +-", "cases", "residual");
    for (size_t i = 0; i < f->nrows; i++) {
        const struct fit_row *r = &f->rows[i];
        printf("%-28s ", r->path);
        if (isnan(r->old))
            printf("%10s ", "-");
        else
            printf("%10.5g ", r->old);
        printf("%10.5g %10.2g %6zu %7.1f%%\n", r->fitted.value, r->fitted.half,
               r->points, 100 * r->residual);
    }
}

static void matching_print_errors(const struct fit_matching *f)
{
    printf("\n%-9s %-42s %6s %9s %9s\n", "error of", "times", "cases", "median",
           "worst");
    for (int fitted = 1; fitted >= 0; fitted--)
        for (size_t i = 0; i < f->ngroups; i++) {
            const struct fit_match_group *g = &f->groups[i];
            if (g->fitted == fitted)
                printf("%-9s %-42s %6u %8.1f%% %+8.1f%% at %u\n",
                       fitted ? "fitted" : "predicted", g->name, g->points,
                       100 * g->median, 100 * g->worst, g->worst_length);
        }
}

static struct json *matching_errors_json(const struct fit_matching *f)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < f->ngroups; i++) {
        const struct fit_match_group *g = &f->groups[i];
        struct json *o = json_new_object();
        json_add_string(o, "group", g->name);
        json_add_bool(o, "fitted", g->fitted);
        json_add_number(o, "points", g->points);
        json_add_number(o, "median_error", g->median);
        json_add_number(o, "worst_error", g->worst);
        json_add_number(o, "worst_length", g->worst_length);
        json_append(list, o);
    }
    return list;
}

/* Checks that the platform reads back, or the `matching` alone if the document
 * is a preset, which has no machine around it. */
static int matching_check(struct json *doc, struct err *err)
{
    struct machine m;
    struct matching l;

    if (!json_member(doc, "node")) {
        if (matching_read(&l, json_member(doc, "matching"), err) < 0)
            return -1;
        matching_clear(&l);
        return 0;
    }
    if (platform_read(&m, doc, err) < 0)
        return -1;
    machine_clear(&m);
    return 0;
}

static int matching_fit(struct json *doc, const char *path,
                        const struct calibrate_to *to, struct err *err)
{
    struct match_points points;
    struct fit_matching f = {0};

    if (match_points_load(&points, path, err) < 0)
        return -1;
    int result = fit_matching(&f, doc, &points, err);
    if (result == 0 && (result = matching_check(doc, err)) < 0)
        (void)fail_in(err, "what was fitted");
    if (result == 0) {
        calibrate_rename(doc, to);
        result = json_write(doc, to->file, err);
    }
    if (result == 0 && to->doc) {
        calibrate_rows_json(to->doc, f.rows, f.nrows);
        json_add(to->doc, "errors", matching_errors_json(&f));
    } else if (result == 0 && strcmp(to->file, "-") != 0) {
        matching_print_numbers(&f);
        matching_print_errors(&f);
    }
    fit_matching_clear(&f);
    match_points_clear(&points);
    return result;
}

int calibrate_matching(const char *base, const char *path,
                       const struct calibrate_to *to, struct err *err)
{
    struct json *doc = platform_json(base, NULL, 0, err);

    if (!doc)
        return -1;
    int result = matching_fit(doc, path, to, err);
    json_free(doc);
    return result;
}
