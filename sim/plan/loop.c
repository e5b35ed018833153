/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the body of a repeated plan, and the plan that a loop stands for. */
#include "sim/plan/loop.h"

#include "sim/plan/ends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void loop_clear(struct loop *l)
{
    plan_clear(&l->body);
    free(l->arg);
    for (unsigned i = 0; i < l->nmore; i++)
        plan_clear(&l->more[i].body);
    free(l->more);
    memset(l, 0, sizeof *l);
}

void loop_add_part(struct loop *l, struct plan body, uint32_t steps)
{
    assert(l->steps && steps && !l->at_once);
    l->more = xrealloc(l->more, l->nmore + 1, sizeof *l->more);
    l->more[l->nmore++] = (struct loop_part){body, steps};
}

uint32_t loop_steps(const struct loop *l)
{
    uint32_t steps = l->steps;

    for (unsigned i = 0; i < l->nmore; i++)
        steps += l->more[i].steps;
    return steps;
}

uint64_t loop_ops(const struct loop *l)
{
    uint64_t ops = 0;

    for (unsigned part = 0; part <= l->nmore; part++)
        ops += (uint64_t)loop_part_steps(l, part) * loop_body(l, part)->nops;
    return ops;
}

static void loop_empty_plan(struct plan *p, const struct plan *like)
{
    memset(p, 0, sizeof *p);
    p->name = xstrdup(like->name);
    p->runtime = like->runtime;
    p->begin_s = like->begin_s;
    p->channel_work = like->channel_work;
    p->nodes = like->nodes;
    p->ranks_per_node = like->ranks_per_node;
    p->core = xcalloc(like->ranks_per_node, sizeof *p->core);
    memcpy(p->core, like->core, like->ranks_per_node * sizeof *p->core);
    p->working_set_B = plan_working_set(like);
}

/* --- a plan again and again ----------------------------------------------- */

#define NO_JOINT UINT32_MAX

/* The operation between two steps of each rank that takes part; how many. */
static uint32_t loop_number_joints(uint32_t *joint, uint32_t ranks,
                                   const struct plan *p)
{
    uint32_t n = 0;

    memset(joint, 0xff, ranks * sizeof *joint);
    for (size_t i = 0; i < p->nops; i++)
        joint[p->ops[i].src] = joint[p->ops[i].dst] = 0;
    for (uint32_t r = 0; r < ranks; r++)
        if (joint[r] != NO_JOINT)
            joint[r] = n++;
    return n;
}

/* Operation i behind `joints` others. */
static void loop_add_op(struct plan *body, const struct plan *p, uint32_t i,
                        const uint32_t *joint, uint32_t joints)
{
    const struct op *o = &p->ops[i];
    plan_add_copy(body, p, i);
    if (!plan_is_held(p, 0, i, false))
        plan_after(body, joint[o->src]);
    for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
        plan_after(body, p->deps[d] + joints);
    if (o->kind == OP_MSG && o->dst != o->src && !plan_is_held(p, 0, i, true))
        plan_posted_after(body, joint[o->dst]);
}

void loop_repeat(struct loop *l, const struct plan *p, uint32_t steps)
{
    uint32_t ranks = p->nodes * p->ranks_per_node;
    uint32_t *joint = xcalloc(ranks, sizeof *joint);
    uint32_t joints = loop_number_joints(joint, ranks, p);
    struct rank_ends ends = rank_ends_list(p, 0);

    *l = (struct loop){.steps = steps, .repeats = joints > 0};
    loop_empty_plan(&l->body, p);
    for (uint32_t r = 0; r < ranks; r++) {
        if (joint[r] == NO_JOINT)
            continue;
        plan_work(&l->body, r, 0);
        for (size_t e = ends.first[r]; e < ends.first[r + 1]; e++)
            plan_after_last(&l->body, ends.ends[e] + joints);
    }
    for (uint32_t i = 0; i < p->nops; i++)
        loop_add_op(&l->body, p, i, joint, joints);
    free(joint);
    rank_ends_clear(&ends);
}

/* --- all steps ------------------------------------------------------------ */

/* Where the operations of a step begin in the plan, and those of the step
 * before; of the first step there are none. */
struct loop_places {
    unsigned part;
    uint32_t step; /* of its part */
    uint32_t here, before;
    bool first;
};

/* Which message it is that is received where message `end` of the body, of this
 * step or the one before, goes to. */
