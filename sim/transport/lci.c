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

static bool lci_is_eager(const struct letter *l)
{
    return l->t->bytes <= letter_costs(l)->packet_B;
}

static double lci_copy_s(const struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);

    return lci_is_eager(l) && c->copy_Bps > 0
               ? (double)l->t->bytes / c->copy_Bps
               : 0;
}

static double lci_call_s(const struct letter *l)
{
    return letter_costs(l)->call_s + lci_copy_s(l);
}

/* Returns the time to receive: only an eager message is copied, because the
 * others are put in place. */
static double lci_take_s(const struct letter *l)
{
    return letter_costs(l)->dequeue_s + lci_copy_s(l);
}

/* --- packets -------------------------------------------------------------- */

static bool lci_admits(struct letter *l)
{
    struct team *h = letter_from(l);

    if (l->has_packet)
        return true;
    if (h->packets) {
        h->packets--;
        l->has_packet = true;
        return true;
    }
    letters_take(&h->sends.waiting);
    letter_starve(l, h, &h->starved, "packets of its pool to send with");
    return false;
}

static void lci_give_back(struct letter *l)
{
    struct team *h = letter_from(l);
    struct letter *next = letters_take(&h->starved);

    if (!next) {
        h->packets++;
        return;
    }
    next->has_packet = true;
    letter_fed(next, h, l->t);
    crew_add(&h->sends, next);
}

static void lci_leaves(struct letter *l);

/* Returns the packet of an arrival. */
static void lci_give_back_arrival(struct letter *l)
{
    struct team *h = letter_to(l);
    struct letter *next = letters_take(&h->held);

    if (!next) {
        h->arrival_packets++;
        return;
    }
    letter_fed(next, h, l->t);
    lci_leaves(next);
}

/* --- from the sender to the receiver -------------------------------------- */

/* Ends the message at its sender. */
static void lci_completed(struct letter *l)
{
    if (!lci_is_eager(l))
        letter_sent(l);
    lci_give_back(l);
    letter_let_go(l);
}

static void lci_here(struct letter *l)
{
    lci_give_back_arrival(l);
    letter_arrived(l);
}

static void lci_drained(struct letter *l)
{
    if (lci_is_eager(l))
        crew_add(&letter_to(l)->takes, l);
    else
        lci_here(l);
}

static void lci_flowed(struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);
    double bytes = (double)l->t->bytes, large = lci_is_eager(l) ? 0 : bytes;
    double new_s = lci_is_eager(l) ? 0 : letter_new_s(l);

    l->held++;
    letter_chore(l, LETTER_TO, c->recv_s + c->recv_s_per_B * bytes + new_s,
                 lci_drained);
    letter_chore(l, LETTER_FROM,
                 c->send_s + c->send_s_per_B * bytes +
                     c->large_send_s_per_B * large,
                 lci_completed);
}

static void lci_put(struct letter *l)
{
    letter_wire(l, lci_flowed);
}

static void lci_answered(struct letter *l)
{
    letter_chore(l, LETTER_FROM, letter_costs(l)->recv_s, lci_put);
}

static void lci_answer(struct letter *l)
{
    team_hold(letter_to(l), (double)l->t->bytes);
    letter_control(l, lci_answered);
}

/* Answers a request; the answer is a call. */
static void lci_asked(struct letter *l)
{
    const struct runtime_costs *c = letter_costs(l);

    letter_chore(l, LETTER_TO, c->recv_s + c->dequeue_s + c->call_s,
                 lci_answer);
}

/* Sends the message, which has a packet at its receiver. */
static void lci_leaves(struct letter *l)
{
    if (lci_is_eager(l))
        letter_wire(l, lci_flowed);
    else
        letter_control(l, lci_asked);
}

static void lci_called(struct letter *l)
{
    struct team *to = letter_to(l);

    if (lci_is_eager(l))
        letter_sent(l);
    if (to->arrival_packets) {
        to->arrival_packets--;
        lci_leaves(l);
    } else {
        letter_starve(l, to, &to->held, "packets of its pool to receive in");
    }
}

static void lci_taken(struct letter *l)
{
    team_hold(letter_to(l), (double)l->t->bytes);
    lci_here(l);
}

static const struct team_rules lci_rules = {.admits = lci_admits,
                                            .call_s = lci_call_s,
                                            .called = lci_called,
                                            .take_s = lci_take_s,
                                            .taken = lci_taken};

const struct transport lci_transport = {
    .summary = "packets of a pool, without tags or order; a communication "
               "thread that receives (LCI)",
    .pairing = PAIRING_MPI,
    .ordering = ORDER_NONE,
    .progress = letter_progress,
    .post_send = letter_send,
    .post_recv = letter_post,
    .rules = &lci_rules,
};
