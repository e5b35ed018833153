/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfers of updates to another GPU: gathered or at once, by the execution's
 * runtime. */
#include "apps/agents/channel.h"

#include "platforms/machine.h"
#include "sim/network/engine.h"
#include "sim/transport/transport.h"
#include "apps/agents/execution.h"
#include "apps/agents/observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Updates under way. */
struct parcel {
    struct transfer t; /* first, because a transfer is cast to its parcel */
    /* In its outbox's list, and the pointer to it. */
    struct parcel *next, **before;
    struct channel *c;
    struct updates u;
    double begin_s; /* time since which its bytes flow */
    uint8_t left; /* events to come: it is accepted, and its transfer is over */
    double wire_B;
};

static struct channel *channel_new(struct outbox *b, uint32_t to)
{
    struct channel *c = xmalloc(sizeof *c);

    *c = (struct channel){.from = b, .to = to, .deadline_s = INFINITY};
    if (b->nchannels == b->room) {
        b->room = b->room ? 2 * b->room : 4;
        b->channels = xrealloc(b->channels, b->room, sizeof *b->channels);
        b->fresh = xrealloc(b->fresh, b->room, sizeof *b->fresh);
    }
    *sparse_at(&b->numbers, to) = b->nchannels;
    b->channels[b->nchannels++] = c;
    return c;
}

struct channel *channel_to(struct outbox *b, uint32_t to)
{
    uint32_t number = sparse_get(&b->numbers, to);

    return number == UINT32_MAX ? channel_new(b, to) : b->channels[number];
}

void channel_empties(const struct channel *c)
{
    c->from->crowded -= c->out.n > c->from->most;
}

/* Parcels per GPU for which the next GPU of a ring has room: the default of
 * groute/groute (pipe_size_factor). */
enum { RING_BUFFERS = 4 };

/* --- transfers ------------------------------------------------------------ */

static double outbox_now(const struct outbox *b)
{
    return engine_now(b->setup->engine);
}

static bool outbox_on_node(const struct outbox *b, uint32_t to)
{
    unsigned per_node = b->setup->m->ngpus;

    return b->gpu / per_node == to / per_node;
}

static bool channel_on_node(const struct channel *c)
{
    return outbox_on_node(c->from, c->to);
}

void channel_expect(struct channel *c)
{
    if (c->expected)
        return;
    c->expected = true;
    observer_coming(c->from->setup->observer, c->to, outbox_now(c->from));
}

static void parcel_free(struct parcel *p)
{
    *p->before = p->next;
    if (p->next)
        p->next->before = p->before;
    free(p->u.list);
    free(p);
}

void channel_drop_parcels(struct outbox *b)
{
    while (b->parcels)
        parcel_free(b->parcels);
}

static void parcel_flows(void *user, struct transfer *t)
{
    struct parcel *p = (struct parcel *)t;

    (void)user;
    p->begin_s = outbox_now(p->c->from);
}

static void parcel_flowed(void *user, struct transfer *t)
{
    const struct parcel *p = (const struct parcel *)t;
    const struct outbox_setup *s = user;

    observer_use(
        s->observer, (struct track){TRACK_GPUS, p->c->from->gpu, p->c->to},
        p->begin_s, outbox_now(p->c->from), (double)t->bytes, p->wire_B);
}

/* Sends the next updates of the channel, because it has room again. */
static void parcel_sent(void *user, struct transfer *t)
{
    struct channel *c = ((struct parcel *)t)->c;
    const struct outbox_setup *s = user;

    c->flowing = false;
    if (c->expected)
        channel_send(c);
    s->wake(s->arg, c->from->gpu);
}

static void parcel_drop(struct parcel *p)
{
    if (!--p->left)
        parcel_free(p);
}

static void parcel_taken_in(void *arg)
{
    struct parcel *p = arg;
    struct outbox *from = p->c->from;
    const struct outbox_setup *s = from->setup;
    uint32_t to = p->c->to;

    from->going--;
    p->c->going--;
    s->deliver(s->arg, from->gpu, to, &p->u);
    observer_arrived(s->observer, to, outbox_now(from));
    if (channel_on_node(p->c))
        from->under_way -= p->u.n;
    s->wake(s->arg, to);
    s->wake(s->arg, from->gpu);
    if (s->x->forwarding == FORWARDING_RING && p->c->expected && !p->c->flowing)
        channel_send(p->c);
    parcel_drop(p);
}

/* Lets the receiving GPU accept the parcel after receive_s; round a ring it
 * accepts one parcel after the other. */
