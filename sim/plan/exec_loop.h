/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_loop.h - runs a plan in steps (loop.h) in simulated time; its memory
 * holds only the steps under way. */
#ifndef SIM_PLAN_EXEC_LOOP_H
#define SIM_PLAN_EXEC_LOOP_H

#include "sim/plan/exec.h"
#include "sim/plan/loop.h"

struct loop_options {
    /* Room for the times of all steps' operations, by their numbers in the
     * unrolled plan; NULL if they are not wanted. */
    struct op_times *times;
    /* Simulates all steps, even if the state repeats; implied by times. */
    bool whole;
};

struct loop_result {
    double time_s;           /* the end of the last operation */
    double accuracy;         /* the tolerance that was used, 0 if exact */
    struct solver_work work; /* work of the simulated part */
    /*
     * For repeated plans, if the state at the beginning of a step was that of
     * `period` steps before, period_s ago, first in step repeats_from: the
     * steps of whole periods were then skipped. The period is 0 if the state
     * was not seen to repeat, or if there was nothing to skip. If the loop has
     * several parts, this is the part of which most steps were skipped.
     */
    uint32_t steps, simulated; /* all steps, and the simulated ones */
    uint32_t period, repeats_from;
    double period_s;
    struct link_use *links;    /* links with traffic; the caller frees them */
    size_t nlinks, links_used; /* listed, and with traffic */
    struct host_counts *hosts; /* as in exec_result; the caller frees them */
    uint32_t nhosts;
    double windows_s;
    /* The most steps and operations that were under way at one time. */
    uint32_t most_steps;
    size_t most_ops;
};

/*
 * Simulates all steps, with the same result to the last digit as exec_plan() of
 * the unrolled plan, in the memory of the steps under way. With SimGrid, and
 * for plans with sends and receives of their own, it does unroll the plan.
 * ACCURACY_AUTO counts the messages of all steps if they turn, otherwise those
 * of one step.
 */
int exec_loop(struct loop_result *r, const struct machine *m,
              const struct loop *l, const struct exec_options *o,
              const struct loop_options *options, struct err *err) MUST_CHECK;

#endif
