/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the list of a rank's calls of a plan. */
#include "validate/native/calls_list.h"
#include "validate/native/calls_places.h"

#include "sim/plan/plan_check.h"
#include "validate/native/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NO_REQUEST UINT32_MAX

/* --- making the list ------------------------------------------------------ */

struct maker {
    struct calls *c;
    uint32_t rank;
    uint32_t *sent, *received; /* the operations' requests, or NO_REQUEST */
    bool *pending, *needed;    /* one per request */
    struct place *own, *peer;  /* places of operations: own, a peer's */
    size_t room;
    bool gpus;    /* the rank's copies are of several GPUs, */
    unsigned gpu; /* the last one of this */
};

static struct call *add(struct maker *k, enum call_kind kind, uint32_t op)
{
    struct calls *c = k->c;

    if (c->n == k->room) {
        k->room = k->room ? 2 * k->room : 16;
        c->list = xrealloc(c->list, k->room, sizeof *c->list);
    }
    assert(c->list);
    c->list[c->n] = (struct call){.kind = kind, .op = op};
    return &c->list[c->n++];
}

static uint32_t add_request(struct maker *k, uint32_t op, bool receive)
{
    struct calls *c = k->c;
    uint32_t request = c->nrequests++;

    c->request_of[request] = (struct request_of){op, receive, false};
    (receive ? k->received : k->sent)[op] = request;
    k->pending[request] = true;
    return request;
}

/* Adds a wait for consecutive requests; if the last call has posted the only
 * one, it becomes a blocking call instead. Elements that have arrived, and are
 * not in their places, are then moved there. */
static void add_wait(struct maker *k, uint32_t first, uint32_t count)
{
    struct call *last = k->c->n ? &k->c->list[k->c->n - 1] : NULL;

    if (last && k->c->n > k->c->posts && count == 1 && last->first == first &&
        (last->kind == CALL_POST_SEND || last->kind == CALL_POST_RECEIVE)) {
        last->kind = last->kind == CALL_POST_SEND ? CALL_SEND : CALL_RECEIVE;
    } else {
        struct call *call = add(k, CALL_WAIT, 0);
        call->first = first;
        call->count = count;
    }
    for (uint32_t i = first; i < first + count; i++) {
        struct request_of of = k->c->request_of[i];
        if (k->pending[i] && of.receive && store_scatters(k->c->runner, of.op))
            add(k, CALL_STORE, of.op)->store = store_unpack;
        k->pending[i] = k->needed[i] = false;
    }
}

/* Adds the waits for the needed requests: one call for all that no other
 * pending request lies between. */
static void wait_needed(struct maker *k)
{
    uint32_t n = k->c->nrequests, last;

    for (uint32_t first = 0; first < n; first++) {
        if (!k->needed[first])
            continue;
        last = first;
        for (uint32_t i = first; i < n && (k->needed[i] || !k->pending[i]); i++)
            if (k->needed[i])
                last = i;
        add_wait(k, first, last + 1 - first);
        first = last;
    }
}

/* Adds the waits for the dependencies of an operation, or of its receive. */
static void wait_before(struct maker *k, uint32_t op, bool receive)
{
    const struct plan *p = k->c->plan;
    bool any = false;

    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++) {
        uint32_t dep = p->deps[d], before = dep & DEP_OP;
        bool sent = p->ops[before].kind == OP_SEND || (dep & AFTER_SENT);
        uint32_t request = (sent ? k->sent : k->received)[before];
        if (!!(dep & FOR_RECEIVE) != receive || request == NO_REQUEST ||
            !k->pending[request])
            continue;
        k->needed[request] = any = true;
    }
    if (any)
        wait_needed(k);
}

static bool waits_first(const struct plan *p, uint32_t op, bool receive)
{
    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++)
        if (!!(p->deps[d] & FOR_RECEIVE) == receive)
            return true;
    return false;
}

static bool by_ipc(const struct calls *c, const struct op *o)
{
    return c->runner ? runner_by_ipc(c->runner, o)
                     : c->memory->opened && calls_on_gpus(c->plan, o);
}

/* Returns the memory of the receiver of a message by CUDA IPC. */
static char *opened_memory(const struct calls *c, const struct op *o)
{
    const struct calls_memory *m = c->memory;
    unsigned local = o->dst % c->plan->ranks_per_node;

    return m->opened[(size_t)local * m->ngpus + calls_space_of(m, o, 1) - 1];
}

