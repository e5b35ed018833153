/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_again.h - a loaded job on other machines. The parsed and partitioned
 * workload is kept, and so are its plans, so that each further machine costs no
 * more than its simulations. */
#ifndef STUDY_RUN_JOB_AGAIN_H
#define STUDY_RUN_JOB_AGAIN_H

#include "study/run/run.h"

/* Makes *on the same job on another machine of the same shape
 * (platforms/shape.h), equal to the bit to the result of job_load_on(machine)
 * for the same request. *on borrows all of *job, which must outlive it, and the
 * machine; it is never cleared, and must not be moved. Returns -1 if the
 * machine has another shape; err names the difference. */
int job_on_machine(struct job *on, const struct job *job,
                   const struct machine *machine, struct err *err) MUST_CHECK;

/* Keeps the plans that depend only on the shape of a machine and not on its
 * costs (plan.of_costs), which are those of halos and of most collectives, or
 * the loops of their steps: made once, then used by job_plan() and
 * run_steps_make() of the job and of every job_on_machine(). Nothing is kept
 * for other workloads, for a candidate that the machine cannot do, and for
 * large plans of collectives. The caller calls job_plans_clear() after the last
 * use of the jobs and before job_clear(). */
void job_keep_plans(struct job_plans *plans, struct job *job);
void job_plans_clear(struct job_plans *plans);

/* Simulates one candidate for its time alone, which is the cheapest run.
 * `node_routes`, of the job's machine, may be NULL. Returns 1 if the machine
 * cannot do it (err says why). */
int job_time(double *time_s, const struct job *job, const struct choice *c,
             const struct node_routes *node_routes, struct err *err) MUST_CHECK;

#endif
