/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives of a trace: members come one by one, and once all have come, the
 * operations are added to the plan, in which each member waits only for the
 * operations that it waits for in the algorithm. */
#include "apps/replay/replay_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes by which members agree on a context number, or a colour and key.
 * Assumed: an allreduce and an allgather of that size. */
#define COMM_NUMBER_B 8u

/* --- collectives under way ------------------------------------------------ */

static struct replay_comm *replay_comm_of(struct replay *r,
                                          const struct trace_comm *comm)
{
    size_t had = r->ncomms;

    if (comm->number >= had) {
        r->ncomms = comm->number + 1 > 2 * had ? comm->number + 1 : 2 * had;
        r->of_comm = xrealloc(r->of_comm, r->ncomms, sizeof *r->of_comm);
        memset(r->of_comm + had, 0, (r->ncomms - had) * sizeof *r->of_comm);
    }
    struct replay_comm *of = &r->of_comm[comm->number];
    if (!of->turn)
        of->turn = xcalloc(comm->n, sizeof *of->turn);
    return of;
}

static uint32_t replay_new_collective(struct replay *r)
{
    if (r->nfree)
        return r->free_collectives[--r->nfree];
    if (r->ncollectives == r->collectives_room) {
        r->collectives_room =
            r->collectives_room ? 2 * r->collectives_room : 16;
        r->collectives = xrealloc(r->collectives, r->collectives_room,
                                  sizeof *r->collectives);
        r->free_collectives = xrealloc(r->free_collectives, r->collectives_room,
                                       sizeof *r->free_collectives);
    }
    return (uint32_t)r->ncollectives++;
}

/* Returns the next collective of this member, which others may have reached
 * already. */
static uint32_t replay_seek_collective(struct replay *r,
                                       const struct trace_membership *in)
{
    struct replay_comm *of = replay_comm_of(r, in->comm);
    size_t at = of->first_open + (of->turn[in->me]++ - of->first_turn);

    if (at < of->nopen)
        return of->open[at];
    if (of->nopen == of->room && 2 * of->first_open > of->room) {
        of->nopen -= of->first_open;
        memmove(of->open, of->open + of->first_open,
                of->nopen * sizeof *of->open);
        of->first_open = 0;
    }
    if (of->nopen == of->room) {
        of->room = of->room ? 2 * of->room : 4;
        of->open = xrealloc(of->open, of->room, sizeof *of->open);
    }
    uint32_t i = replay_new_collective(r);
    of->open[of->nopen++] = i;
    r->collectives[i] = (struct replay_collective){
        .comm = in->comm->number,
        .first = in->me,
        .calls = xcalloc(in->comm->n, sizeof(struct replay_call))};
    return i;
}

static void replay_calls_clear(struct replay_collective *c, uint32_t n)
{
    for (uint32_t i = 0; c->calls && i < n; i++) {
        free(c->calls[i].counts);
        free(c->calls[i].recv_counts);
    }
    free(c->calls);
    c->calls = NULL;
}

/* Ends a collective, which is its communicator's oldest, because each member
 * reaches them in their order. */
static void replay_end_collective(struct replay *r, uint32_t i)
{
    struct replay_collective *c = &r->collectives[i];
    struct replay_comm *of = &r->of_comm[c->comm];

    replay_calls_clear(c, trace_comms_get(r->comms, c->comm)->n);
    of->first_open++;
    of->first_turn++;
    if (of->first_open == of->nopen)
        of->first_open = of->nopen = 0;
    r->free_collectives[r->nfree++] = i;
}

void replay_collectives_clear(struct replay *r)
{
    for (size_t i = 0; i < r->ncollectives; i++)
        if (r->collectives[i].calls)
            replay_calls_clear(
                &r->collectives[i],
                trace_comms_get(r->comms, r->collectives[i].comm)->n);
    for (size_t i = 0; i < r->ncomms; i++) {
        free(r->of_comm[i].turn);
        free(r->of_comm[i].open);
    }
    free(r->of_comm);
    free(r->collectives);
    free(r->free_collectives);
}

/* --- all members have come ------------------------------------------------ */

static void replay_go_on_member(struct replay *r, uint32_t rank,
                                const struct replay_call *call,
                                const uint32_t *exits, uint32_t n,
                                uint32_t base)
{
    struct replay_rank *of = &r->ranks[rank];

    if (call->request == NO_REQUEST) {
        if (n) {
            of->after.n = 0;
            of->epoch++;
        }
        for (uint32_t i = 0; i < n; i++)
            replay_deps_add(&of->after, base + exits[i]);
        of->arrived = REPLAY_EXPANDED;
        replay_wake(r, rank);
        return;
    }
    struct request_of *q = requests_find(&of->requests, call->request);
    uint32_t op = n ? base + exits[0] : call->after;
    if (n > 1) {
        op = plan_work(r->p, rank, 0);
        for (uint32_t i = 0; i < n; i++)
            plan_after(r->p, base + exits[i]);
        plan_origin_place(r->origin, r->p->nops, call->place);
    }
    if (q) {
        q->op = op;
        q->pending = 0;
    }
    replay_wake(r, rank);
}

