/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_loop_state.h - a loop while it runs: what exec_loop.c (operations and
 * steps), exec_loop_parts.c (what is known before) and exec_loop_skip.c (steps
 * that need not be simulated) share. */
#ifndef SIM_PLAN_EXEC_LOOP_STATE_H
#define SIM_PLAN_EXEC_LOOP_STATE_H

#include "sim/plan/exec_loop.h"
#include "sim/transport/transport.h"

/* An operation under way, in a step. */
struct instance {
    struct transfer transfer; /* first: a transfer is its instance */
    uint32_t step, op;
    bool live;
    struct instance *free; /* the next one, of those that are */
};
enum { POOL_CHUNK = 1024 }; /* instances are made in chunks */

/* What an operation waits for, in a step that has begun. */
struct waits {
    uint32_t missing, unposted;
    struct instance *started;
};

struct step {
    size_t left; /* operations that have not ended */
    struct step *free;
    struct waits ops[];
};

/* Those that wait for operation i, or for its receive:
 * list[first[i] .. first[i + 1]), as dependencies from that side. */
struct after {
    uint32_t *first, *list;
};

/* A part of the loop. */
struct part_run {
    const struct plan *body;
    uint32_t begin, end;  /* its steps; those that are skipped do not count */
    uint64_t ops_before;  /* of the parts before */
    struct after own;     /* in the same step */
    struct after of_last; /* by operations of the step before */
    struct waits *fresh;  /* of a step that is not the first, as it begins */
};

struct loop_run {
    struct fabric fabric;
    const struct transport *transport;
    const struct machine *m;
    const struct loop *l;
    struct part_run *parts;
    unsigned nparts;
    size_t most_nops; /* of a body */
    uint32_t nsteps;  /* that are simulated: all, but those that are skipped */
    struct op_times *times; /* NULL: nobody asks */
    struct loop_result *result;
    uint64_t finished;
    double last_s; /* when the last of them was */
    /* Steps that have begun and not ended, from step `first` on, which is
     * behind the places of `over` others. */
    struct step **steps;
    uint32_t first, end;
    size_t over, steps_room;
    struct step *free_steps;
    uint32_t nlive;
    struct instance *free_instances, **chunks;
    size_t nchunks, ninstances;
    struct repeats *repeats; /* NULL: nobody looks whether the state does */
    uint32_t most_skipped;   /* steps, of a part */
    bool looks;              /* soon, at this step */
    uint32_t looks_at;
    double skipped_s; /* what steps that were left out would take */
};

/* That a step is of. */
static inline unsigned loop_part_of(const struct loop_run *x, uint32_t step)
{
    unsigned part = 0;

    while (part + 1 < x->nparts && step >= x->parts[part].end)
        part++;
    return part;
}

/* Where a step is that has not ended; NULL there: it has not begun. */
static inline struct step **loop_place(const struct loop_run *x, uint32_t step)
{
    return &x->steps[x->over + (step - x->first)];
}

/* --- exec_loop_parts.c ------------------------------------------------------
 */

/* Of x->l: parts, nparts, most_nops and nsteps; what its operations wait for
 * unless all are posted at once. */
void loop_parts_init(struct loop_run *x);
void loop_parts_clear(struct loop_run *x);
/* What each operation of a step of this body waits for; of the first step:
 * first. The caller frees it. */
struct waits *loop_waits_of(const struct plan *p, bool first);

/* --- exec_loop_skip.c -------------------------------------------------------
 */

/* For a loop of a repeated plan. */
struct repeats *repeats_new(void);
void repeats_free(struct repeats *r); /* NULL: nothing */
/* The first operation of a step has ended, and, but for a message, has told
 * nobody yet: where the state is one that was there before, whole periods are
 * left out of what is still to come of its part. */
void loop_boundary(struct loop_run *x, uint32_t step);

#endif
