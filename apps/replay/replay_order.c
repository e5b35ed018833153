/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders the operations of a rank: each depends on the rank's last wait, and on
 * the computation since. */
#include "apps/replay/replay_state.h"

void replay_deps_add(struct replay_deps *d, uint32_t dep)
{
    if (d->n == d->room) {
        d->room = d->room ? 2 * d->room : 4;
        d->items = xrealloc(d->items, d->room, sizeof *d->items);
    }
    d->items[d->n++] = dep;
}

void replay_hang(struct replay *r, uint32_t rank)
{
    const struct replay_deps *after = &r->ranks[rank].after;

    for (size_t i = 0; i < after->n; i++)
        plan_after(r->p, after->items[i]);
}

void replay_go_on(struct replay *r, uint32_t rank, uint32_t dep)
{
    struct replay_rank *of = &r->ranks[rank];

    of->after.n = 0;
    replay_deps_add(&of->after, dep);
    of->epoch++;
}

void replay_flush(struct replay *r, uint32_t rank)
{
    double work_s = r->ranks[rank].work_s;

    if (work_s <= 0)
        return;
    r->ranks[rank].work_s = 0;
    uint32_t op = plan_work(r->p, rank, work_s);
    replay_hang(r, rank);
    replay_go_on(r, rank, op);
}

uint32_t replay_join(struct replay *r, uint32_t rank)
{
    struct replay_deps *after = &r->ranks[rank].after;

    replay_flush(r, rank);
    if (after->n > 1) {
        uint32_t op = plan_work(r->p, rank, 0);
        replay_hang(r, rank);
        after->n = 0; /* because it stands for the same, in the same epoch */
        replay_deps_add(after, op);
    }
    return after->n ? after->items[0] : NO_OP;
}

void replay_request(struct replay *r, uint32_t rank, uint64_t number,
                    uint32_t op)
{
    struct request_of *of = requests_put(&r->ranks[rank].requests, number);

    of->op = op;
    of->epoch = r->ranks[rank].epoch;
}

void replay_place(struct replay *r, uint32_t rank)
{
    plan_origin_place(r->origin, r->p->nops, r->ranks[rank].e.place);
}
