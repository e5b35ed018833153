/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the events of a location until they are known, and its
 * communicators. */
#include "workloads/trace/foreign/otf2_records.h"

#include <stdlib.h>
#include <string.h>

/* Our requests begin here, because none of the trace is that large. */
#define OTF2_OWN_REQUEST (UINT64_C(1) << 63)
/* If a receive is further away from its completion, it is posted there. */
#define OTF2_AHEAD (1u << 20)

/* --- the queue ------------------------------------------------------------ */

void otf2_list_add(struct otf2_list *l, uint64_t value)
{
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 16;
        l->values = xrealloc(l->values, l->room, sizeof *l->values);
    }
    l->values[l->n++] = value;
}

double otf2_seconds(const struct otf2_queue *q, OTF2_TimeStamp time)
{
    const struct otf2_defs *d = q->defs;

    return time >= d->begin_ticks
               ? (double)(time - d->begin_ticks) / (double)d->ticks_per_s
               : -(double)(d->begin_ticks - time) / (double)d->ticks_per_s;
}

static void queue_room(struct otf2_queue *q)
{
    if (q->n < q->room)
        return;
    if (q->head > q->room / 2) {
        memmove(q->items, q->items + q->head,
                (q->n - q->head) * sizeof *q->items);
        q->passed += q->head;
        q->n -= q->head;
        q->head = 0;
        return;
    }
    q->room = q->room ? 2 * q->room : 64;
    q->items = xrealloc(q->items, q->room, sizeof *q->items);
}

struct otf2_item *otf2_push(struct otf2_queue *q, enum trace_call call)
{
    queue_room(q);
    struct otf2_item *item = &q->items[q->n++];
    *item = (struct otf2_item){.e = trace_event_new(call)};
    item->e.begin_s = item->e.end_s = q->depth ? q->begin_s : q->last_s;
    item->e.name = q->name;
    item->e.place = q->place;
    return item;
}

struct otf2_item *otf2_queue_item(struct otf2_queue *q, uint64_t number)
{
    return &q->items[number - q->passed];
}

void otf2_pend(struct otf2_queue *q, uint64_t request)
{
    if (q->npending == q->pending_room && q->pending_head) {
        q->npending -= q->pending_head;
        memmove(q->pending, q->pending + q->pending_head,
                q->npending * sizeof *q->pending);
        q->pending_head = 0;
    }
    if (q->npending == q->pending_room) {
        q->pending_room = q->pending_room ? 2 * q->pending_room : 16;
        q->pending = xrealloc(q->pending, q->pending_room, sizeof *q->pending);
    }
    q->pending[q->npending++] =
        (struct otf2_pending){request, q->passed + q->n - 1};
}

/* Removes pending request i, which is usually the oldest. */
static void otf2_unpend_at(struct otf2_queue *q, size_t i)
{
    memmove(&q->pending[q->pending_head + 1], &q->pending[q->pending_head],
            (i - q->pending_head) * sizeof *q->pending);
    if (++q->pending_head == q->npending)
        q->pending_head = q->npending = 0;
}

struct otf2_item *otf2_unpend(struct otf2_queue *q, uint64_t request)
{
    for (size_t i = q->pending_head; i < q->npending; i++)
        if (q->pending[i].request == request) {
            struct otf2_item *item = otf2_queue_item(q, q->pending[i].item);
            otf2_unpend_at(q, i);
            item->open = false;
            return item;
        }
    return NULL;
}

OTF2_CallbackCode otf2_refuse(struct otf2_queue *q, const char *text,
                              uint64_t a, uint64_t b)
{
    struct trace_event e = {.name = q->name, .place = q->place};

    (void)trace_fail(q->trace, q->rank, &e, q->err, "%s: %llu of %llu", text,
                     (unsigned long long)a, (unsigned long long)b);
    q->failed = true;
    return OTF2_CALLBACK_INTERRUPT;
}

/* --- communicators -------------------------------------------------------- */

uint32_t otf2_comm_number(const struct otf2_queue *q, const struct otf2_comm *c)
{
    const struct otf2_comm *first = q->defs->comms.rows;

    return c->is_world ? TRACE_WORLD : (uint32_t)(c - first) + 1;
}