static void parcel_arrived(void *user, struct transfer *t)
{
    struct parcel *p = (struct parcel *)t;
    const struct outbox_setup *s = user;
    double now = outbox_now(p->c->from), begin_s = now;

    if (s->x->forwarding == FORWARDING_RING)
        begin_s = fmax(now, p->c->taken_s);
    p->c->taken_s = begin_s + s->receive_s;
    if (p->c->taken_s > now)
        engine_after(s->engine, p->c->taken_s - now, parcel_taken_in, p);
    else
        parcel_taken_in(p);
}

static void parcel_done(void *user, struct transfer *t)
{
    (void)user;
    parcel_drop((struct parcel *)t);
}

const struct transfer_events outbox_events = {.flows = parcel_flows,
                                              .flowed = parcel_flowed,
                                              .sent = parcel_sent,
                                              .ended = parcel_arrived,
                                              .done = parcel_done};

/* Moves all updates of the channel into a new parcel. */
static struct parcel *channel_pack(struct channel *c, double wire_B)
{
    struct outbox *b = c->from;
    const struct outbox_setup *s = b->setup;
    struct parcel *p = xcalloc(1, sizeof *p);

    if (s->pack)
        s->pack(s->arg, b->gpu, &c->out);
    p->next = b->parcels;
    p->before = &b->parcels;
    if (p->next)
        p->next->before = &p->next;
    b->parcels = p;
    b->going++;
    c->going++;
    p->c = c;
    p->u = c->out;
    p->wire_B = wire_B;
    p->left = 2;
    observer_updates(s->observer, b->gpu, c->out.n);
    channel_empties(c);
    memset(&c->out, 0, sizeof c->out);
    c->counted = 0;
    observer_sent(s->observer, b->gpu, c->gathered);
    c->gathered = 0;
    c->expected = false; /* because the parcel is expected from now on */
    c->flowing = true;
    c->deadline_s = INFINITY;
    return p;
}

/* Starts a transfer of the channel's updates, as `puts` operations that begin
 * one after the other. If the runtime has receives, the receive counts as
 * posted. */
static void channel_post(struct channel *c, double wire_B, double puts)
{
    const struct outbox_setup *s = c->from->setup;
    const struct transport *by = transports[s->x->runtime];
    struct parcel *p = channel_pack(c, wire_B);
    struct transfer *t = &p->t;

    *t = (struct transfer){.f = s->fabric,
                           .bytes = p->u.n * s->x->update_B,
                           .from = c->from->gpu,
                           .to = c->to,
                           .from_gpu = c->from->gpu,
                           .to_gpu = c->to,
                           .runtime = (uint8_t)s->x->runtime};
    if (by->put) {
        t->puts = (uint32_t)puts;
        t->wire_B = wire_B;
        by->put(t);
        return;
    }
    t->kind = TRANSFER_MESSAGE;
    t->partner = t;
    by->post_send(t);
}

/* Returns the bytes of contiguous data on the wire: full packets, each with a
 * header. */
static double in_packets(const struct nvlink_packet *p, double bytes)
{
    return bytes + ceil(bytes / p->payload_B) * p->header_B;
}

/* Returns the bytes of the kernel's own stores on the wire: each update is an
 * atomic on a value at a random place, rounded up to granules; the vertices are
 * appended to a queue, next to each other. Updates that are added up need no
 * queue, because their GPU looks for them. */
static double scattered_wire_B(const struct outbox_setup *s, double updates)
{
    const struct nvlink_packet *p = &s->m->gpu.packet;
    double each = ceil((double)s->x->update_B / p->granule_B) * p->granule_B;

    return updates * (each + p->header_B) +
           (s->pack ? 0 : in_packets(p, updates * 4));
}

/* Sends between nodes, by the kernel, in operations of each_B bytes. */
static void channel_put(struct channel *c, uint64_t each_B)
{
    double bytes = (double)(c->out.n * c->from->setup->x->update_B);

    channel_post(c, bytes, ceil(bytes / (double)each_B));
}

/* Sends by the CPU, which has seen the kernel's end: the time of the step
 * includes that. */
static void channel_send_by_cpu(struct channel *c)
{
    channel_post(c, (double)(c->out.n * c->from->setup->x->update_B), 1);
}

static void channel_called(void *arg)
{
    struct channel *c = arg;

    c->calling = false;
    channel_send_by_cpu(c);
}

/* Sends to the next GPU of the ring, by a CPU thread of its own, the updates
 * that are there once it has made its calls. */
