/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h - a plan in steps that are all alike: a body of operations that runs
 * again and again. It needs the memory of one step, however many there are, and
 * it stands for the plan that holds all of them (loop_unroll()). */
#ifndef SIM_PLAN_LOOP_H
#define SIM_PLAN_LOOP_H

#include "sim/plan/plan.h"

/* In step k, from 0 on, operation i of the body is operation k * body.nops + i
 * of the plan. Dependencies with LAST_STEP are on operations of the step
 * before; the first step has none of them. */
struct loop {
    struct plan body;
    uint32_t steps; /* steps of this body; `more` has others */
    /*
     * The partners of messages turn from step to step: the first `turning`
     * operations are then messages, the i-th of rank i, to different ranks
     * below `turning`; in step k message i is sent to the destination of
     * message (i + k) % turning of the body. A dependency on the receive of a
     * message of the body, or of that receive, means the rank that receives,
     * and so in each step the message that it receives then. 0 if none turn.
     */
    uint32_t turning;
    /* The body's operations are messages without dependencies: all steps are
     * posted at the beginning, one after the other. */
    bool at_once;
    /* The body has the operations of node 0 alone, and those of node k are the
     * same between nodes that are k further on, around the nodes; nodes that
     * can change places (machine_nodes_alike()). Operation i of node k is
     * number k * body.nops + i of a step. */
    bool of_one_node;
    uint32_t ngpus; /* of a node, if of_one_node */
    /* Steps may be skipped if the state equals an earlier one; states are
     * compared when operation 0 of a step ends. */
    bool repeats;
    /* Sets the bytes, and adds pieces, of each operation that has been added to
     * the unrolled plan, because operations may carry other bytes there. NULL
     * if they are as the body's. `arg` belongs to the loop, which frees it. */
    void (*carry)(const void *arg, struct plan *p, uint32_t step, uint32_t i);
    void *arg;
    /* The parts that come after these steps, one after the other, unless the
     * steps are at once. They do not turn. Operations are numbered on, step by
     * step; dependencies with LAST_STEP are on operations of the step before,
     * whichever part it is in. */
    struct loop_part {
        struct plan body;
        uint32_t steps;
    } * more;
    unsigned nmore;
};

void loop_clear(struct loop *l);

/* Returns the loop of one step that is this plan, which it borrows. */
static inline struct loop loop_of_plan(const struct plan *p)
{
    return (struct loop){.body = *p, .steps = 1};
}

/* Adds another part of `steps` steps; the loop owns its body from now on. */
void loop_add_part(struct loop *l, struct plan body, uint32_t steps);

/* Returns the nodes of which each does what the body says: 1, or all. */
unsigned loop_alike(const struct loop *l);
/* Return the steps and the operations of all parts. */
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

/* Makes the loop of a plan that is repeated, as if it were round after round of
 * one plan (chain.h), but with the working set of one step. The first step is a
 * part, and so is the second, because its operations wait for those of a body
 * without the joints between two steps. */
void loop_repeat(struct loop *l, const struct plan *p, uint32_t steps);

/* Makes the loop of those operations of a part that stand for themselves:
 * operation i is represented by stands[i], which is not above i. The loop has
 * no carry(). */
void loop_fold(struct loop *out, const struct loop *l, const uint32_t *stands);

/* Makes the plan of all steps; fails if it has too many operations. */
int loop_unroll(struct plan *p, const struct loop *l,
                struct err *err) MUST_CHECK;

/* The most operations that wait for the end of one operation, or for its
 * buffer, in the first part of a loop whose messages turn. */
enum { LOOP_MOST_WAITERS = 16 };

/* Checks all steps as plan_check() does, and that limit. */
int loop_check(const struct loop *l, const struct machine *m,
               struct err *err) MUST_CHECK;

/* Return the message of the body that has the destination of message i in this
 * step, and the message of this step that is sent to the destination of message
 * `end` of the body. Other operations are the same in all steps. */
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

/* Returns operation i in a step of the first part, without its dependencies. */
static inline struct op loop_op(const struct loop *l, uint32_t step, uint32_t i)
{
    const struct op *end = &l->body.ops[loop_end(l, step, i)];
    struct op o = l->body.ops[i];

    o.dst = end->dst;
    o.dst_gpu = end->dst_gpu;
    return o;
}

#endif
