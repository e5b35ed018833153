/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_loop.h - runs a plan in steps (loop.h) in simulated time, holding only
 * what is under way of it. */
#ifndef SIM_PLAN_EXEC_LOOP_H
#define SIM_PLAN_EXEC_LOOP_H

#include "sim/plan/exec.h"
#include "sim/plan/loop.h"

struct loop_options {
    /* Where the times of all steps' operations go, by their numbers in the
     * plan of all steps; NULL: nobody asks. */
    struct op_times *times;
    /* Simulate all steps, though the state repeats; as with times. */
    bool whole;
};

struct loop_result {
    double time_s;           /* when the last operation ended */
    double accuracy;         /* the tolerance that was used, 0: exact */
    struct solver_work work; /* of what was simulated */
    /*
     * Of repeated plans whose state, at the beginning of a step, was that of
     * `period` steps before, period_s ago: first in step repeats_from. The
     * steps of whole periods were left out then. period 0: it was not seen to
     * repeat, or there was nothing to leave out. Of a loop of several parts:
     * of that of which most steps were left out.
     */
    uint32_t steps, simulated; /* all, and those that were */
    uint32_t period, repeats_from;
    double period_s;
    struct link_use *links; /* that carried anything; the caller frees them */
    size_t nlinks, links_used; /* listed, and how many there are */
    struct host_counts *hosts; /* as exec_result's; the caller frees them */
    uint32_t nhosts;
    double windows_s;
    /* At one time: steps and operations that were under way. */
    uint32_t most_steps;
    size_t most_ops;
};

/*
 * Simulates all steps, as exec_plan() the plan that the loop stands for: equal
 * to the last digit, in the room of what is under way; with SimGrid, and for
 * plans with sends and receives of their own, it is that plan that is
 * simulated. ACCURACY_AUTO counts the messages of all steps where they turn,
 * else those of one.
 */
int exec_loop(struct loop_result *r, const struct machine *m,
              const struct loop *l, const struct exec_options *o,
              const struct loop_options *options, struct err *err) MUST_CHECK;

#endif
