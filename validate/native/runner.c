/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes a plan on real ranks: starts what its dependencies allow and waits
 * for any request, until all have ended. */
#include "validate/native/runner.h"

#include "base/seconds.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool starts_here(const struct runner *r, const struct op *o)
{
    return o->src == (uint32_t)r->n->rank;
}

/* The receive of a message is a part of its own; that of OP_SEND is an
 * operation. */
static bool received_here(const struct runner *r, const struct op *o)
{
    return o->kind == OP_MSG && o->dst == (uint32_t)r->n->rank;
}

static bool any_size(const struct op *o)
{
    return o->kind == OP_RECV && o->bytes == UINT64_MAX;
}

uint64_t runner_bytes(const struct runner *r, const struct op *o)
{
    return any_size(o) ? r->largest_B : o->bytes;
}

/* --- what waits for what -------------------------------------------------- */

/* Where the end of an operation is known: a message is sent where it begins,
 * finished where it ends. */
static uint32_t known_at(const struct op *o, uint32_t dep)
{
    return o->kind == OP_MSG && !(dep & AFTER_SENT) ? o->dst : o->src;
}

static int check_deps(const struct runner *r, uint32_t op, struct err *err)
{
    const struct plan *p = r->plan;
    const struct op *o = &p->ops[op];

    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++) {
        uint32_t dep = p->deps[d];
        uint32_t waits = dep & FOR_RECEIVE ? o->dst : o->src;
        uint32_t known = known_at(&p->ops[dep & DEP_OP], dep);
        if (waits != known)
            return fail(err,
                        "operation %u of rank %u waits for operation %u, "
                        "whose end only rank %u knows: real ranks need a "
                        "message for that",
                        op, waits, dep & DEP_OP, known);
    }
    return 0;
}

/* Counts the waiters of this rank (fill false), or puts them into place. */
static void each_waiter(struct runner *r, bool fill)
{
    const struct plan *p = r->plan;

    for (uint32_t i = 0; i < p->nops; i++) {
        /* Lists are filled from their ends. */
        uint32_t op = fill ? (uint32_t)p->nops - 1 - i : i;
        const struct op *o = &p->ops[op];
        for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++) {
            uint32_t dep = p->deps[d];
            bool post = dep & FOR_RECEIVE;
            size_t event = 2 * (size_t)(dep & DEP_OP) + !!(dep & AFTER_SENT);
            /* Only messages tell the two ends apart. */
            if (p->ops[dep & DEP_OP].kind != OP_MSG)
                event &= ~(size_t)1;
            if (post ? !received_here(r, o) : !starts_here(r, o))
                continue;
            if (fill) {
                r->waiters[--r->first[event + 1]] = (struct waiter){op, post};
                ++*(post ? &r->unmet_posts[op] : &r->unmet[op]);
            } else {
                r->first[event + 1]++;
            }
        }
    }
}

/*
 * After counting, first[i + 1] is summed to the end of event i's list and
 * counted down to its start while the list is filled, so that the arrays are
 * shifted by one: first[i + 1] begins the list of event i.
 */
static void link_waiters(struct runner *r)
{
    size_t events = 2 * r->plan->nops;

    r->first = xcalloc(events + 2, sizeof *r->first);
    each_waiter(r, false);
    for (size_t i = 1; i <= events; i++)
        r->first[i] += r->first[i - 1];
    r->waiters = xcalloc(r->first[events], sizeof *r->waiters);
    uint32_t all = r->first[events];
    each_waiter(r, true);
    memmove(r->first, r->first + 1, events * sizeof *r->first);
    r->first[events] = all;
}

