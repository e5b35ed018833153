/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - the parts of a simulated plan's time. */
#ifndef SIM_PLAN_REPORT_H
#define SIM_PLAN_REPORT_H

#include "sim/plan/exec.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "sim/plan/rests_on.h"

#include <stddef.h>

struct phase_time {
    size_t nops;
    double wall_s; /* from its first ready operation to its last end */
    /* The longest time that one rank was in it: the time in which an operation
     * of the phase was ready or under way there. A rank is not in it between
     * rounds. */
    double rank_s;
};

/* A stretch of the critical path: an operation, and the cause of its wait. */
struct path_step {
    uint32_t op;
    enum cause cause; /* cause of the wait that ended before it */
    double from_s, to_s;
};
#define REPORT_STEPS 6

struct report {
    double time_s;
    double accuracy; /* the engine's, 0 if exact */
    struct phase_time phases[NPHASES];
    uint64_t messages[NLOCALITIES]; /* indexed by locality */
    uint64_t bytes[NLOCALITIES];
    uint64_t largest_B; /* largest message */
    uint64_t copies, copied_bytes;
    struct path_step path[REPORT_STEPS]; /* the last ones, in order of time */
    size_t npath;
    struct rests_on rests_on; /* whole critical path */
};

void report_make(struct report *r, const struct machine *m,
                 const struct plan *p, const struct exec_result *x);

/* Adds an operation's message or copy to the counts of the report. */
void report_count_op(struct report *r, const struct machine *m,
                     const struct plan *p, const struct op *op);

/* The times of messages, from the earliest start of the send to the receive. */
#define NQUANTILES 6
extern const double duration_quantiles[NQUANTILES];
struct durations {
    size_t n; /* messages */
    double mean, of[NQUANTILES];
};
void durations_make(struct durations *d, const struct plan *p,
                    const struct exec_result *x);

#endif
