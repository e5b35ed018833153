/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives the numbers of a machine their spread, by the kind of their source. */
#include "study/advise/spread.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of standard deviations that contain 95 % of a normal
 * distribution. */
#define WITHIN_95 1.959963984540054

#define LOG_NORMAL(f)                                                          \
    {                                                                          \
        .factor = (f)                                                          \
    }
#define UNIFORM(lo, hi)                                                        \
    {                                                                          \
        .uniform = true, .low = (lo), .high = (hi)                             \
    }

const struct spread_rule spread_rules[] = {
    {PROVENANCE_MEASURED, false, LOG_NORMAL(1.05),
     "medians of one benchmark differ by 1 to 5 % from day to day"},
    {PROVENANCE_FIT, false, LOG_NORMAL(1.10),
     "fits of two parameters leave residuals of 1 to 5 %; where the source "
     "states its residual that is one standard deviation, beside 5 % for "
     "another day"},
    {PROVENANCE_SPECIFICATION, true, UNIFORM(0.75, 1),
     "a peak: what is reached lies below it, seldom under three quarters"},
    {PROVENANCE_SPECIFICATION, false, LOG_NORMAL(1.25),
     "a nominal latency, without the load of a real machine"},
    {PROVENANCE_PUBLISHED, false, LOG_NORMAL(1.25),
     "measured by others, with other versions and settings"},
    {PROVENANCE_TAKEN_OVER, false, LOG_NORMAL(1.5),
     "of a similar machine: latencies of machines of one kind differ by half"},
    {PROVENANCE_ASSUMED, false, LOG_NORMAL(2),
     "nobody measured it: right but for a factor of two"},
    {PROVENANCE_SET, false, LOG_NORMAL(1),
     "given by --set: a question, which is taken as it is"},
};
const size_t nspread_rules = sizeof spread_rules / sizeof spread_rules[0];

struct spread spread_of(enum provenance from, bool rate, double residual)
{
    struct spread s = LOG_NORMAL(1);

    for (size_t i = nspread_rules; i-- > 0;)
        if (spread_rules[i].from == from && (rate || !spread_rules[i].rate))
            s = spread_rules[i].spread;
    if (residual > 0 &&
        (from == PROVENANCE_FIT || from == PROVENANCE_MEASURED)) {
        double other_day = log(1.05) / WITHIN_95;
        s.factor = exp(WITHIN_95 * hypot(residual, other_day));
        s.stated = true;
    }
    return s;
}

double spread_factor(const struct spread *s, double quantile)
{
    if (s->uniform)
        return s->low + (s->high - s->low) * quantile;
    return exp(log(s->factor) / WITHIN_95 * gsl_cdf_ugaussian_Pinv(quantile));
}

double spread_sigma(const struct spread *s)
{
    if (s->uniform)
        return (s->high - s->low) / (s->high + s->low) * 2 / sqrt(12);
    return log(s->factor) / WITHIN_95;
}
