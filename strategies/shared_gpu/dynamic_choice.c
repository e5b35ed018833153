/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dynamic_choice.c - the leader chooses for each copy (Faraji and Afsahi 2018,
 * 5.2.2). It begins with one copy of each kind. When a copy of kind x ends, it
 * begins 2^(ended copies of x - ended copies of the other) more of x, at least
 * one. If the last copy is of a kind of which none ever ended, it is done again
 * by the other kind. The copies of the result begin with the knowledge from the
 * copies of the vectors.
 *
 * Decisions need times, and a plan has none. But the operations before a
 * decision do not depend on its outcome. So the plan up to the decision is
 * simulated, the copy that ends next is found in it, and the copies that the
 * leader then begins follow that copy's end.
 */
#include "strategies/shared_gpu/copy_choice.h"

#include "sim/plan/exec.h"

#include <stdlib.h>

enum { MOST_DOUBLINGS = 10 };

/* A copy that the leader has begun. */
struct begun {
    uint32_t member;
    struct choice_end end;
    enum shared_copy by;
    bool over;
};

struct dynamic {
    struct copy_choice *c;
    struct choice_end (*move)(struct copy_choice *, uint32_t, enum shared_copy,
                              uint32_t);
    struct begun *begun;
    uint32_t nbegun, pending;
    uint32_t *members, nmembers, next; /* in order of arrival */
    uint32_t *here; /* here[member] is the flag with which it arrived */
    unsigned done[NSHARED_COPIES];
};

/* Simulates the operations so far; returns whether they can be. The caller
 * clears the result. */
static bool dynamic_times(const struct dynamic *d, struct exec_result *r)
{
    struct err err = {0};

    return exec_plan(r, d->c->b->m, d->c->b->p, NULL, EXEC_DETAILS, &err) == 0;
}

static void dynamic_begin(struct dynamic *d, uint32_t member,
                          enum shared_copy by, uint32_t after)
{
    d->begun[d->nbegun++] =
        (struct begun){member, d->move(d->c, member, by, after), by, false};
    d->pending++;
}

/* Begins the copy of the next member that has arrived, after the leader has
 * seen `after`. */
static void dynamic_next(struct dynamic *d, enum shared_copy by, uint32_t after)
{
    uint32_t member = d->members[d->next++];

    if (after == UINT32_MAX && d->here)
        after = d->here[member];
    dynamic_begin(d, member, by, after);
}

/* Returns the copy that ends next, or NULL if the plan cannot be simulated. */
static struct begun *dynamic_over(struct dynamic *d)
{
    struct exec_result r;
    struct begun *first = NULL;

    if (dynamic_times(d, &r))
        for (uint32_t i = 0; i < d->nbegun; i++)
            if (!d->begun[i].over &&
                (!first || r.ops[d->begun[i].end.seen].end_s <
                               r.ops[first->end.seen].end_s))
                first = &d->begun[i];
    exec_result_clear(&r);
    if (!first)
        return NULL;
    first->over = true;
    d->pending--;
    d->done[first->by]++;
    return first;
}

static void dynamic_more(struct dynamic *d, const struct begun *over)
{
    enum shared_copy by = over->by;
    unsigned other = d->done[by == SHARED_IPC ? SHARED_HOST : SHARED_IPC];
    unsigned ahead = d->done[by] > other ? d->done[by] - other : 0;
    uint32_t after = over->end.seen;

    ahead = ahead < MOST_DOUBLINGS ? ahead : MOST_DOUBLINGS;
    for (unsigned n = 1u << ahead; n && d->next < d->nmembers; n--)
        dynamic_next(d, by, after);
}

/* Does the last copy again by the other kind, if it is of a kind of which no
 * copy ever ended. */
static void dynamic_again(struct dynamic *d, uint32_t after)
{
    for (uint32_t i = 0; i < d->nbegun; i++) {
        struct begun *b = &d->begun[i];
        if (b->over || d->done[b->by])
            continue;
        b->over = true;
        d->pending--;
        dynamic_begin(d, b->member,
                      b->by == SHARED_IPC ? SHARED_HOST : SHARED_IPC, after);
        return;
    }
}

/* Runs until all copies have ended. If `again`, the last one may be done
 * again. */
static void dynamic_run(struct dynamic *d, bool again)
{
    while (d->pending || d->next < d->nmembers) {
        const struct begun *over = dynamic_over(d);
        if (!over) {
            while (d->next < d->nmembers)
                dynamic_next(d, SHARED_IPC, UINT32_MAX);
            return;
        }
        if (d->next < d->nmembers)
            dynamic_more(d, over);
        else if (again && d->pending == 1)
            dynamic_again(d, over->end.seen);
    }
}

