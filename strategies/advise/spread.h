/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spread.h - the one table of how far a machine's numbers may be from their
 * given values, by where they come from. */
#ifndef STRATEGIES_ADVISE_SPREAD_H
#define STRATEGIES_ADVISE_SPREAD_H

#include "platforms/provenance.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The law of the factor that a number is multiplied by. Log-normal: 95 % of the
 * factors are between 1 / factor and factor, because costs are positive and
 * their errors relative. Uniform: it is between low and high, if the number has
 * a sure limit.
 */
struct spread {
    bool uniform;
    double factor;    /* log-normal; 1: the number is exact */
    double low, high; /* uniform */
    bool stated;      /* by the number's own source */
};

struct spread_rule {
    enum provenance from;
    bool rate; /* of bandwidths; else of all other numbers */
    struct spread spread;
    const char *why;
};
extern const struct spread_rule spread_rules[];
extern const size_t nspread_rules;

/* Returns the spread of a number of this kind; `residual` is the relative error
 * that its source states, 0 if it states none. */
struct spread spread_of(enum provenance from, bool rate, double residual);

/* Returns the factor at a quantile between 0 and 1, which it never is. */
double spread_factor(const struct spread *s, double quantile);
/* Returns the standard deviation of the factor's logarithm. */
double spread_sigma(const struct spread *s);

#endif
