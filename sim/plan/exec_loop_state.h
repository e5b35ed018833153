/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_loop_state.h - the state of a running loop, shared by exec_loop.c
 * (operations and steps), exec_loop_parts.c (tables made before the run) and
 * exec_loop_skip.c (steps that need not be simulated). */
#ifndef SIM_PLAN_EXEC_LOOP_STATE_H
#define SIM_PLAN_EXEC_LOOP_STATE_H

#include "sim/plan/exec_loop.h"
#include "sim/transport/transport.h"

/* An operation under way, in a step. */
struct instance {
    /* First, because a transfer is cast to its instance. */
    struct transfer transfer;
    uint32_t step, op;
    bool live;
    struct instance *free; /* the next free one, if free */
};
enum { POOL_CHUNK = 1024 }; /* instances are allocated in chunks */

/* The open dependencies of an operation, in a step that has begun. */
struct waits {
    uint32_t missing, unposted;
    struct instance *started;
};

struct step {
    size_t left; /* operations that have not ended */
    struct step *free;
    struct waits ops[];
};

/* The operations that wait for operation i, or whose receives do: list[first[i]
 * .. first[i + 1]), as dependencies seen from operation i. */
struct after {
    uint32_t *first, *list;
};

/* A part of the loop. */
struct part_run {
    const struct plan *body;
    uint32_t begin, end;  /* its steps, without the skipped ones */
    uint64_t ops_before;  /* operations of the parts before */
    struct after own;     /* dependencies in the same step */
    struct after of_last; /* on operations of the step before */
    struct waits *fresh;  /* for any step but the first, as it begins */
};

struct loop_run {
    struct fabric fabric;
    const struct transport *transport;
    const struct machine *m;
    const struct loop *l;
    struct part_run *parts;
    unsigned nparts;
    size_t most_nops;       /* the maximum over the bodies */
    uint32_t nsteps;        /* steps to simulate, without the skipped ones */
    struct op_times *times; /* NULL if not wanted */
    struct loop_result *result;
    uint64_t finished;
    double last_s; /* end of the last operation finished */
    /* Steps that have begun and not ended, from step `first` on, which comes
     * after `over` unused places. */
    struct step **steps;
    uint32_t first, end;
    size_t over, steps_room;
    struct step *free_steps;
    uint32_t nlive;
    struct instance *free_instances, **chunks;
    size_t nchunks, ninstances;
    /* NULL if repetition of the state is not looked for. */
    struct repeats *repeats;
    uint32_t most_skipped; /* steps, of one part */
    bool looks;            /* an event will look at step looks_at */
    uint32_t looks_at;
    double skipped_s; /* time of the skipped steps */
};

/* Returns the part of a step. */
static inline unsigned loop_part_of(const struct loop_run *x, uint32_t step)
{
    unsigned part = 0;

    while (part + 1 < x->nparts && step >= x->parts[part].end)
        part++;
    return part;
}

/* Returns the place of a step that has not ended; it holds NULL if the step has
 * not begun. */
static inline struct step **loop_place(const struct loop_run *x, uint32_t step)
{
    return &x->steps[x->over + (step - x->first)];
}

/* --- exec_loop_parts.c ---------------------------------------------------- */

/* Makes the parts of x->l: parts, nparts, most_nops and nsteps; and their
 * dependencies, unless all operations are posted at once. */
void loop_parts_init(struct loop_run *x);
void loop_parts_clear(struct loop_run *x);
/* Returns the open dependencies of each operation in a step of this body;
 * `first` if it is the first step. The caller frees it. */
struct waits *loop_waits_of(const struct plan *p, bool first);

/* --- exec_loop_skip.c ----------------------------------------------------- */

/* Returns the state for a loop of a repeated plan. */
struct repeats *repeats_new(void);
void repeats_free(struct repeats *r); /* NULL is allowed */
/* Called when the first operation of a step has ended and, unless it is a
 * message, has not released its successors yet: if the state equals an earlier
 * one, whole periods of the rest of its part are skipped. */
void loop_boundary(struct loop_run *x, uint32_t step);

#endif