/* Returns where this rank writes the bytes of a message by CUDA IPC. */
static char *peer_memory(struct maker *k, uint32_t op)
{
    const struct calls *c = k->c;
    const struct calls_memory *m = c->memory;
    const struct op *o = &c->plan->ops[op];
    size_t *used = xcalloc(1 + m->ngpus, sizeof *used);

    calls_places(k->peer, used, m, c->plan, o->dst);
    free(used);
    return opened_memory(c, o) + k->peer[op].at[1];
}

/* Returns the buffers that an operation uses in turn, or NULL. */
static struct slots *in_turn(const struct maker *k, uint32_t op, int end)
{
    struct calls *c = k->c;

    if (!c->memory->room || !k->own[op].alone[end])
        return NULL;
    return end ? &c->recv : &c->send;
}

/* Returns whether the receiver is ready before the send begins, because the
 * sender waits for the same operations. */
static bool ready_before(const struct plan *p, uint32_t op)
{
    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++) {
        bool known = !(p->deps[d] & FOR_RECEIVE);
        for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++)
            known |= p->deps[i] == (p->deps[d] & DEP_OP);
        if (!known)
            return false;
    }
    return true;
}

/* Adds the notice that a receiver is ready, if the sender of a message by CUDA
 * IPC would write too early without it. */
static void make_notice(struct maker *k, uint32_t op, enum call_kind kind,
                        uint32_t peer)
{
    if (ready_before(k->c->plan, op))
        return;
    struct call *call = add(k, kind, op);
    call->peer = (int)peer;
    call->tag = (int)(k->c->plan->nops + op);
}

static void make_send(struct maker *k, uint32_t op)
{
    const struct calls *c = k->c;
    const struct op *o = &c->plan->ops[op];
    bool ipc = by_ipc(c, o), own_tag = o->kind == OP_SEND;

    wait_before(k, op, false);
    if (store_gathers(c->runner, op))
        add(k, CALL_STORE, op)->store = store_pack;
    if (ipc) {
        make_notice(k, op, CALL_RECEIVE, o->dst);
        struct call *copy = add(k, CALL_COPY, op);
        copy->at =
            c->runner ? runner_peer_memory(c->runner, op) : peer_memory(k, op);
        copy->at_slots = in_turn(k, op, 0) ? &k->c->theirs : NULL;
        copy->from = c->out[op];
        copy->from_slots = in_turn(k, op, 0);
        copy->copied_B = o->bytes;
    }
    struct call *call = add(k, CALL_POST_SEND, op);
    call->from = c->out[op];
    call->from_slots = ipc ? NULL : in_turn(k, op, 0);
    call->peer = (int)o->dst;
    call->tag = own_tag ? (int)c->plan->match[op].tag : (int)op;
    call->bytes = ipc ? 0 : (int)o->bytes;
    call->first = add_request(k, op, false);
}

static void make_receive(struct maker *k, uint32_t op)
{
    const struct calls *c = k->c;
    const struct op *o = &c->plan->ops[op];
    bool own = o->kind == OP_RECV;

    wait_before(k, op, !own);
    struct call *call = add(k, CALL_POST_RECEIVE, op);
    call->at = c->in[op];
    call->at_slots = in_turn(k, op, 1);
    call->peer = own ? (int)c->plan->match[op].peer : (int)o->src;
    call->tag = own ? (int)c->plan->match[op].tag : (int)op;
    call->bytes = by_ipc(c, o) ? 0 : (int)o->bytes;
    call->first = add_request(k, op, true);
    if (by_ipc(c, o))
        make_notice(k, op, CALL_SEND, o->src);
}

/* Returns the GPU of a copy or pack, of those that this process sees. */
static unsigned gpu_here(const struct calls *c, const struct op *o)
{
    unsigned there = c->memory->n->gpu->count;

    return o->src_gpu == NO_GPU || !there || !c->memory->ngpus
               ? 0
               : o->src_gpu % c->memory->ngpus % there;
}

static void make_copy(struct maker *k, uint32_t op)
{
    unsigned gpu = gpu_here(k->c, &k->c->plan->ops[op]);

    wait_before(k, op, false);
    if (k->gpus && gpu != k->gpu) {
        add(k, CALL_GPU, op)->count = gpu;
        k->gpu = gpu;
    }
    struct call *copy = add(k, CALL_COPY, op);
    copy->at = k->c->in[op];
    copy->at_slots = in_turn(k, op, 1);
    copy->from = k->c->out[op];
    copy->from_slots = in_turn(k, op, 0);
    copy->copied_B = k->c->plan->ops[op].bytes;
}

