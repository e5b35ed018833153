/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants of the laws of matching by nonlinear least squares of the times'
 * relative errors, and the errors of all cases, fitted or not. */
#include "validate/calibrate/fit_matching.h"

#include "base/number.h"
#include "platforms/keys.h"
#include "base/json.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- constants and their cases -------------------------------------------- */

enum { MOST_NUMBERS = 7 };

struct constant {
    size_t at; /* place of a double in struct matching */
    double start;
};
#define AT(field) offsetof(struct matching, field)

/* The constants that are fitted together. */
static const struct stage {
    const char *of_what;
    unsigned n;
    struct constant of[MOST_NUMBERS];
} stages[] = {
    {"list_cpu", 1, {{AT(entry_s), 2e-9}}},
    {"matrix and of 4 queues",
     7,
     {{AT(pass_cycles), 500},
      {AT(receive_cycles), 300},
      {AT(miss_cycles), 200},
      {AT(scan_cycles), 150},
      {AT(short_cycles), 300},
      {AT(queue_cycles), 5},
      {AT(compaction), 0.05}}},
    {"hash by one CTA", 2, {{AT(round_cycles), 1000}, {AT(hash_cycles), 4}}},
};
enum { NSTAGES = sizeof stages / sizeof stages[0] };

/* The cases of each matcher that a stage is fitted to. */
static const struct fitted_cases {
    unsigned queues, longest;
    int stage;
} fitted_cases[NMATCHERS] = {[MATCHER_LIST] = {1, 512, 0},
                             [MATCHER_MATRIX] = {1, 2048, 1},
                             [MATCHER_PARTITIONED] = {4, 2048, 1},
                             [MATCHER_HASH] = {1, 1024, 2}};

static bool is_fitted(const struct match_point *p)
{
    const struct fitted_cases *c = &fitted_cases[p->engine];

    return c->queues == p->queues && p->length <= c->longest && !p->wildcards &&
           !p->unexpected;
}

/* --- one stage ------------------------------------------------------------ */

struct fitting {
    const struct stage *stage;
    const struct match_point **points;
    size_t n;
    struct matching constants;
};

static double *constant_of(struct matching *l, const struct constant *c)
{
    return (double *)(void *)((char *)l + c->at);
}

/* Computes the logarithms of the times' ratios from those of the constants. */
static int fitting_errors(const gsl_vector *x, void *arg, gsl_vector *f)
{
    struct fitting *t = arg;
    struct matching l = t->constants;

    for (unsigned i = 0; i < t->stage->n; i++)
        *constant_of(&l, &t->stage->of[i]) = exp(gsl_vector_get(x, i));
    for (size_t i = 0; i < t->n; i++)
        gsl_vector_set(
            f, i, log(match_point_s(&l, t->points[i]) / t->points[i]->time_s));
    return 0;
}

static double fitting_residual(const gsl_vector *f)
{
    double *error = xcalloc(f->size, sizeof *error);

    for (size_t i = 0; i < f->size; i++)
        error[i] = fabs(expm1(gsl_vector_get(f, i)));
    gsl_sort(error, 1, f->size);
    double median = gsl_stats_median_from_sorted_data(error, 1, f->size);
    free(error);
    return median;
}

/* Cauchy's weights, taken from the residuals of the round before, keep outliers
 * from counting. The scale is the scatter of the benchmark's cases about a
 * smooth law. */
#define ROBUST_SCALE 0.05
enum { ROBUST_ROUNDS = 12 };

static void fitting_weigh(gsl_vector *weights, const gsl_vector *errors)
{
    for (size_t i = 0; i < weights->size; i++) {
        double off = gsl_vector_get(errors, i) / ROBUST_SCALE;
        gsl_vector_set(weights, i, 1 / (1 + off * off));
    }
}

/* Reads the numbers and their intervals from the state in which the solver
 * ended. */
static void fitting_read(struct fitting *t, struct fit_number *numbers,
                         gsl_multifit_nlinear_workspace *w)
{
    size_t n = t->n, p = t->stage->n;
    gsl_matrix *cov = gsl_matrix_alloc(p, p);
    double chisq;

    gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(w), 1e-12, cov);
    gsl_blas_ddot(gsl_multifit_nlinear_residual(w),
                  gsl_multifit_nlinear_residual(w), &chisq);
    for (size_t i = 0; i < p; i++) {
        double value = exp(gsl_vector_get(gsl_multifit_nlinear_position(w), i));
        double variance = gsl_matrix_get(cov, i, i) * chisq / (double)(n - p);
        numbers[i] = (struct fit_number){value, 1.96 * value * sqrt(variance)};
        *constant_of(&t->constants, &t->stage->of[i]) = value;
    }
    gsl_matrix_free(cov);
}

