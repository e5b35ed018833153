/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_here.h - simulations in this process, without the checks of exec.h. */
#ifndef SIM_PLAN_EXEC_HERE_H
#define SIM_PLAN_EXEC_HERE_H

#include "sim/plan/exec.h"

struct one_job {
    const struct machine *m;
    const struct loop *l;
    const struct exec_options *o;
    enum exec_keep keep;
    /* One operation of each class of those that are alike is enough (fold.h).
     */
    bool folds;
};

struct many_job {
    const struct machine *m;
    const struct timed_plan *plans;
    size_t nplans;
    const struct exec_options *o;
    unsigned nodes; /* the most nodes of any plan */
};

/* Returns the tolerance of a run of the loop. */
double exec_loop_accuracy(const struct exec_options *o, const struct loop *l);
/* Allocates the results that are kept of each operation, and the partners of a
 * plan with sends and receives. */
void exec_result_init(struct exec_result *r, const struct loop *l,
                      enum exec_keep keep);
/* Runs a loop on an engine that others may have used, and fills time_s and the
 * results that are allocated; times count from the engine's present time. */
int exec_loop_on(struct exec_result *r, struct engine *e,
                 const struct machine *m, const struct loop *l,
                 struct err *err) MUST_CHECK;

int exec_loop_here(struct exec_result *r, const struct one_job *job,
                   struct err *err) MUST_CHECK;
/* Returns the time of one of many plans, on the engine that they share. */
int exec_time_of(double *time_s, struct engine *e, const struct many_job *job,
                 size_t plan, struct err *err) MUST_CHECK;

#endif