static uint32_t loop_turned(const struct loop *l, const struct loop_places *at,
                            bool last, uint32_t end)
{
    if (!at->part)
        return loop_start(l, at->step - last, end);
    return at->part == 1 && at->step == 0 && last
               ? loop_start(l, l->steps - 1, end)
               : end;
}

/* What the dependency is in this step; the first has no step before. */
static void loop_unroll_dep(struct plan *p, const struct loop *l,
                            const struct loop_places *at, uint32_t dep)
{
    bool last = dep & LAST_STEP;
    uint32_t before = dep & DEP_OP;

    if (last && at->first)
        return;
    if (l->turning && before < l->turning && !(dep & AFTER_SENT))
        before = loop_turned(l, at, last, before);
    plan_after(p, ((last ? at->before : at->here) + before) |
                      (dep & (AFTER_SENT | FOR_RECEIVE)));
}

static void loop_unroll_op(struct plan *p, const struct loop *l,
                           const struct loop_places *at, uint32_t i)
{
    const struct plan *b = loop_body(l, at->part);
    bool turns = !at->part && i < l->turning;
    uint32_t end = turns ? loop_end(l, at->step, i) : i;
    uint32_t op = plan_add_copy(p, b, i);

    p->ops[op].dst = b->ops[end].dst;
    p->ops[op].dst_gpu = b->ops[end].dst_gpu;
    if (l->carry && !at->part)
        l->carry(l->arg, p, at->step, i);
    for (uint32_t d = plan_first_dep(b, i); d < plan_end_dep(b, i); d++)
        if (!turns || !(b->deps[d] & FOR_RECEIVE))
            loop_unroll_dep(p, l, at, b->deps[d]);
    for (uint32_t d = plan_first_dep(b, end); turns && d < plan_end_dep(b, end);
         d++)
        if (b->deps[d] & FOR_RECEIVE)
            loop_unroll_dep(p, l, at, b->deps[d]);
}

static void loop_unroll_part(struct plan *p, const struct loop *l,
                             unsigned part, uint32_t *before)
{
    const struct plan *b = loop_body(l, part);

    for (uint32_t step = 0; step < loop_part_steps(l, part); step++) {
        struct loop_places at = {part, step, (uint32_t)p->nops, *before,
                                 !p->nops};
        for (uint32_t i = 0; i < b->nops; i++)
            loop_unroll_op(p, l, &at, i);
        *before = at.here;
    }
}

int loop_unroll(struct plan *p, const struct loop *l, struct err *err)
{
    double ops = 0, deps = 0;
    uint32_t before = 0;

    for (unsigned part = 0; part <= l->nmore; part++) {
        ops +=
            (double)loop_part_steps(l, part) * (double)loop_body(l, part)->nops;
        deps += (double)loop_part_steps(l, part) *
                (double)loop_body(l, part)->ndeps;
    }
    if (ops >= LAST_STEP || deps >= UINT32_MAX)
        return fail(err, "%s: %u steps of %zu operations are too many to store",
                    l->body.name, loop_steps(l), l->body.nops);
    loop_empty_plan(p, &l->body);
    for (unsigned part = 0; part <= l->nmore; part++)
        loop_unroll_part(p, l, part, &before);
    return 0;
}

/* --- checks --------------------------------------------------------------- */

/* Where messages turn, what ranks of a node send to all others: all nodes are
 * alike. */
static int loop_check_turning(const struct loop *l, const struct machine *m,
                              struct err *err)
{
    struct plan pairs;
    uint32_t here = l->turning < l->body.ranks_per_node
                        ? l->turning
                        : l->body.ranks_per_node;
    int result = 0;

    for (uint32_t i = 0; i < here && result == 0; i++) {
        loop_empty_plan(&pairs, &l->body);
        for (uint32_t step = 0; step < l->turning && step < l->steps; step++) {
            struct op o = loop_op(l, step, i);
            plan_msg(&pairs, (enum phase)o.phase, o.src, o.dst, o.src_gpu,
                     o.dst_gpu, o.bytes);
        }
        result = plan_check(&pairs, m, err);
        plan_clear(&pairs);
    }
    return result;
}

int loop_check(const struct loop *l, const struct machine *m, struct err *err)
{
    assert(l->turning <= l->body.nops);
    for (unsigned part = 0; part <= l->nmore; part++)
        if (plan_check(loop_body(l, part), m, err) < 0)
            return -1;
    return l->turning ? loop_check_turning(l, m, err) : 0;
}
