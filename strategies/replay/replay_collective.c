/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives of a trace: members come one by one, and when all have, its
 * operations go into the plan, where each member waits for what it waits for in
 * the algorithm and for nothing else. */
#include "strategies/replay/replay_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a context number costs its members, and a colour and key. Assumed: an
 * allreduce and an allgather of so much. */
#define COMM_NUMBER_B 8u

/* --- those under way ------------------------------------------------------ */

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

/* The next collective of this member, that others may have come to. */
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

/* Its communicator's oldest, since each member comes to them in their order. */
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

/* --- what members say ----------------------------------------------------- */

static bool replay_rooted(uint8_t kind)
{
    return kind == TRACE_BROADCAST || kind == TRACE_REDUCE ||
           kind == TRACE_GATHER || kind == TRACE_SCATTER;
}

/* All bring, or get, as much. What the root of a gather brings is perhaps in
 * place, and not said. */
static bool replay_equal_bytes(uint8_t kind)
{
    return kind == TRACE_BROADCAST || kind == TRACE_REDUCE ||
           kind == TRACE_ALLREDUCE || kind == TRACE_SCAN ||
           kind == TRACE_EXSCAN;
}

static uint64_t *replay_copy_counts(const uint64_t *counts, size_t n,
                                    uint32_t members)
{
    if (!counts || n < members)
        return NULL;
    uint64_t *copy = xcalloc(members, sizeof *copy);
    memcpy(copy, counts, members * sizeof *copy);
    return copy;
}

/* Those that say what others do not; else each member says its own bytes. */
static bool replay_needs_counts(const struct trace_event *e, uint32_t me)
{
    if (e->call != TRACE_COLLECTIVE)
        return false;
    if (e->collective == TRACE_GATHER || e->collective == TRACE_SCATTER)
        return me == e->peer;
    return e->collective == TRACE_ALLTOALL ||
           (e->collective == TRACE_REDUCE_SCATTER && me == 0);
}

static int replay_check_sizes(const struct replay *r, uint32_t rank, uint32_t n,
                              struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;
    uint64_t most = e->bytes;

    for (size_t i = 0; i < e->ncounts; i++) {
        if (e->counts && e->counts[i] > most)
            most = e->counts[i];
        if (e->recv_counts && e->recv_counts[i] > most)
            most = e->recv_counts[i];
    }
    if (most <= REPLAY_MOST_B / n)
        return 0;
    return trace_fail(r->t, rank, e, err,
                      "%" PRIu64 " bytes of each of %u ranks: expected at most "
                      "2^53 in all",
                      most, n);
}

static uint8_t replay_kind(const struct trace_event *e)
{
    if (e->call == TRACE_COLLECTIVE)
        return e->collective;
    return e->how == TRACE_SPLIT ? TRACE_ALLGATHER : TRACE_ALLREDUCE;
}

static int replay_disagrees(struct replay *r, uint32_t rank,
                            const struct replay_collective *c, const char *what,
                            struct err *err)
{
    const struct trace_comm *comm = trace_comms_get(r->comms, c->comm);
    uint32_t other = comm->members[c->first];
    char place[64];

    snprintf(place, sizeof place,
             r->t->rank[other].places_lines ? "line %" PRIu64 : "byte %" PRIu64,
             c->calls[c->first].place);
    return trace_fail(r->t, rank, &r->ranks[rank].e, err,
                      "its %s is not that of rank %u, which calls %s at %s of "
                      "%s",
                      what, other, c->name, place, r->origin->file[other]);
}

/* Of the first, what the others are held against. */
static int replay_agrees(struct replay *r, uint32_t rank, uint32_t me,
                         struct replay_collective *c, struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;
    const struct replay_call *first = &c->calls[c->first];
    uint8_t kind = replay_kind(e);

    if (me == c->first) {
        c->kind = kind;
        c->makes_comm = e->call == TRACE_COMM;
        c->root = replay_rooted(kind) ? e->peer : 0;
        c->name = e->name ? e->name : trace_collective_names[kind];
        c->in_gpu = e->in_gpu;
        return 0;
    }
    if (kind != c->kind || c->makes_comm != (e->call == TRACE_COMM))
        return replay_disagrees(r, rank, c, "call", err);
    if (replay_rooted(kind) && e->peer != c->root)
        return replay_disagrees(r, rank, c, "root", err);
    if (!c->makes_comm && replay_equal_bytes(kind) && e->bytes != first->bytes)
        return replay_disagrees(r, rank, c, "count", err);
    return 0;
}

