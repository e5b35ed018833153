/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_points.h - the points of a figure: plans that are collected and then
 * simulated together. */
#ifndef VALIDATE_MEASURE_FIGURE_POINTS_H
#define VALIDATE_MEASURE_FIGURE_POINTS_H

#include "sim/plan/exec.h"
#include "sim/plan/plan.h"
#include "validate/measure/experiment.h"

struct points { /* starts as {0} */
    struct plan *plans;
    struct timed_plan *timed;
    double *times_s; /* one per point, once they are timed */
    size_t n, room;
};

/* Adds a point and takes the plan over; returns the point's number. */
size_t points_add(struct points *p, struct plan plan,
                  experiment_measure *measure);
int points_add_experiment(struct points *p, const struct machine *m,
                          const struct experiment *x,
                          struct err *err) MUST_CHECK;

/* Simulates all points. Equal points have equal times. */
int points_time(struct points *p, const struct machine *m,
                const struct exec_options *o, struct err *err) MUST_CHECK;
void points_clear(struct points *p);

#endif
