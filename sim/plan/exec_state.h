/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_state.h - a plan while it runs: what exec_ops.c (dependencies, transfers
 * of operations) and exec_stuck.c share. */
#ifndef SIM_PLAN_EXEC_STATE_H
#define SIM_PLAN_EXEC_STATE_H

#include "sim/plan/exec.h"
#include "sim/plan/plan.h"
#include "sim/transport/transport.h"

struct task {
    uint32_t missing;  /* dependencies */
    uint32_t unposted; /* of its receive, of messages with FOR_RECEIVE */
    bool started;      /* its dependencies were finished */
    bool finished;
};

struct exec {
    struct fabric fabric;
    struct transfer_events events;
    const struct transport *transport; /* of its messages */
    const struct machine *m;
    const struct plan *plan;
    /* Of each operation. */
    struct task *tasks;
    struct transfer *transfers;
    struct op_times *times; /* NULL: nobody asks */
    struct op_waits *waits; /* NULL: nobody asks */
    /* Who comes after whom: successors of op i are
     * after[first_after[i] .. first_after[i + 1]). */
    uint32_t *first_after, *after;
    size_t finished;
    double last_s; /* when the last of them was */
    /* Plans with receives of their own; else NULL: the send's receive and the
     * receive's send, or NO_OP. */
    uint32_t *partner;
    uint32_t unreceived; /* sends without a receive */
    uint32_t truncated;  /* a receive whose message is too long, or NO_OP */
};

struct envelope exec_envelope(const struct plan *p, uint32_t op);

/* --- exec_stuck.c --------------------------------------------------------- */

/* Nothing is left to happen: -1 and who waits for whom, when operations never
 * ran or messages were never received. */
int exec_stuck(const struct exec *x, struct err *err) MUST_CHECK;

#endif
