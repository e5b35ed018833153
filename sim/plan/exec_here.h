/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_here.h - simulations in this process, without the checks of exec.h. */
#ifndef SIM_PLAN_EXEC_HERE_H
#define SIM_PLAN_EXEC_HERE_H

#include "sim/plan/exec.h"

struct one_job {
    const struct machine *m;
    const struct plan *p;
    const struct exec_options *o;
    enum exec_keep keep;
};

struct many_job {
    const struct machine *m;
    const struct timed_plan *plans;
    size_t nplans;
    const struct exec_options *o;
    unsigned nodes; /* the most nodes of any plan */
};

int exec_plan_here(struct exec_result *r, const struct one_job *job,
                   struct err *err) MUST_CHECK;
/* Returns the time of one of many plans, on the engine that they share. */
int exec_time_of(double *time_s, struct engine *e, const struct many_job *job,
                 size_t plan, struct err *err) MUST_CHECK;

#endif