static void channel_call(struct channel *c)
{
    const struct outbox_setup *s = c->from->setup;

    if (c->calling || c->going >= RING_BUFFERS * s->ngpus)
        return;
    c->calling = true;
    engine_after(s->engine, s->send_s, channel_called, c);
}

/* --- the aggregator ------------------------------------------------------- */

static void channel_waited(void *arg)
{
    struct channel *c = arg;

    c->waiting = false;
    if (c->out.n)
        channel_send(c);
}

static bool outbox_gathers(const struct outbox *b, uint32_t to)
{
    const struct execution *x = b->setup->x;

    return x->schedule == SCHEDULE_ASYNCHRONOUS && x->control == CONTROL_GPU &&
           !outbox_on_node(b, to) && x->batch_B > x->update_B;
}

/* Sets a deadline. Deadlines are set in the order of their times, so those of
 * an outbox form a queue; the deadline of a channel that has sent earlier stays
 * in it until its time. */
static void channel_set_deadline(struct channel *c)
{
    struct outbox *b = c->from;
    const struct execution *x = b->setup->x;

    c->deadline_s = outbox_now(b) + x->wait_visits * x->visit_s;
    if (b->ndue == b->due_room && b->due_first > b->ndue / 2) {
        b->ndue -= b->due_first;
        memmove(b->due, &b->due[b->due_first], b->ndue * sizeof *b->due);
        b->due_first = 0;
    }
    if (b->ndue == b->due_room) {
        b->due_room = b->due_room ? 2 * b->due_room : 16;
        b->due = xrealloc(b->due, b->due_room, sizeof *b->due);
    }
    b->due[b->ndue++] = (struct due){c, c->deadline_s};
}

/* Sends the updates if they fill a batch or the aggregator has looked at them
 * often enough; otherwise sets a timer, so that it looks again. */
static void channel_gather(struct channel *c)
{
    const struct outbox_setup *s = c->from->setup;
    const struct execution *x = s->x;
    double now = outbox_now(c->from);
    bool full = c->out.n * x->update_B >= x->batch_B;

    observer_gathered(s->observer, c->from->gpu, c->out.n - c->gathered);
    c->gathered = c->out.n;
    if (isinf(c->deadline_s))
        channel_set_deadline(c);
    if (!c->flowing && (full || now >= c->deadline_s)) {
        observer_flush(s->observer, full);
        channel_put(c, x->batch_B);
    } else if (!c->waiting && now < c->deadline_s) {
        c->waiting = true;
        engine_after(s->engine, c->deadline_s - now, channel_waited, c);
    }
}

/* Returns the GPU to which updates for a GPU of another node are sent: with
 * BATCH_PER_NODE the GPU of that node that has the sender's number, if there is
 * one. */
static uint32_t outbox_gateway(const struct outbox *b, uint32_t to)
{
    unsigned per_node = b->setup->m->ngpus;
    uint32_t by = to / per_node * per_node + b->gpu % per_node;

    return b->setup->x->batch_group == BATCH_PER_NODE && by < b->setup->ngpus
               ? by
               : to;
}

uint32_t outbox_destinations(const struct outbox *b)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->setup->ngpus; i++)
        n += outbox_gathers(b, i) && outbox_gateway(b, i) == i;
    return n;
}

/* Moves the updates of the channel into the channel to its gateway, and returns
 * that. */
static struct channel *channel_to_gateway(struct channel *c)
{
    struct outbox *b = c->from;
    uint32_t gateway = outbox_gateway(b, c->to);

    if (gateway == c->to)
        return c;
    struct channel *by = channel_to(b, gateway);
    for (size_t i = 0; i < c->out.n; i++)
        channel_add(by, c->out.list[i]);
    channel_empties(c);
    c->out.n = 0;
    if (c->expected)
        observer_arrived(b->setup->observer, c->to, outbox_now(b));
    c->expected = false;
    channel_expect(by);
    return by;
}

/* --- choice of transfer --------------------------------------------------- */

void channel_send(struct channel *c)
{
    const struct outbox_setup *s = c->from->setup;

    if (channel_on_node(c)) {
        c->from->under_way += c->out.n - c->counted;
        c->counted = c->out.n;
    }
    if (outbox_gathers(c->from, c->to))
        channel_gather(channel_to_gateway(c));
    else if (c->flowing)
        return;
    else if (s->x->forwarding == FORWARDING_RING)
        channel_call(c);
    else if (s->x->control == CONTROL_CPU)
        channel_send_by_cpu(c);
    else if (channel_on_node(c))
        channel_post(c, ceil(scattered_wire_B(s, (double)c->out.n)), 1);
    else
        channel_put(c, s->x->update_B);
}
