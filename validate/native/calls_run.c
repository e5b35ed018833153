/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the list of a rank's calls, and checks it with known bytes. */
#include "validate/native/calls_list.h"

#include "base/seconds.h"
#include "validate/native/pattern.h"

#include <stdio.h>

static void busy_for(double work_s)
{
    double end = seconds() + work_s;

    while (seconds() < end)
        ;
}

/* Makes a call that reads and writes this memory. */
static void call_at(const struct calls *c, const struct call *call, char *from,
                    char *at)
{
    const struct gpu_api *gpu = c->memory->n->gpu;

    switch (call->kind) {
    case CALL_SEND:
        MPI_TRY(MPI_Send(from, call->bytes, MPI_BYTE, call->peer, call->tag,
                         MPI_COMM_WORLD));
        break;
    case CALL_RECEIVE:
        MPI_TRY(MPI_Recv(at, call->bytes, MPI_BYTE, call->peer, call->tag,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        break;
    case CALL_POST_SEND:
        MPI_TRY(MPI_Isend(from, call->bytes, MPI_BYTE, call->peer, call->tag,
                          MPI_COMM_WORLD, &c->requests[call->first]));
        break;
    case CALL_POST_RECEIVE:
        MPI_TRY(MPI_Irecv(at, call->bytes, MPI_BYTE, call->peer, call->tag,
                          MPI_COMM_WORLD, &c->requests[call->first]));
        break;
    case CALL_WAIT:
        MPI_TRY(MPI_Waitall((int)call->count, c->requests + call->first,
                            MPI_STATUSES_IGNORE));
        break;
    case CALL_COPY:
        DIE_TRY(gpu->copy(at, from, call->copied_B, c->stream, DIE));
        DIE_TRY(gpu->wait(c->stream, DIE));
        break;
    case CALL_GPU:
        DIE_TRY(gpu->use(call->count, DIE));
        break;
    case CALL_WORK:
        busy_for(call->work_s);
        break;
    case CALL_STORE:
        call->store(c->runner, call->op);
        break;
    }
}

static void do_call(const struct calls *c, const struct call *call)
{
    call_at(c, call,
            call->from_slots ? slots_write(call->from_slots) : call->from,
            call->at_slots ? slots_take(call->at_slots) : call->at);
}

/* Returns the time in which this rank and its peer, which waited for each
 * other, have written. */
static double writing_s(struct calls *c)
{
    double own = slots_writing_s(&c->send), other = 0;

    MPI_TRY(MPI_Sendrecv(&own, 1, MPI_DOUBLE, c->peer, 0, &other, 1, MPI_DOUBLE,
                         c->peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return own + other;
}

double calls_batch(void *arg, unsigned iterations)
{
    struct calls *c = arg;
    const struct call *end = c->list + c->n;

    if (!c->n)
        return 0;
    (void)slots_writing_s(&c->send);
    double begin = seconds();
    for (unsigned i = 0; i < iterations; i++)
        for (const struct call *call = c->list; call < end; call++)
            do_call(c, call);
    double took = seconds() - begin;
    return (took - (c->memory->room ? writing_s(c) : 0)) / (double)iterations;
}

double calls_once(struct calls *c)
{
    for (size_t i = 0; i < c->posts; i++)
        do_call(c, &c->list[i]);
    native_alive(c->memory->n, "the execution of a plan");
    native_barrier(c->memory->n);
    double begin = seconds();
    for (size_t i = c->posts; i < c->n; i++)
        do_call(c, &c->list[i]);
    return seconds() - begin;
}

double calls_once_batch(void *arg, unsigned iterations)
{
    struct calls *c = arg;
    double sum = 0;

    for (unsigned i = 0; i < iterations; i++)
        sum += calls_once(c);
    return sum / iterations;
}

/* --- checks --------------------------------------------------------------- */

static void check_arrived(const struct calls *c, uint32_t op, uint64_t seed)
{
    const struct op *o = &c->plan->ops[op];
    struct op_match by = {0};
    char what[48];

    if (o->kind == OP_RECV)
        by = c->plan->match[op];
    snprintf(what, sizeof what, "the message from rank %u",
             o->kind == OP_RECV ? by.peer : o->src);
    pattern_check(c->memory->n, c->in[op], o->bytes,
                  seed + (o->kind == OP_RECV ? by.tag : op), what);
}

/* Makes one call: fills the memory that it sends, and compares the messages
 * that have arrived by it. Nothing is wiped, because all messages of all checks
 * differ. */
static void check_call(const struct calls *c, const struct call *call,
                       uint64_t seed)
{
    const struct native *n = c->memory->n;
    const struct op *o = &c->plan->ops[call->op];
    bool sends = call->kind == CALL_SEND || call->kind == CALL_POST_SEND;
    bool copies = call->kind == CALL_COPY;
    bool notice = o->kind == OP_MSG && call->tag >= (int)c->plan->nops;
    char *from = call->from_slots ? slots_take(call->from_slots) : call->from;
    char *at = call->at_slots ? slots_take(call->at_slots) : call->at;

    if (notice) {
        do_call(c, call);
        return;
    }
    if (copies || (sends && (call->bytes || !o->bytes)))
        pattern_fill(n, from, o->bytes,
                     seed + (o->kind == OP_SEND ? c->plan->match[call->op].tag
                                                : call->op));
    for (uint32_t i = 0; i < call->count && call->kind == CALL_WAIT; i++)
        c->request_of[call->first + i].pending =
            c->requests[call->first + i] != MPI_REQUEST_NULL;
    if (call->kind == CALL_RECEIVE || call->kind == CALL_POST_RECEIVE)
        c->in[call->op] = at;
    call_at(c, call, from, at);
    if (call->kind == CALL_RECEIVE)
        check_arrived(c, call->op, seed);
    if (copies && o->kind != OP_MSG)
        pattern_check(n, at, o->bytes, seed + call->op,
                      o->kind == OP_PACK ? "pack" : copy_dir_names[o->dir]);
    for (uint32_t i = 0; i < call->count && call->kind == CALL_WAIT; i++) {
        const struct request_of *r = &c->request_of[call->first + i];
        if (r->receive && r->pending)
            check_arrived(c, r->op, seed);
    }
}

void calls_check(struct calls *c, uint64_t seed)
{
    native_quiet(c->memory->n);
    for (size_t i = 0; i < c->n; i++)
        check_call(c, &c->list[i], seed);
    native_quiet(c->memory->n);
}
