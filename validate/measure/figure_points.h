/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_points.h - the points of a figure: plans, collected and then simulated
 * together. */
#ifndef VALIDATE_MEASURE_FIGURE_POINTS_H
#define VALIDATE_MEASURE_FIGURE_POINTS_H

#include "sim/plan/exec.h"
#include "sim/plan/plan.h"
#include "validate/measure/experiment.h"

struct points { /* starts as {0} */
    struct plan *plans;
    struct timed_plan *timed;
    double *times_s; /* of each, once they are timed */
    size_t n, room;
};

/* Takes the plan over. The number of the point. */
size_t points_add(struct points *p, struct plan plan,
                  experiment_measure *measure);
int points_add_experiment(struct points *p, const struct machine *m,
                          const struct experiment *x,
                          struct err *err) MUST_CHECK;

/* Simulates all of them. Equal points, equal times. */
int points_time(struct points *p, const struct machine *m,
                const struct exec_options *o, struct err *err) MUST_CHECK;
void points_clear(struct points *p);

#endif
