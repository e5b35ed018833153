/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_state.h - a replay while its plan is made: where each rank of the
 * trace is, and the collectives that not all members have come to. */
#ifndef STRATEGIES_REPLAY_REPLAY_STATE_H
#define STRATEGIES_REPLAY_REPLAY_STATE_H

#include "sim/plan/exec.h"
#include "sim/plan/origin.h"
#include "strategies/replay/replay.h"
#include "strategies/replay/requests.h"
#include "strategies/replay/template.h"
#include "workloads/trace/comms.h"

/* Of a message, or of a collective's members together; more is nonsense. */
#define REPLAY_MOST_B (UINT64_C(1) << 53)

/* A rank that calls a collective waits until its operations are there. */
enum replay_arrival { REPLAY_NOT_THERE, REPLAY_ARRIVED, REPLAY_EXPANDED };

/* What an operation waits for, as plan_after() takes it. */
struct replay_deps {
    uint32_t *items;
    size_t n, room;
};

struct replay_rank {
    struct trace_event e; /* the newest */
    bool held;            /* it is still to be done: others have to come */
    bool ended, queued;
    bool began, finalized; /* TRACE_INIT, TRACE_FINALIZE was seen */
    uint8_t arrived;       /* enum replay_arrival, at the event's collective */
    uint64_t events;       /* before this one */
    /* What its next operation waits for; when that becomes others the epoch is
     * another. */
    struct replay_deps after;
    uint32_t epoch;
    double work_s; /* computed, and not an operation yet */
    double end_s;  /* of the event before; NAN: unknown */
    struct requests requests;
    /* Its next batch among those of all, whether it has come to its phase, and
     * its epoch then. */
    size_t batch;
    bool came;
    uint32_t phase_epoch;
    /* Its puts and gets that it has not waited for, and to whom. */
    struct replay_deps onesided;
    struct replay_deps onesided_to;
};

/* One member's call of a collective. */
struct replay_call {
    uint32_t after; /* what it waits for; NO_OP: nothing */
    uint64_t place;
    uint64_t request; /* NO_REQUEST: the rank waits */
    uint64_t bytes;
    uint64_t *counts, *recv_counts; /* own; NULL: none */
    bool came;
};

/* A collective that not all members have come to. */
struct replay_collective {
    uint32_t comm;  /* its number among all */
    uint32_t first; /* member that came */
    uint32_t ncalls;
    uint8_t kind;    /* enum trace_collective */
    bool makes_comm; /* TRACE_COMM */
    bool in_gpu;
    uint32_t root; /* in comm */
    const char *name;
    struct replay_call *calls; /* of each member */
};

/* Of a communicator. */
struct replay_comm {
    uint32_t *turn; /* of each member: its next collective */
    /* Those under way, in their order: numbers in replay.collectives. */
    uint32_t *open;
    size_t first_open, nopen, room;
    uint32_t first_turn; /* of the first of these */
};

/* A receive that is left out, as it was. */
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
    uint32_t *queue; /* ranks that can go on */
    size_t nqueue;
    struct replay_comm *of_comm; /* by number */
    size_t ncomms;
    struct replay_collective *collectives; /* without calls: free */
    size_t ncollectives, collectives_room;
    uint32_t *free_collectives;
    size_t nfree;
    struct templates templates;
    struct replay_phase *phases; /* NULL: messages go as in the trace */
    struct replay_cancelled *cancelled;
    size_t ncancelled;
    uint64_t unknown, unbegun;
    uint64_t served; /* of the cancelled: all the same */
    const char *unknown_name;
};

/* --- replay.c ------------------------------------------------------------- */

/* The rank can go on. */
void replay_wake(struct replay *r, uint32_t rank);
/* How long the event, a TRACE_COMPUTE, takes. */
int replay_compute_s(struct replay *r, uint32_t rank, double *work_s,
                     struct err *err);
