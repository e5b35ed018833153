/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_again.h - a job that is loaded, on other machines: what was read and
 * divided is kept, and so are its plans, so that many machines cost no more
 * than their simulations. */
#ifndef STRATEGIES_RUN_JOB_AGAIN_H
#define STRATEGIES_RUN_JOB_AGAIN_H

#include "strategies/run/run.h"

/*
 * The same job on another machine of the same shape (platforms/shape.h): what
 * job_load_on(machine) makes of the same request, bit for bit. *on borrows all
 * of *job, which outlives it, and the machine; it is never cleared, and stays
 * where it is. -1: the machine has another shape, and err names what differs.
 */
int job_on_machine(struct job *on, const struct job *job,
                   const struct machine *machine, struct err *err) MUST_CHECK;

/*
 * Plans that only depend on a machine's shape (plan.of_costs), those of halos
 * and most of collectives, or the loops that these are done in: made once, then
 * taken by job_plan() and run_steps_make() of the job and of every
 * job_on_machine(). Of other workloads there are none, and a way that the
 * machine cannot do has none either; nor have large plans of collectives.
 * job_plans_clear() after the last use of the jobs, before job_clear().
 */
void job_keep_plans(struct job_plans *plans, struct job *job);
void job_plans_clear(struct job_plans *plans);

/*
 * The simulated time of one way, and nothing else of it: the cheapest run.
 * `ways`, of the job's machine, may be NULL. 1: the machine cannot do it (err
 * says why).
 */
int job_time(double *time_s, const struct job *job, const struct choice *c,
             const struct node_ways *ways, struct err *err) MUST_CHECK;

#endif
