/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a trace, and the waits for them, as operations of a plan. */
#include "apps/replay/replay_state.h"

#include <inttypes.h>

/* --- messages ------------------------------------------------------------- */

static bool replay_in_gpu(const struct replay *r, const struct trace_event *e)
{
    return r->m->ngpus && (e->in_gpu || r->o->all_in_gpus);
}

/* Sets the memory of the newest operation, a receive or a send. */
static void replay_memory(struct replay *r, const struct trace_event *e)
{
    struct op *op = &r->p->ops[r->p->nops - 1];

    if (!replay_in_gpu(r, e))
        return;
    op->src_gpu = replay_gpu(r, op->src);
    op->dst_gpu = replay_gpu(r, op->dst);
}

static void replay_add_send(struct replay *r, uint32_t rank, uint32_t to,
                            uint32_t context)
{
    const struct trace_event *e = &r->ranks[rank].e;
    enum phase phase = replay_node(r, rank) == replay_node(r, to)
                           ? PHASE_ON_NODE
                           : PHASE_OFF_NODE;
    uint32_t op = plan_send(r->p, phase, rank, to, e->tag, e->bytes);

    r->p->ops[op].synced = e->synchronous;
    if (context)
        plan_context(r->p, context);
    replay_memory(r, e);
}

static void replay_add_receive(struct replay *r, uint32_t rank, uint32_t from,
                               uint32_t context)
{
    const struct trace_event *e = &r->ranks[rank].e;
    enum phase phase =
        from != ANY_RANK && replay_node(r, rank) == replay_node(r, from)
            ? PHASE_ON_NODE
            : PHASE_OFF_NODE;
    uint32_t tag = r->o->as_received && e->tag == ANY_TAG ? e->got_tag : e->tag;

    plan_recv(r->p, phase, rank, from, tag, e->bytes);
    if (context)
        plan_context(r->p, context);
    replay_memory(r, e);
}

static void replay_add_probe(struct replay *r, uint32_t rank, uint32_t from,
                             uint32_t context)
{
    uint32_t tag = r->ranks[rank].e.tag;

    plan_probe(r->p, PHASE_OFF_NODE, rank, from, tag);
    if (context)
        plan_context(r->p, context);
}

/* Notes that the event has begun: with the newest operation, or with NO_OP if
 * there was nothing to do. */
static void replay_began(struct replay *r, uint32_t rank, uint32_t op)
{
    const struct trace_event *e = &r->ranks[rank].e;

    if (e->request != NO_REQUEST)
        replay_request(r, rank, e->request, op);
    if ((e->blocks || e->call == TRACE_PROBE) && op != NO_OP)
        replay_go_on(r, rank, op);
}

static uint32_t replay_peer_number(const struct replay *r,
                                   const struct trace_event *e)
{
    return r->o->as_received && e->call == TRACE_RECV && e->peer == ANY_RANK
               ? e->got_peer
               : e->peer;
}

int replay_message(struct replay *r, uint32_t rank, struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;
    struct trace_membership in;
    uint32_t peer;

    int found = trace_comms_find(r->comms, rank, e, &in, err);
    if (found <= 0)
        return found;
    if (trace_comms_peer(r->comms, rank, e, &in, replay_peer_number(r, e),
                         &peer, err) < 0)
        return -1;
    if (e->call == TRACE_SEND && (peer == ANY_RANK || e->tag == ANY_TAG))
        return trace_fail(r->t, rank, e, err, "a send to any rank, or tag");
    if (peer == UNKNOWN_PEER)
        return trace_fail(r->t, rank, e, err,
                          "its peer is not known: files of ranks are missing");
    if (peer == NO_PEER) {
        replay_began(r, rank, NO_OP);
        return 1;
    }
    /* In a graph each event is one operation, even if it depends on several. */
    if (e->blocks || e->free || e->call == TRACE_PROBE)
        replay_flush(r, rank);
    else
        (void)replay_join(r, rank);
    if (e->call == TRACE_SEND)
        replay_add_send(r, rank, peer, in.comm->number);
    else if (e->call == TRACE_PROBE)
        replay_add_probe(r, rank, peer, in.comm->number);
    else
        replay_add_receive(r, rank, peer, in.comm->number);
    replay_hang(r, rank);
    replay_began(r, rank, (uint32_t)r->p->nops - 1);
    return 1;
}

/* --- waits ---------------------------------------------------------------- */

/* Returns whether some of the requests are collectives that not all members
 * have reached. */
static bool replay_some_pending(const struct replay_rank *of)
{
    for (size_t i = 0; i < of->e.nrequests; i++) {
        const struct request_of *q =
            requests_find(&of->requests, of->e.requests[i]);
        if (q && q->pending)
            return true;
    }
    return false;
}

/* Counts a wait for an unknown request, which is an error unless the file
 * begins after MPI_Init(), because the request may then be older. */
static int replay_unbegun(struct replay *r, uint32_t rank, uint64_t number,
                          struct err *err)
{
    const struct replay_rank *of = &r->ranks[rank];

    r->unbegun++;
    if (!of->began || of->e.call == TRACE_CANCEL)
        return 0;
    return trace_fail(r->t, rank, &of->e, err,
                      "request %" PRIu64 " was not begun, or waited for before",
                      number);
}

