/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times of a message between two processes (message.c): of its CPUs, on the
 * wire, of its bytes, of the engine of a GPU. */
#include "sim/transport/message_cost.h"

#include "sim/transport/matching.h"

#include <math.h>

/* --- the kind of a message ------------------------------------------------ */

static enum locality message_locality(const struct transfer *t)
{
    unsigned n = t->f->m->ngpus;

    return machine_gpu_locality(t->f->m, t->from_gpu / n, t->from_gpu % n,
                                t->to_gpu / n, t->to_gpu % n);
}

bool message_is_peer_copy(const struct transfer *t)
{
    return t->from_gpu != NO_GPU && !t->leaves &&
           machine_copy(t->f->m, D2D, message_locality(t), 1, t->bytes);
}

/* Returns the cost of a copy inside a GPU if it is one and the machine has it,
 * else NULL. */
static const struct copy_cost *message_copy_inside(const struct transfer *t)
{
    if (t->from_gpu == NO_GPU || t->from_gpu != t->to_gpu)
        return NULL;
    const struct copy_cost *c =
        machine_copy(t->f->m, D2D, SHARED_CACHE, 1, t->bytes);

    return c && c->locality == SHARED_CACHE ? c : NULL;
}

bool message_receiver_moves(const struct transfer *t)
{
    return t->segment->mover == MOVED_BY_RECEIVER && !t->leaves;
}

bool message_bytes_wait(const struct transfer *t)
{
    return t->segment->protocol == PROTOCOL_RENDEZVOUS ||
           message_receiver_moves(t);
}

/* --- its times ------------------------------------------------------------ */

/* Returns how much longer the call of a copy inside a GPU takes than that of
 * one between two GPUs, 0 if the machine does not say both. */
static double message_inside_s(const struct transfer *t)
{
    const struct copy_cost *inside = message_copy_inside(t);
    const struct copy_cost *peer =
        inside ? machine_copy(t->f->m, D2D, ON_SOCKET, 1, t->bytes) : NULL;

    return peer ? inside->alpha_s - peer->alpha_s : 0;
}

bool message_is_copy(const struct transfer *t)
{
    return t->from == t->to && t->from_gpu == NO_GPU && t->segment->self_copies;
}

/* Returns the factor by which bytes take longer, because some are in no cache.
 */
static double message_slowdown(const struct transfer *t)
{
    const struct segment *s = t->segment;

    if (s->uncached_s_per_B <= 0 || t->from_gpu != NO_GPU || t->leaves)
        return 1;
    return 1 + t->f->memory_share * s->uncached_s_per_B / s->beta_s_per_B;
}

static struct occupancies message_cost(const struct transfer *t, uint64_t bytes)
{
    const struct segment *s = t->segment;

    if (message_is_copy(t))
        return (struct occupancies){.send.s = s->self_s +
                                              s->self_s_per_B * (double)bytes};
    const struct transport *by = transports[t->runtime];
    uint64_t slow_B = (uint64_t)((double)bytes * message_slowdown(t));
    struct occupancies o =
        by->progress ? by->progress(s, slow_B) : (struct occupancies){0};
    /* A call inside a GPU may be quicker by more than the CPU is busy: the rest
     * stays on the wire, because no CPU is busy for less than 0. */
    if (t->from_gpu != NO_GPU)
        o.send.s = fmax(0, o.send.s + message_inside_s(t));
    return o;
}

struct occupancies message_progress(const struct transfer *t)
{
    return message_cost(t, t->bytes);
}

double message_recv_fixed(const struct transfer *t)
{
    return message_cost(t, 0).recv.s;
}

double message_wire(const struct transfer *t)
{
    return message_is_copy(t)
               ? 0
               : segment_latency_s(t->segment) + transfer_far_s(t);
}

double message_s_per_B(const struct transfer *t)
{
    const struct segment *s = t->segment;
    const struct copy_cost *inside = message_copy_inside(t);
    double s_per_B = segment_wire_s_per_B(s) * message_slowdown(t);

    if (message_is_copy(t))
        return 0;
    if (inside)
        s_per_B = inside->beta_s_per_B;
    if (message_receiver_moves(t) && s->recv_s_per_B > 0 && t->bytes)
        s_per_B += (message_progress(t).recv.s - message_recv_fixed(t)) /
                   (double)t->bytes;
    return s_per_B > 1e-18 ? s_per_B : 0;
}

double message_traffic(const struct transfer *t)
{
    const struct segment *s = t->segment;

    if (t->leaves || message_is_copy(t) || !t->bytes)
        return 1;
    return (s->copies > 0 ? s->copies : 1) + s->extra_B / (double)t->bytes;
}

bool message_takes_turns(const struct machine *m)
{
    return m->copies.gpus_are_one && !m->copies.mps && !m->copies.contexts;
}

bool message_in_gpu(const struct transfer *t)
{
    return fabric_real_gpu(t->f, t->from_gpu) ==
               fabric_real_gpu(t->f, t->to_gpu) &&
           !message_takes_turns(t->f->m);
}

double message_peer_s(const struct transfer *t)
{
    const struct segment *s = t->segment;

    if (message_takes_turns(t->f->m))
        return segment_alone_s(s, t->bytes);
    /* Calls are the CPUs' time and bytes share the links, so that copies
     * between GPUs overlap but for this. */
    return s->has_engine ? s->engine_s : t->f->m->copies.engine_s;
}

double message_match_s(const struct transfer *recv, const struct transfer *msg)
{
    const struct fabric *f = recv->f;
    const struct matching *l = &f->m->matching;

    if (recv == msg || l->engine != MATCHER_LIST)
        return 0;
    /* The list is searched when the message comes and when the receive is
     * posted. */
    return match_list_s(l, 2,
                        match_walked(f->match, msg->number, recv->number));
}