/* 1: done, 0: others have to come first, -1. */
int replay_event(struct replay *r, uint32_t rank, struct err *err);
unsigned replay_node(const struct replay *r, uint32_t rank);
/* The GPU of the rank, in blocks as the plan's ranks are. */
uint32_t replay_gpu(const struct replay *r, uint32_t rank);

/* --- replay_order.c: what a rank does after what -------------------------- */

void replay_deps_add(struct replay_deps *d, uint32_t dep);
/* What was computed becomes an operation. */
void replay_flush(struct replay *r, uint32_t rank);
/* What the rank waits for, as one: a wait for several, or NO_OP. */
uint32_t replay_join(struct replay *r, uint32_t rank);
/* The newest operation is the rank's: it waits for what the rank waits for. */
void replay_hang(struct replay *r, uint32_t rank);
/* The rank goes on after this. */
void replay_go_on(struct replay *r, uint32_t rank, uint32_t dep);
/* A request of the rank is this operation. */
void replay_request(struct replay *r, uint32_t rank, uint64_t number,
                    uint32_t op);
/* All operations without a place are at this event. */
void replay_place(struct replay *r, uint32_t rank);

/* --- replay_p2p.c --------------------------------------------------------- */

/* 1: done, 0: others have to come first, -1. */
int replay_message(struct replay *r, uint32_t rank, struct err *err);
int replay_wait(struct replay *r, uint32_t rank, struct err *err);
int replay_onesided(struct replay *r, uint32_t rank, struct err *err);
int replay_cancel(struct replay *r, uint32_t rank, struct err *err);

/* --- replay_free.c -------------------------------------------------------- */

/* Of a graph: an event that comes after what its list says, not after the
 * rank's others. */
int replay_free(struct replay *r, uint32_t rank, struct err *err);

/* --- replay_balance.c ----------------------------------------------------- */

/* The operation becomes a wait for nothing. */
void replay_leave_out(struct plan *p, uint32_t op);
/* When all is read. */
void replay_balance(struct replay *r);

/* --- replay_collective.c -------------------------------------------------- */

/* Likewise, also of TRACE_COMM. */
int replay_collective(struct replay *r, uint32_t rank, struct err *err);
/* -1: ranks wait for members that do not come. */
int replay_all_came(struct replay *r, struct err *err);
void replay_collectives_clear(struct replay *r);

/* --- replay_phases.c ------------------------------------------------------ */

#define REPLAY_NO_PHASE 2

void replay_phases_init(struct replay *r);
void replay_phases_clear(struct replay *r);
/* The rank's event, of a phase that a strategy brings: 1: done, 0: others have
 * to come first, -1; or REPLAY_NO_PHASE. */
int replay_in_phase(struct replay *r, uint32_t rank, struct err *err);

/* --- replay_members.c ----------------------------------------------------- */

bool replay_rooted(uint8_t kind);
/* What a call is as a collective, making a communicator among them. */
uint8_t replay_kind(const struct trace_event *e);
/* -1: its sizes are nonsense, for n members; or its call is not the one that
 * the first member made. Of the first: it is what others are held against. */
int replay_check_sizes(const struct replay *r, uint32_t rank, uint32_t n,
                       struct err *err);
int replay_agrees(struct replay *r, uint32_t rank, uint32_t me,
                  struct replay_collective *c, struct err *err);
/* The counts that other members do not say. */
void replay_keep_counts(struct replay_call *call, const struct trace_event *e,
                        uint32_t me, uint32_t members);
/* Of n members that all have come: bytes of each, or NULL where they are equal:
 * *same. The caller frees, of the counts the list alone. */
uint64_t *replay_bytes_of(const struct replay_collective *c, uint32_t n,
                          uint64_t *same);
const uint64_t *const *replay_counts_of(struct replay_collective *c, uint32_t n,
                                        uint64_t *same);
int replay_check_counts(const struct replay *r,
                        const struct replay_collective *c,
                        const struct trace_comm *comm, struct err *err);

#endif