/* Returns whether this rank receives by the operation, and whether it posts the
 * receive before all else. */
static bool receives(const struct maker *k, uint32_t op, bool at_once)
{
    const struct op *o = &k->c->plan->ops[op];

    return (o->kind == OP_MSG || o->kind == OP_RECV) && o->dst == k->rank &&
           waits_first(k->c->plan, op, o->kind == OP_MSG) != at_once;
}

/* Adds the calls of an operation of this rank, except a receive. */
static void make_op(struct maker *k, uint32_t op)
{
    const struct op *o = &k->c->plan->ops[op];

    if (plan_sends(o)) {
        make_send(k, op);
    } else if (k->c->runner) {
        wait_before(k, op, false);
        if (o->kind != OP_WORK) /* the calls themselves are the work */
            add(k, CALL_STORE, op)->store = o->kind == OP_REDUCE ? store_add
                                            : o->kind == OP_PACK ? runner_pack
                                                                 : store_copy;
    } else if (o->kind == OP_COPY || o->kind == OP_PACK) {
        make_copy(k, op);
    } else if (o->kind == OP_WORK) {
        wait_before(k, op, false);
        if (o->work_s > 0)
            add(k, CALL_WORK, op)->work_s = o->work_s;
    }
}

static void make_list(struct maker *k, bool ahead)
{
    const struct plan *p = k->c->plan;

    for (uint32_t op = 0; op < p->nops; op++)
        if (receives(k, op, true))
            make_receive(k, op);
    k->c->posts = ahead ? k->c->n : 0;
    for (uint32_t op = 0; op < p->nops; op++) {
        if (p->ops[op].src == k->rank)
            make_op(k, op);
        if (receives(k, op, false))
            make_receive(k, op);
    }
    memcpy(k->needed, k->pending, k->c->nrequests * sizeof *k->needed);
    wait_needed(k);
}

/* --- plans that cannot be lists ------------------------------------------- */

static int check_plan(const struct calls *c, struct err *err)
{
    const struct plan *p = c->plan;
    const struct native *n = c->memory->n;

    if (p->nodes > (unsigned)n->nodes ||
        p->ranks_per_node != (unsigned)n->per_node)
        return fail(
            err, "%s: a plan of %u nodes of %u ranks, here are %d of %d",
            p->name, p->nodes, p->ranks_per_node, n->nodes, n->per_node);
    for (uint32_t op = 0; op < p->nops; op++) {
        const struct op *o = &p->ops[op];
        bool tags = o->kind == OP_SEND || o->kind == OP_RECV;
        if (!tags && o->kind != OP_MSG && o->kind != OP_COPY &&
            o->kind != OP_WORK && o->kind != OP_PACK)
            return fail(err, "%s: operation %u is no call", p->name, op);
        if (tags != (p->ops[0].kind == OP_SEND || p->ops[0].kind == OP_RECV) &&
            (tags || o->kind == OP_MSG))
            return fail(err, "%s: messages with tags and without", p->name);
        if ((tags || o->kind == OP_MSG) && o->bytes > INT32_MAX)
            return fail(err, "%s: a message of 2 GiB or more", p->name);
    }
    return plan_check_ranks(p, err);
}

/* Starts the buffers in turn that this operation reads or writes, in the space
 * in which it does. */
static void begin_slots(struct calls *c, const struct op *o, int end)
{
    const struct calls_memory *m = c->memory;
    unsigned space = calls_space_of(m, o, end);
    char *base = m->spaces[space].base;

    slots_begin(end ? &c->recv : &c->send, m->n, base + (end ? m->room : 0),
                space > 0, m->buffers, m->turn_B, 1);
}

/* Finds the peer, whose buffers this rank writes if a message goes by CUDA
 * IPC. */
static void begin_theirs(struct calls *c, const struct op *o)
{
    const struct calls_memory *m = c->memory;

    c->peer = (int)o->dst;
    if (by_ipc(c, o))
        slots_begin(&c->theirs, m->n, opened_memory(c, o) + m->room, true,
                    m->buffers, m->turn_B, 1);
}

