/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_line.h - robust lines and medians of measured times, with confidence
 * intervals. A line is seconds = alpha + beta * bytes. */
#ifndef VALIDATE_CALIBRATE_FIT_LINE_H
#define VALIDATE_CALIBRATE_FIT_LINE_H

#include <stddef.h>

struct fit_point {
    double bytes, seconds;
};

/* A number and half the width of its 95 % confidence interval. */
struct fit_number {
    double value, half;
};

struct fit_line {
    struct fit_number alpha_s, beta_s_per_B;
    double residual; /* median |relative error| of the points */
};

enum fit_what { FIT_BOTH, FIT_ALPHA, FIT_BETA };

/* A point costs the square of its error in deviations of the noise, but no more
 * than FIT_FAR, because a point of 3 deviations and more is an outlier. Values
 * of a number that cost at most FIT_LIKELY more than the least are as likely:
 * 95 % of chi-squared of one number. A model is clearly better than another if
 * its BIC is less by FIT_CLEARLY_BETTER (Kass and Raftery 1995). */
#define FIT_FAR 9.0
#define FIT_LIKELY 3.84
#define FIT_CLEARLY_BETTER 10.0

static inline double fit_point_cost(double relative_error, double noise)
{
    double deviations = relative_error / noise, cost = deviations * deviations;

    return cost < FIT_FAR ? cost : FIT_FAR;
}

/* Fits a line by least squares of relative errors with bisquare weights, so
 * that outliers do not count. A number that is not fitted keeps the value that
 * is in `line` and gets half = 0. The halves are infinite if there are not more
 * points than numbers to fit. */
void fit_line(struct fit_line *line, const struct fit_point *points, size_t n,
              enum fit_what what);

/* Returns the median; its interval is that of a notch: 1.57 IQR / sqrt(n). It
 * sorts the values. n >= 1. */
struct fit_number fit_median(double *values, size_t n);

#endif
