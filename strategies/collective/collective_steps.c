/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of collectives as operations of a plan: the messages, and on each rank
 * the sums and waits that follow them. */
#include "strategies/collective/collective_steps.h"

#include "sim/plan/exec.h"
#include "strategies/collective/collective_parts.h"

#include <stdlib.h>
#include <string.h>

/* --- elements ------------------------------------------------------------- */

struct collective_range collective_all(const struct collective_build *b)
{
    return (struct collective_range){0, b->elements};
}

static uint64_t block_begin(uint64_t elements, uint32_t i, uint32_t n)
{
    uint64_t larger = elements % n;

    return elements / n * i + (i < larger ? i : larger);
}

struct collective_range collective_blocks_of(struct collective_range whole,
                                             uint32_t i, uint32_t end,
                                             uint32_t n)
{
    uint64_t begin = block_begin(whole.count, i, n);

    return (struct collective_range){whole.first + begin,
                                     block_begin(whole.count, end, n) - begin};
}

struct collective_comm collective_world(const struct collective_build *b)
{
    return (struct collective_comm){0, 1, b->ranks, PHASE_OFF_NODE};
}

/* --- items of a step ------------------------------------------------------ */

struct collective_steps *collective_steps_new(uint32_t ranks)
{
    struct collective_steps *s = xcalloc(1, sizeof *s);

    s->first = xcalloc(ranks, sizeof *s->first);
    s->last = xcalloc(ranks, sizeof *s->last);
    return s;
}

void collective_steps_free(struct collective_steps *s)
{
    free(s->items);
    free(s->first);
    free(s->last);
    free(s->ranks);
    free(s->scratch);
    free(s);
}

/* Appends a dependency to those of the rank's next operation. first[] and
 * last[] are 1 + the index in items; 0: none yet. */
static void steps_add(struct collective_build *b, uint32_t rank, uint32_t dep,
                      bool adds)
{
    struct collective_steps *s = b->steps;

    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->items = xrealloc(s->items, s->room, sizeof *s->items);
        s->ranks = xrealloc(s->ranks, s->room, sizeof *s->ranks);
        s->scratch = xrealloc(s->scratch, s->room, sizeof *s->scratch);
    }
    s->items[s->n++] = (struct collective_step_item){dep, 0, adds};
    if (s->last[rank])
        s->items[s->last[rank] - 1].next = s->n;
    else
        s->ranks[s->nranks++] = rank;
    if (!s->last[rank])
        s->first[rank] = s->n;
    s->last[rank] = s->n;
}

/* Data in GPU memory are sent between GPUs, all others between hosts. */
uint32_t collective_gpu(const struct collective_build *b, uint32_t rank)
{
    return b->c->memory == COLLECTIVE_DEVICE ? collective_gpu_of(b, rank)
                                             : NO_GPU;
}

uint32_t collective_gpu_of(const struct collective_build *b, uint32_t rank)
{
    uint32_t node = rank / b->c->ranks_per_node;
    uint32_t local = rank % b->c->ranks_per_node;

    return node * b->m->ngpus + local / collective_per_gpu(b->c);
}

static void collective_carry(struct collective_build *b,
                             struct collective_range range, uint32_t action)
{
    if (b->c->pieces && range.count)
        plan_piece(b->p, (struct piece){action, range.first, range.count});
}

static void collective_behind_these(struct collective_build *b,
                                    const struct collective_after *after,
                                    uint32_t receive)
{
    for (int i = 0; i < after->n; i++) {
        uint32_t dep = after->deps[i] | receive;
        if (dep & LAST_STEP)
            plan_after_last(b->p, dep);
        else
            plan_after(b->p, dep);
    }
}

void collective_behind(struct collective_build *b, uint32_t rank)
{
    collective_behind_these(b, &b->after[rank], 0);
}

