/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_child.h - simulations on SimGrid, each in a process of its own, because
 * SimGrid keeps its state in the process, and a process can make only one
 * engine. */
#ifndef SIM_PLAN_EXEC_CHILD_H
#define SIM_PLAN_EXEC_CHILD_H

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

/* Do the same as exec_plan() and exec_times() after their checks. */
int exec_plan_in_child(struct exec_result *r, const struct one_job *job,
                       struct err *err) MUST_CHECK;
int exec_times_in_children(double *times_s, const struct many_job *job,
                           struct err *err) MUST_CHECK;

/* --- exec.c: the same in this process ------------------------------------- */

int exec_plan_here(struct exec_result *r, const struct one_job *job,
                   struct err *err) MUST_CHECK;
/* Returns the time of one of many plans, on the engine that they share. */
int exec_time_of(double *time_s, struct engine *e, const struct many_job *job,
                 size_t plan, struct err *err) MUST_CHECK;
struct engine *exec_engine_for(const struct machine *m,
                               const struct exec_options *o, unsigned nodes,
                               struct err *err) MUST_CHECK;

#endif
