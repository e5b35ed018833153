/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stages of a message that a kernel of one GPU writes into a buffer of
 * another, whose kernel waits for it: it needs no CPU of a process and no
 * matching.
 *
 *            to another node: NIC place, gap     flow    work    alpha
 *            |- - - - - -|----|- - - - - |==========|......|---------|
 *  posted    HELD        NIC_PLACE       ON_WIRE    FLOWED FREE    THERE
 *            (waits for the receive, which is a free buffer)
 *
 * Several channels, each a block of threads, write at the same time: in a node
 * their rate is the sum of those that beta allows each of them, unless links
 * bound it. Between nodes one thread of the CPU hands the messages of all
 * channels of a GPU to its NIC, so beta is that of all of them; likewise a
 * segment is chosen by the bytes of a channel, or of all. With `copies`
 * the wires carry that many bytes for each (flags). The sender continues when
 * its bytes have left. The latency comes after the bytes, because the next
 * message follows without a pause, apart from the work of the channels in
 * between, in a node (struct channel_work). If nothing disturbs it, a message
 * of n bytes in c channels takes alpha + (beta + beside + after) * n / c in a
 * node, and alpha - less + beta * n between two.
 */
#include "sim/transport/transport.h"

#include <math.h>

enum stage { HELD, NIC_PLACE, ON_WIRE, FLOWED, FREE, THERE };

/* Returns the bytes on the wires, rounded, because SimGrid takes whole bytes.
 */
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

/* Returns the time until the channels continue. */
static double push_after_s(const struct transfer *t)
{
    const struct channel_work *w = &t->f->channel_work;

    return t->leaves
               ? 0
               : w->after_s + w->after_s_per_B * (double)t->bytes / t->channels;
}

static void push_begin(struct transfer *t)
{
    transfer_began(t);
    if (t->leaves)
        transfer_take_nic(t, transfer_nic(t), NIC_PLACE);
    else
        push_on_wire(t);
}

double transfer_push_prepare(struct transfer *t, unsigned channels)
{
    t->kind = TRANSFER_PUSH;
    t->channels = channels ? channels : 1;
    t->leaves = transfer_leaves_node(t);
    t->segment =
        transfer_segment(t, t->leaves ? t->bytes : t->bytes / t->channels);
    return push_wire_B(t);
}

void transfer_push(struct transfer *t, unsigned channels, bool posted)
{
    (void)transfer_push_prepare(t, channels);
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

/* Lets the sender continue. */
static void push_free(struct transfer *t)
{
    double less_s = t->leaves ? t->f->channel_work.less_s : 0;
    double alpha_s = fmax(0, t->segment->alpha_s - less_s);

    transfer_later(t, alpha_s + transfer_far_s(t), THERE);
    if (t->leaves)
        transfer_release_nic(t, transfer_nic(t));
    transfer_sent(t);
}

void push_go(struct transfer *t)
{
    switch ((enum stage)t->stage) {
    case HELD:
        break; /* only its receive ends this stage */
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
