/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_flow.h - follows the elements of a collective through its plan,
 * whose operations run in a random order that its dependencies allow, and
 * records whose contributions each rank has to each element. */
#ifndef TESTS_COLLECTIVE_FLOW_H
#define TESTS_COLLECTIVE_FLOW_H

#include "strategies/collective/collective.h"

#include "base/random.h"
#include "strategies/collective/collective_build.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

/* The events of an operation. A message reads its elements between its
 * beginning and the event that its sender's buffer is free; its contents have
 * arrived at its end. */
enum flow_event { FLOW_BEGIN, FLOW_READ, FLOW_SENT, FLOW_END, NFLOW_EVENTS };

struct flow {
    const struct plan *p;
    const struct collective *c;
    uint32_t ranks;
    uint64_t elements;
    /* For each rank and element the contributions in it, one bit per rank. */
    uint64_t *has;
    uint64_t **bag;   /* for each message its contents */
    uint8_t *reached; /* for each operation the events so far */
    /* Dependencies that its begin, or its end, still waits for. */
    uint32_t *begins, *ends;
    uint32_t *first, *after; /* the successors of op: after[first[op]], ... */
    uint32_t *ready;         /* operations that can continue */
    size_t nready;
    uint64_t seed;
};

static inline uint64_t *flow_at(struct flow *f, uint32_t rank, uint64_t element)
{
    return &f->has[rank * f->elements + element];
}

static inline uint64_t flow_carried(const struct flow *f, uint32_t op)
{
    uint64_t n = 0;

    for (uint32_t i = plan_first_piece(f->p, op); i < plan_end_piece(f->p, op);
         i++)
        n += f->p->pieces[i].count;
    return n;
}

/* Loops over the elements of an operation; `n` counts them. */
#define FLOW_ELEMENTS(f, op, n, element)                                       \
    for (uint32_t i_ = plan_first_piece((f)->p, op), n = 0;                    \
         i_ < plan_end_piece((f)->p, op); i_++)                                \
        for (uint64_t element = (f)->p->pieces[i_].first;                      \
             element < (f)->p->pieces[i_].first + (f)->p->pieces[i_].count;    \
             element++, n++)

static inline void flow_read(struct flow *f, uint32_t op)
{
    f->bag[op] = xcalloc(flow_carried(f, op) + 1, sizeof **f->bag);
    FLOW_ELEMENTS(f, op, n, element)
    f->bag[op][n] = *flow_at(f, f->p->ops[op].src, element);
}

/* Adds the contents of a message on arrival, and checks that each contribution
 * is added only once. */
static inline void flow_add_here(struct flow *f, uint32_t op)
{
    FLOW_ELEMENTS(f, op, n, element)
    {
        uint64_t *mine = flow_at(f, f->p->ops[op].dst, element);
        CHECK((*mine & f->bag[op][n]) == 0);
        CHECK(f->bag[op][n]);
        *mine |= f->bag[op][n];
    }
}

static inline void flow_store(struct flow *f, uint32_t op)
{
    const struct op *o = &f->p->ops[op];
    uint32_t first = plan_first_piece(f->p, op);

    if (plan_npieces(f->p, op) &&
        f->p->pieces[first].class_id == COLLECTIVE_ADD_HERE) {
        flow_add_here(f, op);
        return;
    }
    if (!plan_npieces(f->p, op) ||
        f->p->pieces[first].class_id != COLLECTIVE_STORE)
        return;
    FLOW_ELEMENTS(f, op, n, element)
    {
        CHECK(f->bag[op][n]); /* a message carries some contribution */
        *flow_at(f, o->dst, element) = f->bag[op][n];
    }
}

/* Adds a message that has arrived, and checks that each contribution is added
 * only once. */
static inline void flow_add(struct flow *f, uint32_t op)
{
    uint32_t message = f->p->deps[plan_first_dep(f->p, op)] & DEP_OP;

    CHECK_EQ(f->p->ops[message].dst, f->p->ops[op].src);
    CHECK_EQ(flow_carried(f, message), flow_carried(f, op));
    FLOW_ELEMENTS(f, op, n, element)
    {
        uint64_t *mine = flow_at(f, f->p->ops[op].src, element);
        CHECK((*mine & f->bag[message][n]) == 0);
        CHECK(f->bag[message][n]);
        *mine |= f->bag[message][n];
    }
}

/* --- order ---------------------------------------------------------------- */

static inline bool flow_can(const struct flow *f, uint32_t op)
{
    bool message = f->p->ops[op].kind == OP_MSG;

    switch (f->reached[op]) {
    case FLOW_BEGIN:
        return f->begins[op] == 0;
    case FLOW_READ:
    case FLOW_SENT:
        return true;
    case FLOW_END:
        return !message || f->ends[op] == 0;
    default:
        return false;
    }
}

/* Releases the operations that wait for `op` or, if `sent`, for its buffer. */
static inline void flow_tell(struct flow *f, uint32_t op, bool sent)
{
    for (uint32_t k = f->first[op]; k < f->first[op + 1]; k++) {
        uint32_t i = f->after[k] & DEP_OP;
        if (!!(f->after[k] & AFTER_SENT) != sent)
            continue;
        --*(f->after[k] & FOR_RECEIVE ? &f->ends[i] : &f->begins[i]);
        bool stood = f->after[k] & FOR_RECEIVE
                         ? f->reached[i] == FLOW_END && !f->ends[i]
                         : !f->begins[i];
        if (stood)
            f->ready[f->nready++] = i;
    }
}

