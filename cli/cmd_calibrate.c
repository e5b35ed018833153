/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice calibrate: fits a platform's costs to measured files and writes the
 * platform. */
#include "platforms/platform.h"
#include "cli/cli.h"
#include "base/json.h"
#include "validate/calibrate/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const struct fit_row *r)
{
    printf("%-56s %10.5g ", r->path, r->old);
    if (r->kept)
        printf("%10s %10s ", "kept", "");
    else
        printf("%10.5g %10.2g ", r->fitted.value, r->fitted.half);
    printf("%6zu %7.1f%%\n", r->points, 100 * r->residual);
}

/* The interval of a breakpoint is from one measured size to another. */
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

/* Loads the files; those that are not for fitting are left out. */
static int cmd_calibrate_load(struct measured *files, size_t *n,
                              char *const *paths, size_t npaths,
                              const struct machine *m, struct err *err)
{
    for (size_t i = 0; i < npaths; i++) {
        if (measured_load(&files[*n], paths[i], m, err) < 0)
            return -1;
        for (size_t k = 0; k < files[*n].nnotes; k++)
            fprintf(stderr, "sluice: %s: %zu rows%s: %s\n", paths[i],
                    files[*n].notes[k].rows,
                    files[*n].notes[k].left_out ? " left out" : "",
                    files[*n].notes[k].text);
        if (fit_takes(&files[*n])) {
            measured_pool(&files[*n]);
            ++*n;
            continue;
        }
        fprintf(stderr, "sluice: %s: not used: kept for validation\n",
                paths[i]);
        measured_clear(&files[*n]);
    }
    if (!*n)
        return fail(err, "no file to fit to: expected ping_pong, all_pairs "
                         "summary, maxrate, memcpy or memcpy_mult");
    return 0;
}

static int write_doc(const struct json *doc, const char *path, struct err *err)
{
    struct outfile out;

    if (outfile_open(&out, path, err) < 0)
        return -1;
    json_print(doc, out.stream);
    return outfile_close(&out, err);
}

/* What was fitted must read back before it replaces a file. */
static int checked(const struct json *doc, struct err *err)
{
    struct machine m;

    if (platform_read(&m, doc, err) < 0)
        return fail_in(err, "the fitted platform");
    machine_clear(&m);
    return 0;
}

static int calibrate(struct json *doc, const struct machine *m,
                     char *const *paths, size_t npaths, const char *output,
                     bool keep_breakpoints, struct err *err)
{
    struct measured *files = xcalloc(npaths, sizeof *files);
    struct fit f = {.doc = doc,
                    .m = m,
                    .files = files,
                    .keep_breakpoints = keep_breakpoints};
    int result = cmd_calibrate_load(files, &f.nfiles, paths, npaths, m, err);

    if (result == 0)
        result = fit_platform(&f, err);
    if (result == 0 && !f.nrows)
        result = fail(err, "the files determine no number of %s", m->name);
    if (result == 0)
        result = checked(doc, err);
    if (result == 0)
        result = write_doc(doc, output, err);
    if (result == 0) {
        warn_rows(&f);
        if (strcmp(output, "-") != 0)
            print_rows(&f);
    }
    for (size_t i = 0; i < f.nfiles; i++)
        measured_clear(&files[i]);
    free(files);
    fit_clear(&f);
    return result;
}

int cmd_calibrate(int argc, char **argv, struct err *err)
{
    const char *base = NULL, *output = NULL;
    bool helped, keep_breakpoints = false;
    int noperands, result;
    const struct opt opts[] = {
        {"base", OPT_TEXT, &base, "NAME",
         "the platform whose structure is kept and whose numbers are replaced"},
        {"o", OPT_TEXT, &output, "FILE.json",
         "the file of the new platform; - is standard output"},
        {"keep-breakpoints", OPT_FLAG, &keep_breakpoints, NULL,
         "keep the sizes at which segments end in the base"},
    };

    if (opts_parse(
            argc, argv, opts, sizeof opts / sizeof opts[0],
            "calibrate MEASURED.csv... --base NAME -o FILE.json",
            "Fits to files of the kinds ping_pong, all_pairs summary, "
            "maxrate, memcpy and\nmemcpy_mult, recognised by their "
            "columns. The structure of the machine stays as in\nthe base; "
            "segments end where the data say, unless the base's breakpoints "
            "are as good.\nThe table has 95 % intervals (of a breakpoint: the "
            "sizes that are as likely). What\nthe data do not determine is "
            "reported on standard error. Method: results/calibration.\n",
            &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (!base)
        return fail(err, "calibrate: expected --base NAME");
    if (!output)
        return fail(err, "calibrate: expected -o FILE.json");
    if (!noperands)
        return fail(err, "calibrate: expected files of measurements");

    struct json *doc = platform_json(base, NULL, 0, err);
    struct machine m;
    if (!doc)
        return -1;
    result = platform_read(&m, doc, err);
    if (result == 0) {
        result = calibrate(doc, &m, argv + 1, (size_t)noperands, output,
                           keep_breakpoints, err);
        machine_clear(&m);
    }
    json_free(doc);
    return result;
}