int replay_wait(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];
    bool waits = false, implied = false;

    if (replay_some_pending(of))
        return 0;
    if (of->e.nrequests)
        replay_flush(r, rank);
    size_t before = of->after.n;
    for (size_t i = 0; i < of->e.nrequests; i++) {
        struct request_of *q = requests_find(&of->requests, of->e.requests[i]);
        if (!q) {
            if (replay_unbegun(r, rank, of->e.requests[i], err) < 0)
                return -1;
            continue;
        }
        if (q->op != NO_OP) {
            replay_deps_add(&of->after, q->op);
            /* because it began after all that the rank still waits for */
            implied |= q->epoch == of->epoch;
            waits = true;
        }
        requests_drop(&of->requests, q);
    }
    if (implied) {
        of->after.n -= before;
        for (size_t i = 0; i < of->after.n; i++)
            of->after.items[i] = of->after.items[before + i];
    }
    of->epoch += waits;
    return 1;
}

/* --- cancelled ------------------------------------------------------------ */

/* Leaves out a receive that is cancelled, unless it is found in the end that
 * nobody else receives its message. */
int replay_cancel(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];

    for (size_t i = 0; i < of->e.nrequests; i++) {
        struct request_of *q = requests_find(&of->requests, of->e.requests[i]);
        if (!q) {
            if (replay_unbegun(r, rank, of->e.requests[i], err) < 0)
                return -1;
            continue;
        }
        if (q->op == NO_OP || q->pending ||
            r->p->ops[q->op & DEP_OP].kind != OP_RECV)
            continue;
        r->cancelled =
            xrealloc(r->cancelled, r->ncancelled + 1, sizeof *r->cancelled);
        r->cancelled[r->ncancelled++] = (struct replay_cancelled){
            q->op, r->p->ops[q->op], r->p->match[q->op]};
        replay_leave_out(r->p, q->op);
        r->p->match[q->op] = (struct op_match){0};
    }
    return 1;
}

/* --- one-sided ------------------------------------------------------------ */

/* Adds a put as a message to the rank; a get as an empty message, which another
 * one answers. Returns the last operation. */
static uint32_t replay_add_onesided(struct replay *r, uint32_t rank,
                                    uint32_t peer)
{
    const struct trace_event *e = &r->ranks[rank].e;
    bool get = e->call == TRACE_GET, in_gpu = replay_in_gpu(r, e);
    enum phase phase = replay_node(r, rank) == replay_node(r, peer)
                           ? PHASE_ON_NODE
                           : PHASE_OFF_NODE;
    uint32_t mine = in_gpu ? replay_gpu(r, rank) : NO_GPU;
    uint32_t theirs = in_gpu ? replay_gpu(r, peer) : NO_GPU;
    uint32_t op = plan_msg(r->p, phase, rank, peer, get ? NO_GPU : mine,
                           get ? NO_GPU : theirs, get ? 0 : e->bytes);

    replay_hang(r, rank);
    if (!get)
        return op;
    uint32_t answer = plan_msg(r->p, phase, peer, rank, theirs, mine, e->bytes);
    plan_after(r->p, op);
    return answer;
}

/* Waits until the rank's puts and gets, to one or all, are complete. */
static void replay_complete(struct replay *r, uint32_t rank, uint32_t peer)
{
    struct replay_rank *of = &r->ranks[rank];
    size_t left = 0, all = of->onesided.n;

    replay_flush(r, rank);
    for (size_t i = 0; i < all; i++) {
        if (peer == ANY_RANK || of->onesided_to.items[i] == peer) {
            replay_deps_add(&of->after, of->onesided.items[i]);
            continue;
        }
        of->onesided.items[left] = of->onesided.items[i];
        of->onesided_to.items[left++] = of->onesided_to.items[i];
    }
    of->onesided.n = of->onesided_to.n = left;
    of->epoch += left < all;
}

int replay_onesided(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];
    const struct trace_event *e = &of->e;
    struct trace_membership in;
    uint32_t peer;

    int found = trace_comms_find(r->comms, rank, e, &in, err);
    if (found <= 0)
        return found;
    if (trace_comms_peer(r->comms, rank, e, &in, e->peer, &peer, err) < 0)
        return -1;
    if (peer == UNKNOWN_PEER)
        return trace_fail(r->t, rank, e, err,
                          "its peer is not known: files of ranks are missing");
    if (e->call == TRACE_FLUSH) {
        replay_complete(r, rank, peer);
        return 1;
    }
    if (peer == ANY_RANK)
        return trace_fail(r->t, rank, e, err, "to any rank");
    if (peer == NO_PEER) {
        replay_began(r, rank, NO_OP);
        return 1;
    }
    (void)replay_join(r, rank);
    uint32_t op = replay_add_onesided(r, rank, peer);
    if (e->request != NO_REQUEST) {
        replay_request(r, rank, e->request, op);
    } else if (!e->blocks) {
        replay_deps_add(&of->onesided, op);
        replay_deps_add(&of->onesided_to, peer);
    }
    if (e->blocks)
        replay_go_on(r, rank, op);
    return 1;
}
