/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_state.h - a plan while it runs, which exec_ops.c (dependencies,
 * transfers of operations) and exec_stuck.c share. */
#ifndef SIM_PLAN_EXEC_STATE_H
#define SIM_PLAN_EXEC_STATE_H

#include "sim/plan/exec.h"
#include "sim/plan/plan.h"
#include "sim/transport/transport.h"

/* The state of an operation: a byte. */
enum op_state {
    OP_WAITS,  /* for its dependencies */
    OP_READY,  /* a number in the queue of its rank's CPU */
    OP_POSTED, /* a receive that has no message */
    OP_FLIES,  /* a transfer, or over */
    OP_RESTS,  /* from here on: a number in a queue, before that stage */
    /* Besides: a synchronous send whose memory is free, without a receive. */
    OP_UNMATCHED = 0x40,
    OP_FINISHED = 0x80, /* likewise */
};

struct exec {
    struct fabric fabric;
    struct transfer_events events;
    const struct transport *transport; /* its messages' */
    const struct machine *m;
    const struct plan *plan;
    /* Each operation's. */
    uint8_t *state;     /* enum op_state */
    uint32_t *place;    /* in the pool, or who is behind it in a queue */
    uint32_t *missing;  /* dependencies; NULL: no operation has any */
    uint32_t *unposted; /* of the receive of a message; NULL: none has any */
    struct op_times *times; /* NULL: nobody asks */
    double *sent_s;         /* likewise */
    struct op_waits *waits; /* NULL: nobody asks */
    bool counts_queues;     /* how long they are */
    /* The successors of op i are after[first_after[i] .. first_after[i + 1]).
     * NULL: there are none. */
    uint32_t *first_after, *after;
    size_t finished;
    double last_s; /* when the last of them was */
    /* Plans with receives of their own; else NULL: the send's receive and the
     * receive's send, or NO_OP. */
    uint32_t *partner;
    uint32_t unreceived; /* sends without a receive */
    bool synchronous;    /* some sends are complete only with a receive */
    uint32_t *probes;    /* each rank's first that waits; NULL: there are none;
                            behind it: place */
    struct buffers *buffers; /* of what hosts received; NULL: no hosts */
    uint32_t truncated;      /* a receive whose message is too long, or NO_OP */
};

static inline bool exec_started(const struct exec *x, uint32_t op)
{
    return x->state[op] != OP_WAITS;
}

static inline bool exec_finished(const struct exec *x, uint32_t op)
{
    return x->state[op] & OP_FINISHED;
}

struct envelope exec_envelope(const struct plan *p, uint32_t op);

/* --- exec_stuck.c --------------------------------------------------------- */

/* Nothing is left to happen: -1 and who waits for whom, when operations never
 * ran or messages were never received. */
int exec_stuck(const struct exec *x, struct err *err) MUST_CHECK;

#endif
