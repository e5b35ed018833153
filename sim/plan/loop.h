/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h - a plan in steps that are all alike: a body of operations that runs
 * again and again. It takes the room of one step, however many there are; and
 * it stands for the plan that holds all of them (loop_unroll()). */
#ifndef SIM_PLAN_LOOP_H
#define SIM_PLAN_LOOP_H

#include "sim/plan/plan.h"

/*
 * In step k, from 0 on, operation i of the body is operation k * body.nops + i
 * of the plan. Dependencies with LAST_STEP are on operations of the step
 * before; the first step has none of them.
 */
struct loop {
    struct plan body;
    uint32_t steps; /* of this body: all, but for those of `more` */
    /*
     * The partners of messages turn from step to step: the first `turning`
     * operations are then messages, the i-th of rank i, to different ranks
     * below `turning`; in step k message i goes where message (i + k) %
     * turning of the body goes. A dependency on the receive of a message of
     * the body, or of that receive, means the rank that receives, and so in
     * each step the message that it receives then. 0: none turn.
     */
    uint32_t turning;
    /* The body's operations are messages without dependencies: all steps are
     * posted at the beginning, one after the other. */
    bool at_once;
    /* Steps may be left out where the state is one that was there before: it
     * is compared as operation 0 of each step ends. */
    bool repeats;
    /* In the plan of all steps operations of the body may carry other bytes:
     * this sets the bytes, and adds pieces, of each that has been added to it.
     * NULL: they are as the body's. `arg` is the loop's, to be freed. */
    void (*carry)(const void *arg, struct plan *p, uint32_t step, uint32_t i);
    void *arg;
    /*
     * Behind these steps, unless they are at once, come others, part after
     * part, none of which turns. Operations are numbered on, step by step;
     * dependencies with LAST_STEP are on operations of the step before, of
     * whatever part it is.
     */
    struct loop_part {
        struct plan body;
        uint32_t steps;
    } * more;
    unsigned nmore;
};

void loop_clear(struct loop *l);

/* Another part of so many steps; its body is the loop's from now on. */
void loop_add_part(struct loop *l, struct plan body, uint32_t steps);

/* Of all parts: steps, and operations. */
uint32_t loop_steps(const struct loop *l);
uint64_t loop_ops(const struct loop *l);

static inline const struct plan *loop_body(const struct loop *l, unsigned part)
{
    return part ? &l->more[part - 1].body : &l->body;
}

static inline uint32_t loop_part_steps(const struct loop *l, unsigned part)
{
    return part ? l->more[part - 1].steps : l->steps;
}

/*
 * Makes a plan that is done again and again, as if it were round after round
 * of one plan (chain.h), but with the working set of one step. The first step
 * is a part, and so is the second, because its operations wait for those of a
 * body without the operations between two steps.
 */
void loop_repeat(struct loop *l, const struct plan *p, uint32_t steps);

/* The plan of all steps. Fails when those are too many operations. */
int loop_unroll(struct plan *p, const struct loop *l,
                struct err *err) MUST_CHECK;

/* As plan_check(), of all steps. */
int loop_check(const struct loop *l, const struct machine *m,
               struct err *err) MUST_CHECK;

/* Return the message of the body that tells where message i goes in this step,
 * and the message of this step that goes where message `end` of the body does.
 * Other operations are the same in all steps. */
static inline uint32_t loop_end(const struct loop *l, uint32_t step, uint32_t i)
{
    return i < l->turning ? (uint32_t)(((uint64_t)i + step) % l->turning) : i;
}

static inline uint32_t loop_start(const struct loop *l, uint32_t step,
                                  uint32_t end)
{
    return end < l->turning
               ? (end + l->turning - step % l->turning) % l->turning
               : end;
}

/* Operation i in a step of the first part, but for its dependencies. */
static inline struct op loop_op(const struct loop *l, uint32_t step, uint32_t i)
{
    const struct op *end = &l->body.ops[loop_end(l, step, i)];
    struct op o = l->body.ops[i];

    o.dst = end->dst;
    o.dst_gpu = end->dst_gpu;
    return o;
}

#endif
