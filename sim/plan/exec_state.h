/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_state.h - a plan while it runs: what exec_ops.c (dependencies, servers),
 * exec_message.c, exec_copy.c and exec_stuck.c share. */
#ifndef SIM_PLAN_EXEC_STATE_H
#define SIM_PLAN_EXEC_STATE_H

#include "sim/network/engine.h"
#include "sim/plan/exec.h"
#include "sim/transport/match.h"
#include "sim/plan/plan.h"
#include "sim/transport/server.h"

/* What happens to an operation next: a message (from RECV_CPU on its receive,
 * where that is an operation of its own), a message that has to wait for its
 * receive, a copy, work. */
enum stage {
    SEND_CPU,
    SEND_DONE,
    AT_NIC,
    NIC_PLACE,
    PEER_ENGINE,
    ON_WIRE,
    FLOWED,
    RECV_CPU,
    RECEIVED,

    HELD,  /* a message whose bytes stay until a receive is posted */
    THERE, /* its bytes are there before the receive is */

    COPY_CPU,
    COPY_ISSUED,
    COPY_ENGINE,
    COPY_SERVED,
    COPIED,

    WORK_CPU,
    WORKED,
};

struct exec;

struct task {
    struct exec *x;
    uint32_t op;
    uint32_t missing;  /* dependencies */
    uint32_t unposted; /* of its receive, of messages with FOR_RECEIVE */
    uint8_t stage;
    uint8_t cause; /* of its wait for a server, enum cause */
    bool started;  /* its dependencies were finished */
    bool finished;
};

struct exec {
    struct engine *engine;
    const struct machine *m;
    const struct plan *plan;
    double origin; /* the engine's clock when the plan started */
    struct task *tasks;
    struct op_times *times;
    struct op_waits *waits; /* NULL: nobody asks */
    uint32_t *next;         /* of the servers */
    struct server *cpu;     /* of each rank */
    struct server *copy;    /* of each GPU, for each direction */
    unsigned *copying;      /* of each GPU: copies under way */
    struct server *nic;     /* of each NIC: sending */
    unsigned *nearest_nic;  /* of each core, then GPU, of a node */
    double *nic_free; /* of each NIC: when it may begin the next message */
    /* Who comes after whom: successors of op i are
     * after[first_after[i] .. first_after[i + 1]). */
    uint32_t *first_after, *after;
    size_t finished;
    /* Plans with receives of their own; else NULL. */
    struct match *match;
    uint32_t *partner; /* the send's receive and the receive's send, or NO_OP */
    uint32_t unreceived; /* sends without a receive */
    uint32_t truncated;  /* a receive whose message is too long, or NO_OP */
};

/* --- exec_ops.c ----------------------------------------------------------- */

double exec_now(const struct exec *x);
/* The operation has waited until now, ended by `whom`. */
void exec_waited(struct exec *x, uint32_t op, uint8_t cause, uint32_t whom);
/* Waits for a server; `stage` comes when it is the operation's. */
void exec_take(struct exec *x, struct server *s, uint32_t op, enum stage stage,
               enum cause cause);
/* `by` gives its place to who waits for it. */
void exec_release(struct exec *x, struct server *s, uint32_t by);
void exec_later(struct exec *x, uint32_t op, double delay_s, enum stage stage);
/* Bytes flow on behalf of an operation, which then is at `stage`. */
void exec_flow(struct exec *x, uint32_t op, enum stage stage, uint32_t from,
               uint32_t to, double rate_cap_Bps, int nic);
/* Those that wait for this operation's end, or (sent) for its buffer. */
void exec_tell(struct exec *x, uint32_t op, bool sent);
void exec_finish(struct exec *x, uint32_t op);
uint32_t exec_rank(const struct exec *x, uint32_t rank); /* as an endpoint */
uint32_t exec_gpu(const struct exec *x, uint32_t gpu);

/* --- exec_message.c, exec_copy.c ------------------------------------------ */

void exec_message(struct exec *x, uint32_t op, enum stage stage);
void exec_copy(struct exec *x, uint32_t op, enum stage stage);
/* The receive is posted; that of a message without one of its own. */
void exec_post(struct exec *x, uint32_t op);
void exec_posted(struct exec *x, uint32_t op, uint32_t by);
struct envelope exec_envelope(const struct op *o);

/* --- exec_stuck.c --------------------------------------------------------- */

/* Nothing is left to happen: -1 and who waits for whom, when operations never
 * ran or messages were never received. */
int exec_stuck(const struct exec *x, struct err *err) MUST_CHECK;

/* The GPU whose engines copy: where a node's stand for one, the first. */
static inline uint32_t exec_real_gpu(const struct exec *x, uint32_t gpu)
{
    return x->m->copies.gpus_are_one ? gpu - gpu % x->m->ngpus : gpu;
}

#endif
