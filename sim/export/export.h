/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.h - a plan for other simulators: as a GOAL schedule (LogGOPSim,
 * ATLAHS) and as a time-independent trace of SimGrid's SMPI with its platform.
 *
 * Neither format has a copy engine, so a copy is work of its rank for as long
 * as it takes in the run of the plan that goes with it; and neither has a
 * message without a receive, so plan_msg() is a send and a receive, which is
 * posted at the beginning or after what plan_posted_after() says. Messages are
 * tagged with a number of their own, in a trace that of their operation, in
 * GOAL their send's place: peers that let messages of equal tags overtake each
 * other match them all the same.
 */
#ifndef SIM_EXPORT_EXPORT_H
#define SIM_EXPORT_EXPORT_H

#include "base/err.h"
#include "sim/plan/exec.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"

#include <stdio.h>

struct exported {
    const struct machine *m;
    const struct plan *p;
    const struct exec_result *run; /* of the plan on the machine: EXEC_SENT */
    bool with_platform;            /* export_simgrid() goes with it */
};

/* The message of a receive (a run has one for each), or the operation itself.
 */
static inline uint32_t exported_message(const struct plan *p,
                                        const struct exec_result *run,
                                        uint32_t op)
{
    return p->ops[op].kind == OP_RECV ? run->partner[op] : op;
}

/*
 * These write on a stream, whose failures are found when it is closed, and
 * refuse what a format cannot say.
 *
 * GOAL: dependencies within a rank become `requires`; bytes, and nanoseconds of
 * copies and work. Labels are places in the file: a plan that a reader makes of
 * it, an operation a line, is exported as the same file. A rank with a wildcard
 * receive keeps the tags that the plan gives it; others get those above.
 */
int export_goal(FILE *f, const struct exported *x, struct err *err) MUST_CHECK;

/*
 * A trace is one line of actions for each rank, so it has one order of those
 * that the plan leaves open: that of the run. An action of a rank stands where
 * the rank is ready for it, and its wait for a message where the run has
 * received it. So no rank waits for a message that another would send only
 * later, and no message is sent behind a wait that the plan does not ask for.
 * Wildcards are resolved as in the run. Operations that SMPI's actions have no
 * words for are refused: memory of GPUs, where no platform tells it,
 * synchronous sends, probes, lanes, other runtimes.
 */
int export_ti(FILE *f, const struct exported *x, struct err *err) MUST_CHECK;

/*
 * A host for each rank, where its messages begin and end: its core, or the GPU
 * whose memory it sends from. Between two of them are the links that its flows
 * take here; the latency and the rate of one flow are on a link of their own
 * (FATPIPE), and are those of the median message of the plan in that locality.
 * CPU time of messages and the largest eager one are options of SMPI, for all
 * localities the same: those of the outermost that the plan uses. With them go
 * the options that leave SimGrid's network plain max-min.
 */
int export_simgrid(FILE *f, const struct exported *x,
                   struct err *err) MUST_CHECK;
/* The hosts of that platform, by rank: a hostfile for smpirun. */
void export_hosts(FILE *f, const struct exported *x);

#endif