static void find_memory(struct calls *c, struct place *places)
{
    const struct calls_memory *m = c->memory;
    const struct plan *p = c->plan;
    size_t *used = xcalloc(1 + m->ngpus, sizeof *used);

    calls_places(places, used, m, p, (uint32_t)m->n->rank);
    for (uint32_t op = 0; op < p->nops; op++) {
        const struct op *o = &p->ops[op];
        if (places[op].at[0] >= 0)
            c->out[op] =
                m->spaces[calls_space_of(m, o, 0)].base + places[op].at[0];
        if (places[op].at[1] >= 0)
            c->in[op] =
                m->spaces[calls_space_of(m, o, 1)].base + places[op].at[1];
        for (int end = 0; end < 2 && m->room; end++)
            if (places[op].at[end] >= 0 && places[op].alone[end])
                begin_slots(c, o, end);
        if (m->room && plan_sends(o) && o->src == (uint32_t)m->n->rank)
            begin_theirs(c, o);
    }
    free(used);
}

/* Makes this rank use the GPU of its copies, on a stream of its own; or the
 * default streams if they are of several GPUs, in which case *several is
 * set. */
static int use_gpu(struct calls *c, bool *several, struct err *err)
{
    const struct gpu_api *api = c->memory->n->gpu;
    const struct plan *p = c->plan;
    const struct op *first = NULL;

    for (uint32_t op = 0; op < p->nops; op++) {
        const struct op *o = &p->ops[op];
        if (o->kind != OP_COPY || o->src != (uint32_t)c->memory->n->rank)
            continue;
        *several |= first && gpu_here(c, o) != gpu_here(c, first);
        first = first ? first : o;
    }
    if (!first || *several)
        return 0;
    if (api->use(gpu_here(c, first), err) < 0 ||
        (first->dir == D2D && api->reach &&
         api->reach(first->dst_gpu % c->memory->ngpus % api->count, err) < 0))
        return -1;
    return api->stream_new ? api->stream_new(&c->stream, err) : 0;
}

/* Takes the memory of a collective's elements, which is the runner's. */
static void take_memory(struct calls *c)
{
    memcpy(c->out, c->runner->out, c->plan->nops * sizeof *c->out);
    memcpy(c->in, c->runner->in, c->plan->nops * sizeof *c->in);
}

int calls_init(struct calls *c, const struct calls_memory *m,
               const struct plan *p, struct runner *r, bool ahead,
               struct err *err)
{
    size_t n = p->nops;
    struct maker k = {.c = c, .rank = (uint32_t)m->n->rank, .gpu = UINT32_MAX};

    *c = (struct calls){
        .memory = m, .plan = p, .runner = r, .peer = MPI_PROC_NULL};
    int result = r ? 0 : check_plan(c, err);
    if (result == 0 && !r)
        result = use_gpu(c, &k.gpus, err);
    if (native_agree(m->n, result, err) < 0)
        return -1;
    c->out = xcalloc(n, sizeof *c->out);
    c->in = xcalloc(n, sizeof *c->in);
    c->request_of = xcalloc(2 * n, sizeof *c->request_of);
    k.sent = xmalloc(n * sizeof *k.sent);
    k.received = xmalloc(n * sizeof *k.received);
    memset(k.sent, 0xff, n * sizeof *k.sent);
    memset(k.received, 0xff, n * sizeof *k.received);
    k.pending = xcalloc(2 * n, sizeof *k.pending);
    k.needed = xcalloc(2 * n, sizeof *k.needed);
    k.own = xcalloc(n, sizeof *k.own);
    k.peer = xcalloc(n, sizeof *k.peer);
    if (r)
        take_memory(c);
    else
        find_memory(c, k.own);
    make_list(&k, ahead);
    c->requests = xcalloc(c->nrequests + 1, sizeof(MPI_Request));
    for (uint32_t i = 0; i < c->nrequests; i++)
        c->requests[i] = MPI_REQUEST_NULL; /* those of blocking calls stay it */
    free(k.sent);
    free(k.received);
    free(k.pending);
    free(k.needed);
    free(k.own);
    free(k.peer);
    return 0;
}

void calls_clear(struct calls *c)
{
    if (c->stream)
        c->memory->n->gpu->stream_free(c->stream);
    free(c->list);
    free(c->requests);
    free(c->request_of);
    free(c->out);
    free(c->in);
    memset(c, 0, sizeof *c);
}