static void collective_post(struct collective_build *b, enum phase phase,
                            uint32_t from, uint32_t to, uint64_t bytes,
                            bool adds)
{
    uint32_t op = plan_msg(b->p, phase, from, to, collective_gpu(b, from),
                           collective_gpu(b, to), bytes);

    collective_behind(b, from);
    collective_behind_these(b, b->posted ? &b->posted[to] : &b->after[to],
                            FOR_RECEIVE);
    steps_add(b, from, op | AFTER_SENT, false);
    steps_add(b, to, op, adds);
}

void collective_send(struct collective_build *b, enum phase phase,
                     uint32_t from, uint32_t to, struct collective_range range,
                     enum collective_action action)
{
    collective_post(b, phase, from, to, range.count * b->element_B,
                    action == COLLECTIVE_ADD);
    b->steps->action = action;
    collective_carry(b, range, action);
}

void collective_send_blocks(struct collective_build *b, enum phase phase,
                            uint32_t from, uint32_t to, uint64_t bytes)
{
    collective_post(b, phase, from, to, bytes, false);
}

void collective_send_also(struct collective_build *b,
                          struct collective_range range)
{
    b->p->ops[b->p->nops - 1].bytes += range.count * b->element_B;
    collective_carry(b, range, b->steps->action);
}

void collective_copy(struct collective_build *b, uint32_t rank, uint64_t bytes)
{
    if (!bytes)
        return;
    uint32_t op =
        plan_pack(b->p, PHASE_WORK, rank, collective_gpu(b, rank), bytes, true);
    collective_behind(b, rank);
    steps_add(b, rank, op, false);
}

/* --- the end of a step ---------------------------------------------------- */

/* Returns whether the CPU adds data that are in GPU memory. */
static bool step_adds_on_cpu(const struct collective_build *b)
{
    return b->c->memory == COLLECTIVE_DEVICE &&
           !runtime_is_of_kernels(b->p->runtime) &&
           b->c->bytes <= b->m->gpu.cpu_sums_up_to_B;
}

/* Plans the sum itself. It takes no time in the kernel that loads the elements,
 * because the kernel adds them while it waits for others. */
static uint32_t step_sum(struct collective_build *b, uint32_t rank,
                         uint64_t bytes)
{
    uint32_t gpu = step_adds_on_cpu(b) ? NO_GPU : collective_gpu(b, rank);

    if (runtime_is_of_kernels(b->p->runtime))
        return plan_work(b->p, rank, 0);
    return plan_reduce(b->p, PHASE_WORK, rank, gpu, bytes, 2, true);
}

/* Plans the extra time of a sum in GPU memory by the CPU; returns the operation
 * that ends last. */
static uint32_t step_add_longer(struct collective_build *b, uint32_t rank,
                                uint32_t sum)
{
    double s = b->m->gpu.cpu_sums_s_per_B * (double)b->p->ops[sum].bytes;

    if (!step_adds_on_cpu(b) || s <= 0)
        return sum;
    uint32_t op = plan_work(b->p, rank, s);
    b->p->of_costs = true;
    plan_after(b->p, sum);
    return op;
}

/* Plans the sum of a message's elements. The first sum of a step (before:
 * NO_OP) waits for all messages of the rank in this step, because the rank has
 * waited for all of them; the others follow it. */
static uint32_t step_add_up(struct collective_build *b, uint32_t rank,
                            uint32_t message, uint32_t before)
{
    struct plan *p = b->p;
    uint32_t op = step_sum(b, rank, p->ops[message].bytes);
    uint32_t first = before == NO_OP ? b->steps->first[rank] : 0;

    plan_after(p, message);
    if (before != NO_OP)
        plan_after(p, before);
    for (uint32_t i = first; i; i = b->steps->items[i - 1].next)
        if (b->steps->items[i - 1].dep != message)
            plan_after(p, b->steps->items[i - 1].dep);
    for (uint32_t i = plan_first_piece(p, message),
                  end = plan_end_piece(p, message);
         b->c->pieces && i < end; i++)
        plan_piece(p, p->pieces[i]);
    return step_add_longer(b, rank, op);
}

/* Sets `after` to these dependencies. If there are more than it can hold, an
 * operation of no length waits for all of them. */