static void replay_put_op(struct replay *r, const struct template *t,
                          const struct replay_collective *c,
                          const struct trace_comm *comm, uint32_t i,
                          uint32_t base)
{
    const struct op *o = &t->plan.ops[i];
    const struct replay_call *from = &c->calls[o->src], *to = &c->calls[o->dst];
    uint32_t copy = plan_add_copy(r->p, &t->plan, i);
    struct op *own = &r->p->ops[copy];

    own->src = comm->members[o->src];
    own->dst = comm->members[o->dst];
    if (o->src_gpu != NO_GPU) {
        own->src_gpu = replay_gpu(r, own->src);
        own->dst_gpu = replay_gpu(r, own->dst);
    }
    for (uint32_t d = plan_first_dep(&t->plan, i);
         d < plan_end_dep(&t->plan, i); d++)
        plan_after(r->p, t->plan.deps[d] + base);
    if (t->begins[i] & TEMPLATE_SENDER && from->after != NO_OP)
        plan_after(r->p, from->after);
    if (t->begins[i] & TEMPLATE_RECEIVER && to->after != NO_OP)
        plan_posted_after(r->p, to->after);
    plan_origin_place(r->origin, r->p->nops, from->place);
}

static void replay_put(struct replay *r, const struct template *t,
                       const struct replay_collective *c,
                       const struct trace_comm *comm)
{
    uint32_t base = (uint32_t)r->p->nops;

    for (uint32_t i = 0; i < t->plan.nops; i++)
        replay_put_op(r, t, c, comm, i, base);
    plan_origin_together(r->origin, base, (uint32_t)r->p->nops);
    for (uint32_t i = 0; i < comm->n; i++)
        replay_go_on_member(r, comm->members[i], &c->calls[i],
                            t->exits + t->first_exit[i],
                            t->first_exit[i + 1] - t->first_exit[i], base);
}

/* Lets the members continue, because the collective has nothing to do. */
static void replay_put_nothing(struct replay *r,
                               const struct replay_collective *c,
                               const struct trace_comm *comm)
{
    for (uint32_t i = 0; i < comm->n; i++)
        replay_go_on_member(r, comm->members[i], &c->calls[i], NULL, 0, 0);
}

static int replay_put_as(struct replay *r, const struct replay_collective *c,
                         const struct trace_comm *comm,
                         const struct template_key *key,
                         struct template_members *members, struct err *err)
{
    uint32_t *node = xcalloc(comm->n, sizeof *node);

    for (uint32_t i = 0; i < comm->n; i++)
        node[i] = replay_node(r, comm->members[i]);
    members->node = node;
    const struct template *t = templates_get(&r->templates, key, members, err);
    free(node);
    if (t) {
        replay_put(r, t, c, comm);
        return 0;
    }
    uint32_t rank = comm->members[c->first];
    struct trace_event at = {.name = c->name,
                             .place = c->calls[c->first].place};
    char why[sizeof err->text];
    snprintf(why, sizeof why, "%s", err->text);
    return trace_fail(r->t, rank, &at, err, "%s", why);
}

static int replay_expand(struct replay *r, uint32_t number, struct err *err)
{
    struct replay_collective *c = &r->collectives[number];
    const struct trace_comm *comm = trace_comms_get(r->comms, c->comm);
    struct template_members members = {.n = comm->n};
    struct template_key key = {
        .kind = c->kind, .in_gpu = c->in_gpu, .root = c->root, .comm = c->comm};
    uint64_t *bytes = NULL;
    const uint64_t *const *counts = NULL;
    int result = 0;

    if (c->makes_comm)
        key.bytes = COMM_NUMBER_B;
    else if (c->kind == TRACE_ALLTOALL)
        members.counts = counts = replay_counts_of(c, comm->n, &key.bytes);
    else
        members.bytes = bytes = replay_bytes_of(c, comm->n, &key.bytes);
    if (c->kind == TRACE_ALLTOALL)
        result = replay_check_counts(r, c, comm, err);
    if (result == 0 && !bytes && !counts && !key.bytes &&
        c->kind != TRACE_BARRIER)
        replay_put_nothing(r, c, comm);
    else if (result == 0)
        result = replay_put_as(r, c, comm, &key, &members, err);
    free(bytes);
    free((void *)(uintptr_t)counts);
    if (result == 0)
        replay_end_collective(r, number);
    return result;
}

/* --- one member ----------------------------------------------------------- */

static void replay_come(struct replay *r, uint32_t rank,
                        const struct trace_membership *in, uint32_t number)
{
    struct replay_collective *c = &r->collectives[number];
    const struct trace_event *e = &r->ranks[rank].e;
    uint32_t n = in->comm->n;

    c->calls[in->me] = (struct replay_call){
        .after = replay_join(r, rank),
        .place = e->place,
        .request = e->blocks || e->call == TRACE_COMM ? NO_REQUEST : e->request,
        .bytes = e->bytes,
        .came = true};
    replay_keep_counts(&c->calls[in->me], e, in->me, n);
    c->ncalls++;
    replay_place(r, rank);
    if (c->calls[in->me].request == NO_REQUEST) {
        r->ranks[rank].arrived = REPLAY_ARRIVED;
        return;
    }
    replay_request(r, rank, e->request, NO_OP);
    requests_find(&r->ranks[rank].requests, e->request)->pending = 1 + number;
}

