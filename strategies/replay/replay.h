/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.h - what the ranks of an application did (workloads/trace) as a plan
 * for a machine: messages and waits as they are in the trace, collectives by
 * their algorithms, and what lies between two calls as computing.
 *
 * Of each rank the plan has its operations in the order of its trace. What a
 * rank begins without waiting hangs on what it last waited for; its CPU serves
 * its operations in their order. So of each operation the report says when the
 * rank came to it (ready_s), and what lets it go on are its dependencies. A
 * computation is an OP_WORK of more than 0 s, a wait one of 0 s, where several
 * are waited for; a wait for one is that one.
 *
 * What is taken for granted: time inside MPI's calls in the trace is not
 * replayed. A nonblocking collective goes on whenever the CPU of its rank is
 * free, in MPI's calls or not, but not while it computes. A put
 * is a message whose receive is posted, a get a request and its answer.
 */
#ifndef STRATEGIES_REPLAY_REPLAY_H
#define STRATEGIES_REPLAY_REPLAY_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/placement.h"
#include "sim/plan/plan.h"
#include "strategies/collective/libraries/library.h"
#include "strategies/strategy.h"
#include "workloads/trace/phases.h"
#include "workloads/trace/trace.h"

struct replay_options {
    /* Of computes, and of the gaps between the calls' clocks; 0: left out. */
    double compute_scale;
    /* Of a rank, for computes that are counted in operations. */
    double flops;
    /* Receives with wildcards take what they got, where the trace says so. */
    bool as_received;
    bool all_in_gpus; /* each message's memory, whatever the trace says */
    /* Whose choice of algorithms is taken; NULL: that of the machine. */
    const struct collective_library *library;
    /* "A,...": of their kinds these instead; NULL, "auto": none. */
    const char *algorithms;
    /* Brings the trace's phases, which the caller has found; NULL: they go as
     * in the trace. */
    const struct strategy *strategy;
    const struct trace_phases *phases;
    struct strategy_options exchange;
    /* Where ranks are; NULL, or without slots: in blocks. */
    const struct placement *placement;
};

/* Assumed where nobody says. */
#define REPLAY_FLOPS 1e9

/* Reads the whole trace, which is at its beginning. shape: an empty plan on
 * whose nodes and cores the ranks are, in blocks; the placement moves them.
 * What is left out is said in plan.origin. On -1 there is nothing to clear. */
int replay_plan(struct plan *p, const struct machine *m, struct trace *t,
                const struct plan *shape, const struct replay_options *o,
                struct err *err) MUST_CHECK;

#endif
