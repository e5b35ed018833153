/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI by one thread of a process (MPI_THREAD_FUNNELED; Dang et al. 2018,
 * III.B): compute threads queue their messages; the communication thread runs a
 * loop of MPI_Isend of each queued message, MPI_Iprobe of any source and tag,
 * MPI_Irecv of each message found, and MPI_Test of every pending request.
 *
 * Small messages to one destination wait for each other, until they are eager_B
 * together or the first has waited flush_s, and then are one message. A task is
 * one round of the loop: it takes test_s for each pending request besides its
 * own work, or poll_s if there is none.
 *
 * eager       Isend, latency, bytes; the receiver's loop finds it, at entry_s
 * for each arrival and pending request; the sender's next round sees that it
 * has left. rendezvous  Isend, latency; the receiver's loop finds and answers
 * it; latency; the sender's loop sees that, and the bytes flow; both test.
 */
#include "sim/transport/transport.h"

static bool probe_is_eager(const struct host_message *l)
{
    return l->wire_B <= l->t->f->host_processes->eager_B;
}

/* Returns whether it waits for others to the same process. */
static bool probe_gathers(const struct host_message *l)
{
    return host_message_costs(l)->flush_s > 0 &&
           l->t->bytes < l->t->f->host_processes->eager_B;
}

static double probe_call_s(const struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);

    return c->call_s + (probe_gathers(l) && c->copy_Bps > 0
                            ? (double)l->t->bytes / c->copy_Bps
                            : 0);
}

static double probe_take_s(const struct host_message *l)
{
    return host_message_costs(l)->dequeue_s;
}

static void host_process_request(struct host_process *h)
{
    if (++h->requests > h->counts.most_requests)
        h->counts.most_requests = h->requests;
}

/* --- buffers at the receiver ---------------------------------------------- */

static bool probe_has_room(const struct host_message *l)
{
    const struct host_process *to = host_message_to(l);
    uint64_t most_B = host_message_costs(l)->unexpected_B;

    return !most_B || to->unexpected_B <= 0 ||
           to->unexpected_B + (double)l->wire_B <= (double)most_B;
}

static void probe_flowed(struct host_message *l);

static void probe_fly(struct host_message *l)
{
    host_message_to(l)->unexpected_B += (double)l->wire_B;
    host_message_wire(l, probe_flowed);
}

static void probe_make_room(struct host_message *l)
{
    struct host_process *to = host_message_to(l);

    to->unexpected_B -= (double)l->wire_B;
    while (to->held.first && probe_has_room(to->held.first)) {
        struct host_message *next = message_queue_take(&to->held);
        host_message_fed(next, to, l->t);
        probe_fly(next);
    }
}

/* --- from the sender to the receiver -------------------------------------- */

/* Hands each message of a batch to a compute thread. */
static void probe_received(struct host_message *l)
{
    struct host_process *to = host_message_to(l);

    if (probe_is_eager(l)) {
        to->entries--;
        probe_make_room(l);
    } else {
        to->requests--;
    }
    for (struct host_message *m = l; m; m = m->batch)
        thread_pool_add(&to->takes, m);
}

/* Ends the send, because the sender's communication thread sees that it has
 * left. */
static void probe_completed(struct host_message *l)
{
    host_message_from(l)->requests--;
    if (probe_gathers(l))
        host_process_drop(l->t->f->host_processes, l->t->from,
                          (double)l->wire_B);
    else
        host_message_sent(l);
    host_message_let_go(l);
}

static void probe_flowed(struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);
    double bytes_s = c->recv_s_per_B * (double)l->wire_B;

    l->held++;
    if (probe_is_eager(l)) {
        host_message_to(l)->entries++;
        host_process_hold(host_message_to(l), (double)l->wire_B);
        host_message_look(l, c->recv_s + bytes_s, probe_received);
    } else {
        bytes_s += host_message_new_s(l);
        host_message_task(l, HOST_MESSAGE_TO, c->poll_s + bytes_s,
                          probe_received);
    }
    host_message_task(l, HOST_MESSAGE_FROM, c->poll_s, probe_completed);
}

static void probe_put(struct host_message *l)
{
    host_message_wire(l, probe_flowed);
}

static void probe_cleared(struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);

    host_message_task(l, HOST_MESSAGE_FROM,
                      c->poll_s + (c->send_s_per_B + c->large_send_s_per_B) *
                                      (double)l->wire_B,
                      probe_put);
}

static void probe_answer(struct host_message *l)
{
    struct host_process *to = host_message_to(l);

    to->entries--;
    host_process_request(to);
    host_process_hold(to, (double)l->wire_B);
    host_message_control(l, probe_cleared);
}

static void probe_asked(struct host_message *l)
{
    host_message_to(l)->entries++;
    host_message_look(l, host_message_costs(l)->recv_s, probe_answer);
}

static void probe_isent(struct host_message *l)
{
    struct host_process *to = host_message_to(l);

    host_process_request(host_message_from(l));
    if (!probe_is_eager(l))
        host_message_control(l, probe_asked);
    else if (probe_has_room(l))
        probe_fly(l);
    else
        host_message_starve(l, to, &to->held,
                            "buffers left for eager messages that it did not "
                            "expect");
}

/* Sends a batch, or a single message. */
static void probe_isend(struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);

    host_message_task(
        l, HOST_MESSAGE_FROM,
        c->send_s + c->poll_s +
            (probe_is_eager(l) ? c->send_s_per_B * (double)l->wire_B : 0),
        probe_isent);
}

/* --- batches -------------------------------------------------------------- */

static struct host_message **probe_batch(struct host_message *l)
{
    struct host_message **at = &host_message_from(l)->batches;

    while (*at && (*at)->t->to != l->t->to)
        at = &(*at)->next;
    return at;
}

static void probe_close(struct host_message **at)
{
    struct host_message *first = *at;

    *at = first->next;
    first->open = false;
    probe_isend(first);
}

static void probe_time_out(void *arg)
{
    struct host_message *l = arg;

    if (l->open)
        probe_close(probe_batch(l));
    host_message_let_go(l);
}

static void probe_gather(struct host_message *l)
{
    struct host_message **at = probe_batch(l), *first = *at;
    uint64_t eager_B = l->t->f->host_processes->eager_B;

    if (first && first->wire_B + l->t->bytes > eager_B) {
        probe_close(at);
        first = *(at = probe_batch(l));
    }
    if (!first) {
        *at = first = l;
        l->next = NULL;
        l->open = true;
        l->held++;
        engine_after(l->t->f->engine, host_message_costs(l)->flush_s,
                     probe_time_out, l);
    } else {
        first->last->batch = l;
        first->wire_B += l->t->bytes;
    }
    first->last = l;
    if (first->wire_B >= eager_B)
        probe_close(probe_batch(first));
}

static void probe_called(struct host_message *l)
{
    if (!probe_gathers(l)) {
        probe_isend(l);
        return;
    }
    transfer_sent(l->t); /* because it was copied */
    probe_gather(l);
}

static void probe_taken(struct host_message *l)
{
    host_message_arrived(l);
}

static const struct runtime_rules mpi_probe_rules = {.call_s = probe_call_s,
                                                     .called = probe_called,
                                                     .take_s = probe_take_s,
                                                     .taken = probe_taken};

const struct transport mpi_probe_transport = {
    .summary = "MPI by one thread that sends, probes for any message, and "
               "tests what is pending",
    .pairing = PAIRING_MPI,
    .ordering = ORDER_PAIR,
    .post_send = host_message_send,
    .post_recv = host_message_post,
    .rules = &mpi_probe_rules,
};
