/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_calls.h - the calls' part of fit_costs.h. */
#ifndef VALIDATE_CALIBRATE_FIT_CALLS_H
#define VALIDATE_CALIBRATE_FIT_CALLS_H

#include "validate/calibrate/fit_costs.h"

/* A number of `gpu` or one of its parts ("calls.several"), NULL: of gpu itself;
 * q: whose 90th percentile tells how far it is off, or NULL. */
void fit_measured(struct fit_costs *f, const char *part, const char *key,
                  double value, const struct cost_point *q);

/* gpu.calls; threads: as many as kernels had that access memory. */
void fit_calls(struct fit_costs *f, const struct cost_points *p,
               unsigned threads);

#endif
