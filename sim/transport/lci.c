/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LCI's Queue (Dang et al. 2018, algorithms 1 to 3): it has no tags and no
 * order, and each message under way needs a packet of a pool.
 *
 * eager, up to a packet
 *   sender's thread    |..packet..|..CPU..|=call, copy=|
 *   wire                                               |-latency-|..|==|
 *   receiver's communication thread                                    |=|
 *   receiver's thread                                                    |=|
 * above
 *   the packet says ready to send (RTS): latency; the receiver's communication
 *   thread receives it, allocates memory and answers (RTR): latency; the
 *   sender's communication thread puts: latency, bytes; then the receiver's
 *   sees that all bytes have arrived. No compute thread takes part, because
 *   Abelian's communication thread calls algorithm 2 (III.D).
 *
 * If there is no packet, the thread tries again later: the message waits, not
 * its thread, and continues with the first packet that comes back. A packet
 * comes back when the bytes have left and the communication thread has seen
 * that (send_s). The packet of an arrival, from a pool of the same size, comes
 * back when a thread has received it, or the put has arrived.
 */
#include "sim/transport/transport.h"

static bool lci_is_eager(const struct host_message *l)
{
    return l->t->bytes <= host_message_costs(l)->packet_B;
}

static double lci_copy_s(const struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);

    return lci_is_eager(l) && c->copy_Bps > 0
               ? (double)l->t->bytes / c->copy_Bps
               : 0;
}

static double lci_call_s(const struct host_message *l)
{
    return host_message_costs(l)->call_s + lci_copy_s(l);
}

/* Returns the time to receive: only an eager message is copied, because the
 * others are put in place. */
static double lci_take_s(const struct host_message *l)
{
    return host_message_costs(l)->dequeue_s + lci_copy_s(l);
}

/* --- packets -------------------------------------------------------------- */

static bool lci_admits(struct host_message *l)
{
    struct host_process *h = host_message_from(l);

    if (l->has_packet)
        return true;
    if (h->packets) {
        h->packets--;
        l->has_packet = true;
        return true;
    }
    message_queue_take(&h->sends.waiting);
    host_message_starve(l, h, &h->starved, "packets of its pool to send with");
    return false;
}

static void lci_give_back(struct host_message *l)
{
    struct host_process *h = host_message_from(l);
    struct host_message *next = message_queue_take(&h->starved);

    if (!next) {
        h->packets++;
        return;
    }
    next->has_packet = true;
    host_message_fed(next, h, l->t);
    thread_pool_add(&h->sends, next);
}

static void lci_leaves(struct host_message *l);

/* Returns the packet of an arrival. */
static void lci_give_back_arrival(struct host_message *l)
{
    struct host_process *h = host_message_to(l);
    struct host_message *next = message_queue_take(&h->held);

    if (!next) {
        h->arrival_packets++;
        return;
    }
    host_message_fed(next, h, l->t);
    lci_leaves(next);
}

/* --- from the sender to the receiver -------------------------------------- */

/* Ends the message at its sender. */
static void lci_completed(struct host_message *l)
{
    if (!lci_is_eager(l))
        host_message_sent(l);
    lci_give_back(l);
    host_message_let_go(l);
}

static void lci_here(struct host_message *l)
{
    lci_give_back_arrival(l);
    host_message_arrived(l);
}

static void lci_drained(struct host_message *l)
{
    if (lci_is_eager(l))
        thread_pool_add(&host_message_to(l)->takes, l);
    else
        lci_here(l);
}

static void lci_flowed(struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);
    double bytes = (double)l->t->bytes, large = lci_is_eager(l) ? 0 : bytes;
    double new_s = lci_is_eager(l) ? 0 : host_message_new_s(l);

    l->held++;
    host_message_task(l, HOST_MESSAGE_TO,
                      c->recv_s + c->recv_s_per_B * bytes + new_s, lci_drained);
    host_message_task(l, HOST_MESSAGE_FROM,
                      c->send_s + c->send_s_per_B * bytes +
                          c->large_send_s_per_B * large,
                      lci_completed);
}

static void lci_put(struct host_message *l)
{
    host_message_wire(l, lci_flowed);
}

static void lci_answered(struct host_message *l)
{
    host_message_task(l, HOST_MESSAGE_FROM, host_message_costs(l)->recv_s,
                      lci_put);
}

static void lci_answer(struct host_message *l)
{
    host_process_hold(host_message_to(l), (double)l->t->bytes);
    host_message_control(l, lci_answered);
}

/* Answers a request; the answer is a call. */
static void lci_asked(struct host_message *l)
{
    const struct runtime_costs *c = host_message_costs(l);

    host_message_task(l, HOST_MESSAGE_TO, c->recv_s + c->dequeue_s + c->call_s,
                      lci_answer);
}

/* Sends the message, which has a packet at its receiver. */
static void lci_leaves(struct host_message *l)
{
    if (lci_is_eager(l))
        host_message_wire(l, lci_flowed);
    else
        host_message_control(l, lci_asked);
}

static void lci_called(struct host_message *l)
{
    struct host_process *to = host_message_to(l);

    if (lci_is_eager(l))
        host_message_sent(l);
    if (to->arrival_packets) {
        to->arrival_packets--;
        lci_leaves(l);
    } else {
        host_message_starve(l, to, &to->held,
                            "packets of its pool to receive in");
    }
}

static void lci_taken(struct host_message *l)
{
    host_process_hold(host_message_to(l), (double)l->t->bytes);
    lci_here(l);
}

static const struct runtime_rules lci_rules = {.admits = lci_admits,
                                               .call_s = lci_call_s,
                                               .called = lci_called,
                                               .take_s = lci_take_s,
                                               .taken = lci_taken};

const struct transport lci_transport = {
    .summary = "packets of a pool, without tags or order; a communication "
               "thread that receives (LCI)",
    .pairing = PAIRING_MPI,
    .ordering = ORDER_NONE,
    .post_send = host_message_send,
    .post_recv = host_message_post,
    .rules = &lci_rules,
};
