/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_state.h - the state of a replay while its plan is made: how far each
 * rank of the trace is, and the collectives that not all members have
 * reached. */
#ifndef APPS_REPLAY_REPLAY_STATE_H
#define APPS_REPLAY_REPLAY_STATE_H

#include "sim/plan/exec.h"
#include "sim/plan/origin.h"
#include "apps/replay/replay.h"
#include "apps/replay/requests.h"
#include "apps/replay/template.h"
#include "workloads/trace/comms.h"

/* The most bytes of a message, or of a collective's members together; more is
 * an error. */
#define REPLAY_MOST_B (UINT64_C(1) << 53)

/* A rank that calls a collective waits until its operations are in the plan. */
enum replay_arrival { REPLAY_NOT_THERE, REPLAY_ARRIVED, REPLAY_EXPANDED };

/* Dependencies of an operation, as plan_after() takes them. */
struct replay_deps {
    uint32_t *items;
    size_t n, room;
};

struct replay_rank {
    struct trace_event e; /* its newest event */
    /* The event is not done yet, because others have to come first. */
    bool held;
    bool ended, queued;
    bool began, finalized; /* TRACE_INIT, TRACE_FINALIZE was seen */
    uint8_t arrived;       /* enum replay_arrival, at the event's collective */
    uint64_t events;       /* events before this one */
    /* The dependencies of its next operation; each time they change it is
     * another epoch. */
    struct replay_deps after;
    uint32_t epoch;
    double work_s; /* computation that is not an operation yet */
    double end_s;  /* end of the event before; NAN if unknown */
    struct requests requests;
    /* Its next batch among those of all ranks, whether it has reached that
     * batch's phase, and its epoch then. */
    size_t batch;
    bool came;
    uint32_t phase_epoch;
    /* Its puts and gets that it has not waited for, and their targets. */
    struct replay_deps onesided;
    struct replay_deps onesided_to;
};

/* One member's call of a collective. */
struct replay_call {
    uint32_t after; /* its dependency; NO_OP if it has none */
    uint64_t place;
    uint64_t request; /* NO_REQUEST if the rank waits */
    uint64_t bytes;
    uint64_t *counts, *recv_counts; /* owned; NULL if it has none */
    bool came;
};

/* A collective that not all members have reached. */
struct replay_collective {
    uint32_t comm;  /* its communicator's number */
    uint32_t first; /* member that came first */
    uint32_t ncalls;
    uint8_t kind;    /* enum trace_collective */
    bool makes_comm; /* TRACE_COMM */
    bool in_gpu;
    uint32_t root; /* a member of comm */
    const char *name;
    struct replay_call *calls; /* one per member */
};

/* The collectives of a communicator. */
struct replay_comm {
    uint32_t *turn; /* for each member the number of its next collective */
    /* The collectives under way, in their order: indices in
     * replay.collectives. */
    uint32_t *open;
    size_t first_open, nopen, room;
    uint32_t first_turn; /* number of the first of these */
};

/* A receive that was left out, with its former content. */
struct replay_cancelled {
    uint32_t op;
    struct op was;
    struct op_match by;
};

struct replay {
    struct plan *p;
    const struct machine *m;
    struct trace *t;
    const struct replay_options *o;
    struct plan_origin *origin;
    struct trace_comms *comms;
    struct replay_rank *ranks;
    uint32_t *queue; /* ranks that can continue */
    size_t nqueue;
    struct replay_comm *of_comm; /* indexed by number of the communicator */
    size_t ncomms;
    struct replay_collective *collectives; /* one without calls is free */
    size_t ncollectives, collectives_room;
    uint32_t *free_collectives;
    size_t nfree;
    struct templates templates;
    /* NULL if messages are sent as in the trace. */
    struct replay_phase *phases;
    struct replay_cancelled *cancelled;
    size_t ncancelled;
    uint64_t unknown, unbegun;
    uint64_t served; /* cancelled receives that got a message anyway */
    const char *unknown_name;
};

/* --- replay_state.c ------------------------------------------------------- */

/* Queues the rank, because it can continue. */
void replay_wake(struct replay *r, uint32_t rank);
/* Computes the seconds of the event, a TRACE_COMPUTE. */
int replay_compute_s(struct replay *r, uint32_t rank, double *work_s,
                     struct err *err);
