/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how sure advices are of what was measured, and how often they are
 * right. */
#include "cli/validate_measured.h"

#include "base/csv.h"
#include "platforms/platform.h"
#include "validate/measure/sure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double sure_error(const struct measured_request *r)
{
    return isnan(r->model_error) ? advise_model_error : r->model_error / 100;
}

static void sure_print_cases(const struct sure *s, double model_error)
{
    printf("platform,file,decision,ways,advised,winner,right,clear,"
           "probability,of_winner,lead,regret\n");
    for (size_t i = 0; i < s->n; i++) {
        const struct sure_case *c = &s->list[i];
        struct sure_answer a = sure_answer(s, c, model_error);
        csv_print_cell(stdout, c->platform);
        putchar(',');
        csv_print_cell(stdout, c->file);
        printf(",\"%s\",%zu,\"%s\",\"%s\",%d,%d,%.4f,%.4f,%.4f,%.4f\n", c->name,
               c->nways, c->choices[a.advised], c->choices[a.winner], a.right,
               c->clear, a.probability, a.of_winner, a.lead, a.regret);
    }
}

static void sure_print_bins(const struct sure *s, const char *only,
                            double model_error)
{
    struct sure_bins b = sure_bins(s, only, model_error);

    if (!b.cases)
        return;
    printf("%-20s %5zu %8.3f ", only ? only : "all", b.cases, b.score);
    for (int k = 0; k < SURE_BINS; k++)
        if (b.n[k])
            printf("  %4zu %3.0f %3.0f %%", b.n[k], b.stated[k] * 100,
                   100.0 * (double)b.right[k] / (double)b.n[k]);
        else
            printf("  %4s %3s %3s  ", "-", "-", "-");
    printf("\n");
}

/* Each platform once, and all. */
static void sure_each(const struct sure *s, double model_error,
                      void (*print)(const struct sure *s, const char *only,
                                    double model_error))
{
    for (size_t i = 0; i < s->n; i++) {
        bool known = false;
        for (size_t k = 0; k < i; k++)
            known |= !strcmp(s->list[k].platform, s->list[i].platform);
        if (!known)
            print(s, s->list[i].platform, model_error);
    }
    print(s, NULL, model_error);
}

static void sure_print_table(const struct sure *s, double model_error)
{
    printf("model error %.0f %%, %zu machines drawn\n", model_error * 100,
           s->draws);
    printf("%-20s %5s %8s ", "platform", "cases", "score");
    for (int k = 0; k < SURE_BINS; k++)
        printf("  stated %2d to %3d", k * 100 / SURE_BINS,
               (k + 1) * 100 / SURE_BINS);
    printf("\n%-20s %5s %8s ", "", "", "");
    for (int k = 0; k < SURE_BINS; k++)
        printf("  %4s %3s %3s  ", "n", "sta", "rig");
    printf("\n");
    sure_each(s, model_error, sure_print_bins);
}

/* How well other model errors would state it: what the default is fitted by. */
static void sure_print_scores(const struct sure *s, const char *only,
                              double model_error)
{
    static const double errors[] = {0,    0.05, 0.1, 0.15, 0.2,
                                    0.25, 0.3,  0.4, 0.5};

    (void)model_error;
    printf("%-20s", only ? only : "all");
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        printf(" %7.3f", sure_bins(s, only, errors[i]).score);
    printf("\n");
}

void sure_print(const struct sure *s, const struct measured_request *r)
{
    if (r->points) {
        sure_print_cases(s, sure_error(r));
        return;
    }
    sure_print_table(s, sure_error(r));
    printf(
        "\nscore by model error  0 %%     5 %%    10 %%    15 %%    20 %%    "
        "25 %%    30 %%    40 %%    50 %%\n");
    sure_each(s, NAN, sure_print_scores);
}

static int sure_native_on(struct sure *s, struct native_results *results,
                          const struct measured_request *r, struct err *err)
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
        result = sure_add_native(s, results, &m, &parameters, r->exec, err);
        parameters_clear(&parameters);
        machine_clear(&m);
    }
    json_free(doc);
    return result;
}

int validate_sure_native(const struct measured_request *r, struct err *err)
{
    struct sure s = {.draws = r->sure, .seed = 1};
    struct native_results results;

    if (!r->platform)
        return fail(err, "--sure: expected --platform NAME with --native");
    if (native_load(&results, r->files.items, r->files.n, err) < 0)
        return -1;
    int result = sure_native_on(&s, &results, r, err);
    if (result == 0)
        sure_print(&s, r);
    sure_clear(&s);
    native_clear(&results);
    return result;
}
