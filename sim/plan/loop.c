/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the body of a repeated plan, and unrolls a loop into a plan. */
#include "sim/plan/loop.h"

#include "sim/plan/chain.h"
#include "sim/plan/plan_check.h"

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

unsigned loop_alike(const struct loop *l)
{
    return l->of_one_node ? l->body.nodes : 1;
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
    return ops * loop_alike(l);
}

static void loop_empty_plan(struct plan *p, const struct plan *like)
{
    memset(p, 0, sizeof *p);
    p->name = xstrdup(like->name);
    p->runtime = like->runtime;
    p->begin_s = like->begin_s;
    p->calls_s = like->calls_s;
    p->channel_work = like->channel_work;
    p->nodes = like->nodes;
    p->ranks_per_node = like->ranks_per_node;
    p->core = xcalloc(like->ranks_per_node, sizeof *p->core);
    memcpy(p->core, like->core, like->ranks_per_node * sizeof *p->core);
    p->working_set_B = plan_working_set(like);
}

/* --- repetition of a plan ------------------------------------------------- */

static void loop_copy_op(struct plan *body, const struct plan *from, uint32_t i,
                         uint32_t round, uint32_t last)
{
    plan_add_copy(body, from, i);
    for (uint32_t d = plan_first_dep(from, i); d < plan_end_dep(from, i); d++)
        if ((from->deps[d] & DEP_OP) < round)
            plan_after_last(body, from->deps[d] + last);
        else
            plan_after(body, from->deps[d] - round);
}

/* Returns the operations of `from` without its first `round` ones; in the body
 * of the step before, the same operations come after `last` others. */
static struct plan loop_cut(const struct plan *from, uint32_t round,
                            uint32_t last)
{
    struct plan body;

    loop_empty_plan(&body, from);
    for (uint32_t i = round; i < from->nops; i++)
        loop_copy_op(&body, from, i, round, last);
    return body;
}

void loop_repeat(struct loop *l, const struct plan *p, uint32_t steps)
{
    uint32_t round = (uint32_t)p->nops;
    struct plan two = loop_cut(p, 0, 0);
    struct chain chain;

    two.working_set_B = plan_working_set(p);
    chain_init(&chain, &two);
    chain_add(&chain, p);
    chain_clear(&chain);
    *l = (struct loop){.body = loop_cut(p, 0, 0), .steps = 1};
    l->repeats = round > 0;
    if (steps > 1)
        loop_add_part(l, loop_cut(&two, round, 0), 1);
    if (steps > 2)
        loop_add_part(l, loop_cut(&two, round, (uint32_t)two.nops - 2 * round),
                      steps - 2);
    plan_clear(&two);
}

/* --- folding -------------------------------------------------------------- */

/* Adds a dependency of the newest operation, unless it has it already. */
static void loop_fold_dep(struct plan *p, uint32_t dep)
{
    for (uint32_t d = p->ops[p->nops - 1].first_dep; d < p->ndeps; d++)
        if (p->deps[d] == dep)
            return;
    plan_after(p, dep);
}

void loop_fold(struct loop *out, const struct loop *l, const uint32_t *stands)
{
    const struct plan *from = &l->body;
    uint32_t *place = xcalloc(from->nops, sizeof *place), n = 0;

    *out = (struct loop){.steps = l->steps, .repeats = l->repeats};
    loop_empty_plan(&out->body, from);
    for (uint32_t i = 0; i < from->nops; i++)
        if (stands[i] == i)
            place[i] = n++;
    for (uint32_t i = 0; i < from->nops; i++) {
        if (stands[i] != i)
            continue;
        plan_add_copy(&out->body, from, i);
        for (uint32_t d = plan_first_dep(from, i); d < plan_end_dep(from, i);
             d++)
            loop_fold_dep(&out->body, place[stands[from->deps[d] & DEP_OP]] |
                                          (from->deps[d] & ~DEP_OP));
    }
    free(place);
}

/* --- all steps ------------------------------------------------------------ */

/* The numbers in the plan at which the operations of a step begin, and those of
 * the step before, which the first step lacks. */
struct loop_places {
    unsigned part;
    uint32_t step; /* counted in its part */
    uint32_t here, before;
    bool first;
};

/* Returns the message that is received at the destination of message `end` of
 * the body, in this step or the one before. */
