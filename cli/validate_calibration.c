/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the calibration of advice: its stated probabilities, and how often it
 * is right. */
#include "cli/validate_measured.h"

#include "base/csv.h"
#include "platforms/platform.h"
#include "validate/measure/advice_calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct calibration_view view_of(const struct measured_request *r)
{
    return (struct calibration_view){
        .kind = NDECIDED,
        .given = isnan(r->model_error) ? NAN : r->model_error / 100};
}

static void calibration_print_cases(const struct calibration *s,
                                    const struct calibration_view *v)
{
    struct calibration_view other = *v;

    other.held_back = true;
    printf("platform,file,decision,kind,nodes,bytes,ways,advised,winner,right,"
           "clear,probability,of_winner,held_back,lead,regret,tied\n");
    for (size_t i = 0; i < s->n; i++) {
        const struct calibration_case *c = &s->list[i];
        struct model_error e = calibration_error(c, v),
                           h = calibration_error(c, &other);
        struct calibration_answer a = calibration_answer(s, c, &e);
        csv_print_cell(stdout, c->platform);
        putchar(',');
        csv_print_cell(stdout, c->file);
        putchar(',');
        csv_print_cell(stdout, c->name);
        printf(",%s,%u,%llu,%zu,", decided_names[c->kind], c->nodes,
               (unsigned long long)c->bytes, c->nways);
        csv_print_cell(stdout, c->choices[a.advised]);
        putchar(',');
        csv_print_cell(stdout, c->choices[a.winner]);
        printf(",%d,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%zu\n", a.right, c->clear,
               a.probability, a.of_winner,
               calibration_answer(s, c, &h).probability, a.lead, a.regret,
               a.tied);
    }
}

static void calibration_print_bins(const struct calibration *s,
                                   const struct calibration_view *v)
{
    struct calibration_bins b = calibration_bins(s, v);

    if (!b.cases)
        return;
    printf("%-12s%-20s %5zu %8.3f ",
           v->kind == NDECIDED ? "all" : decided_names[v->kind],
           v->platform ? v->platform : "all", b.cases, b.score);
    for (int k = 0; k < CALIBRATION_BINS; k++)
        if (b.n[k])
            printf("  %4zu %3.0f %3.0f %%", b.n[k], b.stated[k] * 100,
                   100.0 * (double)b.right[k] / (double)b.n[k]);
        else
            printf("  %4s %3s %3s  ", "-", "-", "-");
    printf("\n");
}

typedef void calibration_printer(const struct calibration *s,
                                 const struct calibration_view *v);

/* Calls print() for each kind on each of its platforms once, and on all. */
static void calibration_each(const struct calibration *s,
                             const struct calibration_view *v,
                             calibration_printer *print)
{
    struct calibration_view one = *v;

    for (int kind = 0; kind < NDECIDED; kind++) {
        one.kind = (enum decided)kind;
        for (size_t i = 0; i < s->n; i++) {
            bool skip = s->list[i].kind != one.kind;
            for (size_t k = 0; k < i; k++)
                skip |= s->list[k].kind == one.kind &&
                        !strcmp(s->list[k].platform, s->list[i].platform);
            one.platform = s->list[i].platform;
            if (!skip)
                print(s, &one);
        }
        one.platform = NULL;
        if (calibration_bins(s, &one).cases)
            print(s, &one);
    }
}

static void calibration_print_table(const struct calibration *s,
                                    const struct calibration_view *v)
{
    printf("%-12s%-20s %5s %8s ", "kind", "platform", "cases", "score");
    for (int k = 0; k < CALIBRATION_BINS; k++)
        printf("  stated %2d to %3d", k * 100 / CALIBRATION_BINS,
               (k + 1) * 100 / CALIBRATION_BINS);
    printf("\n%-12s%-20s %5s %8s ", "", "", "", "");
    for (int k = 0; k < CALIBRATION_BINS; k++)
        printf("  %4s %3s %3s  ", "n", "sta", "rig");
    printf("\n");
    calibration_each(s, v, calibration_print_bins);
}

/* The model errors whose scores are printed. */
static const double errors[] = {0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5};
enum { NERRORS = sizeof errors / sizeof errors[0] };

/* Prints the scores that one model error for all would get. */
static void calibration_print_scores(const struct calibration *s,
                                     const struct calibration_view *v)
{
    struct calibration_view one = *v;

    printf("%-12s%-20s", decided_names[v->kind],
           v->platform ? v->platform : "all");
    for (size_t i = 0; i < NERRORS; i++) {
        one.given = errors[i];
        printf(" %7.3f", calibration_bins(s, &one).score);
    }
    printf("\n");
}

/* Prints lines for study/advise/model_errors.def. */
static void calibration_print_rows(const struct calibration *s)
{
    static const char *const kinds[NDECIDED] = {
        "ALLTOALL", "COLLECTIVE", "HALO", "MEMORY", "GRAPH", "RUNTIME"};
    size_t n;
    struct model_error_row *rows = calibration_rows(s, &n);

    for (size_t i = 0; i < n; i++) {
        const struct model_error_row *r = &rows[i];
        printf("MODEL_ERROR(%s, \"%s\", %u, %u, %llu, %llu, %u, %.3f, %.3f, "
               "%u, %u, %u)\n",
               kinds[r->kind], r->machine, r->least_nodes, r->most_nodes,
               (unsigned long long)r->least_B, (unsigned long long)r->most_B,
               r->cases, r->path, r->own, r->right, r->stated, r->stated_right);
    }
    free(rows);
}

void calibration_print(const struct calibration *s,
                       const struct measured_request *r)
{
    struct calibration_view v = view_of(r);

    if (r->rows) {
        calibration_print_rows(s);
        return;
    }
    if (r->points) {
        calibration_print_cases(s, &v);
        return;
    }
    if (isnan(v.given))
        printf("by the errors of each kind, %zu machines drawn\n", s->draws);
    else
        printf("model error %.0f %%, %zu machines drawn\n", v.given * 100,
               s->draws);
    calibration_print_table(s, &v);
    if (isnan(v.given)) {
        v.held_back = true;
        printf("\nas if nothing had been measured on the machine\n");
        calibration_print_table(s, &v);
    }
    printf("\nscore by one model error for all");
    for (size_t i = 0; i < NERRORS; i++)
        printf(" %5.0f %%", errors[i] * 100);
    printf("\n");
    calibration_each(s, &v, calibration_print_scores);
}

static int calibration_native_on(struct calibration *s,
                                 struct native_results *results,
                                 const struct measured_request *r,
                                 struct err *err)
{
    struct parameters parameters;
    struct machine m;
    struct json *doc =
        platform_json(r->platform, r->sets.items, r->sets.n, err);

    if (!doc)
        return -1;
    int result = platform_read(&m, doc, err);
    if (result == 0) {
        parameters_of(&parameters, doc, r->platform);
        result =
            calibration_add_native(s, results, &m, &parameters, r->exec, err);
        parameters_clear(&parameters);
        machine_clear(&m);
    }
    json_free(doc);
    return result;
}

int validate_calibration_native(const struct measured_request *r,
                                struct err *err)
{
    struct calibration s = {.draws = r->calibration, .seed = 1};
    struct native_results results;

    if (!r->platform)
        return fail(err,
                    "--calibration: expected --platform NAME with --native");
    if (native_load(&results, r->files.items, r->files.n, err) < 0)
        return -1;
    int result = calibration_native_on(&s, &results, r, err);
    if (result == 0)
        calibration_print(&s, r);
    calibration_clear(&s);
    native_clear(&results);
    return result;
}
