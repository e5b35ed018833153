/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Appends one plan to another, rank by rank. */
#include "sim/plan/chain.h"

#include "sim/plan/ends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NO_JOINT UINT32_MAX

static uint32_t chain_ranks(const struct chain *c)
{
    return c->plan->nodes * c->plan->ranks_per_node;
}

void chain_init(struct chain *c, struct plan *plan)
{
    *c = (struct chain){.plan = plan};
    c->joint = xcalloc(chain_ranks(c), sizeof *c->joint);
    memset(c->joint, 0xff, chain_ranks(c) * sizeof *c->joint);
}

void chain_clear(struct chain *c)
{
    free(c->joint);
    *c = (struct chain){0};
}

/* Adds the joint of each rank that took part in the newest round. */
static void chain_join(struct chain *c)
{
    struct rank_ends ends = rank_ends_list(c->plan, c->round);

    for (uint32_t r = 0; r < chain_ranks(c); r++) {
        if (ends.first[r] == ends.first[r + 1])
            continue;
        uint32_t op = plan_work(c->plan, r, 0);
        if (c->joint[r] != NO_JOINT)
            plan_after(c->plan, c->joint[r]);
        for (size_t e = ends.first[r]; e < ends.first[r + 1]; e++)
            plan_after(c->plan, ends.ends[e]);
        c->joint[r] = op;
    }
    rank_ends_clear(&ends);
}

/* --- ranks that share a GPU ----------------------------------------------- */

/* A rank that copies from or to a GPU. */
struct user {
    uint32_t gpu, rank;
};

static int by_gpu(const void *left, const void *right)
{
    const struct user *a = left, *b = right;

    if (a->gpu != b->gpu)
        return a->gpu < b->gpu ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static size_t list_users(struct user *list, const struct plan *p, size_t from)
{
    size_t n = 0;

    for (size_t i = from; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        if (o->kind == OP_COPY)
            list[n++] = (struct user){o->src_gpu, o->src};
    }
    return n;
}

static void chain_wait(struct chain *c, uint32_t rank, bool receive)
{
    if (c->joint[rank] != NO_JOINT && receive)
        plan_posted_after(c->plan, c->joint[rank]);
    else if (c->joint[rank] != NO_JOINT)
        plan_after(c->plan, c->joint[rank]);
}

static uint32_t chain_tell(struct chain *c, uint32_t from, uint32_t to)
{
    uint32_t op = plan_msg(c->plan, PHASE_ON_NODE, from, to, NO_GPU, NO_GPU, 0);

    chain_wait(c, from, false);
    chain_wait(c, to, true);
    return op;
}

/* Joins the users of one GPU, each once, the lowest first. */
static void chain_meet(struct chain *c, const struct user *users, size_t n)
{
    uint32_t first = users[0].rank;
    uint32_t heard = (uint32_t)c->plan->nops;

    for (size_t i = 1; i < n; i++)
        chain_tell(c, users[i].rank, first);
    uint32_t op = plan_work(c->plan, first, 0);
    chain_wait(c, first, false);
    for (size_t i = 1; i < n; i++)
        plan_after(c->plan, heard++);
    c->joint[first] = op;
    for (size_t i = 1; i < n; i++)
        c->joint[users[i].rank] = chain_tell(c, first, users[i].rank);
}

static void chain_meet_all(struct chain *c, const struct plan *next)
{
    struct user *users =
        xcalloc(c->plan->nops - c->round + next->nops, sizeof *users);
    size_t all = list_users(users, c->plan, c->round), n = 0, end;

    all += list_users(users + all, next, 0);
    qsort(users, all, sizeof *users, by_gpu);
    for (size_t i = 0; i < all; i++)
        if (!i || by_gpu(&users[n - 1], &users[i]))
            users[n++] = users[i];
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && users[end].gpu == users[i].gpu; end++)
            ;
        if (end > i + 1)
            chain_meet(c, &users[i], end - i);
    }
    free(users);
}

/* --- the next round ------------------------------------------------------- */

static void chain_add_op(struct chain *c, const struct plan *next, uint32_t i,
                         uint32_t shift)
{
    const struct op *o = &next->ops[i];

    plan_add_copy(c->plan, next, i);
    if (!plan_is_held(next, 0, i, false))
        chain_wait(c, o->src, false);
    for (uint32_t d = plan_first_dep(next, i); d < plan_end_dep(next, i); d++)
        plan_after(c->plan, next->deps[d] + shift);
    if (o->kind == OP_MSG && o->dst != o->src &&
        !plan_is_held(next, 0, i, true))
        chain_wait(c, o->dst, true);
}

void chain_add(struct chain *c, const struct plan *next)
{
    assert(next->nodes == c->plan->nodes &&
           next->ranks_per_node == c->plan->ranks_per_node);
    chain_join(c);
    chain_meet_all(c, next);
    c->round = c->plan->nops;
    for (uint32_t i = 0; i < next->nops; i++)
        chain_add_op(c, next, i, (uint32_t)c->round);
}
