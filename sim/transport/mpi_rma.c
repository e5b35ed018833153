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

static bool rma_fences(const struct letter *l)
{
    return letter_costs(l)->epoch == EPOCH_FENCE;
}

static struct epoch *rma_epoch(const struct letter *l)
{
    const struct teams *h = l->t->f->teams;

    return h->epoch_of && l->t->kind == TRANSFER_LETTER
               ? &h->epochs[h->epoch_of[l->t->number]]
               : NULL;
}

/* Returns the time of a call; completing is one call for all puts of the epoch.
 */
static double rma_call_s(const struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);
    const struct epoch *e = rma_epoch(l);

    if (l->completing)
        return (e ? e->letters : 1) * (c->complete_s + c->lock_s);
    return rma_fences(l) ? c->call_s + c->lock_s
                         : c->start_s + c->call_s + 2 * c->lock_s;
}

/* Returns the time to receive; a fence is one call for all messages that the
 * process has received by then. */
static double rma_take_s(const struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);

    if (!rma_fences(l))
        return c->wait_s + c->post_s + 2 * c->lock_s;
    return l->completing ? c->fence_s + c->lock_s : 0;
}

static void rma_part(struct letter *l)
{
    if (--l->parts == 0)
        crew_add(&letter_to(l)->takes, l);
}

static void rma_sent_part(struct letter *l)
{
    if (--l->sent_parts)
        return;
    letter_sent(l);
    letter_let_go(l);
}

/* --- the end of an epoch -------------------------------------------------- */

static void rma_news(void *arg)
{
    struct letter *l = arg;

    const struct transfer by = {.number = l->closer};

    if (l->closer != l->t->number)
        transfer_waited(l->t, CAUSE_EPOCH, &by);
    rma_part(l);
}

static void rma_tell(struct letter *l, uint32_t closer)
{
    l->closer = closer;
    engine_after(l->t->f->engine, letter_latency_s(l), rma_news, l);
    rma_sent_part(l);
}

static void rma_completed(struct letter *l)
{
    const struct epoch *e = rma_epoch(l);
    struct letter *next;

    uint32_t closer = l->t->number;

    for (struct letter *m = e ? e->first : l; m; m = next) {
        next = m->epoch_next;
        rma_tell(m, closer);
    }
}

static void rma_fenced(void *arg)
{
    struct letter *l = arg;
    struct team *to = letter_to(l);
    uint32_t epoch = l->t->f->teams->epoch_of[l->t->number] + 1;

    l->completing = to->fenced != epoch;
    to->fenced = epoch;
    rma_part(l);
}

static double rma_barrier_s(const struct letter *l)
{
    unsigned rounds = 0;

    while (1u << rounds < l->t->f->processes)
        rounds++;
    return rounds * letter_latency_s(l);
}

static void rma_fence(struct epoch *e)
{
    struct letter *next;

    for (struct letter *l = e->first; l; l = next) {
        next = l->epoch_next;
        engine_after(l->t->f->engine, rma_barrier_s(l), rma_fenced, l);
        rma_sent_part(l);
    }
}

/* --- from the sender to the receiver -------------------------------------- */

static void rma_drained(struct letter *l)
{
    struct epoch *e = rma_epoch(l);
    bool last = e && --e->unflowed == 0;

    rma_part(l);
    if (last && rma_fences(l))
        rma_fence(e);
}

static void rma_flowed(struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);
    double bytes = (double)l->t->bytes;

    letter_chore(l, LETTER_TO, c->recv_s + c->recv_s_per_B * bytes,
                 rma_drained);
    rma_sent_part(l);
}

static void rma_put(struct letter *l)
{
    letter_wire(l, rma_flowed);
}

static void rma_begin(struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);

    letter_chore(l, LETTER_FROM,
                 c->send_s + c->send_s_per_B * (double)l->t->bytes, rma_put);
}

/* Begins the put if the sender knows that the window is posted; if the receiver
 * has posted it just now, a control message comes first. */
static void rma_posted(struct letter *l)
{
    l->then_posted = NULL;
    if (l->posted_now)
        letter_control(l, rma_begin);
    else
        rma_begin(l);
}

/* Ends the epoch, because all its puts have been called. */
static void rma_close(struct letter *l)
{
    l->completing = true;
    letters_add_first(&letter_from(l)->sends.waiting, l);
}

static void rma_called(struct letter *l)
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
    if (l->t->kind == TRANSFER_LETTER_SEND)
        letter_announce(l);
}

static void rma_taken(struct letter *l)
{
    letter_arrived(l);
}

static const struct team_rules mpi_rma_rules = {.call_s = rma_call_s,
                                                .called = rma_called,
                                                .take_s = rma_take_s,
                                                .taken = rma_taken,
                                                .windows = true};

const struct transport mpi_rma_transport = {
    .summary = "puts into windows of the receiver, between post, start, "
               "complete and wait, or fences (MPI_Put)",
    .pairing = PAIRING_MPI,
    .ordering = ORDER_NONE,
    .progress = letter_progress,
    .post_send = letter_send,
    .post_recv = letter_post,
    .rules = &mpi_rma_rules,
};