static int check_op(const struct runner *r, uint32_t op, struct err *err)
{
    const struct plan *p = r->plan;
    const struct op *o = &p->ops[op];
    uint64_t values = 0;
    int *tag_limit, found;

    if (o->kind == OP_REDUCE)
        return fail(err,
                    "operation %u is a reduction, which is not run on "
                    "real ranks",
                    op);
    if (o->kind != OP_WORK && o->bytes > INT_MAX && !any_size(o))
        return fail(err, "operation %u: %llu bytes are more than MPI counts",
                    op, (unsigned long long)o->bytes);
    MPI_TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_limit, &found));
    if (found && p->nops > (size_t)*tag_limit)
        return fail(err, "more operations than this MPI has tags (%d)",
                    *tag_limit);
    for (uint32_t i = plan_first_piece(p, op); i < plan_end_piece(p, op); i++)
        values += p->pieces[i].count;
    if (values && r->halo && values * r->halo->value_bytes != o->bytes)
        return fail(err, "operation %u: %llu bytes, but %llu values of %u", op,
                    (unsigned long long)o->bytes, (unsigned long long)values,
                    r->halo->value_bytes);
    bool device = o->kind == OP_MSG && o->src_gpu != NO_GPU;
    if (device && !r->n->device_mpi &&
        (plan_node(p, o->src) != plan_node(p, o->dst) || !r->ipc))
        return fail(err, "this MPI cannot send GPU memory to another node (it "
                         "was built without CUDA)");
    if (device && r->ipc)
        for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++)
            if (p->deps[d] & FOR_RECEIVE)
                return fail(err,
                            "operation %u: a late receive into GPU memory "
                            "needs an MPI with CUDA",
                            op);
    return check_deps(r, op, err);
}

static int check_plan(const struct runner *r, struct err *err)
{
    const struct plan *p = r->plan;
    const struct native *n = r->n;

    if (p->nodes != (unsigned)n->nodes ||
        p->ranks_per_node != (unsigned)n->per_node)
        return fail(err,
                    "%s: the plan is for %u nodes of %u ranks, there are %d "
                    "of %d",
                    p->name, p->nodes, p->ranks_per_node, n->nodes,
                    n->per_node);
    for (uint32_t op = 0; op < p->nops; op++)
        if (check_op(r, op, err) < 0)
            return fail_in(err, "%s", p->name);
    return 0;
}

static void count_parts(struct runner *r)
{
    for (uint32_t op = 0; op < r->plan->nops; op++) {
        const struct op *o = &r->plan->ops[op];
        r->parts += starts_here(r, o);
        r->parts += received_here(r, o);
        if (o->kind == OP_SEND && o->dst == (uint32_t)r->n->rank &&
            o->bytes > r->largest_B)
            r->largest_B = o->bytes;
    }
}

int runner_init(struct runner *r, const struct native *n, const struct plan *p,
                const struct halo *h, unsigned ngpus, struct err *err)
{
    memset(r, 0, sizeof *r);
    r->n = n;
    r->plan = p;
    r->halo = h;
    r->ngpus = ngpus;
    r->ipc = n->gpu->share && !n->device_mpi;
    if (native_agree(n, check_plan(r, err), err) < 0)
        return -1;
    r->unmet = xcalloc(p->nops, sizeof *r->unmet);
    r->unmet_posts = xcalloc(p->nops, sizeof *r->unmet_posts);
    r->unmet_now = xcalloc(p->nops, sizeof *r->unmet_now);
    r->unmet_posts_now = xcalloc(p->nops, sizeof *r->unmet_posts_now);
    link_waiters(r);
    count_parts(r);
    r->ready = xcalloc(r->parts, sizeof *r->ready);
    r->requests = xcalloc(r->parts, sizeof(MPI_Request));
    r->request_of = xcalloc(r->parts, sizeof *r->request_of);
    r->completed = xcalloc(r->parts, sizeof *r->completed);
    r->statuses = xcalloc(r->parts, sizeof *r->statuses);
    r->received = xcalloc(p->nops, sizeof *r->received);
    MPI_TRY(MPI_Comm_dup(MPI_COMM_WORLD, &r->matched));
    MPI_TRY(MPI_Comm_set_errhandler(r->matched, MPI_ERRORS_RETURN));
    if (native_agree(n, runner_memory_new(r, err), err) == 0)
        return 0;
    runner_clear(r);
    return -1;
}