/* --- all have come -------------------------------------------------------- */

/* Bytes of each member: of a gather what it brings, of a scatter or
 * reduce-scatter what it gets. NULL: all the same, *same. */
static uint64_t *replay_bytes_of(const struct replay_collective *c, uint32_t n,
                                 uint64_t *same)
{
    const struct replay_call *root = &c->calls[c->root];
    const uint64_t *counts = NULL;
    uint64_t *bytes = xcalloc(n, sizeof *bytes);
    bool equal = true;

    if (c->kind == TRACE_SCATTER)
        counts = root->counts;
    else if (c->kind == TRACE_GATHER)
        counts = root->recv_counts;
    else if (c->kind == TRACE_REDUCE_SCATTER)
        counts = root->counts ? root->counts : root->recv_counts;
    for (uint32_t i = 0; i < n; i++)
        bytes[i] = counts ? counts[i] : c->calls[i].bytes;
    /* In place it is not said what the root has for itself; it stays there. */
    if (!counts && (c->kind == TRACE_SCATTER || c->kind == TRACE_GATHER))
        bytes[c->root] = bytes[c->root ? 0 : n - 1];
    for (uint32_t i = 1; i < n; i++)
        equal &= bytes[i] == bytes[0];
    *same = bytes[0];
    if (!equal)
        return bytes;
    free(bytes);
    return NULL;
}

/* Of an all-to-all with counts; those of a member without are all the same. */
static const uint64_t *const *replay_counts_of(struct replay_collective *c,
                                               uint32_t n, uint64_t *same)
{
    const uint64_t **counts = xcalloc(n, sizeof *counts);
    bool equal = true;

    for (uint32_t i = 0; i < n; i++) {
        struct replay_call *call = &c->calls[i];
        if (!call->counts) {
            call->counts = xcalloc(n, sizeof *call->counts);
            for (uint32_t k = 0; k < n; k++)
                call->counts[k] = call->bytes;
        }
        counts[i] = call->counts;
        for (uint32_t k = 0; k < n; k++)
            equal &= counts[i][k] == counts[0][0];
    }
    *same = counts[0][0];
    if (!equal)
        return counts;
    free(counts);
    return NULL;
}

/* Whom each sends to says how much it expects. */
static int replay_check_counts(const struct replay *r,
                               const struct replay_collective *c,
                               const struct trace_comm *comm, struct err *err)
{
    for (uint32_t i = 0; i < comm->n; i++)
        for (uint32_t k = 0; c->calls[i].recv_counts && k < comm->n; k++) {
            uint64_t sent =
                c->calls[k].counts ? c->calls[k].counts[i] : c->calls[k].bytes;
            uint64_t room = c->calls[i].recv_counts[k];
            if (sent == room)
                continue;
            struct trace_event at = {.name = c->name,
                                     .place = c->calls[i].place};
            return trace_fail(r->t, comm->members[i], &at, err,
                              "expects %" PRIu64 " B of rank %u, which sends "
                              "%" PRIu64 " B",
                              room, comm->members[k], sent);
        }
    return 0;
}

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

/* Nothing is to be done: the members go on. */
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
    if (replay_needs_counts(e, in->me)) {
        struct replay_call *call = &c->calls[in->me];
        call->counts = replay_copy_counts(e->counts, e->ncounts, n);
        call->recv_counts = replay_copy_counts(e->recv_counts, e->ncounts, n);
    }
    c->ncalls++;
    replay_place(r, rank);
    if (c->calls[in->me].request == NO_REQUEST) {
        r->ranks[rank].arrived = REPLAY_ARRIVED;
        return;
    }
    replay_request(r, rank, e->request, NO_OP);
    requests_find(&r->ranks[rank].requests, e->request)->pending = 1 + number;
}

/* A communicator that only its members know of, or that has one alone, takes no
 * time. */
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

/* --- who did not come ----------------------------------------------------- */

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
    bool cut_off = false;

    for (uint32_t i = 0; i < r->t->ranks; i++) {
        const struct replay_rank *of = &r->ranks[i];
        cut_off |= of->ended && of->began && !of->finalized;
        stuck += !of->ended;
        if (!of->ended && first == UINT32_MAX)
            first = i;
    }
    o->cut_off = cut_off;
    if (!stuck)
        return 0;
    if (cut_off) {
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
