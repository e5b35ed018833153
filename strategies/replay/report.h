/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - where the time of each rank of a replayed trace went: computing,
 * messages, waiting, and for whom it waited.
 *
 * A rank's time, from 0 to the end of its last operation, is in three parts:
 *
 *   computing   its computations
 *   waiting     it cannot go on before something ends, and its CPU is free
 *   messages    the rest: its CPU sends, receives, adds up
 *
 * A wait is laid to the request that was complete last, and has two parts. Up
 * to the moment when its other end came to it, it is the other end's fault (the
 * patterns of Scalasca: F. Wolf, B. Mohr, J. Dongarra, S. Moore, "Automatic
 * analysis of inefficiency patterns in parallel applications", CCPE 19 (2007);
 * M. Geimer et al., "The Scalasca performance toolset architecture", CCPE 22
 * (2010)):
 *
 *   late sender    a receive whose send begins after the wait for it does
 *   late receiver  a send that needs its receive (rendezvous, MPI_Ssend), which
 *                  is posted after the wait for it began
 *   late member    a collective, or a phase that a strategy sends, that the
 * last of those whom this rank needs comes to after this rank did (Scalasca:
 * wait at barrier, at N x N, late broadcast, early reduce)
 *
 * From then on it is the transfer's: latency, bandwidth, who shares it.
 *
 * Ranks of a graph (plan_origin.graph) have no order in which they could wait:
 * there waiting is when a rank does nothing.
 */
#ifndef STRATEGIES_REPLAY_REPORT_H
#define STRATEGIES_REPLAY_REPORT_H

#include "platforms/machine.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan.h"

enum replay_wait {
    REPLAY_RECEIVE,    /* for a message */
    REPLAY_SEND,       /* for a send to be complete */
    REPLAY_COLLECTIVE, /* for the members, and the collective itself */
    REPLAY_OTHER,      /* one-sided, a probe, another stream */
    NREPLAY_WAITS
};
/* "late senders", "late receivers", ...: whose fault. */
extern const char *const replay_late_names[NREPLAY_WAITS];
/* "messages", ...: what is transferred. */
extern const char *const replay_transfer_names[NREPLAY_WAITS];

struct replay_rank_times {
    double end_s; /* its last operation's */
    double computing_s, messages_s, waiting_s;
    /* Parts of waiting_s. */
    double late_s[NREPLAY_WAITS], transfer_s[NREPLAY_WAITS];
    uint64_t late[NREPLAY_WAITS]; /* how often */
    /* Whom it waited for longest because that was late, or NO_RANK. */
    uint32_t most_for;
    double most_for_s;
    /* That others waited for it because it was late, and for others whom it
     * kept waiting: what a rank waited itself is not laid to it, but to whom it
     * waited for (D. Boehme et al., "Identifying the root causes of wait states
     * in large-scale parallel applications", ICPP 2010). */
    double caused_s;
};
#define NO_RANK UINT32_MAX

struct replay_times {
    uint32_t ranks; /* of the trace */
    struct replay_rank_times *rank;
    double time_s;
    struct replay_rank_times sum; /* of all; end_s and caused_s, too */
    /* As POP defines them: mean over most computing; most computing over the
     * time; their product. */
    double load_balance, communication_efficiency, parallel_efficiency;
    bool graph; /* no order of ranks: no causes */
};

/* Of a plan of a trace (plan.origin) that was simulated with EXEC_DETAILS. */
void replay_times_make(struct replay_times *t, const struct machine *m,
                       const struct plan *p, const struct exec_result *x);
void replay_times_clear(struct replay_times *t);

#endif