void runner_clear(struct runner *r)
{
    if (!r->n)
        return;
    runner_memory_free(r);
    MPI_TRY(MPI_Comm_free(&r->matched));
    free(r->first);
    free(r->waiters);
    free(r->unmet);
    free(r->unmet_posts);
    free(r->unmet_now);
    free(r->unmet_posts_now);
    free(r->ready);
    free(r->requests);
    free(r->request_of);
    free(r->completed);
    free(r->statuses);
    free(r->received);
    memset(r, 0, sizeof *r);
}

/* --- running -------------------------------------------------------------- */

#define NO_REQUEST UINT32_MAX

static MPI_Request *add_request(struct runner *r, uint32_t op, bool receive)
{
    r->request_of[r->nrequests] = (struct waiter){op, receive};
    return &r->requests[r->nrequests++];
}

/* The receive of a message. One that comes by CUDA IPC is announced only. */
static void post(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    bool announced = runner_peer_memory(r, op) != NULL;

    MPI_TRY(MPI_Irecv(r->in[op], announced ? 0 : (int)o->bytes, MPI_BYTE,
                      (int)o->src, (int)op, MPI_COMM_WORLD,
                      add_request(r, op, true)));
}

static void ended(struct runner *r, size_t event)
{
    for (uint32_t i = r->first[event]; i < r->first[event + 1]; i++) {
        struct waiter w = r->waiters[i];
        if (w.post) {
            if (--r->unmet_posts_now[w.op] == 0)
                post(r, w.op);
        } else if (--r->unmet_now[w.op] == 0) {
            r->ready[r->nready++] = w.op;
        }
    }
}

static void finished(struct runner *r, uint32_t op)
{
    if (r->flow)
        flow_unpack(r, op);
    r->left--;
    ended(r, 2 * (size_t)op);
}

static void busy(double work_s)
{
    double end = seconds() + work_s;

    while (seconds() < end)
        ;
}

static void runner_copy(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    const struct gpu_api *gpu = r->n->gpu;

    if (gpu->count)
        DIE_TRY(gpu->use(o->src_gpu % r->ngpus % gpu->count, DIE));
    DIE_TRY(gpu->copy(r->in[op], r->out[op], o->bytes, NULL, DIE));
    DIE_TRY(gpu->wait(NULL, DIE));
}

/* Its bytes are copied in place of being gathered: the same launch, and as many
 * bytes read and written. */
static void runner_pack(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];

    if (o->src_gpu != NO_GPU)
        runner_copy(r, op);
    else
        memcpy(r->in[op], r->out[op], o->bytes);
}

/* Straight into the receiver's GPU memory, then a word that it is there. */
static void send_by_ipc(struct runner *r, uint32_t op, void *peer)
{
    const struct op *o = &r->plan->ops[op];
    const struct gpu_api *gpu = r->n->gpu;

    DIE_TRY(gpu->use(o->src_gpu % r->ngpus % gpu->count, DIE));
    DIE_TRY(gpu->copy(peer, r->out[op], o->bytes, NULL, DIE));
    DIE_TRY(gpu->wait(NULL, DIE));
    MPI_TRY(MPI_Isend(NULL, 0, MPI_BYTE, (int)o->dst, (int)op, MPI_COMM_WORLD,
                      add_request(r, op, false)));
}

static void send(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    void *peer = runner_peer_memory(r, op);
    bool own_tag = o->kind == OP_SEND;

    if (peer)
        send_by_ipc(r, op, peer);
    else
        MPI_TRY(MPI_Isend(r->out[op], (int)o->bytes, MPI_BYTE, (int)o->dst,
                          own_tag ? (int)r->plan->match[op].tag : (int)op,
                          own_tag ? r->matched : MPI_COMM_WORLD,
                          add_request(r, op, false)));
}

