/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spread.h - how far a machine's numbers may be from what they are given as, by
 * where they come from: the one table of it. */
#ifndef STRATEGIES_ADVISE_SPREAD_H
#define STRATEGIES_ADVISE_SPREAD_H

#include "platforms/provenance.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What a number is multiplied by. Log-normal: 95 % of the factors are between
 * 1 / factor and factor, as costs are positive and known to so many times, not
 * to so much. Uniform: between low and high, of what has a sure limit.
 */
struct spread {
    bool uniform;
    double factor;    /* log-normal; 1: the number is what it is */
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

/* Of a number of this kind; `residual` is what its source states of it, as a
 * share, 0: nothing. */
struct spread spread_of(enum provenance from, bool rate, double residual);

/* The factor at a quantile, 0 to 1 without both. */
double spread_factor(const struct spread *s, double quantile);
/* The standard deviation of the factor's logarithm. */
double spread_sigma(const struct spread *s);

#endif
