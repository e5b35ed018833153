/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Combines the records of a location into events.
 *
 * Records between entering and leaving a call belong to that call: the sends
 * and receives that it begins, then one wait for all requests that it
 * completes. If a call has one send or receive without a request, it blocks in
 * it; if it has several (MPI_Sendrecv), it begins them and waits for all.
 *
 * Score-P without extended records of nonblocking calls writes an MPI_Isend as
 * a send without a request, and a nonblocking receive where it completes. In
 * that case MPI_Waitall completes all such sends, an MPI_Wait that completes
 * nothing else completes the oldest, and a receive is posted where it
 * completes.
 */
#include "workloads/trace/foreign/otf2_records.h"

/* --- records of messages -------------------------------------------------- */

static OTF2_CallbackCode send(struct otf2_queue *q, uint32_t receiver,
                              OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                              uint64_t request)
{
    const struct otf2_comm *c = otf2_comm_of(q, comm);

    if (!c)
        return otf2_done(q);
    struct trace_event *e = &otf2_push(q, TRACE_SEND)->e;
    e->tag = tag;
    e->bytes = bytes;
    e->request = request;
    e->synchronous =
        q->call == OTF2_SYNCHRONOUS || q->call == OTF2_STARTS_SYNCHRONOUS;
    if (!otf2_peer(q, e, c, receiver))
        return OTF2_CALLBACK_INTERRUPT;
    if (request != NO_REQUEST)
        return OTF2_CALLBACK_SUCCESS;
    /* A buffered send is complete for the rank at once. */
    if (q->call == OTF2_BUFFERED)
        return OTF2_CALLBACK_SUCCESS;
    if (q->call != OTF2_STARTS && q->call != OTF2_STARTS_SYNCHRONOUS) {
        q->nblocking++;
        return OTF2_CALLBACK_SUCCESS;
    }
    e->request = q->next_request++;
    otf2_list_add(&q->unnamed, e->request);
    q->remarks[OTF2_SENDS_WITHOUT_REQUEST]++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time,
                                 uint64_t place, void *arg,
                                 OTF2_AttributeList *attributes,
                                 uint32_t receiver, OTF2_CommRef comm,
                                 uint32_t tag, uint64_t bytes)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "MPI_SEND");
    if (send(q, receiver, comm, tag, bytes, NO_REQUEST) !=
        OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_record_end(q);
}

static OTF2_CallbackCode
on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
         void *arg, OTF2_AttributeList *attributes, uint32_t receiver,
         OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "MPI_ISEND");
    if (send(q, receiver, comm, tag, bytes, request) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_record_end(q);
}

static OTF2_CallbackCode on_isend_complete(OTF2_LocationRef location,
                                           OTF2_TimeStamp time, uint64_t place,
                                           void *arg,
                                           OTF2_AttributeList *attributes,
                                           uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "MPI_ISEND_COMPLETE");
    otf2_list_add(&q->done, request);
    return otf2_record_end(q);
}

/* Fills in a receive when it completes; pushes it if it was not posted
 * before. */
static OTF2_CallbackCode receive(struct otf2_queue *q, uint32_t sender,
                                 OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes, uint64_t request)
{
    const struct otf2_comm *c = otf2_comm_of(q, comm);

    if (!c)
        return otf2_done(q);
    struct otf2_item *posted =
        request == NO_REQUEST ? NULL : otf2_unpend(q, request);
    if (!posted && request != NO_REQUEST)
        q->remarks[OTF2_LATE_RECEIVES]++;
    struct trace_event *e = posted ? &posted->e : &otf2_push(q, TRACE_RECV)->e;
    e->tag = e->got_tag = tag;
    e->bytes = bytes;
    e->request = request;
    if (!otf2_peer(q, e, c, sender))
        return OTF2_CALLBACK_INTERRUPT;
    e->got_peer = e->peer;
    if (request == NO_REQUEST)
        q->nblocking++;
    else
        otf2_list_add(&q->done, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_recv(OTF2_LocationRef location, OTF2_TimeStamp time,
                                 uint64_t place, void *arg,
                                 OTF2_AttributeList *attributes,
                                 uint32_t sender, OTF2_CommRef comm,
                                 uint32_t tag, uint64_t bytes)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "MPI_RECV");
    if (receive(q, sender, comm, tag, bytes, NO_REQUEST) !=
        OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_record_end(q);
}

static OTF2_CallbackCode
on_irecv_request(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                 void *arg, OTF2_AttributeList *attributes, uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "MPI_IRECV_REQUEST");
    struct otf2_item *item = otf2_push(q, TRACE_RECV);
    item->open = true;
    item->e.request = request;
    otf2_pend(q, request);
    return otf2_record_end(q);
}

