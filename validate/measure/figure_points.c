/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the plans of a figure's points and simulates them together. */
#include "validate/measure/figure_points.h"

#include <stdlib.h>
#include <string.h>

size_t points_add(struct points *p, struct plan plan,
                  experiment_measure *measure)
{
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->plans = xrealloc(p->plans, p->room, sizeof *p->plans);
        p->timed = xrealloc(p->timed, p->room, sizeof *p->timed);
    }
    p->plans[p->n] = plan;
    p->timed[p->n] = (struct timed_plan){NULL, measure};
    return p->n++;
}

int points_add_experiment(struct points *p, const struct machine *m,
                          const struct experiment *x, struct err *err)
{
    struct plan plan;

    if (experiment_plan(&plan, m, x, err) < 0)
        return -1;
    points_add(p, plan, experiment_measure_of(x));
    return 0;
}

int points_time(struct points *p, const struct machine *m,
                const struct exec_options *o, struct err *err)
{
    for (size_t i = 0; i < p->n; i++)
        p->timed[i].plan = &p->plans[i];
    p->times_s = xrealloc(p->times_s, p->n, sizeof *p->times_s);
    return exec_times(p->times_s, m, p->timed, p->n, o, err);
}

void points_clear(struct points *p)
{
    for (size_t i = 0; i < p->n; i++)
        plan_clear(&p->plans[i]);
    free(p->plans);
    free(p->timed);
    free(p->times_s);
    memset(p, 0, sizeof *p);
}