/* Finds the numbers and their intervals. Returns the residual. */
static double fitting_solve(struct fitting *t, struct fit_number *numbers)
{
    const gsl_multifit_nlinear_parameters how =
        gsl_multifit_nlinear_default_parameters();
    size_t n = t->n, p = t->stage->n;
    gsl_multifit_nlinear_fdf law = {
        .f = fitting_errors, .n = n, .p = p, .params = t};
    gsl_multifit_nlinear_workspace *w =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, n, p);
    gsl_vector *x = gsl_vector_alloc(p), *errors = gsl_vector_alloc(n);
    gsl_vector *weights = gsl_vector_alloc(n);
    int info;

    for (size_t i = 0; i < p; i++)
        gsl_vector_set(x, i, log(t->stage->of[i].start));
    gsl_vector_set_all(weights, 1);
    /* Each round begins at the start, because outliers of the first may have
     * driven a logarithm so far that no later round brings it back. */
    for (int round = 0; round < ROBUST_ROUNDS; round++) {
        gsl_multifit_nlinear_winit(x, weights, &law, w);
        gsl_multifit_nlinear_driver(200, 1e-10, 1e-10, 0, NULL, NULL, &info, w);
        fitting_errors(gsl_multifit_nlinear_position(w), t, errors);
        fitting_weigh(weights, errors);
    }
    fitting_read(t, numbers, w);
    double residual = fitting_residual(errors);
    gsl_multifit_nlinear_free(w);
    gsl_vector_free(x);
    gsl_vector_free(errors);
    gsl_vector_free(weights);
    return residual;
}

/* --- into the document ---------------------------------------------------- */

static void put_number(struct fit_matching *f, struct json *o,
                       const struct constant *c, struct fit_number number,
                       size_t points, double residual)
{
    struct fit_row row = {.old = NAN, .points = points, .residual = residual};
    const char *key = key_of_field(&matching_keys, c->at);
    double unit = key_unit(key);
    const struct json *old = json_member(o, key);

    if (old)
        row.old = json_number(old);
    row.fitted.value = number_four_digits(number.value / unit);
    row.fitted.half = number.half / unit;
    snprintf(row.path, sizeof row.path, "matching.%s", key);
    json_replace(o, key, json_new_number(row.fitted.value));
    f->rows = xrealloc(f->rows, f->nrows + 1, sizeof *f->rows);
    f->rows[f->nrows++] = row;
}

static bool stage_wanted(int stage, const struct json *o)
{
    bool gpu = json_member(o, key_of_field(&matching_keys, AT(clock_Hz)));
    bool list = json_member(o, key_of_field(&matching_keys, AT(entry_s))) ||
                json_member(o, "attempt_ns");

    return stage == 0 ? list || !gpu : gpu;
}

static int fit_stage(struct fit_matching *f, struct json *o,
                     struct matching *constants, int stage,
                     const struct match_points *all, struct err *err)
{
    const struct stage *s = &stages[stage];
    struct fitting t = {.stage = s, .constants = *constants};
    struct fit_number numbers[MOST_NUMBERS];
    int result = 0;

    t.points = xcalloc(all->n, sizeof(void *));
    for (size_t i = 0; i < all->n; i++)
        if (is_fitted(&all->points[i]) &&
            fitted_cases[all->points[i].engine].stage == stage)
            t.points[t.n++] = &all->points[i];
    if (t.n <= s->n) {
        result = fail(err,
                      "%s: %s: expected more than %u cases with all matched "
                      "and without wildcards, got %zu",
                      all->from, s->of_what, s->n, t.n);
    } else {
        double residual = fitting_solve(&t, numbers);
        for (unsigned i = 0; i < s->n; i++)
            put_number(f, o, &s->of[i], numbers[i], t.n, residual);
        *constants = t.constants;
    }
    free(t.points);
    return result;
}

/* Returns the clock and the shapes, which a document may give. */
static struct matching known_constants(const struct json *o)
{
    const struct json *clock =
        json_member(o, key_of_field(&matching_keys, AT(clock_Hz)));
    const struct json *few = json_member(o, "short_messages");
    const struct json *cta = json_member(o, "cta_messages");
    const struct json *slots = json_member(o, "slots");

