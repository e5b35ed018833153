/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - the time of each rank of a replayed trace: computing, messages,
 * waiting, and the ranks for which it waited.
 *
 * A rank's time, from 0 to the end of its last operation, has three parts:
 *
 *     computing   its computations
 *     waiting     it cannot continue before something ends, and its CPU is free
 *     messages    the rest: its CPU sends, receives, adds up
 *
 * A wait is attributed to the request that was complete last, and has two
 * parts. Until the other end reached the request, the wait is caused by the
 * other end (the patterns of Scalasca: F. Wolf, B. Mohr, J. Dongarra, S. Moore,
 * "Automatic analysis of inefficiency patterns in parallel applications", CCPE
 * 19 (2007); M. Geimer et al., "The Scalasca performance toolset architecture",
 * CCPE 22 (2010)):
 *
 *     late sender    a receive whose send begins after the wait for it does
 *     late receiver  a send that needs its receive (rendezvous, MPI_Ssend),
 *                    which is posted after the wait for it began
 *     late member    a collective, or a phase that a strategy sends, that the
 *                    last of the members whom this rank needs reaches after
 *                    this rank did (Scalasca: wait at barrier, at N x N, late
 *                    broadcast, early reduce)
 *
 * After that it is caused by the transfer: by latency, bandwidth, and flows
 * that share it.
 *
 * Ranks of a graph (plan_origin.graph) have no order in which they could wait,
 * so a rank counts as waiting if it does nothing.
 */
#ifndef APPS_REPLAY_REPORT_H
#define APPS_REPLAY_REPORT_H

#include "platforms/machine.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan.h"

enum replay_wait {
    REPLAY_RECEIVE,    /* for a message */
    REPLAY_SEND,       /* for the completion of a send */
    REPLAY_COLLECTIVE, /* for members, and for the collective itself */
    REPLAY_OTHER,      /* one-sided, a probe, another stream */
    NREPLAY_WAITS
};
/* The names of causes by other ranks: "late senders", "late receivers", ... */
extern const char *const replay_late_names[NREPLAY_WAITS];
/* The names of transfers: "messages", ... */
extern const char *const replay_transfer_names[NREPLAY_WAITS];

struct replay_rank_times {
    double end_s; /* end of its last operation */
    double computing_s, messages_s, waiting_s;
    /* Parts of waiting_s. */
    double late_s[NREPLAY_WAITS], transfer_s[NREPLAY_WAITS];
    uint64_t late[NREPLAY_WAITS]; /* number of such waits */
    /* The rank for which it waited longest because that rank was late, or
     * NO_RANK. */
    uint32_t most_for;
    double most_for_s;
    /*
     * Seconds that others waited because it was late, including those for ranks
     * that it kept waiting: if a rank was late because it waited itself, its
     * delay is attributed to the rank for which it waited (D. Boehme et al.,
     * "Identifying the root causes of wait states in large-scale parallel
     * applications", ICPP 2010).
     */
    double caused_s;
};
#define NO_RANK UINT32_MAX

struct replay_times {
    uint32_t ranks; /* ranks of the trace */
    struct replay_rank_times *rank;
    double time_s;
    struct replay_rank_times sum; /* over all ranks; end_s and caused_s, too */
    /* As defined by POP: mean over largest computing time; largest computing
     * time over the time; their product. */
    double load_balance, communication_efficiency, parallel_efficiency;
    bool graph; /* ranks have no order, so there are no causes */
};

/* Makes the times of a plan of a trace (plan.origin) that was simulated with
 * EXEC_DETAILS. replay_times_clear() frees t. */
void replay_times_make(struct replay_times *t, const struct machine *m,
                       const struct plan *p, const struct exec_result *x);
void replay_times_clear(struct replay_times *t);

#endif
