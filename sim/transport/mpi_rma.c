/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI's one-sided messages with active targets (Dang et al. 2018, III.C): each
 * process puts into windows of the others. A thread that sends calls
 * MPI_Win_start and MPI_Put, and MPI_Win_complete after the last put of its
 * epoch; one that receives calls MPI_Win_wait and, for the next time,
 * MPI_Win_post. All calls also take a lock (MPI_THREAD_MULTIPLE), because the
 * communication thread polls for progress.
 *
 *   sender's thread |=start, put=|  other puts  |=complete, for each peer=|
 *   wire                         |-latency-|..|====| |-latency-| receiver wait,
 * post |==|
 *
 * Messages of the first time find their windows posted; a message that may be
 * received only later waits until its window is posted and its sender knows it.
 * With fences all puts of all processes complete together: when the last has
 * arrived and a barrier is over (a dissemination: log2 of the processes,
 * rounded up, control messages), each process that received takes fence_s.
 */
#include "sim/transport/transport.h"

static bool rma_fences(const struct host_message *l)
{
    return host_message_costs(l)->epoch == EPOCH_FENCE;
}

static struct epoch *rma_epoch(const struct host_message *l)
{
    const struct host_processes *h = l->t->f->host_processes;

    return h->epoch_of && l->t->kind == TRANSFER_HOST_MESSAGE
               ? &h->epochs[h->epoch_of[l->t->number]]
               : NULL;
}

/* Returns the time of a call; completing is one call for all puts of the epoch.
 */
static double rma_call_s(const struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);
    const struct epoch *e = rma_epoch(l);

    if (l->completing)
        return (e ? e->messages : 1) * (c->complete_s + c->lock_s);
    return rma_fences(l) ? c->call_s + c->lock_s
                         : c->start_s + c->call_s + 2 * c->lock_s;
}

/* Returns the time to receive; a fence is one call for all messages that the
 * process has received by then. */
static double rma_take_s(const struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);

    if (!rma_fences(l))
        return c->wait_s + c->post_s + 2 * c->lock_s;
    return l->completing ? c->fence_s + c->lock_s : 0;
}

static void rma_part(struct host_message *l)
{
    if (--l->parts == 0)
        thread_pool_add(&host_message_to(l)->takes, l);
}

static void rma_sent_part(struct host_message *l)
{
    if (--l->sent_parts)
        return;
    host_message_sent(l);
    host_message_let_go(l);
}

/* --- the end of an epoch -------------------------------------------------- */

static void rma_news(void *arg)
{
    struct host_message *l = arg;

    const struct transfer by = {.number = l->closer};

    if (l->closer != l->t->number)
        transfer_waited(l->t, CAUSE_EPOCH, &by);
    rma_part(l);
}

static void rma_tell(struct host_message *l, uint32_t closer)
{
    l->closer = closer;
    engine_after(l->t->f->engine, host_message_latency_s(l), rma_news, l);
    rma_sent_part(l);
}

static void rma_completed(struct host_message *l)
{
    const struct epoch *e = rma_epoch(l);
    struct host_message *next;

    uint32_t closer = l->t->number;

    for (struct host_message *m = e ? e->first : l; m; m = next) {
        next = m->epoch_next;
        rma_tell(m, closer);
    }
}

static void rma_fenced(void *arg)
{
    struct host_message *l = arg;
    struct host_process *to = host_message_to(l);
    uint32_t epoch = l->t->f->host_processes->epoch_of[l->t->number] + 1;

    l->completing = to->fenced != epoch;
    to->fenced = epoch;
    rma_part(l);
}

static double rma_barrier_s(const struct host_message *l)
{
    unsigned rounds = 0;

    while (1u << rounds < l->t->f->processes)
        rounds++;
    return rounds * host_message_latency_s(l);
}

static void rma_fence(struct epoch *e)
{
    struct host_message *next;

    for (struct host_message *l = e->first; l; l = next) {
        next = l->epoch_next;
        engine_after(l->t->f->engine, rma_barrier_s(l), rma_fenced, l);
        rma_sent_part(l);
    }
}

/* --- from the sender to the receiver -------------------------------------- */

static void rma_drained(struct host_message *l)
{
    struct epoch *e = rma_epoch(l);
    bool last = e && --e->unflowed == 0;

    rma_part(l);
    if (last && rma_fences(l))
        rma_fence(e);
}

static void rma_flowed(struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);
    double bytes = (double)l->t->bytes;

    host_message_task(l, HOST_MESSAGE_TO, c->recv_s + c->recv_s_per_B * bytes,
                      rma_drained);
    rma_sent_part(l);
}

static void rma_put(struct host_message *l)
{
    host_message_wire(l, rma_flowed);
}

static void rma_begin(struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);

    host_message_task(l, HOST_MESSAGE_FROM,
                      c->send_s + c->send_s_per_B * (double)l->t->bytes,
                      rma_put);
}

/* Begins the put if the sender knows that the window is posted; if the receiver
 * has posted it just now, a control message comes first. */
static void rma_posted(struct host_message *l)
{
    l->then_posted = NULL;
    if (l->posted_now)
        host_message_control(l, rma_begin);
    else
        rma_begin(l);
}

/* Ends the epoch, because all its puts have been called. */
static void rma_close(struct host_message *l)
{
    l->completing = true;
    message_queue_add_first(&host_message_from(l)->sends.waiting, l);
}

static void rma_called(struct host_message *l)
{
    struct epoch *e = rma_epoch(l);

    if (l->completing) {
        l->completing = false;
        rma_completed(l);
        return;
    }
    l->held++;
    l->parts = l->sent_parts = 2;
    if (e) {
        l->epoch_next = e->first;
        e->first = l;
    }
    if (!rma_fences(l) && (!e || --e->uncalled == 0))
        rma_close(l);
    if (l->posted) {
        rma_begin(l);
        return;
    }
    l->posted_now = true;
    l->then_posted = rma_posted;
    if (l->t->kind == TRANSFER_HOST_MESSAGE_SEND)
        host_message_announce(l);
}

static void rma_taken(struct host_message *l)
{
    host_message_arrived(l);
}

static const struct runtime_rules mpi_rma_rules = {.call_s = rma_call_s,
                                                   .called = rma_called,
                                                   .take_s = rma_take_s,
                                                   .taken = rma_taken,
                                                   .windows = true};

const struct transport mpi_rma_transport = {
    .summary = "puts into windows of the receiver, between post, start, "
               "complete and wait, or fences (MPI_Put)",
    .pairing = PAIRING_MPI,
    .ordering = ORDER_NONE,
    .post_send = host_message_send,
    .post_recv = host_message_post,
    .rules = &mpi_rma_rules,
};
