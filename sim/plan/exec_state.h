/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_state.h - the state of a running loop, of which a plan is one step:
 * shared by exec_here.c (begin and end), exec_ops.c (dependencies, transfers of
 * operations), exec_steps.c (parts and steps), exec_skip.c (steps that need not
 * be simulated), exec_processes.c and exec_stuck.c. */
#ifndef SIM_PLAN_EXEC_STATE_H
#define SIM_PLAN_EXEC_STATE_H

#include "sim/plan/exec.h"
#include "sim/plan/loop.h"
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

/* A step that has begun; arrays have one item per operation. */
struct exec_step {
    const struct exec_part *part;
    uint32_t step;
    size_t left;            /* operations that have not finished */
    struct op_times *times; /* NULL if not wanted */
    struct exec_step *free;
    uint8_t *state; /* enum op_state */
    /* While the operation waits, its open dependencies; then its place in the
     * pool, or the next in a queue. */
    uint32_t *place;
    /* Open dependencies of the receive of a message; NULL if no receive of the
     * loop has any. */
    uint32_t *unposted;
};

/* The operations that wait for operation i, or whose receives do: list[first[i]
 * .. first[i + 1]), as dependencies seen from operation i; n in all, and no
 * arrays if that is 0. */
struct after {
    size_t n;
    uint32_t *first, *list;
};

/* A part of the loop. */
struct exec_part {
    const struct plan *body;
    uint32_t begin, end;  /* its steps, without the skipped ones */
    uint64_t ops_before;  /* operations of the parts before */
    struct after own;     /* dependencies in the same step */
    struct after of_last; /* on operations of the step before */
    /* Open dependencies in any step but the loop's first, as it begins; NULL if
     * there is no such step. */
    uint32_t *missing, *unposted;
};

struct exec {
    struct fabric fabric;
    struct transfer_events events;
    uint8_t kinds[NOP_KINDS]; /* enum transfer_kind of each enum op_kind */
    const struct transport *transport; /* transport of its messages */
    const struct machine *m;
    const struct loop *l;
    struct exec_part *parts;
    unsigned nparts;
    size_t most_nops;       /* the maximum over the bodies */
    bool receives;          /* receives of messages have dependencies */
    uint32_t nsteps;        /* steps to simulate, without the skipped ones */
    struct op_times *times; /* NULL if not wanted */
    double *sent_s;         /* NULL if not wanted */
    struct op_waits *waits; /* NULL if not wanted */
    struct exec_steps *counts;
    uint64_t finished;
    double last_s; /* end of the last operation finished */
    /* Steps that have begun and not ended, from step `first` on, which comes
     * after `over` unused places. */
    struct exec_step **steps;
    uint32_t first, end;
    size_t over, steps_room;
    struct exec_step *free_steps;
    uint32_t nlive;
    size_t nflying; /* operations that are transfers */
    /* NULL if repetition of the state is not looked for. */
    struct repeats *repeats;
    uint32_t most_skipped; /* steps, of one part */
    bool looks;            /* an event will look at step looks_at */
    uint32_t looks_at;
    double skipped_s; /* time of the skipped steps */

    /* --- if the loop is one step: a plan ---------------------------------- */
    const struct plan *plan; /* otherwise NULL */
    struct exec_step *only;  /* its state, also once it has ended */
    bool counts_queues;      /* keeps the lengths of queues */
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
    return x->only->state[op] != OP_WAITS;
}

static inline bool exec_finished(const struct exec *x, uint32_t op)
{
    return x->only->state[op] & OP_FINISHED;
}

static inline struct envelope exec_envelope(const struct plan *p, uint32_t op)
{
    const struct op *o = &p->ops[op];
    const struct op_match *by = &p->match[op];

    return (struct envelope){o->dst, op_matches(o->kind) ? by->peer : o->src,
                             by->tag, by->context};
}

/* Returns the part of a step. */
static inline unsigned exec_part_of(const struct exec *x, uint32_t step)
{
    unsigned part = 0;

    while (part + 1 < x->nparts && step >= x->parts[part].end)
        part++;
    return part;
}

/* Returns the place of a step that has not ended; it holds NULL if the step has
 * not begun. */
static inline struct exec_step **exec_step_place(const struct exec *x,
                                                 uint32_t step)
{
    return &x->steps[x->over + (step - x->first)];
}

/* --- exec_ops.c ----------------------------------------------------------- */

/* Sets the events that fill the wanted results, and the kinds of transfers. */
void exec_set_events(struct exec *x);
/* Prepares the matching of sends and receives. */
void exec_match_init(struct exec *x);
/* Begins the loop, in an event like any other; arg is its state. */
void exec_begin(void *arg);
/* Returns the most CPU time that a message of any part can hide. */
double exec_hides_s(struct exec *x);

/* --- exec_turning.c ------------------------------------------------------- */

/* An operation that waits, and its step. */
struct waiting {
    uint32_t step, op;
    bool receive; /* its receive waits */
};

struct waiting_list {
    struct waiting who[LOOP_MOST_WAITERS];
    size_t n;
};

/* Lists the operations that wait for the end of an operation of the first part,
 * or (sent) for its buffer. */
void exec_turning_waiters(struct waiting_list *l, const struct exec *x,
                          uint32_t step, uint32_t op, bool sent);

/* --- exec_skip.c ---------------------------------------------------------- */

/* Returns the state for a loop of a repeated plan. */
struct repeats *repeats_new(void);
void repeats_free(struct repeats *r); /* NULL is allowed */
/* Called when the first operation of a step has ended and, unless it is a
 * message, has not released its successors yet: if the state equals an earlier
 * one, whole periods of the rest of its part are skipped. */
void exec_boundary(struct exec *x, uint32_t step);

/* --- exec_stuck.c --------------------------------------------------------- */

/* Called when no event is left. Returns -1 and an error, which for a plan shows
 * which operations wait for which, if operations never ran or messages were
 * never received. */
int exec_stuck(const struct exec *x, struct err *err) MUST_CHECK;

#endif
