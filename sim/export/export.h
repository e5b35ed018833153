/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.h - a plan for other simulators: as a GOAL schedule (LogGOPSim,
 * ATLAHS) and as a time-independent trace of SimGrid's SMPI with its platform.
 *
 * Neither format has a copy engine, so a copy is work of its rank for as long
 * as it takes in the run of the plan that is exported with it. Neither has a
 * message without a receive, so plan_msg() is a send and a receive, which is
 * posted at the beginning or after the operation of plan_posted_after().
 * Messages have tags of their own, in a trace the number of their operation, in
 * GOAL the place of their send: therefore even simulators that let messages of
 * equal tags overtake each other match them right.
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
    /* run of the plan on the machine, with EXEC_SENT */
    const struct exec_result *run;
    bool with_platform; /* export_simgrid() is called as well */
};

/* Returns the message of a receive (a run has one for each), or the operation
 * itself. */
static inline uint32_t exported_message(const struct plan *p,
                                        const struct exec_result *run,
                                        uint32_t op)
{
    return p->ops[op].kind == OP_RECV ? run->partner[op] : op;
}

/* Fails if a plan has something that neither GOAL nor a trace can express, or
 * dependencies between ranks. `format` is the format's name in the error. */
int export_check(const struct plan *p, const char *format,
                 struct err *err) MUST_CHECK;

/*
 * These functions write on a stream, whose failures are found when it is
 * closed, and refuse a plan that their format cannot express.
 *
 * GOAL: dependencies within a rank become `requires`; numbers are bytes, and
 * nanoseconds of copies and work. Labels are places in the file, because then a
 * plan that a reader makes of it, one operation per line, is exported as the
 * same file. A rank with a wildcard receive keeps the tags of the plan; others
 * get those described above. Operations that GOAL cannot express are refused:
 * synchronous sends, probes, other runtimes than MPI.
 */
int export_goal(FILE *f, const struct exported *x, struct err *err) MUST_CHECK;

/*
 * A trace is one line of actions per rank, so it has to choose one of the
 * orders that the plan allows: that of the run. An action of a rank is at the
 * time when the rank is ready for it, and its wait for a message at the time
 * when the run has received it. So no rank waits for a message that another
 * would send only later, and no message is sent after a wait that the plan does
 * not require. Wildcards are resolved as in the run. Operations that SMPI's
 * actions cannot express are refused: messages of GPU memory unless a platform
 * has the GPUs, synchronous sends, probes, lanes, other runtimes.
 */
int export_ti(FILE *f, const struct exported *x, struct err *err) MUST_CHECK;

/*
 * Writes a platform with a host for each rank, where its messages begin and
 * end: its core, or the GPU from whose memory it sends. Between two of them are
 * the links that its flows cross here; the latency and the rate of one flow are
 * on a link of their own (FATPIPE), and are those of the plan's median message
 * in that locality. The CPU time of messages and the largest eager one are
 * options of SMPI, which are the same for all localities: those of the
 * outermost one that the plan uses. The file also has the options that leave
 * SimGrid's network plain max-min.
 */
int export_simgrid(FILE *f, const struct exported *x,
                   struct err *err) MUST_CHECK;
/* Writes the hosts of that platform, by rank: a hostfile for smpirun. */
void export_hosts(FILE *f, const struct exported *x);

#endif
