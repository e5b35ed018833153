/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_calls.h - the part of fit_costs.h that is about calls. */
#ifndef VALIDATE_CALIBRATE_FIT_CALLS_H
#define VALIDATE_CALIBRATE_FIT_CALLS_H

#include "validate/calibrate/fit_costs.h"

/* Adds a number of one file, of `gpu` or of one of its parts ("calls.several";
 * NULL for gpu itself). */
void fit_put_cost(struct fit_costs *f, const char *part, const char *key,
                  struct fit_number number, size_t points, double residual);
/* Adds a number that was measured as it is. Its uncertainty follows from the
 * 90th percentile of q, which may be NULL. */
void fit_measured(struct fit_costs *f, const char *part, const char *key,
                  double value, const struct cost_point *q);

/* Fits gpu.calls; `threads` is the number of threads in the kernels that access
 * memory. */
void fit_calls(struct fit_costs *f, const struct cost_points *p,
               unsigned threads);

#endif