    return (struct matching){
        .clock_Hz = 1e6 * (clock ? json_number(clock) : 1000),
        .short_messages = few ? (unsigned)json_number(few) : 32,
        .cta_messages = cta ? (unsigned)json_number(cta) : 1024,
        .slots = slots ? json_number(slots) : 1.25};
}

/* --- errors of all cases -------------------------------------------------- */

static void group_name(char *name, size_t size, const struct match_point *p)
{
    bool many = p->engine == MATCHER_PARTITIONED || p->engine == MATCHER_HASH;
    int at = snprintf(name, size, "%s", matcher_names[p->engine]);

    if (many)
        at += snprintf(name + at, size - (size_t)at, ", %u %s", p->queues,
                       p->engine == MATCHER_HASH ? "CTAs" : "queues");
    if (p->wildcards)
        at += snprintf(name + at, size - (size_t)at, ", %u %% wildcards",
                       p->wildcards);
    if (p->unexpected)
        at += snprintf(name + at, size - (size_t)at, ", %u %% unexpected",
                       p->unexpected);
    if (p->compact)
        snprintf(name + at, size - (size_t)at, ", compacted");
}

static bool point_wanted(const struct match_point *p, const struct json *o)
{
    return stage_wanted(fitted_cases[p->engine].stage, o);
}

static struct fit_match_group *match_group_of(struct fit_matching *f,
                                              const struct match_point *p)
{
    struct fit_match_group g = {.fitted = is_fitted(p)};

    group_name(g.name, sizeof g.name, p);
    for (size_t i = 0; i < f->ngroups; i++)
        if (f->groups[i].fitted == g.fitted &&
            !strcmp(f->groups[i].name, g.name))
            return &f->groups[i];
    f->groups = xrealloc(f->groups, f->ngroups + 1, sizeof *f->groups);
    f->groups[f->ngroups] = g;
    return &f->groups[f->ngroups++];
}

/* Summarises the errors by group; it collects them first, because a median
 * needs all. */
static void fit_groups(struct fit_matching *f, const struct json *o,
                       const struct matching *constants,
                       const struct match_points *all)
{
    double *errors = xcalloc(all->n, sizeof *errors);

    for (size_t i = 0; i < all->n; i++)
        if (point_wanted(&all->points[i], o))
            match_group_of(f, &all->points[i]);
    for (size_t g = 0; g < f->ngroups; g++) {
        struct fit_match_group *group = &f->groups[g];
        for (size_t i = 0; i < all->n; i++) {
            const struct match_point *p = &all->points[i];
            if (!point_wanted(p, o) || match_group_of(f, p) != group)
                continue;
            double error = match_point_s(constants, p) / p->time_s - 1;
            errors[group->points++] = fabs(error);
            if (fabs(error) <= fabs(group->worst))
                continue;
            group->worst = error;
            group->worst_length = p->length;
        }
        gsl_sort(errors, 1, group->points);
        group->median =
            gsl_stats_median_from_sorted_data(errors, 1, group->points);
    }
    free(errors);
}

/* --- the whole ------------------------------------------------------------ */

int fit_matching(struct fit_matching *f, struct json *doc,
                 const struct match_points *points, struct err *err)
{
    *f = (struct fit_matching){0};
    struct json *o = json_object_in(doc, "matching");
    struct matching constants = known_constants(o);
    for (int i = 0; i < NSTAGES; i++)
        if (stage_wanted(i, o) &&
            fit_stage(f, o, &constants, i, points, err) < 0)
            return -1;
    fit_groups(f, o, &constants, points);
    char *source = xasprintf(
        "random order, all matched, no wildcards: %s; longer queues, "
        "fewer matches, wildcards and other numbers of queues are predicted",
        stage_wanted(1, o)
            ? "a matrix of up to 2048, 4 queues of up to 2048, a hash table of "
              "one CTA of up to 1024, in cycles of the clock that is given, "
              "each CTA on a multiprocessor of its own"
            : "lists of up to 512");
    json_replace(o, "source",
                 source_json(PROVENANCE_FIT, points->from, source));
    free(source);
    return 0;
}

void fit_matching_clear(struct fit_matching *f)
{
    free(f->rows);
    free(f->groups);
    *f = (struct fit_matching){0};
}