static inline void flow_go(struct flow *f, uint32_t op)
{
    const struct op *o = &f->p->ops[op];
    bool message = o->kind == OP_MSG;

    switch (f->reached[op]++) {
    case FLOW_READ:
        if (message)
            flow_read(f, op);
        break;
    case FLOW_SENT:
        if (message)
            flow_tell(f, op, true);
        break;
    case FLOW_END:
        if (message)
            flow_store(f, op);
        if (o->kind == OP_REDUCE ||
            (o->kind == OP_WORK && plan_npieces(f->p, op)))
            flow_add(f, op);
        flow_tell(f, op, false);
        break;
    default:
        break;
    }
}

static inline void flow_order(struct flow *f)
{
    const struct plan *p = f->p;

    f->begins = xcalloc(p->nops, sizeof *f->begins);
    f->ends = xcalloc(p->nops, sizeof *f->ends);
    f->first = xcalloc(p->nops + 2, sizeof *f->first);
    f->after = xcalloc(p->ndeps + 1, sizeof *f->after);
    f->ready = xcalloc(p->nops + 1, sizeof *f->ready);
    for (size_t d = 0; d < p->ndeps; d++)
        f->first[(p->deps[d] & DEP_OP) + 2]++;
    for (size_t i = 0; i < p->nops; i++)
        f->first[i + 2] += f->first[i + 1];
    for (uint32_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            f->after[f->first[(p->deps[d] & DEP_OP) + 1]++] =
                i | (p->deps[d] & ~DEP_OP);
            ++*(p->deps[d] & FOR_RECEIVE ? &f->ends[i] : &f->begins[i]);
        }
    for (uint32_t i = 0; i < p->nops; i++)
        if (!f->begins[i])
            f->ready[f->nready++] = i;
}

static inline void flow_init(struct flow *f, const struct plan *p,
                             const struct collective *c, uint64_t seed)
{
    *f = (struct flow){.p = p,
                       .c = c,
                       .ranks = collective_ranks(c),
                       .elements = c->bytes / c->element_B,
                       .seed = seed};
    f->has = xcalloc(f->ranks * f->elements, sizeof *f->has);
    f->bag = xcalloc(p->nops, sizeof *f->bag);
    f->reached = xcalloc(p->nops, sizeof *f->reached);
    flow_order(f);
    for (uint32_t r = 0; r < f->ranks; r++)
        for (uint64_t e = 0; e < f->elements; e++) {
            uint64_t block = f->elements / f->ranks;
            bool mine = c->kind == COLLECTIVE_ALLGATHER   ? e / block == r
                        : c->kind == COLLECTIVE_BROADCAST ? r == c->root
                                                          : true;
            *flow_at(f, r, e) = mine ? UINT64_C(1) << r : 0;
        }
}

static inline void flow_clear(struct flow *f)
{
    for (size_t i = 0; i < f->p->nops; i++)
        free(f->bag[i]);
    free(f->bag);
    free(f->has);
    free(f->reached);
    free(f->begins);
    free(f->ends);
    free(f->first);
    free(f->after);
    free(f->ready);
}

/* Returns the contributions to an element that a rank must have at the end; 0
 * if it is not checked. */
static inline uint64_t flow_wanted(const struct flow *f, uint32_t rank,
                                   uint64_t e)
{
    uint64_t all = f->ranks == 64 ? UINT64_MAX : (UINT64_C(1) << f->ranks) - 1;
    uint64_t block = e / (f->elements / f->ranks ? f->elements / f->ranks : 1);

    switch (f->c->kind) {
    case COLLECTIVE_ALLREDUCE:
        return all;
    case COLLECTIVE_ALLGATHER:
        return UINT64_C(1) << block;
    case COLLECTIVE_REDUCE_SCATTER:
        return block == rank ? all : 0;
    case COLLECTIVE_BROADCAST:
        return UINT64_C(1) << f->c->root;
    case COLLECTIVE_REDUCE:
        return rank == f->c->root ? all : 0;
    default:
        return 0;
    }
}

/* Checks the plan of a collective of at most 64 ranks; not of an all-to-all,
 * because its pieces are blocks. */
static inline void check_flow(const struct plan *p, const struct collective *c,
                              uint64_t seed)
{
    struct flow f;
    size_t left = p->nops * NFLOW_EVENTS;

    flow_init(&f, p, c, seed);
    for (size_t i = 0; i < p->nops; i++)
        if (p->ops[i].kind == OP_MSG || p->ops[i].kind == OP_REDUCE)
            CHECK_EQ(flow_carried(&f, (uint32_t)i) * c->element_B,
                     p->ops[i].bytes);
    while (f.nready) {
        size_t k = next_random(&f.seed) % f.nready;
        uint32_t op = f.ready[k];
        f.ready[k] = f.ready[--f.nready];
        flow_go(&f, op);
        if (flow_can(&f, op))
            f.ready[f.nready++] = op;
        left--;
    }
    CHECK_EQ(left, 0);
    for (uint32_t r = 0; r < f.ranks; r++)
        for (uint64_t e = 0; e < f.elements; e++)
            if (flow_wanted(&f, r, e))
                CHECK(*flow_at(&f, r, e) == flow_wanted(&f, r, e));
    flow_clear(&f);
}

#endif
