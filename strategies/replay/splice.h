/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * splice.h - a phase of a trace as an exchange strategy brings it, in place of
 * its messages. Of what ranks send each other the volumes are known and not
 * what it is, so no value counts as needed twice. Only ranks that take part in
 * the phase send on what others send. What a rank sends to itself, and messages
 * of no bytes, go as they do in the trace.
 */
#ifndef STRATEGIES_REPLAY_SPLICE_H
#define STRATEGIES_REPLAY_SPLICE_H

#include "sim/plan/exec.h"
#include "strategies/strategy.h"
#include "workloads/trace/phases.h"

/* Where the ranks of a trace are, and their data. */
struct splice_ranks {
    const uint32_t *slot; /* of each rank; NULL: its own number */
    unsigned ranks_per_node;
    bool host; /* data are in host memory; else each rank has a GPU */
};

struct splice {
    struct plan plan; /* of the ranks that take part, numbered anew */
    struct halo halo; /* what they send; a value is a byte */
    uint32_t *rank;   /* of the trace, of each of these; NO_OP: none */
};

/* -1: the strategy is not for such ranks, and nothing is to clear. */
int splice_make(struct splice *s, const struct strategy *strategy,
                const struct machine *m, const struct trace_phase *phase,
                const struct splice_ranks *where,
                const struct strategy_options *options,
                struct err *err) MUST_CHECK;
void splice_clear(struct splice *s);

/*
 * Adds it to a plan whose ranks are the trace's. after: of each of the phase's
 * ranks what its part begins after, or NO_OP; becomes an operation of 0 s at
 * the end of its part.
 */
void splice_add(const struct splice *s, struct plan *to,
                const struct machine *m, const struct trace_phase *phase,
                const struct splice_ranks *where, uint32_t *after);

#endif
