/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dynamic_choice.c - the leader decides copy by copy (Faraji and Afsahi 2018,
 * 5.2.2): one of each kind at first; when a copy of kind x is over, 2^(x's done
 * - the other's done) more of x, or one; a last copy of a kind of which none
 * was ever over is done again by the other. The way back begins with what the
 * way there has shown.
 *
 * Decisions need times, and a plan has none. But what happens before a decision
 * does not depend on what follows from it: so the plan as far as it is decided
 * is simulated, the next copy to be over found in it, and what the leader then
 * begins is added behind that copy's end.
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
    uint32_t *members, nmembers, next; /* in the order in which they came */
    uint32_t *here; /* of each member: the flag with which it came */
    unsigned done[NSHARED_COPIES];
};

/* Of each operation so far; the caller clears it. */
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

/* The next member that has come, when the leader has seen `after`. */
static void dynamic_next(struct dynamic *d, enum shared_copy by, uint32_t after)
{
    uint32_t member = d->members[d->next++];

    if (after == UINT32_MAX && d->here)
        after = d->here[member];
    dynamic_begin(d, member, by, after);
}

/* The copy that is over next; NULL: the plan cannot be carried out. */
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

/* The one copy left is of a kind that never ended: again, by the other. */
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

/* Until all are over; `again`: a last one may be done again. */
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

/* What is the last of each member's copies. */
static uint32_t dynamic_ends(const struct dynamic *d, uint32_t *ends)
{
    for (uint32_t i = 0; i < d->nbegun; i++)
        ends[d->begun[i].member - 1] = d->begun[i].end.there;
    return d->nmembers;
}

/* In the order in which their flags come. */
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
    d->here = NULL; /* they have all come */
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
