/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * splice.h - sends a phase of a trace by an exchange strategy, in place of its
 * messages. The volumes between ranks are known but not the values, so no value
 * counts as needed twice. Only ranks that take part in the phase forward data
 * of others. Messages of a rank to itself, and those of no bytes, are sent as
 * in the trace.
 */
#ifndef APPS_REPLAY_SPLICE_H
#define APPS_REPLAY_SPLICE_H

#include "sim/plan/exec.h"
#include "strategies/strategy.h"
#include "workloads/trace/phases.h"

/* The places of a trace's ranks, and of their data. */
struct splice_ranks {
    const uint32_t *slot; /* one per rank; NULL if it equals the rank */
    unsigned ranks_per_node;
    bool host; /* data are in host memory; else each rank has a GPU */
};

struct splice {
    struct plan plan; /* has only the ranks that take part, renumbered */
    struct halo halo; /* their data; a value is a byte */
    uint32_t *rank;   /* the trace's rank for each of these; NO_OP if none */
};

/* Plans a phase. Returns -1 if the strategy cannot be used for such ranks, in
 * which case there is nothing to clear. */
int splice_make(struct splice *s, const struct strategy *strategy,
                const struct machine *m, const struct trace_phase *phase,
                const struct splice_ranks *where,
                const struct strategy_options *options,
                struct err *err) MUST_CHECK;
void splice_clear(struct splice *s);

/* Adds the plan to one whose ranks are the trace's. after[] has one item for
 * each rank of the phase: the operation after which its part begins, or NO_OP;
 * the function replaces it by an operation of 0 s at the end of the part. */
void splice_add(const struct splice *s, struct plan *to,
                const struct machine *m, const struct trace_phase *phase,
                const struct splice_ranks *where, uint32_t *after);

#endif
