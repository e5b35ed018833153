/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stages of puts that a kernel of one GPU starts into the memory of
 * another: they need no CPU and no receive.
 *
 *  to another node      NIC place, gaps     flow      alpha
 *                       |----|- - - - - |==========|---------|
 *  posted               NIC_PLACE       ON_WIRE    FLOWED    THERE
 *  (waits for a place)  (waits for the message rate)
 *
 *  in a node            flow      remote atomic
 *                    |==========|---------------|
 *  posted            ON_WIRE    FLOWED          THERE
 *
 * Several puts that begin one after the other are one transfer: they have the
 * NIC's place until FLOWED and take a message gap each, and their last byte
 * cannot leave before the last of them begins. Their source memory is free when
 * their bytes have left. The latency comes after the bytes, because the next
 * puts to the same place follow without a pause.
 */
#include "sim/transport/transport.h"

#include <math.h>

enum stage { NIC_PLACE, ON_WIRE, FLOWED, THERE };

/* Returns the cap of the flow's rate, 0 if there is none. */
static double put_rate_Bps(const struct transfer *t)
{
    double s_per_B = t->segment ? t->segment->beta_s_per_B : 0;

    if (t->segment && t->puts > 1) {
        double gaps_s = t->puts * transfer_gap_s(t, transfer_nic(t));
        s_per_B = fmax(s_per_B, gaps_s / t->wire_B);
    }
    return s_per_B > 1e-18 ? 1 / s_per_B : 0;
}

static double put_latency_s(const struct transfer *t)
{
    return t->segment ? t->segment->alpha_s + transfer_far_s(t)
                      : t->f->m->gpu.remote_atomic_s;
}

static void put_on_wire(struct transfer *t)
{
    transfer_began(t);
    transfer_flow(t, FLOWED, fabric_gpu(t->f, t->from_gpu),
                  fabric_gpu(t->f, t->to_gpu), t->wire_B, put_rate_Bps(t),
                  transfer_nic(t));
}

void transfer_put(struct transfer *t)
{
    t->kind = TRANSFER_PUT;
    t->segment = NULL; /* because in a node it is no message */
    if (!transfer_leaves_node(t)) {
        put_on_wire(t);
        return;
    }
    t->segment = transfer_segment(t, (t->bytes + t->puts - 1) / t->puts);
    transfer_take_nic(t, transfer_nic(t), NIC_PLACE);
}

void put_go(struct transfer *t)
{
    switch ((enum stage)t->stage) {
    case NIC_PLACE:
        transfer_wait_gap(t, transfer_nic(t), t->puts, ON_WIRE);
        break;
    case ON_WIRE:
        put_on_wire(t);
        break;
    case FLOWED:
        transfer_flowed(t);
        transfer_later(t, put_latency_s(t), THERE);
        if (t->segment)
            transfer_release_nic(t, transfer_nic(t));
        transfer_sent(t);
        break;
    case THERE:
        transfer_ended(t);
        transfer_done(t);
    }
}