static uint32_t loop_turned(const struct loop *l, const struct loop_places *at,
                            bool last, uint32_t end)
{
    if (!at->part)
        return loop_start(l, at->step - last, end);
    return at->part == 1 && at->step == 0 && last
               ? loop_start(l, l->steps - 1, end)
               : end;
}

/* Adds the dependency in this step; the first step has no step before. */
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

/* Moves an operation to a node that is `away` nodes further on. */
static void loop_move_op(struct op *o, const struct plan *p, unsigned away,
                         uint32_t ngpus)
{
    o->src =
        (o->src + away * p->ranks_per_node) % (p->nodes * p->ranks_per_node);
    o->dst =
        (o->dst + away * p->ranks_per_node) % (p->nodes * p->ranks_per_node);
    o->src_gpu = (o->src_gpu + away * ngpus) % (p->nodes * ngpus);
    o->dst_gpu = (o->dst_gpu + away * ngpus) % (p->nodes * ngpus);
}

/* Makes the loop of all nodes from that of one. */
static void loop_of_all_nodes(struct loop *out, const struct loop *l)
{
    const struct plan *b = &l->body;

    *out = (struct loop){.steps = l->steps};
    loop_empty_plan(&out->body, b);
    for (unsigned node = 0; node < b->nodes; node++)
        for (uint32_t i = 0; i < b->nops; i++) {
            uint32_t op = plan_add_copy(&out->body, b, i);
            loop_move_op(&out->body.ops[op], b, node, l->ngpus);
            for (uint32_t d = plan_first_dep(b, i); d < plan_end_dep(b, i); d++)
                plan_after(&out->body, b->deps[d] + node * (uint32_t)b->nops);
        }
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
    ops *= loop_alike(l);
    deps *= loop_alike(l);
    if (ops >= LAST_STEP || deps >= UINT32_MAX)
        return fail(err, "%s: %u steps of %zu operations are too many to store",
                    l->body.name, loop_steps(l), l->body.nops);
    struct loop whole = {0};
    if (l->of_one_node)
        loop_of_all_nodes(&whole, l);
    const struct loop *from = l->of_one_node ? &whole : l;
    loop_empty_plan(p, &l->body);
    for (unsigned part = 0; part <= l->nmore; part++)
        loop_unroll_part(p, from, part, &before);
    loop_clear(&whole);
    return 0;
}

/* --- checks --------------------------------------------------------------- */

/* If messages turn, all nodes send alike, so that one node's messages to all
 * others are enough. */
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

/* Counts the operations of `p` that wait for each operation of the first part,
 * for its end in waiters[2 * op] and for its buffer in the next item. */
static void loop_count_waiters(uint32_t *waiters, const struct loop *l,
                               const struct plan *p, bool last)
{
    for (size_t i = 0; i < p->ndeps; i++) {
        uint32_t before = p->deps[i] & DEP_OP;
        if (before < l->body.nops && !!(p->deps[i] & LAST_STEP) == last)
            waiters[2 * before + !!(p->deps[i] & AFTER_SENT)]++;
    }
}

/* Fails if too many operations of a step of the first part, and of the step
 * after it, which is of that part or the next one, wait for one operation. */
static int loop_check_waiters(const struct loop *l, struct err *err)
{
    for (unsigned next = 0; next <= 1 && next <= l->nmore; next++) {
        uint32_t *waiters = xcalloc(2 * l->body.nops, sizeof *waiters);
        uint32_t most = 0;
        loop_count_waiters(waiters, l, &l->body, false);
        loop_count_waiters(waiters, l, loop_body(l, next), true);
        for (size_t i = 0; i < 2 * l->body.nops; i++)
            most = waiters[i] > most ? waiters[i] : most;
        free(waiters);
        if (most > LOOP_MOST_WAITERS)
            return fail(err,
                        "%s: %u operations wait for one whose message turns; "
                        "a loop has at most %d",
                        l->body.name, most, LOOP_MOST_WAITERS);
    }
    return 0;
}

int loop_check(const struct loop *l, const struct machine *m, struct err *err)
{
    assert(l->turning <= l->body.nops);
    for (unsigned part = 0; part <= l->nmore; part++)
        if (plan_check(loop_body(l, part), m, err) < 0)
            return -1;
    if (!l->turning)
        return 0;
    return loop_check_waiters(l, err) < 0 ? -1 : loop_check_turning(l, m, err);
}
