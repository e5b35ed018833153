/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_child.h - simulations on SimGrid, each in a process of its own, because
 * SimGrid keeps its state in the process, and a process can make only one
 * engine. */
#ifndef SIM_PLAN_EXEC_CHILD_H
#define SIM_PLAN_EXEC_CHILD_H

#include "sim/plan/exec_here.h"

/* Do the same as exec_plan(), whose loop has one step, and exec_times() after
 * their checks. */
int exec_loop_in_child(struct exec_result *r, const struct one_job *job,
                       struct err *err) MUST_CHECK;
int exec_times_in_children(double *times_s, const struct many_job *job,
                           struct err *err) MUST_CHECK;

#endif
