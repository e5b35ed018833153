/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How updates get to another GPU: by the kernel's own stores over NVLink, by
 * batches of an aggregator over the network, or by copies that the CPU starts.
 */
#include "strategies/agents/traverse_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Updates under way. */
struct transfer {
    struct channel *c;
    struct updates u;
    double begin_s, wire_B;
    double cap_Bps;   /* 0: none */
    double latency_s; /* after the last byte */
};

static uint32_t endpoint(const struct traversal *t, uint32_t gpu)
{
    unsigned per_node = t->in->m->ngpus;

    return engine_gpu(t->in->m, gpu / per_node, gpu % per_node);
}

void traverse_add_update(struct updates *list, struct update u)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->list = xrealloc(list->list, list->room, sizeof *list->list);
    }
    list->list[list->n++] = u;
}

/* --- transfers --------------------------------------------------------------
 */

static bool same_node(const struct channel *c)
{
    unsigned per_node = c->t->in->m->ngpus;

    return c->from / per_node == c->to / per_node;
}

static void send_channel(struct channel *c);

/* Who receives it knows that something is coming. */
static void expect(struct channel *c)
{
    if (c->expected)
        return;
    c->expected = true;
    traverse_note_coming(&c->t->gpus[c->to], engine_now(c->t->engine));
}

static void arrived(void *arg)
{
    struct transfer *x = arg;
    struct traversal *t = x->c->t;
    struct gpu *from = &t->gpus[x->c->from], *to = &t->gpus[x->c->to];

    t->last_s = engine_now(t->engine);
    traverse_deliver(t, to, x->c->from, x->u.list, x->u.n);
    traverse_note_arrived(to, t->last_s);
    traverse_send(t, to);
    if (same_node(x->c))
        from->under_way -= x->u.n;
    free(x->u.list);
    free(x);
    traverse_start(t, to);
    traverse_start(t, from);
}

static void flowed(void *arg)
{
    struct transfer *x = arg;
    struct channel *c = x->c;
    struct traversal *t = c->t;

    traverse_note_use(t, (struct track){TRACK_GPUS, c->from, c->to}, x->begin_s,
                      engine_now(t->engine),
                      (double)(x->u.n * t->in->x->update_B), x->wire_B);
    engine_after(t->engine, x->latency_s, arrived, x);
    c->flowing = false;
    if (c->out.n)
        send_channel(c);
    traverse_start(t, &t->gpus[c->from]);
}

static void begin(void *arg)
{
    struct transfer *x = arg;
    struct traversal *t = x->c->t;

    x->begin_s = engine_now(t->engine);
    engine_flow(t->engine, endpoint(t, x->c->from), endpoint(t, x->c->to),
                ceil(x->wire_B), x->cap_Bps, NIC_OF_SOCKET, flowed, x);
}

/*
 * All that waits in the channel goes, as `puts` operations that start one after
 * the other, issue_s apart, after what the GPU started before.
 */
static void transfer(struct channel *c, double wire_B, double latency_s,
                     double puts, double issue_s)
{
    struct traversal *t = c->t;
    struct gpu *g = &t->gpus[c->from];
    struct transfer *x = xcalloc(1, sizeof *x);
    double now = engine_now(t->engine), from = fmax(now, g->issued_s);

    if (t->ops->pack)
        t->ops->pack(g, &c->out);
    *x = (struct transfer){
        .c = c, .u = c->out, .wire_B = wire_B, .latency_s = latency_s};
    /* The first goes at once; the last byte cannot before the last starts. */
    if (puts > 1 && issue_s > 0)
        x->cap_Bps = wire_B / (puts * issue_s);
    g->issued_s = from + puts * issue_s;
    g->stats->updates += c->out.n;
    memset(&c->out, 0, sizeof c->out);
    c->counted = 0;
    traverse_note_sent(g, c->gathered);
    c->gathered = 0;
    c->expected = false; /* the transfer is, from now on */
    c->flowing = true;
    c->deadline_s = INFINITY;
    engine_after(t->engine, from - now, begin, x);
}

/* What contiguous bytes take on the wire: full packets, each with a header. */
static double in_packets(const struct nvlink_packet *p, double bytes)
{
    return bytes + ceil(bytes / p->payload_B) * p->header_B;
}

/* The kernel's own stores: each update is an atomic on a value somewhere, of a
 * granule; the vertices go to the end of a queue, next to each other; what is
 * added up needs no queue, since its GPU looks for it. */
static double scattered(const struct traversal *t, double updates)
{
    const struct nvlink_packet *p = &t->in->m->gpu.packet;
    double each =
        ceil((double)t->in->x->update_B / p->granule_B) * p->granule_B;

    return updates * (each + p->header_B) +
           (t->ops->pack ? 0 : in_packets(p, updates * 4));
}

/* --- the CPU's copies -------------------------------------------------------
 */

/* It has seen the kernel's end (the step's time has that) and starts a copy, or
 * a message; the next one a launch later. */
