/* SPDX-License-Identifier: GPL-3.0-or-later */
/* baseline.h - a prediction of an experiment's time without a simulator, with
 * which the simulator's error is compared. */
#ifndef VALIDATE_MEASURE_BASELINE_H
#define VALIDATE_MEASURE_BASELINE_H

#include "validate/measure/measured.h"

/* Returns the baseline of a point. For one message or copy it is interpolated
 * between the two nearest measured sizes of the same file, on a line of the
 * logarithms. For simultaneous pairs, windows of them or copies it is the time
 * of one of them alone. For all others it is "n times a ping-pong": the
 * messages and copies of the busiest rank one after the other, each for alpha +
 * beta * bytes; sends and receives are counted separately, because the time of
 * a ping-pong includes both ends. NAN if there is none. */
double baseline_s(const struct measured *f, size_t point,
                  const struct machine *m, const struct plan *p);

#endif
