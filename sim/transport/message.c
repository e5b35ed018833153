/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stages of a message between two processes, shown for two nodes.
 *
 *              posted          eager: buffer free            rendezvous: free
 * sender CPU   |......|========|
 * latency                      |-------|
 * NIC place                            |......|==gap==|======|
 * links                                               |======|
 * receiver CPU                                               |......|=======|
 *                     SEND_CPU         AT_NIC         ON_WIRE       RECV_CPU
 *                              SEND_DONE      NIC_PLACE      FLOWED  RECEIVED
 *
 * . waits, = holds the resource, - only takes time (docs/model.md).
 *
 * A message holds the sender's CPU until SEND_DONE, and then for the hidden
 * part of its time (segment_occupancies()); the NIC's place from NIC_PLACE
 * until FLOWED (its gap delays the next message on the wire, not at the place);
 * the links only while bytes flow; the receiver's CPU from RECV_CPU on, where
 * it first searches its lists and does the hidden work that it did not do while
 * it waited. The wire latency is alpha minus both CPU parts; likewise beta
 * minus the CPU parts caps the flow's rate.
 *
 * eager       Its bytes flow whether or not the receive is posted; if it is
 * not, the message is THERE until then. A matched receive is announced at
 *             ON_WIRE.
 * rendezvous  It is announced to its receive AT_NIC; if that is not posted, the
 *             message is HELD there, before the NIC. If the receiver gets the
 *             bytes, MATCHED comes the whole latency later, and the message
 *             needs no place at the NIC.
 * memory      The sender's is free with its CPU (at once), at FLOWED, or ack_s
 *             after that, as struct segment says.
 * in a node   There is no NIC. If the receiver moves the bytes, they flow while
 *             the message has the receiver's CPU (from RECV_READY), and only
 *             once the receive is posted. Between GPUs the bytes flow once the
 *             receiving GPU's engine for such copies is free (PEER_ENGINE),
 *             which they keep busy for engine_s, as a copy does.
 */
#include "sim/transport/matching.h"
#include "sim/transport/message_cost.h"
#include "sim/transport/transport.h"

#include <math.h>

enum stage {
    SEND_CPU,
    SEND_DONE,
    AT_NIC,
    MATCHED,
    NIC_PLACE,
    PEER_ENGINE,
    ON_WIRE,
    FLOWED,
    RECV_CPU, /* from here on stages of the receive, if that is a transfer */
    RECV_READY,
    RECV_PAID,
    RECEIVED,

    HELD,  /* its bytes stay until a receive is posted */
    THERE, /* its bytes have arrived before the receive is posted */
};

/* --- its flow ------------------------------------------------------------- */

/* Returns the extra latency if the receiver's previous message came from
 * another process. */
static double message_other_peer(const struct transfer *t)
{
    uint32_t *heard = &t->f->heard[t->to], before = *heard;

    *heard = t->from;
    return before == t->from || before == NO_PROCESS ? 0
                                                     : t->segment->other_peer_s;
}

static double message_latency(const struct transfer *t)
{
    double wire_s = segment_gets(t->segment) ? 0 : message_wire(t);

    return message_is_copy(t) ? 0 : wire_s + message_other_peer(t);
}

/* Returns the NIC of its flow. On a node the part of a process's messages that
 * is not in its cache goes through memory, the others BY_CACHE. */
static int message_route(const struct transfer *t)
{
    struct fabric *f = t->f;

    if (t->leaves || t->from_gpu != NO_GPU || f->memory_share >= 1)
        return transfer_nic(t);
    f->memory_owed[t->to] += f->memory_share;
    if (f->memory_owed[t->to] < 1)
        return BY_CACHE;
    f->memory_owed[t->to] -= 1;
    return transfer_nic(t);
}

/* Starts its flow, which takes slower_s longer than a lone flow. */
static void message_flow(struct transfer *t, double slower_s)
{
    bool host = t->from_gpu == NO_GPU;
    double s_per_B = message_s_per_B(t), traffic = message_traffic(t);

    if (slower_s > 0)
        s_per_B += slower_s / (double)t->bytes;
    transfer_flow(
        t, FLOWED,
        host ? fabric_process(t->f, t->from) : fabric_gpu(t->f, t->from_gpu),
        host ? fabric_process(t->f, t->to) : fabric_gpu(t->f, t->to_gpu),
        traffic * (double)t->bytes, s_per_B > 0 ? traffic / s_per_B : 0,
        message_route(t));
}

static struct server *message_peer_engine(const struct transfer *t)
{
    if (message_in_gpu(t) && fabric_contexts(t->f))
        return &t->f->kernels[fabric_real_gpu(t->f, t->to_gpu)];
    uint32_t gpu = message_takes_turns(t->f->m)
                       ? fabric_real_gpu(t->f, t->to_gpu)
                       : t->to_gpu;

