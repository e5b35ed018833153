/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Robust fits of alpha + beta * bytes, and medians, with their uncertainty. */
#include "validate/calibrate/fit_line.h"

#include "base/err.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns the relative error; it is above 0 if the point took longer than the
 * line says. */
static double relative(const struct fit_line *line, const struct fit_point *p)
{
    return 1 - (line->alpha_s.value + line->beta_s_per_B.value * p->bytes) /
                   p->seconds;
}

static double residual(const struct fit_line *line,
                       const struct fit_point *points, size_t n)
{
    double *errors = xcalloc(n, sizeof *errors);

    for (size_t i = 0; i < n; i++)
        errors[i] = fabs(relative(line, &points[i]));
    gsl_sort(errors, 1, n);
    double median = gsl_stats_median_from_sorted_data(errors, 1, n);
    free(errors);
    return median;
}

/* --- outliers ------------------------------------------------------------- */

/* Sets the line through two points, or through one with the known number;
 * returns false if there is none. */
static bool through(struct fit_line *line, const struct fit_point *a,
                    const struct fit_point *b, enum fit_what what)
{
    if (what == FIT_ALPHA) {
        line->alpha_s.value = a->seconds - line->beta_s_per_B.value * a->bytes;
        return a == b;
    }
    if (what == FIT_BETA) {
        line->beta_s_per_B.value =
            (a->seconds - line->alpha_s.value) / a->bytes;
        return a == b && a->bytes > 0;
    }
    if (a->bytes == b->bytes)
        return false;
    line->beta_s_per_B.value =
        (b->seconds - a->seconds) / (b->bytes - a->bytes);
    line->alpha_s.value = a->seconds - line->beta_s_per_B.value * a->bytes;
    return true;
}

/* Returns the line of least median of squares: of the lines through two points,
 * the one to which half of all points are nearest. Half of the points may be
 * wrong. */
static struct fit_line nearest(const struct fit_line *known,
                               const struct fit_point *points, size_t n,
                               enum fit_what what)
{
    struct fit_line best = *known;

    best.residual = INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++) {
            struct fit_line line = *known;
            if (!through(&line, &points[i], &points[k], what))
                continue;
            line.residual = residual(&line, points, n);
            if (line.residual < best.residual)
                best = line;
        }
    return best;
}

/* A far-off point is a disturbance, which makes a time 1.5 to 10 times too
 * long, and not a bend in the curve: it is off by this much, and by more than
 * six deviations of the others. */
static const double FAR_OFF = 1 - 1 / 1.5;

static size_t without_far_off(struct fit_point *out,
                              const struct fit_line *known,
                              const struct fit_point *points, size_t n,
                              enum fit_what what)
{
    struct fit_line line = nearest(known, points, n, what);
    double limit = fmax(FAR_OFF, 6 * 1.4826 * line.residual);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (relative(&line, &points[i]) <= limit)
            out[kept++] = points[i];
    return kept;
}

/* --- least squares -------------------------------------------------------- */

/* The points divided by their times, so that every one should give 1: the least
 * squares are then those of the relative errors. */
struct system {
    gsl_matrix *x;
    gsl_vector *y, *c;
    gsl_matrix *cov;
};

static struct system system_new(const struct fit_line *line,
                                const struct fit_point *points, size_t n,
                                enum fit_what what)
{
    size_t p = what == FIT_BOTH ? 2 : 1;
    struct system s = {gsl_matrix_alloc(n, p), gsl_vector_alloc(n),
                       gsl_vector_alloc(p), gsl_matrix_alloc(p, p)};

    for (size_t i = 0; i < n; i++) {
        double t = points[i].seconds, known = 0;
        if (what != FIT_BETA)
            gsl_matrix_set(s.x, i, 0, 1 / t);
        else
            known = line->alpha_s.value;
        if (what != FIT_ALPHA)
            gsl_matrix_set(s.x, i, p - 1, points[i].bytes / t);
        else
            known = line->beta_s_per_B.value * points[i].bytes;
        gsl_vector_set(s.y, i, 1 - known / t);
    }
    return s;
}

static void system_free(struct system *s)
{
    gsl_matrix_free(s->x);
    gsl_matrix_free(s->cov);
    gsl_vector_free(s->y);
    gsl_vector_free(s->c);
}

static void least_squares(struct system *s)
{
    size_t n = s->x->size1, p = s->x->size2;
    gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(n, p);
    double chisq;

    gsl_multifit_linear(s->x, s->y, s->c, s->cov, &chisq, w);
    gsl_multifit_linear_free(w);
}

/* Returns -1 if the weights do not converge. */
static int robust(struct system *s)
{
    size_t n = s->x->size1, p = s->x->size2;
    gsl_multifit_robust_workspace *w =
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, n, p);

    gsl_multifit_robust_maxiter(500, w);
    int status = gsl_multifit_robust(s->x, s->y, s->c, s->cov, w);
    gsl_multifit_robust_free(w);
    return status == GSL_SUCCESS ? 0 : -1;
}

static struct fit_number fit_line_number(const struct system *s, size_t i)
{
    size_t n = s->x->size1, p = s->x->size2;
    double half = INFINITY;

    if (n > p)
        half = gsl_cdf_tdist_Pinv(0.975, (double)(n - p)) *
               sqrt(gsl_matrix_get(s->cov, i, i));
    return (struct fit_number){gsl_vector_get(s->c, i), half};
}

/* Robust weights need this many more points than a line, because fewer do not
 * show outliers. */
enum { ROBUST_SPARE = 3 };

/* Returns whether there is only one size, which determines no slope. */
static bool one_size(const struct fit_point *points, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (points[i].bytes != points[0].bytes)
            return false;
    return true;
}

void fit_line(struct fit_line *line, const struct fit_point *points, size_t n,
              enum fit_what what)
{
    size_t p = what == FIT_BOTH ? 2 : 1;

    line->alpha_s.half = line->beta_s_per_B.half = 0;
    if (n < p || (what == FIT_BOTH && one_size(points, n))) {
        line->alpha_s.half = line->beta_s_per_B.half = INFINITY;
        line->residual = 0;
        return;
    }
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    struct fit_point *near = xcalloc(n, sizeof *near);
    size_t nnear = n;
    memcpy(near, points, n * sizeof *near);
    if (n >= p + ROBUST_SPARE)
        nnear = without_far_off(near, line, points, n, what);
    struct system s = system_new(line, near, nnear, what);
    if (nnear < p + ROBUST_SPARE || robust(&s) < 0)
        least_squares(&s);
    if (what != FIT_BETA)
        line->alpha_s = fit_line_number(&s, 0);
    if (what != FIT_ALPHA)
        line->beta_s_per_B = fit_line_number(&s, p - 1);
    system_free(&s);
    free(near);
    gsl_set_error_handler(before);
    line->residual = residual(line, points, n);
}

struct fit_number fit_median(double *values, size_t n)
{
    gsl_sort(values, 1, n);

    double iqr = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.75) -
                 gsl_stats_quantile_from_sorted_data(values, 1, n, 0.25);
    return (struct fit_number){gsl_stats_median_from_sorted_data(values, 1, n),
                               1.57 * iqr / sqrt((double)n)};
}