static void send_by_cpu(struct channel *c)
{
    const struct machine *m = c->t->in->m;
    uint64_t bytes = c->out.n * c->t->in->x->update_B;
    double alpha = m->gpu.shmem_put_s;

    if (same_node(c)) {
        const struct copy_cost *copy = machine_copy(
            m, D2D,
            machine_gpu_locality(m, 0, c->from % m->ngpus, 0, c->to % m->ngpus),
            1, bytes);
        alpha = copy ? copy->alpha_s : m->gpu.launch_s;
    } else {
        const struct segment *s =
            machine_segment(m, machine_gpu_path(m), OFF_NODE, bytes);
        alpha = s ? s->alpha_s : alpha;
    }
    transfer(c, (double)bytes, alpha, 1, m->gpu.launch_s);
}

/* --- between nodes, by the kernel -------------------------------------------
 */

static double message_gap_s(const struct machine *m)
{
    return m->nnics ? machine_nic(m, 0)->message_gap_s : 0;
}

static void put(struct channel *c, uint64_t each_B)
{
    const struct machine *m = c->t->in->m;
    double bytes = (double)(c->out.n * c->t->in->x->update_B);

    transfer(c, bytes, m->gpu.shmem_put_s, ceil(bytes / (double)each_B),
             message_gap_s(m));
}

static void waited(void *arg)
{
    struct channel *c = arg;

    c->waiting = false;
    if (c->out.n)
        send_channel(c);
}

static bool gathers(const struct channel *c)
{
    const struct execution *x = c->t->in->x;

    return !x->supersteps && !x->cpu_control && !same_node(c) &&
           x->batch_B > x->update_B;
}

/* Sends what fills a batch, or has been looked at often enough; else makes sure
 * that it is looked at again. */
static void gather(struct channel *c)
{
    struct traversal *t = c->t;
    const struct execution *x = t->in->x;
    double now = engine_now(t->engine);
    bool full = c->out.n * x->update_B >= x->batch_B;

    traverse_note_gathered(&t->gpus[c->from], c->out.n - c->gathered);
    c->gathered = c->out.n;
    if (isinf(c->deadline_s))
        c->deadline_s = now + x->wait_visits * x->visit_s;
    if (!c->flowing && (full || now >= c->deadline_s)) {
        full ? t->r->flushed_full++ : t->r->flushed_waited++;
        put(c, x->batch_B);
    } else if (!c->waiting && now < c->deadline_s) {
        c->waiting = true;
        engine_after(t->engine, c->deadline_s - now, waited, c);
    }
}

bool traverse_stalled(const struct traversal *t, const struct gpu *g)
{
    uint64_t room = 2 * t->in->x->batch_B;

    /* Nobody waits for a copy; or every vertex has a place of its own where it
     * is added up. */
    if (t->in->x->cpu_control || t->ops->pack)
        return false;
    if (g->under_way > t->threads)
        return true;
    /* Assumed: each destination has room for a batch that is gathered and one
     * that goes; without an aggregator, a put for every thread. */
    if (room < t->threads * t->in->x->update_B)
        room = t->threads * t->in->x->update_B;
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        if (g->channels[i].out.n * t->in->x->update_B > room)
            return true;
    return false;
}

/* Where what is gathered for a GPU of another node goes: all for one node by
 * one of its GPUs, if it has one of the sender's number. */
static uint32_t gateway(const struct traversal *t, uint32_t from, uint32_t to)
{
    unsigned per_node = t->in->m->ngpus;
    uint32_t by = to / per_node * per_node + from % per_node;

    return t->in->x->by_node && by < t->in->ngpus ? by : to;
}

uint32_t traverse_destinations(const struct traversal *t, const struct gpu *g)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->in->ngpus; i++)
        n += gathers(&g->channels[i]) && gateway(t, g->number, i) == i;
    return n;
}

/* What is in the channel, into the one to its gateway. */
static struct channel *to_gateway(struct channel *c)
{
    struct traversal *t = c->t;
    struct channel *by = &t->gpus[c->from].channels[gateway(t, c->from, c->to)];

    if (by == c)
        return c;
    for (size_t i = 0; i < c->out.n; i++)
        traverse_add_update(&by->out, c->out.list[i]);
    c->out.n = 0;
    if (c->expected)
        traverse_note_arrived(&t->gpus[c->to], engine_now(t->engine));
    c->expected = false;
    expect(by);
    return by;
}

/* --- which of them ----------------------------------------------------------
 */

static void send_channel(struct channel *c)
{
    struct traversal *t = c->t;
    const struct execution *x = t->in->x;

    if (same_node(c)) {
        t->gpus[c->from].under_way += c->out.n - c->counted;
        c->counted = c->out.n;
    }
    if (gathers(c))
        gather(to_gateway(c));
    else if (c->flowing)
        return;
    else if (x->cpu_control)
        send_by_cpu(c);
    else if (same_node(c))
        transfer(c, scattered(t, (double)c->out.n),
                 t->in->m->gpu.remote_atomic_s, 1, 0);
    else
        put(c, x->update_B);
}

void traverse_send(struct traversal *t, struct gpu *g)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        if (g->channels[i].out.n) {
            expect(&g->channels[i]);
            send_channel(&g->channels[i]);
        }
}
