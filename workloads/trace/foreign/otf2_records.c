/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Begins and ends records of a location, and the calls that they belong to. */
#include "workloads/trace/foreign/otf2_records.h"

#include <stdlib.h>
#include <string.h>

void otf2_flush(struct otf2_queue *q)
{
    if (!q->flush)
        return;
    struct trace_event *e = &otf2_push(q, TRACE_FLUSH)->e;
    e->comm = q->flush_comm;
    e->peer = ANY_RANK;
    e->blocks = true;
    q->flush = false;
}

/* Gives requests to the sends and receives that have none, if the call has
 * several, and waits for them. */
static void call_begun(struct otf2_queue *q)
{
    uint64_t end = q->passed + q->n;
    bool several = q->nblocking > 1 || q->done.n > 0;

    for (uint64_t i = q->first; i < end && q->nblocking; i++) {
        struct trace_event *e = &otf2_queue_item(q, i)->e;
        if ((e->call != TRACE_SEND && e->call != TRACE_RECV) ||
            e->request != NO_REQUEST || q->call == OTF2_BUFFERED)
            continue;
        e->blocks = !several;
        if (!several)
            continue;
        e->request = q->next_request++;
        otf2_list_add(&q->done, e->request);
    }
    q->nblocking = 0;
}

/* Completes sends that have no request in the trace where the application
 * waits. */
static void call_unnamed(struct otf2_queue *q)
{
    size_t n = q->call == OTF2_WAIT_ALL                 ? q->unnamed.n
               : q->call == OTF2_WAIT_ONE && !q->done.n ? 1
                                                        : 0;

    if (n > q->unnamed.n)
        n = q->unnamed.n;
    for (size_t i = 0; i < n; i++)
        otf2_list_add(&q->done, q->unnamed.values[i]);
    q->unnamed.n -= n;
    if (n)
        memmove(q->unnamed.values, q->unnamed.values + n,
                q->unnamed.n * sizeof *q->unnamed.values);
}

static void call_wait(struct otf2_queue *q)
{
    if (!q->done.n)
        return;
    struct otf2_item *item = otf2_push(q, TRACE_WAIT);
    item->e.blocks = true;
    item->e.nrequests = q->done.n;
    item->one = q->done.values[0];
    if (q->done.n > 1) {
        item->list = xcalloc(q->done.n, sizeof *item->list);
        memcpy(item->list, q->done.values, q->done.n * sizeof *item->list);
    }
    q->done.n = 0;
}

/* Pushes an event for a call without records. */
static void call_alone(struct otf2_queue *q)
{
    enum trace_call call =
        q->call == OTF2_INIT                ? TRACE_INIT
        : q->call == OTF2_FINALIZE          ? TRACE_FINALIZE
        : q->tested || q->call == OTF2_TEST ? TRACE_POLL
        : q->call == OTF2_WITH_TIME || q->call == OTF2_NEIGHBORS ? TRACE_UNKNOWN
                                                                 : TRACE_OTHER;

    (void)otf2_push(q, call);
}

void otf2_call_end(struct otf2_queue *q)
{
    call_begun(q);
    call_unnamed(q);
    otf2_flush(q);
    call_wait(q);
    if (q->depth && q->first == q->passed + q->n)
        call_alone(q);
    if (q->first < q->passed + q->n)
        otf2_queue_item(q, q->passed + q->n - 1)->e.end_s = q->last_s;
    q->tested = false;
}

void otf2_record(struct otf2_queue *q, OTF2_TimeStamp time, uint64_t place,
                 const char *name)
{
    q->last_s = otf2_seconds(q, time);
    if (q->depth)
        return;
    q->name = name;
    q->place = place;
    q->call = OTF2_PLAIN_CALL;
    q->first = q->passed + q->n;
}

OTF2_CallbackCode otf2_record_end(struct otf2_queue *q)
{
    if (!q->depth)
        otf2_call_end(q);
    return otf2_done(q);
}
