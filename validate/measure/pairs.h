/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairs.h - n pairs of ranks that ping-pong at once, without waiting for each
 * other: between two nodes, or inside one. */
#ifndef VALIDATE_MEASURE_PAIRS_H
#define VALIDATE_MEASURE_PAIRS_H

#include "validate/measure/experiment.h"

int pairs_plan(struct plan *p, const struct machine *m,
               const struct experiment *x, struct err *err) MUST_CHECK;
/* Returns the one-way time of the slowest pair, after some rounds. */
double pairs_measure(const struct plan *p, const struct op_times *ops);
/* Returns the time of the first pair's message if it is alone; staged: with its
 * two copies. */
double pairs_alone_s(const struct machine *m, const struct experiment *x);

#endif