static void step_after(struct collective_build *b, uint32_t rank,
                       struct collective_after *after, const uint32_t *deps,
                       size_t n)
{
    if (n <= COLLECTIVE_AFTER) {
        after->n = (uint8_t)n;
        for (size_t i = 0; i < n; i++)
            after->deps[i] = deps[i];
        return;
    }
    uint32_t op = plan_work(b->p, rank, 0);
    for (size_t i = 0; i < n; i++)
        plan_after(b->p, deps[i]);
    *after = (struct collective_after){{op}, 1};
}

/*
 * Sets the dependencies of receives that are posted ahead; called while
 * b->after is that of the step before. Such a receive waits for the sends of
 * its rank in this step, which wait for the step before. If the rank sends
 * nothing, its next operation has to wait for the step before by itself,
 * because a receive posted ahead may be complete earlier.
 */
static void step_post_ahead(struct collective_build *b, uint32_t rank)
{
    struct collective_steps *s = b->steps;
    struct collective_after before = b->after[rank];
    size_t n = 0;

    for (uint32_t i = s->first[rank]; i; i = s->items[i - 1].next)
        if (s->items[i - 1].dep & AFTER_SENT)
            s->scratch[n++] = s->items[i - 1].dep;
    if (n)
        step_after(b, rank, &b->posted[rank], s->scratch, n);
    else
        b->posted[rank] = before;
    for (int i = 0; !n && i < before.n; i++)
        steps_add(b, rank, before.deps[i], false);
}

static void step_of_rank(struct collective_build *b, uint32_t rank)
{
    struct collective_steps *s = b->steps;
    uint32_t sum = NO_OP;
    size_t n = 0;

    if (b->posted)
        step_post_ahead(b, rank);
    for (uint32_t i = s->first[rank]; i; i = s->items[i - 1].next) {
        const struct collective_step_item *item = &s->items[i - 1];
        if (item->adds && b->p->ops[item->dep].bytes)
            sum = step_add_up(b, rank, item->dep, sum);
        s->scratch[n++] = item->dep;
    }
    if (sum != NO_OP)
        b->after[rank] = (struct collective_after){{sum}, 1};
    else
        step_after(b, rank, &b->after[rank], s->scratch, n);
    s->first[rank] = s->last[rank] = 0;
}

void collective_step(struct collective_build *b)
{
    struct collective_steps *s = b->steps;

    for (size_t i = 0; i < s->nranks; i++)
        step_of_rank(b, s->ranks[i]);
    s->n = s->nranks = 0;
}

/* --- pipelines ------------------------------------------------------------ */

static size_t planned_ranks(const struct collective_build *b)
{
    return (size_t)b->nodes * b->c->ranks_per_node;
}

void collective_ahead(struct collective_build *b, bool on)
{
    free(b->posted);
    b->posted = on ? collective_fork(b) : NULL;
}

void collective_also_after(struct collective_build *b, uint32_t rank,
                           uint32_t op)
{
    struct collective_after *after = &b->after[rank];
    uint32_t deps[COLLECTIVE_AFTER + 1];

    for (int i = 0; i < after->n; i++)
        deps[i] = after->deps[i];
    deps[after->n] = op;
    step_after(b, rank, after, deps, after->n + 1u);
}

struct collective_after *collective_fork(const struct collective_build *b)
{
    size_t ranks = planned_ranks(b);
    struct collective_after *copy = xcalloc(ranks, sizeof *copy);

    memcpy(copy, b->after, ranks * sizeof *copy);
    return copy;
}

struct collective_after *collective_turn_to(struct collective_build *b,
                                            struct collective_after *other)
{
    struct collective_after *before = b->after;

    b->after = other;
    return before;
}

void collective_join(struct collective_build *b, struct collective_after *other)
{
    for (uint32_t r = 0; r < planned_ranks(b); r++)
        for (int i = 0; i < other[r].n; i++)
            collective_also_after(b, r, other[r].deps[i]);
    free(other);
}