/* Pushes the event of a communicator before its first use. */
static void comm_tell(struct otf2_queue *q, const struct otf2_comm *c)
{
    const struct otf2_comm *first = q->defs->comms.rows;

    if (c->is_world || q->known[c - first])
        return;
    q->known[c - first] = true;
    struct trace_event *e = &otf2_push(q, TRACE_COMM)->e;
    e->how = TRACE_KNOWN;
    e->new_comm = e->key = otf2_comm_number(q, c);
    e->members = c->is_self ? &q->self : c->members;
    e->nmembers = c->is_self ? 1 : c->nmembers;
}

uint32_t otf2_comm_size(const struct otf2_queue *q, const struct otf2_comm *c)
{
    return c->is_self ? 1 : c->is_world ? q->defs->ranks : c->nmembers;
}

/* Returns the member to which a number in a record refers. */
static uint32_t comm_member(const struct otf2_queue *q,
                            const struct otf2_comm *c, uint32_t peer)
{
    if (c->global && !c->is_world) {
        for (uint32_t i = 0; i < c->nmembers; i++)
            if (c->members[i] == peer)
                return i;
        return UINT32_MAX;
    }
    if (!c->between)
        return peer;
    for (uint32_t i = 0; i < c->nfirst; i++)
        /* A member of the first group communicates with the second. */
        if (c->members[i] == q->rank)
            return peer < c->nmembers - c->nfirst ? c->nfirst + peer
                                                  : UINT32_MAX;
    return peer < c->nfirst ? peer : UINT32_MAX;
}

const struct otf2_comm *otf2_comm_of(struct otf2_queue *q, uint64_t ref)
{
    const struct otf2_comm *c = otf2_find(&q->defs->comms, ref);

    if (!c) {
        (void)otf2_refuse(q, "its communicator is not defined", ref,
                          q->defs->comms.n);
        return NULL;
    }
    if (c->strange) {
        q->remarks[OTF2_STRANGE_COMMS]++;
        return NULL;
    }
    comm_tell(q, c);
    return c;
}

bool otf2_peer(struct otf2_queue *q, struct trace_event *e,
               const struct otf2_comm *c, uint32_t peer)
{
    e->comm = otf2_comm_number(q, c);
    e->peer = comm_member(q, c, peer);
    if (e->peer < otf2_comm_size(q, c))
        return true;
    (void)otf2_refuse(q, "not a member of its communicator", peer,
                      otf2_comm_size(q, c));
    return false;
}

OTF2_CallbackCode otf2_done(const struct otf2_queue *q)
{
    return q->failed ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* --- the interface -------------------------------------------------------- */

void otf2_queue_init(struct otf2_queue *q, const struct trace *trace,
                     const struct otf2_defs *defs, uint32_t rank)
{
    *q = (struct otf2_queue){.trace = trace,
                             .defs = defs,
                             .rank = rank,
                             .self = rank,
                             .next_request = OTF2_OWN_REQUEST};
    q->known = xcalloc(defs->comms.n + 1, sizeof *q->known);
}

void otf2_queue_clear(struct otf2_queue *q)
{
    for (size_t i = 0; i < q->n; i++)
        free(q->items[i].list);
    free(q->items);
    free(q->taken);
    free(q->pending);
    free(q->done.values);
    free(q->unnamed.values);
    free(q->known);
    *q = (struct otf2_queue){0};
}

void otf2_give_up(struct otf2_queue *q)
{
    struct otf2_item *item =
        otf2_queue_item(q, q->pending[q->pending_head].item);

    item->open = false;
    item->dropped = true;
    otf2_unpend_at(q, q->pending_head);
}

bool otf2_queue_take(struct otf2_queue *q, struct trace_event *e)
{
    uint64_t ready = q->depth ? q->first : q->passed + q->n;

    free(q->taken);
    q->taken = NULL;
    if (q->head && q->head == q->n) {
        q->passed += q->n;
        q->head = q->n = 0;
    }
    if (q->n - q->head > OTF2_AHEAD && q->npending)
        otf2_give_up(q); /* it is posted where it completes: see receive() */
    while (q->passed + q->head < ready) {
        struct otf2_item *item = &q->items[q->head];
        if (item->open)
            return false;
        q->head++;
        if (item->dropped)
            continue;
        *e = item->e;
        if (e->nrequests)
            e->requests = item->list ? item->list : &item->one;
        q->taken = item->list;
        item->list = NULL;
        return true;
    }
    return false;
}
