/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How updates get to another GPU: by the kernel's own stores over NVLink, by
 * batches of an aggregator over the network, or by copies that the CPU starts.
 */
#include "strategies/traverse_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Updates under way. */
struct transfer {
    struct channel *c;
    struct updates u;
    double begin_s, wire_B;
    double latency_s; /* after the last byte */
};

uint32_t traverse_endpoint(const struct traversal *t, uint32_t gpu)
{
    unsigned per_node = t->in->m->ngpus;

    return engine_gpu(t->in->m, gpu / per_node, gpu % per_node);
}

/* --- what was used ---------------------------------------------------------
 */

void traverse_note_use(struct traversal *t, double from_s, double to_s,
                       double bytes, double wire_B)
{
    int size = 0;

    if (t->nuses == t->uses_room) {
        t->uses_room = t->uses_room ? 2 * t->uses_room : 1024;
        t->uses = xrealloc(t->uses, t->uses_room, sizeof *t->uses);
    }
    t->uses[t->nuses++] = (struct use){from_s, to_s, wire_B};
    while (size + 1 < TRAVERSE_SIZES && bytes >= ldexp(2, size))
        size++;
    t->r->sizes[size]++;
    t->r->transfers++;
    t->r->transfer_B += (uint64_t)bytes;
    t->r->wire_B += (uint64_t)wire_B;
}

/* Spreads a transfer's bytes evenly over its time. */
static void spread_use(double *parts, double part_s, const struct use *u)
{
    double took = u->to_s - u->from_s;
    int first = (int)fmin(u->from_s / part_s, TRAVERSE_PARTS - 1);
    int last = (int)fmin(u->to_s / part_s, TRAVERSE_PARTS - 1);

    for (int i = first; i <= last; i++) {
        double from = fmax(u->from_s, i * part_s);
        double to = i == last ? u->to_s : (i + 1) * part_s;
        parts[i] += took > 0 ? u->bytes * (to - from) / took : u->bytes;
    }
}

void traverse_sum_uses(struct traversal *t)
{
    double all = 0, most = 0;

    for (size_t i = 0; i < t->nuses; i++)
        spread_use(t->r->used_B, t->r->time_s / TRAVERSE_PARTS, &t->uses[i]);
    for (int i = 0; i < TRAVERSE_PARTS; i++) {
        all += t->r->used_B[i];
        most = fmax(most, t->r->used_B[i]);
    }
    t->r->peak_over_mean = all > 0 ? most / (all / TRAVERSE_PARTS) : 0;
    free(t->uses);
}

/* --- transfers --------------------------------------------------------------
 */

static bool same_node(const struct channel *c)
{
    unsigned per_node = c->t->in->m->ngpus;

    return c->from / per_node == c->to / per_node;
}

static void arrived(void *arg)
{
    struct transfer *x = arg;
    struct traversal *t = x->c->t;
    struct gpu *from = &t->gpus[x->c->from], *to = &t->gpus[x->c->to];

    traverse_deliver(t, to, x->u.list, x->u.n);
    from->under_way -= x->u.n;
    free(x->u.list);
    free(x);
    traverse_start(t, to);
    traverse_start(t, from);
}

static void send_channel(struct channel *c);

static void flowed(void *arg)
{
    struct transfer *x = arg;
    struct channel *c = x->c;

    traverse_note_use(c->t, x->begin_s, engine_now(c->t->engine),
                      (double)(x->u.n * c->t->in->x->update_B), x->wire_B);
    engine_after(c->t->engine, x->latency_s, arrived, x);
    c->flowing = false;
    if (c->out.n)
        send_channel(c);
}

/* These updates go, so many bytes on the wire; the list is taken over. */
static void transfer(struct channel *c, struct updates *list, double wire_B,
                     double latency_s)
{
    struct traversal *t = c->t;
    struct transfer *x = xcalloc(1, sizeof *x);

    *x = (struct transfer){c, *list, engine_now(t->engine), wire_B, latency_s};
    c->flowing = true;
    t->gpus[c->from].stats->updates += list->n;
    memset(list, 0, sizeof *list);
    engine_flow(t->engine, traverse_endpoint(t, c->from),
                traverse_endpoint(t, c->to), ceil(wire_B), 0, NIC_OF_SOCKET,
                flowed, x);
}