static void runner_receive(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    struct op_match by = r->plan->match[op];

    MPI_TRY(MPI_Irecv(r->in[op], (int)runner_bytes(r, o), MPI_BYTE,
                      by.peer == ANY_RANK ? MPI_ANY_SOURCE : (int)by.peer,
                      by.tag == ANY_TAG ? MPI_ANY_TAG : (int)by.tag, r->matched,
                      add_request(r, op, true)));
}

/* Copies and work hold the rank, as they hold its CPU in the simulation. */
static void runner_start(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];

    if (r->flow)
        flow_pack(r, op);
    switch (o->kind) {
    case OP_COPY:
        runner_copy(r, op);
        finished(r, op);
        break;
    case OP_PACK:
        runner_pack(r, op);
        finished(r, op);
        break;
    case OP_WORK:
        busy(o->work_s);
        finished(r, op);
        break;
    case OP_RECV:
        runner_receive(r, op);
        break;
    default:
        send(r, op);
    }
}

/* A wildcard's receive tells whose message it got. */
static void note_received(struct runner *r, uint32_t op, MPI_Status *status)
{
    struct received *got = &r->received[op];

    if (r->plan->ops[op].kind != OP_RECV)
        return;
    got->src = (uint32_t)status->MPI_SOURCE;
    got->tag = (uint32_t)status->MPI_TAG;
    MPI_TRY(MPI_Get_count(status, MPI_BYTE, &got->bytes));
}

/* Sees to what has ended; waits for something when there is nothing to do. */
static void progress(struct runner *r, bool wait)
{
    int n = 0;

    if (wait && !r->nrequests)
        native_die("%s: nothing is under way, yet %u parts are left",
                   r->plan->name, r->left);
    if (wait)
        MPI_TRY(MPI_Waitsome(r->nrequests, r->requests, &n, r->completed,
                             r->statuses));
    else
        MPI_TRY(MPI_Testsome(r->nrequests, r->requests, &n, r->completed,
                             r->statuses));
    if (n <= 0)
        return;
    struct waiter *done = xcalloc((size_t)n, sizeof *done);
    for (int i = 0; i < n; i++) {
        done[i] = r->request_of[r->completed[i]];
        note_received(r, done[i].op, &r->statuses[i]);
        r->request_of[r->completed[i]].op = NO_REQUEST;
    }
    int kept = 0;
    for (int i = 0; i < r->nrequests; i++)
        if (r->request_of[i].op != NO_REQUEST) {
            r->requests[kept] = r->requests[i];
            r->request_of[kept++] = r->request_of[i];
        }
    r->nrequests = kept;
    for (int i = 0; i < n; i++) {
        uint32_t op = done[i].op;
        if (done[i].post || r->plan->ops[op].kind == OP_SEND) {
            finished(r, op);
        } else {
            r->left--;
            ended(r, 2 * (size_t)op + 1);
        }
    }
    free(done);
}

static void runner_begin(struct runner *r)
{
    const struct plan *p = r->plan;

    memcpy(r->unmet_now, r->unmet, p->nops * sizeof *r->unmet);
    memcpy(r->unmet_posts_now, r->unmet_posts, p->nops * sizeof *r->unmet);
    r->left = r->parts;
    r->nready = r->served = 0;
    r->nrequests = 0;
    for (uint32_t op = 0; op < p->nops; op++) {
        const struct op *o = &p->ops[op];
        if (received_here(r, o) && !r->unmet_posts[op])
            post(r, op);
        if (starts_here(r, o) && !r->unmet[op])
            r->ready[r->nready++] = op;
    }
}

double runner_once(struct runner *r)
{
    runner_begin(r);
    native_alive(r->n, "the execution of a plan");
    /* The receives are posted: in the simulation that costs nothing. */
    native_barrier(r->n);
    double from = seconds();
    while (r->left) {
        if (r->served < r->nready) {
            uint32_t op = r->ready[r->served++];
            runner_start(r, op);
            /* Meanwhile messages went on, or did not. */
            if (r->plan->ops[op].kind == OP_COPY && r->nrequests)
                progress(r, false);
        } else {
            progress(r, true);
        }
    }
    return seconds() - from;
}
