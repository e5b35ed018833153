/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Appends the results of plans to each other. */
#include "sim/plan/sequence.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sequence_init(struct sequence *s, const struct machine *m,
                   const struct plan *like)
{
    memset(s, 0, sizeof *s);
    plan_init(&s->plan, m, like->name, like->nodes, like->ranks_per_node,
              like->core);
    s->plan.runtime = like->runtime;
    waits_init(&s->x.waits, 1);
}

void sequence_clear(struct sequence *s)
{
    exec_result_clear(&s->x);
    plan_clear(&s->plan);
}

/* --- operations ----------------------------------------------------------- */

static void add_ops(struct sequence *s, const struct plan *p, uint32_t shift)
{
    for (uint32_t i = 0; i < p->nops; i++) {
        assert(!op_matches(p->ops[i].kind) && p->ops[i].kind != OP_SEND);
        plan_add_copy(&s->plan, p, i);
        if (shift && !plan_ndeps(p, i))
            plan_after(&s->plan, s->last);
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            plan_after(&s->plan, p->deps[d] + shift);
    }
}

static void add_times(struct sequence *s, const struct exec_result *x, size_t n,
                      size_t shift)
{
    double from_s = s->x.time_s;

    s->x.ops = xrealloc(s->x.ops, shift + n + 1, sizeof *s->x.ops);
    for (size_t i = 0; i < n; i++)
        s->x.ops[shift + i] = (struct op_times){from_s + x->ops[i].ready_s,
                                                from_s + x->ops[i].start_s,
                                                from_s + x->ops[i].end_s};
}

/* Adds the waits in their order, after those of the first operations for the
 * end of the plan before. */
static void add_waits(struct sequence *s, const struct plan *p,
                      const struct exec_result *x, uint32_t shift)
{
    struct op_waits *to = &s->x.waits;
    double from_s = s->x.time_s;
    uint32_t *owner = xcalloc(x->waits.n, sizeof *owner);

    to->last = xrealloc(to->last, shift + p->nops + 1, sizeof *to->last);
    memset(to->last + shift, 0, (p->nops + 1) * sizeof *to->last);
    for (uint32_t i = 0; i < p->nops; i++) {
        for (uint32_t w = x->waits.last[i]; w; w = x->waits.list[w - 1].before)
            owner[w - 1] = i;
        if (shift && !plan_ndeps(p, i))
            waits_add(to, shift + i,
                      (struct op_wait){.over_s = from_s,
                                       .whom = s->last & DEP_OP,
                                       .cause = CAUSE_DEPENDENCY});
    }
    for (uint32_t w = 0; w < x->waits.n; w++) {
        struct op_wait wait = x->waits.list[w];
        wait.over_s += from_s;
        wait.whom = (wait.whom + shift) & DEP_OP;
        waits_add(to, shift + owner[w], wait);
    }
    free(owner);
}

static uint32_t last_to_end(const struct exec_result *x, size_t n)
{
    uint32_t last = 0;

    for (uint32_t i = 1; i < n; i++)
        if (x->ops[i].end_s > x->ops[last].end_s)
            last = i;
    return last;
}

/* --- links and processes -------------------------------------------------- */

/* Links are sorted by their names until the end, because an engine numbers them
 * in the order in which its run comes to them. */
static int by_link_name(const void *a, const void *b)
{
    const struct link_use *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static void add_links(struct sequence *s, const struct exec_result *x)
{
    struct exec_result *to = &s->x;
    size_t n = 0, all = to->nlinks + x->nlinks;

    to->links = xrealloc(to->links, all + 1, sizeof *to->links);
    if (x->nlinks)
        memcpy(to->links + to->nlinks, x->links, x->nlinks * sizeof *x->links);
    qsort(to->links, all, sizeof *to->links, by_link_name);
    for (size_t i = 0; i < all; i++) {
        if (n && !by_link_name(&to->links[n - 1], &to->links[i])) {
            to->links[n - 1].bytes += to->links[i].bytes;
            to->links[n - 1].flows += to->links[i].flows;
        } else {
            to->links[n++] = to->links[i];
        }
    }
    to->nlinks = to->links_used = n;
}

void sequence_add_hosts(struct host_counts **all, const struct host_counts *x,
                        uint32_t n)
{
    if (!x)
        return;
    if (!*all)
        *all = xcalloc(n, sizeof **all);
    for (uint32_t h = 0; h < n; h++) {
        struct host_counts *to = &(*all)[h];
        const struct host_counts *from = &x[h];
        to->live_B = from->live_B;
        to->most_B = fmax(to->most_B, from->most_B);
        to->reserved_B = fmax(to->reserved_B, from->reserved_B);
        to->messages += from->messages;
        to->retries += from->retries;
        to->waited_s += from->waited_s;
        to->comm_s += from->comm_s;
        if (from->most_requests > to->most_requests)
            to->most_requests = from->most_requests;
    }
}

/* --- the whole ------------------------------------------------------------ */

void sequence_add(struct sequence *s, const struct plan *p,
                  const struct exec_result *x)
{
    uint32_t shift = (uint32_t)s->plan.nops;

    add_ops(s, p, shift);
    add_times(s, x, p->nops, shift);
    add_waits(s, p, x, shift);
    add_links(s, x);
    sequence_add_hosts(&s->x.hosts, x->hosts, x->nhosts);
    s->x.nhosts = x->hosts ? x->nhosts : s->x.nhosts;
    s->last = shift + last_to_end(x, p->nops);
    s->x.time_s += x->time_s;
    s->x.accuracy = fmax(s->x.accuracy, x->accuracy);
    s->x.windows_s = fmax(s->x.windows_s, x->windows_s);
}

static int most_utilised_first(const void *a, const void *b)
{
    const struct link_use *x = a, *y = b;
    double of_x = x->bytes / x->bandwidth_Bps;
    double of_y = y->bytes / y->bandwidth_Bps;

    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    return strcmp(x->name, y->name);
}

void sequence_end(struct sequence *s, unsigned most)
{
    if (s->x.nlinks)
        qsort(s->x.links, s->x.nlinks, sizeof *s->x.links, most_utilised_first);
    if (most && s->x.nlinks > most)
        s->x.nlinks = most;
}