    return fabric_copy(t->f, gpu, D2D);
}

/* Calls `then` after delay_s, while the message continues: for a peer engine
 * that is still busy, a sender's CPU after the bytes have left, or an
 * acknowledgement. The message is done when all of these are over. */
static void message_beside(struct transfer *t, double delay_s,
                           void (*then)(void *arg))
{
    t->held++;
    engine_after(t->f->engine, delay_s, then, t);
}

static void message_let_go(struct transfer *t)
{
    if (--t->held == 0)
        transfer_done(t);
}

static void message_free_peer_engine(void *arg)
{
    struct transfer *t = arg;

    transfer_release(t, message_peer_engine(t));
    message_let_go(t);
}

static void message_acknowledged(void *arg)
{
    struct transfer *t = arg;

    transfer_sent(t);
    message_let_go(t);
}

static void message_free_sender(void *arg)
{
    struct transfer *t = arg;

    transfer_release_cpu(t, t->from);
    if (segment_buffer_free(t->segment) == FREE_AT_ONCE)
        transfer_sent(t);
    message_let_go(t);
}

/* --- its receive ---------------------------------------------------------- */

static void message_matched(struct transfer *t);

/* Waits for the receiver's CPU, because the bytes have arrived and the receive
 * is posted. */
static void message_begin_receive(struct transfer *recv)
{
    transfer_take(recv, &recv->f->cpu[recv->to], RECV_CPU, CAUSE_CPU);
}

void message_pair(struct transfer *t, struct transfer *recv, bool posted_now)
{
    t->partner = recv;
    recv->partner = t;
    enum cause cause = t->f->match_by_engine ? CAUSE_MATCHER : CAUSE_MATCH;
    if (t->stage == HELD) {
        if (posted_now || cause == CAUSE_MATCHER)
            transfer_waited(t, cause, recv);
        message_matched(t);
    } else if (t->stage == THERE) {
        /* Without an engine a receive finds it there only when it is posted, so
         * it does not wait. */
        if (cause == CAUSE_MATCHER)
            transfer_waited(recv, cause, t);
        message_begin_receive(recv);
    }
}

struct message_arrival {
    struct fabric *f;
    struct envelope pair;
};

static void message_found(void *arg, uint32_t send, uint32_t recv)
{
    struct message_arrival *a = arg;

    match_complete(a->f->match, send, &a->pair);
    if (fabric_arrived(a->f, send, recv, a->pair))
        a->f->events->matched(a->f->user, send, recv);
    else if (recv == MATCH_NONE && a->f->events->unexpected)
        a->f->events->unexpected(a->f->user, send);
}

/* Announces an eager message with its first byte, and any other before its
 * bytes flow, because these wait for the receive. */
void message_announce(struct transfer *t)
{
    struct message_arrival a = {t->f, {.dst = t->to, .src = t->from}};

    match_arrive(t->f->match, t->number, a.pair, message_found, &a);
}

void message_recv(struct transfer *t, const struct transfer *by)
{
    t->partner = t;
    if (t->stage == HELD || t->stage == THERE)
        transfer_waited(t, CAUSE_MATCH, by);
    if (t->stage == HELD)
        message_matched(t);
    else if (t->stage == THERE)
        message_begin_receive(t);
}

/* --- from the sender to the receiver -------------------------------------- */

void message_prepare(struct transfer *t)
{
    t->segment = transfer_segment(t, t->bytes);
    t->held = 1;
    t->leaves = transfer_leaves_node(t);
}

static void message_on_wire(struct transfer *t, double slower_s)
{
    if (t->kind == TRANSFER_SEND && !message_bytes_wait(t))
        message_announce(t);
    message_flow(t, slower_s);
}

/* Starts its flow once the GPU has switched to its process. */
static void message_take_peer(struct transfer *t)
{
    double switch_s =
        message_in_gpu(t) && fabric_contexts(t->f) ? fabric_switch_s(t) : 0;

    message_beside(t, switch_s + message_peer_s(t), message_free_peer_engine);
    if (switch_s > 0)
        transfer_later(t, switch_s, ON_WIRE);
    else
        message_on_wire(t, 0);
}

/* Moves the bytes within the node; the receiver's CPU, if it is needed, is
 * held. */
static void message_move(struct transfer *t)
{
    if (message_is_peer_copy(t))
        transfer_take(t, message_peer_engine(t), PEER_ENGINE, CAUSE_ENGINE);
    else
        message_on_wire(t, 0);
}