static void dynamic_open(struct dynamic *d, struct copy_choice *c)
{
    uint32_t n = c->comm.count;

    *d = (struct dynamic){.c = c, .move = choice_bring, .nmembers = n - 1};
    d->begun = xcalloc(2 * (size_t)n, sizeof *d->begun);
    d->members = xcalloc(n, sizeof *d->members);
    d->here = xcalloc(n, sizeof *d->here);
    for (uint32_t i = 1; i < n; i++)
        d->members[i - 1] = i;
}

static void dynamic_close(struct dynamic *d)
{
    free(d->begun);
    free(d->members);
    free(d->here);
}

/* Sets ends[] to the last operation of each member's copies; returns the number
 * of members. */
static uint32_t dynamic_ends(const struct dynamic *d, uint32_t *ends)
{
    for (uint32_t i = 0; i < d->nbegun; i++)
        ends[d->begun[i].member - 1] = d->begun[i].end.there;
    return d->nmembers;
}

/* Sorts the members by the arrival of their flags, because the leader serves
 * them in that order. */
static void dynamic_order(struct dynamic *d)
{
    struct exec_result r;

    if (dynamic_times(d, &r))
        for (uint32_t i = 1; i < d->nmembers; i++)
            for (uint32_t k = i; k > 0; k--) {
                uint32_t *a = &d->members[k - 1], *b = &d->members[k], was = *b;
                if (r.ops[d->here[*a]].end_s <= r.ops[d->here[was]].end_s)
                    break;
                *b = *a;
                *a = was;
            }
    exec_result_clear(&r);
}

static void dynamic_gather(struct dynamic *d, uint32_t *ends)
{
    struct copy_choice *c = d->c;

    for (uint32_t i = 1; i < c->comm.count; i++)
        d->here[i] =
            shared_flag(c->b, collective_rank(&c->comm, i), c->comm.first);
    dynamic_order(d);
    dynamic_next(d, SHARED_HOST, UINT32_MAX);
    if (d->next < d->nmembers)
        dynamic_next(d, SHARED_IPC, UINT32_MAX);
    dynamic_run(d, true);
    choice_sum(c, ends, dynamic_ends(d, ends));
}

static void dynamic_scatter(struct dynamic *d, uint32_t *ends)
{
    bool both = d->done[SHARED_IPC] && d->done[SHARED_HOST];
    enum shared_copy faster = d->done[SHARED_IPC] ? SHARED_IPC : SHARED_HOST;

    free(d->here);
    d->here = NULL; /* all have arrived */
    d->move = choice_fetch;
    d->nbegun = d->pending = d->next = 0;
    d->c->since = shared_since(d->c->b, d->c->comm.first);
    if (both)
        dynamic_next(d, SHARED_HOST, UINT32_MAX);
    if (both && d->next < d->nmembers)
        dynamic_next(d, SHARED_IPC, UINT32_MAX);
    while (!both && d->next < d->nmembers)
        dynamic_next(d, faster, UINT32_MAX);
    dynamic_run(d, false);
    choice_join(d->c, ends, dynamic_ends(d, ends));
}

static void build_dynamic(struct collective_build *b)
{
    struct copy_choice *on = xcalloc(b->nodes, sizeof *on);
    struct dynamic *of = xcalloc(b->nodes, sizeof *of);
    uint32_t *ends = xcalloc(b->c->ranks_per_node, sizeof *ends);

    b->p->of_costs = true;
    for (unsigned node = 0; node < b->nodes; node++) {
        on[node] = choice_begin(b, node);
        dynamic_open(&of[node], &on[node]);
        dynamic_gather(&of[node], ends);
    }
    choice_between_nodes(b);
    for (unsigned node = 0; node < b->nodes; node++) {
        dynamic_scatter(&of[node], ends);
        dynamic_close(&of[node]);
    }
    free(ends);
    free(of);
    free(on);
}

#define DYNAMIC                                                                \
    "the ranks of a GPU copy by IPC or by way of the host, as fast as they "   \
    "are"
const struct collective_algorithm dynamic_allreduce_collective = {
    .kind = COLLECTIVE_ALLREDUCE,
    .name = "dynamic",
    .summary = DYNAMIC,
    .refuses = choice_refuses,
    .shared = true,
    .phases = {{.build = build_dynamic}},
};
const struct collective_algorithm dynamic_allgather_collective = {
    .kind = COLLECTIVE_ALLGATHER,
    .name = "dynamic",
    .summary = DYNAMIC,
    .refuses = choice_refuses,
    .shared = true,
    .phases = {{.build = build_dynamic}},
};