/* What contiguous bytes take on the wire: full packets, each with a header. */
static double in_packets(const struct nvlink_packet *p, double bytes)
{
    return bytes + ceil(bytes / p->payload_B) * p->header_B;
}

/* The kernel's own stores: each update is an atomic on a value somewhere, of a
 * granule; the vertices go to the end of a queue, next to each other. */
static double scattered(const struct traversal *t, double updates)
{
    const struct nvlink_packet *p = &t->in->m->gpu.packet;
    double each =
        ceil((double)t->in->x->update_B / p->granule_B) * p->granule_B;

    return updates * (each + p->header_B) + in_packets(p, updates * 4);
}

/* --- the aggregator ------------------------------------------------------- */

struct patience {
    struct channel *c;
    uint64_t batch;
};

static void flush(struct channel *c)
{
    const struct traversal *t = c->t;

    c->batch++;
    transfer(c, &c->gathered, (double)(c->gathered.n * t->in->x->update_B),
             t->in->m->gpu.shmem_put_s);
}

static void waited(void *arg)
{
    struct patience *p = arg;
    struct channel *c = p->c;

    if (c->batch == p->batch && c->gathered.n) {
        c->t->r->flushed_waited++;
        flush(c);
    }
    free(p);
}

/* A batch that begins is looked at wait_visits times. */
static void gather(struct channel *c)
{
    const struct execution *x = c->t->in->x;

    if (!c->gathered.n) {
        struct patience *p = xcalloc(1, sizeof *p);
        *p = (struct patience){c, c->batch};
        engine_after(c->t->engine, x->wait_visits * x->visit_s, waited, p);
    }
    for (size_t i = 0; i < c->out.n; i++) {
        traverse_add_update(&c->gathered, c->out.list[i]);
        if (c->gathered.n * x->update_B >= x->batch_B) {
            c->t->r->flushed_full++;
            flush(c);
        }
    }
    c->out.n = 0;
}

/* --- which of them -------------------------------------------------------- */

/* The CPU sees the kernel's end, then starts a copy. */
static double cpu_latency_s(const struct channel *c)
{
    const struct machine *m = c->t->in->m;
    double latency = m->gpu.sync_s;

    if (same_node(c)) {
        const struct copy_cost *copy = machine_copy(
            m, D2D,
            machine_gpu_locality(m, 0, c->from % m->ngpus, 0, c->to % m->ngpus),
            1, 8);
        return latency + (copy ? copy->alpha_s : m->gpu.launch_s);
    }
    const struct segment *s =
        machine_segment(m, m->gpudirect ? PATH_GDR : PATH_NO_GDR, OFF_NODE, 8);
    return latency + (s ? s->alpha_s : m->gpu.shmem_put_s);
}

static void send_channel(struct channel *c)
{
    const struct traversal *t = c->t;
    const struct execution *x = t->in->x;
    double bytes = (double)(c->out.n * x->update_B);

    t->gpus[c->from].under_way += c->out.n - c->counted;
    c->counted = c->out.n;
    /* The aggregator takes them at any time. */
    bool gathers = !x->cpu_control && !same_node(c) && x->batch_B;
    if (c->flowing && !gathers)
        return;
    c->counted = 0;
    if (x->cpu_control)
        transfer(c, &c->out, bytes, cpu_latency_s(c));
    else if (same_node(c))
        transfer(c, &c->out, scattered(t, (double)c->out.n),
                 t->in->m->gpu.remote_atomic_s);
    else if (gathers)
        gather(c);
    else
        /* A put of a few bytes each, headers of a granule. */
        transfer(c, &c->out, scattered(t, (double)c->out.n),
                 t->in->m->gpu.shmem_put_s);
}

void traverse_send(struct traversal *t, struct gpu *g)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        if (g->channels[i].out.n)
            send_channel(&g->channels[i]);
}
