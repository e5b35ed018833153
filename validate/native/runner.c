/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes a plan on real ranks: starts each operation once its dependencies
 * allow, and waits for any request, until all operations have ended. */
#include "validate/native/runner.h"

#include "base/seconds.h"

#include <stdlib.h>
#include <string.h>

static bool starts_here(const struct runner *r, const struct op *o)
{
    return o->src == (uint32_t)r->n->rank;
}

/* Returns whether this rank receives a message. The receive of an OP_MSG is a
 * part of its own; that of an OP_SEND is an operation. */
static bool received_here(const struct runner *r, const struct op *o)
{
    return o->kind == OP_MSG && o->dst == (uint32_t)r->n->rank;
}

/* Returns whether it is a message by CUDA IPC whose receive has a dependency:
 * its sender waits for a notice that the receiver is ready, as it would in a
 * rendezvous. */
static bool needs_word(const struct runner *r, uint32_t op)
{
    const struct plan *p = r->plan;
    const struct op *o = &p->ops[op];
    bool late = false;

    if (o->kind != OP_MSG || !r->ipc || o->src_gpu == NO_GPU ||
        o->src == o->dst)
        return false;
    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++)
        late |= (p->deps[d] & FOR_RECEIVE) != 0;
    return late;
}

/* --- dependencies --------------------------------------------------------- */

/* Counts the waiters of this rank, or, if `fill`, puts them into the lists. */
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
            /* Only messages have two different ends. */
            if (p->ops[dep & DEP_OP].kind != OP_MSG)
                event &= ~(size_t)1;
            if (post ? !received_here(r, o) : !starts_here(r, o))
                continue;
            if (fill) {
                r->waiters[--r->first[event + 1]] =
                    (struct waiter){op, post, false};
                ++*(post ? &r->unmet_posts[op] : &r->unmet[op]);
            } else {
                r->first[event + 1]++;
            }
        }
    }
}

/* Makes the lists of waiters. After counting, first[i + 1] is summed to the end
 * of event i's list and counted down to its start while the list is filled, so
 * that the arrays are shifted by one: first[i + 1] begins the list of event
 * i. */
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

static void count_parts(struct runner *r)
{
    for (uint32_t op = 0; op < r->plan->nops; op++) {
        const struct op *o = &r->plan->ops[op];
        r->parts += starts_here(r, o);
        r->parts += received_here(r, o);
        if (needs_word(r, op)) {
            r->words += starts_here(r, o);
            r->unmet[op] += starts_here(r, o);
        }
        if (o->kind == OP_SEND && o->dst == (uint32_t)r->n->rank &&
            o->bytes > r->largest_B)
            r->largest_B = o->bytes;
    }
}

int runner_init(struct runner *r, const struct native *n, const struct plan *p,
                const struct halo *h, const struct collective *c,
                unsigned ngpus, struct err *err)
{
    memset(r, 0, sizeof *r);
    r->n = n;
    r->plan = p;
    r->halo = h;
    r->collective = c;
    r->ngpus = ngpus;
    r->ipc = n->gpu->share && !n->device_mpi;
    if (native_agree(n, runner_check(r, err), err) < 0)
        return -1;
    r->unmet = xcalloc(p->nops, sizeof *r->unmet);
    r->unmet_posts = xcalloc(p->nops, sizeof *r->unmet_posts);
    r->unmet_now = xcalloc(p->nops, sizeof *r->unmet_now);
    r->unmet_posts_now = xcalloc(p->nops, sizeof *r->unmet_posts_now);
    link_waiters(r);
    count_parts(r);
    r->ready = xcalloc(r->parts, sizeof *r->ready);
    size_t requests = r->parts + r->words;
    r->requests = xcalloc(requests, sizeof(MPI_Request));
    r->request_of = xcalloc(requests, sizeof *r->request_of);
    r->done = xcalloc(requests, sizeof *r->done);
    r->completed = xcalloc(requests, sizeof *r->completed);
    r->statuses = xcalloc(requests, sizeof *r->statuses);
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
    free(r->done);
    free(r->completed);
    free(r->statuses);
    free(r->received);
    memset(r, 0, sizeof *r);
}