static void message_begin_flow(struct transfer *t)
{
    if (t->leaves)
        transfer_take_nic(t, transfer_nic(t), NIC_PLACE);
    else if (message_receiver_moves(t))
        transfer_take(t->partner, &t->f->cpu[t->to], RECV_CPU, CAUSE_CPU);
    else
        message_move(t);
}

static void message_matched(struct transfer *t)
{
    double wire_s = segment_gets(t->segment) ? message_wire(t) : 0;

    if (wire_s > 0)
        transfer_later(t, wire_s, MATCHED);
    else
        message_begin_flow(t);
}

static void message_at_nic(struct transfer *t)
{
    if (!message_bytes_wait(t)) {
        message_begin_flow(t);
        return;
    }
    if (t->partner == t) {
        message_matched(t);
        return;
    }
    t->stage = HELD;
    if (t->kind == TRANSFER_SEND)
        message_announce(t);
}

static void message_flowed(struct transfer *t)
{
    struct transfer *recv = t->partner;

    transfer_flowed(t);
    if (t->leaves)
        transfer_release_nic(t, transfer_nic(t));
    if (segment_buffer_free(t->segment) == FREE_TRANSFERRED)
        transfer_sent(t);
    else if (segment_buffer_free(t->segment) == FREE_ACKNOWLEDGED)
        message_beside(t, t->segment->ack_s, message_acknowledged);
    if (recv && recv != t)
        transfer_waited(recv, CAUSE_MATCH, t);
    if (!recv)
        t->stage = THERE;
    else if (message_receiver_moves(t))
        transfer_later(recv, message_recv_fixed(t), RECEIVED);
    else
        message_begin_receive(recv);
}

/* Lets the message leave: the sender's CPU has done the part that delays it. */
static void message_leave(struct transfer *t)
{
    double hidden_s = message_progress(t).send.hidden_s;

    transfer_later(t, message_latency(t), AT_NIC);
    t->held++;
    if (hidden_s > 0)
        engine_after(t->f->engine, hidden_s, message_free_sender, t);
    else
        message_free_sender(t);
}

/* Continues after the search of the receiver's lists. The hidden work that the
 * CPU did not do while it waited comes next, or makes the bytes slower if it
 * moves them. */
static void message_begin_bytes(struct transfer *recv, struct transfer *msg)
{
    double waited_s = fabric_now(recv->f) - message_match_s(recv, msg) -
                      recv->f->cpu_free_s[recv->to];
    double first_s = message_progress(msg).recv.hidden_s - waited_s;

    if (first_s > 0 && msg->bytes && !message_is_peer_copy(msg))
        message_on_wire(msg, first_s);
    else if (first_s > 0)
        transfer_later(recv, first_s, RECV_PAID);
    else
        message_move(msg);
}

/* Starts the work of the receiver's CPU, which the message has now. */
static void message_begin_cpu(struct transfer *recv, struct transfer *msg)
{
    struct occupancy cost = message_progress(msg).recv;
    double waited_s = fabric_now(recv->f) - recv->f->cpu_free_s[recv->to];
    double match_s = message_match_s(recv, msg);

    if (!message_receiver_moves(msg))
        transfer_later(recv,
                       fmax(cost.hidden_s - waited_s, 0) + match_s + cost.s,
                       RECEIVED);
    else if (match_s > 0)
        transfer_later(recv, match_s, RECV_READY);
    else
        message_begin_bytes(recv, msg);
}

void message_go(struct transfer *t)
{
    struct transfer *msg = t->kind == TRANSFER_RECEIVE ? t->partner : t;

    switch ((enum stage)t->stage) {
    case SEND_CPU:
        transfer_began(t);
        transfer_later(t, message_progress(t).send.s, SEND_DONE);
        break;
    case SEND_DONE:
        message_leave(t);
        break;
    case AT_NIC:
        message_at_nic(t);
        break;
    case NIC_PLACE:
        transfer_wait_gap(t, transfer_nic(t), 1, ON_WIRE);
        break;
    case MATCHED:
        message_begin_flow(t);
        break;
    case PEER_ENGINE:
        message_take_peer(t);
        break;
    case ON_WIRE:
        message_on_wire(t, 0);
        break;
    case FLOWED:
        message_flowed(t);
        break;
    case RECV_CPU:
        message_begin_cpu(t, msg);
        break;
    case RECV_READY:
        message_begin_bytes(t, msg);
        break;
    case RECV_PAID:
        message_move(msg);
        break;
    case RECEIVED:
        transfer_release_cpu(t, t->to);
        transfer_ended(t);
        if (t != msg)
            transfer_done(t);
        message_let_go(msg);
        break;
    case HELD:
    case THERE:
        break; /* only its receive ends these stages */
    }
}