unsigned replay_node(const struct replay *r, uint32_t rank);
/* Returns the GPU of the rank, if ranks are in blocks as the plan's are. */
uint32_t replay_gpu(const struct replay *r, uint32_t rank);

/* --- replay_order.c: the order of a rank's operations --------------------- */

void replay_deps_add(struct replay_deps *d, uint32_t dep);
/* Makes an operation of the computation so far. */
void replay_flush(struct replay *r, uint32_t rank);
/* Returns the rank's dependencies as one: a wait for several, or NO_OP. */
uint32_t replay_join(struct replay *r, uint32_t rank);
/* Makes the newest operation, which is the rank's, depend on the rank's
 * dependencies. */
void replay_hang(struct replay *r, uint32_t rank);
/* Makes `dep` the only dependency of the rank. */
void replay_go_on(struct replay *r, uint32_t rank, uint32_t dep);
/* Makes the operation the one of a request of the rank. */
void replay_request(struct replay *r, uint32_t rank, uint64_t number,
                    uint32_t op);
/* Gives all operations that have no place yet the place of this event. */
void replay_place(struct replay *r, uint32_t rank);

/* --- replay_p2p.c --------------------------------------------------------- */

/* Return 1 if the event is done, 0 if others have to come first, -1 on an
 * error. */
int replay_message(struct replay *r, uint32_t rank, struct err *err);
int replay_wait(struct replay *r, uint32_t rank, struct err *err);
int replay_onesided(struct replay *r, uint32_t rank, struct err *err);
int replay_cancel(struct replay *r, uint32_t rank, struct err *err);

/* --- replay_event.c ------------------------------------------------------- */

/* Does the rank's event; returns 1 if it is done, 0 if others have to come
 * first, -1 on an error. */
int replay_event(struct replay *r, uint32_t rank, struct err *err);

/* --- replay_free.c -------------------------------------------------------- */

/* Does an event of a graph, which depends on the events of its list, not on the
 * rank's others. */
int replay_free(struct replay *r, uint32_t rank, struct err *err);

/* --- replay_balance.c ----------------------------------------------------- */

/* Replaces the operation by a wait for nothing. */
void replay_leave_out(struct plan *p, uint32_t op);
/* Balances messages and receives once all is read. */
void replay_balance(struct replay *r);

/* --- replay_collective.c -------------------------------------------------- */

/* Returns the same, also for TRACE_COMM. */
int replay_collective(struct replay *r, uint32_t rank, struct err *err);
/* Returns -1 if ranks wait for members that never come. */
int replay_all_came(struct replay *r, struct err *err);
void replay_collectives_clear(struct replay *r);

/* --- replay_phases.c ------------------------------------------------------ */

#define REPLAY_NO_PHASE 2

void replay_phases_init(struct replay *r);
void replay_phases_clear(struct replay *r);
/* Does the rank's event if it belongs to a phase that a strategy sends: returns
 * 1 if it is done, 0 if others have to come first, -1 on an error; otherwise
 * REPLAY_NO_PHASE. */
int replay_in_phase(struct replay *r, uint32_t rank, struct err *err);

/* --- replay_members.c ----------------------------------------------------- */

bool replay_rooted(uint8_t kind);
/* Returns the kind of collective of a call, which may make a communicator. */
uint8_t replay_kind(const struct trace_event *e);
/* Return -1 if the call's sizes are too large for n members, or if the call
 * differs from the first member's. If it is the first, it becomes the reference
 * for the others. */
int replay_check_sizes(const struct replay *r, uint32_t rank, uint32_t n,
                       struct err *err);
int replay_agrees(struct replay *r, uint32_t rank, uint32_t me,
                  struct replay_collective *c, struct err *err);
/* Keeps the counts that other members' calls do not have. */
void replay_keep_counts(struct replay_call *call, const struct trace_event *e,
                        uint32_t me, uint32_t members);
/* Return, once all n members have come, the bytes of each member, or NULL if
 * they are all equal to *same. The caller frees the result, of the counts only
 * the outer list. */
uint64_t *replay_bytes_of(const struct replay_collective *c, uint32_t n,
                          uint64_t *same);
const uint64_t *const *replay_counts_of(struct replay_collective *c, uint32_t n,
                                        uint64_t *same);
int replay_check_counts(const struct replay *r,
                        const struct replay_collective *c,
                        const struct trace_comm *comm, struct err *err);

#endif
