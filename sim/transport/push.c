/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of a message that a kernel of one GPU writes into a buffer of
 * another, whose kernel waits for it: no CPU of a process, no matching.
 *
 *            to another node: NIC place, gap     flow    work    alpha
 *            |- - - - - -|----|- - - - - |==========|......|---------|
 *  posted    HELD        NIC_PLACE       ON_WIRE    FLOWED FREE    THERE
 *            (waits for the receive, which is a free buffer)
 *
 * Several channels, each a block of threads, write side by side: in a node they
 * are together that many times as fast as beta allows one of them, where links
 * do not bound them. Between nodes one thread of the CPU hands the messages of
 * all channels of a GPU to its NIC, and beta is that of all. With `copies` the
 * wires carry so many bytes for each (flags). The sender goes on when its bytes
 * have left; the latency comes behind them, so that the next message follows
 * without a pause, but for what the channels have to do in between, in a node
 * (struct channel_work). Undisturbed n bytes in c channels take alpha +
 * (beta + beside + after) * n / c in a node, and alpha + beta * n between two.
 */
#include "sim/transport/transport.h"

#include <math.h>

enum stage { HELD, NIC_PLACE, ON_WIRE, FLOWED, FREE, THERE };

/* What the wires carry: whole bytes, as SimGrid wants them. */
static double push_wire_B(const struct transfer *t)
{
    double copies = t->segment->copies > 0 ? t->segment->copies : 1;

    return floor(copies * (double)t->bytes + 0.5);
}

static void push_on_wire(struct transfer *t)
{
    double beside = t->f->channel_work.beside_s_per_B;
    double s_per_B = t->leaves
                         ? t->segment->beta_s_per_B
                         : (t->segment->beta_s_per_B + beside) / t->channels;
    double wire_B = push_wire_B(t), flow_s = s_per_B * (double)t->bytes;

    transfer_flow(t, FLOWED, fabric_gpu(t->f, t->from_gpu),
                  fabric_gpu(t->f, t->to_gpu), wire_B,
                  flow_s > 0 ? wire_B / flow_s : 0, transfer_nic(t));
}

/* Until the channels go on. */
static double push_after_s(const struct transfer *t)
{
    double s_per_B = t->f->channel_work.after_s_per_B;

    return t->leaves ? 0 : s_per_B * (double)t->bytes / t->channels;
}

static void push_begin(struct transfer *t)
{
    transfer_began(t);
    if (t->leaves)
        transfer_take_nic(t, transfer_nic(t), NIC_PLACE);
    else
        push_on_wire(t);
}

void transfer_push(struct transfer *t, unsigned channels, bool posted)
{
    t->kind = TRANSFER_PUSH;
    t->segment = transfer_segment(t, t->bytes);
    t->leaves = transfer_leaves_node(t);
    t->channels = channels ? channels : 1;
    t->held = 1;
    t->stage = HELD;
    if (posted)
        push_begin(t);
}

void transfer_push_recv(struct transfer *t, const struct transfer *by)
{
    if (by)
        transfer_waited(t, CAUSE_MATCH, by);
    push_begin(t);
}

/* The sender goes on. */
static void push_free(struct transfer *t)
{
    transfer_later(t, t->segment->alpha_s + transfer_far_s(t), THERE);
    if (t->leaves)
        transfer_release_nic(t, transfer_nic(t));
    transfer_sent(t);
}

void push_go(struct transfer *t)
{
    switch ((enum stage)t->stage) {
    case HELD:
        break; /* only its receive ends this */
    case NIC_PLACE:
        transfer_wait_gap(t, transfer_nic(t), 1, ON_WIRE);
        break;
    case ON_WIRE:
        push_on_wire(t);
        break;
    case FLOWED:
        transfer_flowed(t);
        if (push_after_s(t) > 0)
            transfer_later(t, push_after_s(t), FREE);
        else
            push_free(t);
        break;
    case FREE:
        push_free(t);
        break;
    case THERE:
        transfer_ended(t);
        transfer_done(t);
    }
}
