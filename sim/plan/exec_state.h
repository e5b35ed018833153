/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_state.h - the state of a running plan, shared by exec_ops.c
 * (dependencies, transfers of operations) and exec_stuck.c. */
#ifndef SIM_PLAN_EXEC_STATE_H
#define SIM_PLAN_EXEC_STATE_H

#include "sim/plan/exec.h"
#include "sim/plan/plan.h"
#include "sim/transport/transport.h"

/* The state of an operation, in a byte. */
enum op_state {
    OP_WAITS,  /* waits for its dependencies */
    OP_READY,  /* has its number in the queue of its rank's CPU */
    OP_POSTED, /* is a receive without a message */
    OP_FLIES,  /* is a transfer, or over */
    /* From here on: has its number in a queue, before the stage state -
     * OP_RESTS. */
    OP_RESTS,
    /* A flag: a synchronous send whose memory is free, without a receive. */
    OP_UNMATCHED = 0x40,
    OP_FINISHED = 0x80, /* a flag */
};

struct exec {
    struct fabric fabric;
    struct transfer_events events;
    const struct transport *transport; /* transport of its messages */
    const struct machine *m;
    const struct plan *plan;
    /* Arrays with one item per operation. */
    uint8_t *state;    /* enum op_state */
    uint32_t *place;   /* in the pool, or the next in a queue */
    uint32_t *missing; /* open dependencies; NULL if there are none */
    /* Open dependencies of the receive of a message; NULL if there are none. */
    uint32_t *unposted;
    struct op_times *times; /* NULL if not wanted */
    double *sent_s;         /* NULL if not wanted */
    struct op_waits *waits; /* NULL if not wanted */
    bool counts_queues;     /* keeps the lengths of queues */
    /* The successors of op i are after[first_after[i] .. first_after[i + 1]);
     * NULL if there are none. */
    uint32_t *first_after, *after;
    size_t finished;
    double last_s; /* end of the last operation finished */
    /* For plans with receives of their own; otherwise NULL: the receive of a
     * send and the send of a receive, or NO_OP. */
    uint32_t *partner;
    uint32_t unreceived; /* sends without a receive */
    bool synchronous;    /* some sends complete only with a receive */
    /* For each rank the first probe that waits, linked by place; NULL if the
     * plan has none. */
    uint32_t *probes;
    struct buffers *buffers; /* received by hosts; NULL if there are no hosts */
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

static inline struct envelope exec_envelope(const struct plan *p, uint32_t op)
{
    const struct op *o = &p->ops[op];
    const struct op_match *by = &p->match[op];

    return (struct envelope){o->dst, op_matches(o->kind) ? by->peer : o->src,
                             by->tag, by->context};
}

/* --- exec_stuck.c --------------------------------------------------------- */

/* Called when no event is left. Returns -1 and an error that shows which
 * operations wait for which, if operations never ran or messages were never
 * received. */
int exec_stuck(const struct exec *x, struct err *err) MUST_CHECK;

#endif
