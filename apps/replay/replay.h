/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.h - makes a plan for a machine from the trace of an application's
 * ranks (workloads/trace): messages and waits are those of the trace,
 * collectives are planned by their algorithms, and the time between two calls
 * is computation.
 *
 * The plan has the operations of each rank in the order of its trace. An
 * operation that a rank begins without waiting depends on the rank's last wait;
 * its CPU serves its operations in their order. So for each operation the
 * report has the time when the rank reached it (ready_s), and the operations
 * that let the rank continue are its dependencies. A computation is an OP_WORK
 * of more than 0 s. A wait for several operations is an OP_WORK of 0 s; a wait
 * for one is that operation itself.
 *
 * Assumptions: the time inside MPI's calls in the trace is not replayed. A
 * nonblocking collective makes progress if the CPU of its rank is free, in
 * MPI's calls or not, but not while it computes. A put is a message whose
 * receive is posted, a get a request and its answer.
 */
#ifndef APPS_REPLAY_REPLAY_H
#define APPS_REPLAY_REPLAY_H

#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/placement.h"
#include "sim/plan/plan.h"
#include "strategies/collective/libraries/library.h"
#include "strategies/strategy.h"
#include "workloads/trace/phases.h"
#include "workloads/trace/trace.h"

struct replay_options {
    /* Factor of computations, and of the gaps between the calls' clocks; 0
     * leaves them out. */
    double compute_scale;
    /* Operations per second of a rank, for computations that are counted in
     * operations. */
    double flops;
    /* Receives with wildcards match the messages that they got, if the trace
     * has those. */
    bool as_received;
    /* Messages are in GPU memory, even if the trace has no GPUs. */
    bool all_in_gpus;
    /* The library that chooses algorithms; NULL for the machine's. */
    const struct collective_library *library;
    /* "A,...": algorithms that replace the library's for their kinds; NULL or
     * "auto" for none. */
    const char *algorithms;
    /* The strategy that sends the messages of the trace's phases, which the
     * caller has found; NULL if messages are sent as in the trace. */
    const struct strategy *strategy;
    const struct trace_phases *phases;
    struct strategy_options exchange;
    /* The places of ranks; in blocks if it is NULL or has no slots. */
    const struct placement *placement;
};

/* The rate of a rank's operations, assumed if none is given. */
#define REPLAY_FLOPS 1e9

/* Reads the whole trace, which must be at its beginning, and makes its plan.
 * `shape` is an empty plan on whose nodes and cores the ranks are, in blocks;
 * the placement moves them. plan.origin has remarks on everything that is left
 * out. If it returns -1 there is nothing to clear. */
int replay_plan(struct plan *p, const struct machine *m, struct trace *t,
                const struct plan *shape, const struct replay_options *o,
                struct err *err) MUST_CHECK;

#endif