static OTF2_CallbackCode
on_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
         void *arg, OTF2_AttributeList *attributes, uint32_t sender,
         OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "MPI_IRECV");
    if (receive(q, sender, comm, tag, bytes, request) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_record_end(q);
}

static OTF2_CallbackCode on_test(OTF2_LocationRef location, OTF2_TimeStamp time,
                                 uint64_t place, void *arg,
                                 OTF2_AttributeList *attributes,
                                 uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)request;
    otf2_record(q, time, place, "MPI_REQUEST_TEST");
    q->tested = true;
    return otf2_record_end(q);
}

/* Leaves out a receive that was cancelled, because no record has its peer. */
static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location,
                                      OTF2_TimeStamp time, uint64_t place,
                                      void *arg, OTF2_AttributeList *attributes,
                                      uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "MPI_REQUEST_CANCELLED");
    struct otf2_item *posted = otf2_unpend(q, request);
    if (posted) {
        posted->dropped = true;
        q->remarks[OTF2_CANCELLED_RECEIVES]++;
        return otf2_record_end(q);
    }
    struct otf2_item *item = otf2_push(q, TRACE_CANCEL);
    item->one = request;
    item->e.nrequests = 1;
    otf2_list_add(&q->done, request);
    return otf2_record_end(q);
}

/* --- calls ---------------------------------------------------------------- */

static OTF2_CallbackCode on_enter(OTF2_LocationRef location,
                                  OTF2_TimeStamp time, uint64_t place,
                                  void *arg, OTF2_AttributeList *attributes,
                                  OTF2_RegionRef ref)
{
    struct otf2_queue *q = arg;
    const struct otf2_region *region = otf2_find(&q->defs->regions, ref);

    (void)location, (void)attributes;
    q->last_s = otf2_seconds(q, time);
    if (!region || region->call == OTF2_NO_CALL || q->depth++)
        return OTF2_CALLBACK_SUCCESS;
    q->call = region->call;
    q->name = region->text;
    q->begin_s = q->last_s;
    q->place = place;
    q->first = q->passed + q->n;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location,
                                  OTF2_TimeStamp time, uint64_t place,
                                  void *arg, OTF2_AttributeList *attributes,
                                  OTF2_RegionRef ref)
{
    struct otf2_queue *q = arg;
    const struct otf2_region *region = otf2_find(&q->defs->regions, ref);

    (void)location, (void)attributes, (void)place;
    q->last_s = otf2_seconds(q, time);
    if (!region || region->call == OTF2_NO_CALL || !q->depth)
        return OTF2_CALLBACK_SUCCESS;
    if (q->depth == 1) {
        otf2_call_end(q);
        q->begin_s = q->last_s;
    }
    q->depth--;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_buffer_flush(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                void *arg, OTF2_AttributeList *attributes, OTF2_TimeStamp stop)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "BUFFER_FLUSH");
    if (q->depth)
        return OTF2_CALLBACK_SUCCESS;
    otf2_push(q, TRACE_OTHER)->e.end_s = q->last_s = otf2_seconds(q, stop);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_pause(OTF2_LocationRef location,
                                  OTF2_TimeStamp time, uint64_t place,
                                  void *arg, OTF2_AttributeList *attributes,
                                  OTF2_MeasurementMode mode)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)place;
    q->last_s = otf2_seconds(q, time);
    q->remarks[OTF2_PAUSES] += mode == OTF2_MEASUREMENT_OFF;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_unknown(OTF2_LocationRef location,
                                    OTF2_TimeStamp time, uint64_t place,
                                    void *arg, OTF2_AttributeList *attributes)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)place;
    q->last_s = otf2_seconds(q, time);
    q->remarks[OTF2_UNKNOWN_RECORDS]++;
    return OTF2_CALLBACK_SUCCESS;
}

/* --- the interface -------------------------------------------------------- */

OTF2_EvtReaderCallbacks *otf2_event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

    if (!c)
        return NULL;
    OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(c, on_test);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_cancelled);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, on_buffer_flush);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(c, on_pause);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(c, on_unknown);
    otf2_collective_callbacks(c);
    return c;
}

void otf2_queue_end(struct otf2_queue *q)
{
    if (q->depth) {
        otf2_call_end(q);
        q->depth = 0;
    }
    for (; q->npending > q->pending_head; otf2_give_up(q))
        q->remarks[OTF2_OPEN_RECEIVES]++;
}
