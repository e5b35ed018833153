/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the body of a repeated plan, and the plan that a loop stands for. */
#include "sim/plan/loop.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void loop_clear(struct loop *l)
{
    plan_clear(&l->body);
    memset(l, 0, sizeof *l);
}

/* The same operation behind those that p has; without dependencies. */
static void loop_copy_op(struct plan *p, const struct plan *from, uint32_t i,
                         struct op o)
{
    const struct op_match *m = from->match ? &from->match[i] : NULL;
    enum phase phase = (enum phase)o.phase;
    uint32_t op =
        o.kind == OP_SEND   ? plan_send(p, phase, o.src, o.dst, m->tag, 0)
        : o.kind == OP_RECV ? plan_recv(p, phase, o.src, m->peer, m->tag, 0)
                            : plan_work(p, o.src, 0);

    o.first_dep = p->ops[op].first_dep;
    p->ops[op] = o;
    for (uint32_t k = plan_first_piece(from, i); k < plan_end_piece(from, i);
         k++)
        plan_piece(p, from->pieces[k]);
}

static void loop_empty_plan(struct plan *p, const struct plan *like)
{
    memset(p, 0, sizeof *p);
    p->name = xstrdup(like->name);
    p->nodes = like->nodes;
    p->ranks_per_node = like->ranks_per_node;
    p->core = xcalloc(like->ranks_per_node, sizeof *p->core);
    memcpy(p->core, like->core, like->ranks_per_node * sizeof *p->core);
    p->working_set_B = plan_working_set(like);
}

/* --- a plan again and again ----------------------------------------------- */

/* How an operation ends: for its sender, and for who receives it. */
enum { END_SENT = 1, END_THERE = 2 };

static bool loop_has_two_ends(const struct op *o)
{
    return o->kind == OP_MSG;
}

/* What is behind no other operation of the same rank: the last that the rank
 * does in a step. Of each operation END_ bits; the caller frees it. */
static uint8_t *loop_last_ends(const struct plan *p)
{
    uint8_t *last = xcalloc(p->nops, sizeof *last);

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        last[i] = loop_has_two_ends(o) ? END_SENT | END_THERE : END_THERE;
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            uint32_t dep = p->deps[d], before = dep & DEP_OP;
            bool sent = dep & AFTER_SENT && loop_has_two_ends(&p->ops[before]);
            if (plan_waits_on(o, dep) == plan_ends_on(p, dep))
                last[before] &= (uint8_t) ~(sent ? END_SENT : END_THERE);
        }
    }
    return last;
}

/* Lists of what ends on each rank: of rank r they are
 * ends[first[r]] to before ends[first[r + 1]]. */
struct rank_ends {
    size_t *first;
    uint32_t *ends; /* as dependencies */
};

static struct rank_ends loop_list_ends(const struct plan *p, uint32_t ranks,
                                       const uint8_t *last)
{
    struct rank_ends l = {xcalloc((size_t)ranks + 2, sizeof *l.first),
                          xcalloc(2 * p->nops, sizeof *l.ends)};

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < p->nops; i++)
            for (int e = END_SENT; e <= END_THERE; e++) {
                uint32_t dep = e == END_SENT ? i | AFTER_SENT : i;
                uint32_t rank = plan_ends_on(p, dep);
                if (!(last[i] & e))
                    continue;
                if (pass)
                    l.ends[l.first[rank + 1]++] = dep;
                else
                    l.first[rank + 2]++;
            }
        for (uint32_t r = 0; !pass && r < ranks; r++)
            l.first[r + 2] += l.first[r + 1];
    }
    return l;
}

/* Whether this end of the operation has a dependency that ends on its rank. */
static bool loop_is_held(const struct plan *p, uint32_t i, bool receive)
{
    for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
        uint32_t dep = p->deps[d];
        if (!!(dep & FOR_RECEIVE) == receive &&
            plan_waits_on(&p->ops[i], dep) == plan_ends_on(p, dep))
            return true;
    }
    return false;
}

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
    loop_copy_op(body, p, i, *o);
    if (!loop_is_held(p, i, false))
        plan_after(body, joint[o->src]);
    for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
        plan_after(body, p->deps[d] + joints);
    if (o->kind == OP_MSG && o->dst != o->src && !loop_is_held(p, i, true))
        plan_posted_after(body, joint[o->dst]);
}

void loop_repeat(struct loop *l, const struct plan *p, uint32_t steps)
{
    uint32_t ranks = p->nodes * p->ranks_per_node;
    uint32_t *joint = xcalloc(ranks, sizeof *joint);
    uint32_t joints = loop_number_joints(joint, ranks, p);
    uint8_t *last = loop_last_ends(p);
    struct rank_ends ends = loop_list_ends(p, ranks, last);

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
    free(last);
    free(ends.first);
    free(ends.ends);
}

/* --- all steps ------------------------------------------------------------ */

/* What the dependency is in this step; the first has no step before. */
static void loop_unroll_dep(struct plan *p, const struct loop *l, uint32_t step,
                            uint32_t dep)
{
    uint32_t before = dep & DEP_OP, of = step - !!(dep & LAST_STEP);

    if (dep & LAST_STEP && !step)
        return;
    if (loop_is_received(l, dep))
        before = loop_start(l, of, before);
    plan_after(p, (of * (uint32_t)l->body.nops + before) |
                      (dep & (AFTER_SENT | FOR_RECEIVE)));
}

static void loop_unroll_op(struct plan *p, const struct loop *l, uint32_t step,
                           uint32_t i)
{
    const struct plan *b = &l->body;
    uint32_t end = loop_end(l, step, i);
    bool turns = i < l->turning;

    loop_copy_op(p, b, i, loop_op(l, step, i));
    for (uint32_t d = plan_first_dep(b, i); d < plan_end_dep(b, i); d++)
        if (!turns || !(b->deps[d] & FOR_RECEIVE))
            loop_unroll_dep(p, l, step, b->deps[d]);
    for (uint32_t d = plan_first_dep(b, end); turns && d < plan_end_dep(b, end);
         d++)
        if (b->deps[d] & FOR_RECEIVE)
            loop_unroll_dep(p, l, step, b->deps[d]);
}

int loop_unroll(struct plan *p, const struct loop *l, struct err *err)
{
    const struct plan *b = &l->body;

    if ((double)l->steps * (double)b->nops >= LAST_STEP ||
        (double)l->steps * (double)b->ndeps >= UINT32_MAX)
        return fail(err, "%s: %u steps of %zu operations are too many to store",
                    b->name, l->steps, b->nops);
    loop_empty_plan(p, b);
    for (uint32_t step = 0; step < l->steps; step++)
        for (uint32_t i = 0; i < b->nops; i++)
            loop_unroll_op(p, l, step, i);
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
    if (plan_check(&l->body, m, err) < 0)
        return -1;
    return l->turning ? loop_check_turning(l, m, err) : 0;
}