/* --- running -------------------------------------------------------------- */

#define NO_REQUEST UINT32_MAX

static MPI_Request *add_request(struct runner *r, uint32_t op, bool receive)
{
    r->request_of[r->nrequests] = (struct waiter){op, receive, false};
    return &r->requests[r->nrequests++];
}

/* Returns the tag of the notice that the receiver is ready, which is beyond the
 * tags of messages. */
static int word_tag(const struct runner *r, uint32_t op)
{
    return (int)(r->plan->nops + op);
}

static void await_word(struct runner *r, uint32_t op)
{
    MPI_TRY(MPI_Irecv(NULL, 0, MPI_BYTE, (int)r->plan->ops[op].dst,
                      word_tag(r, op), MPI_COMM_WORLD,
                      add_request(r, op, false)));
    r->request_of[r->nrequests - 1].word = true;
}

/* Posts the receive of a message. A message by CUDA IPC is only announced. */
static void post(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];
    bool announced = runner_peer_memory(r, op) != NULL;

    MPI_TRY(MPI_Irecv(r->in[op], announced ? 0 : (int)o->bytes, MPI_BYTE,
                      (int)o->src, (int)op, MPI_COMM_WORLD,
                      add_request(r, op, true)));
    if (needs_word(r, op))
        MPI_TRY(MPI_Send(NULL, 0, MPI_BYTE, (int)o->src, word_tag(r, op),
                         MPI_COMM_WORLD));
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

void runner_pack(struct runner *r, uint32_t op)
{
    const struct op *o = &r->plan->ops[op];

    if (o->src_gpu != NO_GPU)
        runner_copy(r, op);
    else
        memcpy(r->in[op], r->out[op], o->bytes);
}

/* Copies directly into the receiver's GPU memory, then sends a notice that the
 * data are there. */
static void send_by_ipc(struct runner *r, uint32_t op, void *peer)
{
    const struct op *o = &r->plan->ops[op];
    const struct gpu_api *gpu = r->n->gpu;

    if (gpu->count)
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

/* Starts an operation. Copies and work block the rank, as they occupy its CPU
 * in the simulation. */
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

/* Notes the source of a received message, which matters for wildcards. */
static void note_received(struct runner *r, uint32_t op, MPI_Status *status)
{
    struct received *got = &r->received[op];

    if (r->plan->ops[op].kind != OP_RECV)
        return;
    got->src = (uint32_t)status->MPI_SOURCE;
    got->tag = (uint32_t)status->MPI_TAG;
    MPI_TRY(MPI_Get_count(status, MPI_BYTE, &got->bytes));
}

/* Handles requests that have ended; waits for one if `wait`. */
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
    struct waiter *done = r->done;
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
        if (done[i].word) {
            if (--r->unmet_now[op] == 0)
                r->ready[r->nready++] = op;
        } else if (done[i].post || r->plan->ops[op].kind == OP_SEND) {
            finished(r, op);
        } else {
            r->left--;
            ended(r, 2 * (size_t)op + 1);
        }
    }
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
        if (starts_here(r, o) && needs_word(r, op))
            await_word(r, op);
        if (starts_here(r, o) && !r->unmet[op])
            r->ready[r->nready++] = op;
    }
}

double runner_once(struct runner *r)
{
    runner_begin(r);
    native_alive(r->n, "the execution of a plan");
    /* The receives are posted before, because in the simulation this costs no
     * time. */
    native_barrier(r->n);
    double from = seconds();
    while (r->left) {
        if (r->served < r->nready) {
            uint32_t op = r->ready[r->served++];
            runner_start(r, op);
            /* Messages may have progressed during the copy. */
            if (r->plan->ops[op].kind == OP_COPY && r->nrequests)
                progress(r, false);
        } else {
            progress(r, true);
        }
    }
    return seconds() - from;
}

double runner_batch(void *arg, unsigned iterations)
{
    struct runner *r = arg;
    double sum = 0;

    for (unsigned i = 0; i < iterations; i++)
        sum += runner_once(r);
    return sum / iterations;
}
