/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spread.h - the table of the spreads of a machine's numbers about their given
 * values, by their sources. */
#ifndef STUDY_ADVISE_SPREAD_H
#define STUDY_ADVISE_SPREAD_H

#include "platforms/provenance.h"

#include <stdbool.h>
#include <stddef.h>

/* The distribution of the factor by which a number is multiplied. Log-normal:
 * 95 % of the factors are between 1 / factor and factor, because costs are
 * positive and their errors relative. Uniform: it is between low and high, if
 * the number has a certain limit. */
struct spread {
    bool uniform;
    double factor;    /* log-normal; 1 if the number is exact */
    double low, high; /* uniform */
    bool stated;      /* the number's own source states it */
};

struct spread_rule {
    enum provenance from;
    bool rate; /* for bandwidths; else for all other numbers */
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
