/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts measured costs of a GPU's accesses and calls into a platform, and prints
 * them. */
#include "cli/calibrate_costs.h"

#include "base/json.h"
#include "cli/calibrate_rows.h"
#include "platforms/platform.h"
#include "validate/calibrate/fit_costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void costs_print(const struct fit_row *rows, size_t n)
{
    printf("%-36s %10s %10s %10s %6s %8s\n", "parameter", "old", "new", "+-",
           "points", "residual");
    for (size_t i = 0; i < n; i++) {
        const struct fit_row *r = &rows[i];
        printf("%-36s ", r->path);
        if (isnan(r->old))
            printf("%10s ", "-");
        else
            printf("%10.5g ", r->old);
        printf("%10.5g %10.2g %6zu ", r->fitted.value, r->fitted.half,
               r->points);
        if (r->residual > 0)
            printf("%7.1f%%\n", 100 * r->residual);
        else
            printf("%8s\n", "measured");
    }
}

/* Checks that the platform reads back; accepts a part of a platform, because it
 * has no machine around it that could be read. */
static int costs_check(const struct json *doc, struct err *err)
{
    struct machine m;

    if (!json_member(doc, "node"))
        return 0;
    if (platform_read(&m, doc, err) < 0)
        return fail_in(err, "with what was measured");
    machine_clear(&m);
    return 0;
}

int calibrate_write(struct json *doc, const struct fit_row *rows, size_t n,
                    const struct calibrate_to *to, struct err *err)
{
    calibrate_rename(doc, to);
    if (costs_check(doc, err) < 0 || json_write(doc, to->file, err) < 0)
        return -1;
    if (to->doc)
        calibrate_rows_json(to->doc, rows, n);
    else if (strcmp(to->file, "-") != 0)
        costs_print(rows, n);
    return 0;
}

static int costs_fit(struct json *doc, const struct cost_points *files,
                     size_t n, const struct calibrate_to *to, struct err *err)
{
    struct fit_costs f = {0};
    int result = fit_costs(&f, doc, files, n, err);

    if (result == 0)
        result = calibrate_write(doc, f.rows, f.nrows, to, err);
    fit_costs_clear(&f);
    return result;
}

int calibrate_costs(const char *base, char *const *paths, size_t n,
                    const struct calibrate_to *to, struct err *err)
{
    struct json *doc = platform_json(base, NULL, 0, err);
    struct cost_points *files = xcalloc(n, sizeof *files);
    int result = doc ? 0 : -1;

    for (size_t i = 0; result == 0 && i < n; i++)
        result = cost_points_load(&files[i], paths[i], err);
    if (result == 0)
        result = costs_fit(doc, files, n, to, err);
    for (size_t i = 0; i < n; i++)
        cost_points_clear(&files[i]);
    free(files);
    json_free(doc);
    return result;
}