/* Makes a communicator. It takes no time if only its members know of it, or it
 * has only one. */
static int replay_comm_event(struct replay *r, uint32_t rank, struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;

    return e->call == TRACE_COMM ? trace_comms_add(r->comms, rank, e, err) : 1;
}

int replay_collective(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];
    struct trace_membership in;

    if (of->arrived) {
        bool expanded = of->arrived == REPLAY_EXPANDED;
        if (expanded)
            of->arrived = REPLAY_NOT_THERE;
        return expanded;
    }
    int found = trace_comms_find(r->comms, rank, &of->e, &in, err);
    if (found <= 0)
        return found;
    if (replay_comm_event(r, rank, err) < 0)
        return -1;
    if (of->e.call == TRACE_COMM && of->e.how == TRACE_KNOWN)
        return 1;
    if (in.me == UNKNOWN_PEER || !in.comm->n)
        return trace_fail(r->t, rank, &of->e, err,
                          "its communicator's members are not known");
    if (replay_rooted(replay_kind(&of->e)) && of->e.peer >= in.comm->n)
        return trace_fail(r->t, rank, &of->e, err,
                          "root %u of a communicator of %u ranks", of->e.peer,
                          in.comm->n);
    if (in.comm->n == 1) {
        if (of->e.request != NO_REQUEST)
            replay_request(r, rank, of->e.request, NO_OP);
        return 1;
    }
    uint32_t number = replay_seek_collective(r, &in);
    struct replay_collective *c = &r->collectives[number];
    if (replay_check_sizes(r, rank, in.comm->n, err) < 0 ||
        replay_agrees(r, rank, in.me, c, err) < 0)
        return -1;
    replay_come(r, rank, &in, number);
    if (c->ncalls == in.comm->n && replay_expand(r, number, err) < 0)
        return -1;
    if (of->arrived == REPLAY_ARRIVED)
        return 0;
    of->arrived = REPLAY_NOT_THERE;
    return 1;
}

/* --- missing members ------------------------------------------------------ */

static int replay_never_comes(struct replay *r,
                              const struct replay_collective *c,
                              struct err *err)
{
    const struct trace_comm *comm = trace_comms_get(r->comms, c->comm);
    struct trace_event at = {.name = c->name,
                             .place = c->calls[c->first].place};
    uint32_t missing = 0;

    while (c->calls[missing].came)
        missing++;
    uint32_t rank = comm->members[missing];
    const struct replay_rank *of = &r->ranks[rank];
    if (of->ended)
        return trace_fail(r->t, comm->members[c->first], &at, err,
                          "rank %u ends without this call, to which %u of %u "
                          "ranks have come",
                          rank, c->ncalls, comm->n);
    return trace_fail(r->t, comm->members[c->first], &at, err,
                      "%u of %u ranks have come; rank %u waits in %s at %s "
                      "%" PRIu64,
                      c->ncalls, comm->n, rank, of->e.name ? of->e.name : "?",
                      r->t->rank[rank].places_lines ? "line" : "byte",
                      of->e.place);
}

int replay_all_came(struct replay *r, struct err *err)
{
    struct plan_origin *o = r->origin;
    uint32_t stuck = 0, first = UINT32_MAX;
    uint32_t cut = 0;

    for (uint32_t i = 0; i < r->t->ranks; i++) {
        const struct replay_rank *of = &r->ranks[i];
        cut += of->ended && of->began && !of->finalized;
        stuck += !of->ended;
        if (!of->ended && first == UINT32_MAX)
            first = i;
    }
    o->cut_off = cut > 0;
    if (cut)
        plan_origin_remark(o,
                           "the trace is cut off: %u of %u ranks end without "
                           "MPI_Finalize; what is there is simulated",
                           cut, r->t->ranks);
    if (!stuck)
        return 0;
    if (cut) {
        plan_origin_remark(o,
                           "the trace is cut off: %u of %u ranks are simulated "
                           "up to a call that others do not come to, rank %u "
                           "up to %s at %s %" PRIu64,
                           stuck, r->t->ranks, first,
                           r->ranks[first].e.name ? r->ranks[first].e.name
                                                  : "a call",
                           r->t->rank[first].places_lines ? "line" : "byte",
                           r->ranks[first].e.place);
        return 0;
    }
    for (size_t i = 0; i < r->ncollectives; i++)
        if (r->collectives[i].calls)
            return replay_never_comes(r, &r->collectives[i], err);
    return trace_fail(r->t, first, &r->ranks[first].e, err,
                      "waits for a communicator that other ranks do not make");
}
