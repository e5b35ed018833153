/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Translates records of collectives and of one-sided communication.
 *
 * Sizes of collectives are totals of the rank, its own part included, as
 * Score-P writes them: an allreduce of b bytes among n is n b sent and n b
 * received; if its own part is not included (in place), they are (n - 1) b.
 */
#include "workloads/trace/foreign/otf2_records.h"

/* --- collectives ---------------------------------------------------------- */

static bool collective_of(OTF2_CollectiveOp op, uint8_t *collective)
{
    switch (op) {
    case OTF2_COLLECTIVE_OP_BARRIER:
    case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
    case OTF2_COLLECTIVE_OP_ALLOCATE:
    case OTF2_COLLECTIVE_OP_DEALLOCATE:
    case OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE:
    case OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE:
        *collective = TRACE_BARRIER;
        return true;
    case OTF2_COLLECTIVE_OP_BCAST:
        *collective = TRACE_BROADCAST;
        return true;
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
        *collective = TRACE_GATHER;
        return true;
    case OTF2_COLLECTIVE_OP_SCATTER:
    case OTF2_COLLECTIVE_OP_SCATTERV:
        *collective = TRACE_SCATTER;
        return true;
    case OTF2_COLLECTIVE_OP_ALLGATHER:
    case OTF2_COLLECTIVE_OP_ALLGATHERV:
        *collective = TRACE_ALLGATHER;
        return true;
    case OTF2_COLLECTIVE_OP_ALLTOALL:
    case OTF2_COLLECTIVE_OP_ALLTOALLV:
    case OTF2_COLLECTIVE_OP_ALLTOALLW:
        *collective = TRACE_ALLTOALL;
        return true;
    case OTF2_COLLECTIVE_OP_ALLREDUCE:
        *collective = TRACE_ALLREDUCE;
        return true;
    case OTF2_COLLECTIVE_OP_REDUCE:
        *collective = TRACE_REDUCE;
        return true;
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
        *collective = TRACE_REDUCE_SCATTER;
        return true;
    case OTF2_COLLECTIVE_OP_SCAN:
        *collective = TRACE_SCAN;
        return true;
    case OTF2_COLLECTIVE_OP_EXSCAN:
        *collective = TRACE_EXSCAN;
        return true;
    default:
        return false;
    }
}

static bool is_uneven(OTF2_CollectiveOp op)
{
    return op == OTF2_COLLECTIVE_OP_GATHERV ||
           op == OTF2_COLLECTIVE_OP_SCATTERV ||
           op == OTF2_COLLECTIVE_OP_ALLGATHERV ||
           op == OTF2_COLLECTIVE_OP_ALLTOALLV ||
           op == OTF2_COLLECTIVE_OP_ALLTOALLW ||
           op == OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
}

/* Returns the part of each member, from a total for all members or for all but
 * the rank itself. */
static uint64_t of_each(uint64_t total, uint32_t n)
{
    return n > 1 && total % n != 0 && total % (n - 1) == 0 ? total / (n - 1)
                                                           : total / n;
}

/* Returns the size of a scan. Member i of n sends its part to those after it
 * (and to itself if the totals include that). */
static uint64_t of_scan(uint64_t sent, uint64_t received, uint32_t i,
                        uint32_t n)
{
    if (n < 2)
        return sent > received ? sent : received;
    bool own = sent % (n - i) == 0 && received % (i + 1) == 0 &&
               sent / (n - i) == received / (i + 1);
    return own ? sent / (n - i) : (sent + received) / (n - 1);
}

static uint32_t own_place(const struct otf2_queue *q, const struct otf2_comm *c)
{
    for (uint32_t i = 0; !c->is_self && !c->is_world && i < c->nmembers; i++)
        if (c->members[i] == q->rank)
            return i;
    return c->is_world ? q->rank : 0;
}

static uint64_t collective_bytes(const struct otf2_queue *q,
                                 const struct otf2_comm *c, uint8_t collective,
                                 uint64_t sent, uint64_t received)
{
    uint32_t n = otf2_comm_size(q, c);

    switch (collective) {
    case TRACE_BARRIER:
        return 0;
    case TRACE_BROADCAST: /* the root sends to all, and receives its own */
        return received ? received : sent;
    case TRACE_SCATTER:
        return received ? received : of_each(sent, n);
    case TRACE_GATHER:
    case TRACE_REDUCE:
        return sent ? sent : of_each(received, n);
    case TRACE_ALLGATHER: /* the mean if the parts differ */
        return of_each(received ? received : sent, n);
    case TRACE_SCAN:
    case TRACE_EXSCAN:
        return of_scan(sent, received, own_place(q, c), n);
    default:
        return of_each(sent ? sent : received, n);
    }
}

static bool is_rooted(uint8_t collective)
{
    return collective == TRACE_BROADCAST || collective == TRACE_REDUCE ||
           collective == TRACE_GATHER || collective == TRACE_SCATTER;
}

struct otf2_sizes {
    OTF2_CollectiveOp op;
    uint32_t root;
    uint64_t sent, received;
};

/* Fills in the event of a collective from the record of its end. */
static OTF2_CallbackCode collective_fill(struct otf2_queue *q,
                                         struct trace_event *e,
                                         const struct otf2_comm *c,
                                         struct otf2_sizes s)
{
    if (c->between || q->call == OTF2_NEIGHBORS ||
        !collective_of(s.op, &e->collective)) {
        e->call = s.op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE ? TRACE_OTHER
                                                            : TRACE_UNKNOWN;
        return OTF2_CALLBACK_SUCCESS;
    }
    e->call = TRACE_COLLECTIVE;
    e->comm = otf2_comm_number(q, c);
    if (otf2_comm_size(q, c) == 0)
        return otf2_refuse(q, "a collective of no members", 0, 0);
    if (is_rooted(e->collective)) {
        if (s.root == OTF2_COLLECTIVE_ROOT_SELF)
            e->peer = own_place(q, c);
        else if (!otf2_peer(q, e, c, s.root))
            return OTF2_CALLBACK_INTERRUPT;
    }
    e->bytes = e->recv_bytes =
        collective_bytes(q, c, e->collective, s.sent, s.received);
    q->remarks[OTF2_UNEVEN] += is_uneven(s.op);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode collective(struct otf2_queue *q, OTF2_CommRef comm,
                                    struct otf2_sizes s)
{
    otf2_flush(q);
    const struct otf2_comm *c = otf2_comm_of(q, comm);
    if (!c)
        return otf2_done(q);
    struct trace_event *e = &otf2_push(q, TRACE_COLLECTIVE)->e;
    e->blocks = true;
    if (collective_fill(q, e, c, s) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_collective(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
              void *arg, OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
              OTF2_CommRef comm, uint32_t root, uint64_t sent,
              uint64_t received)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "MPI_COLLECTIVE_END");
    if (collective(q, comm, (struct otf2_sizes){op, root, sent, received}) !=
        OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_record_end(q);
}

static OTF2_CallbackCode on_collective_request(OTF2_LocationRef location,
                                               OTF2_TimeStamp time,
                                               uint64_t place, void *arg,
                                               OTF2_AttributeList *attributes,
                                               uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "NON_BLOCKING_COLLECTIVE_REQUEST");
    struct otf2_item *item = otf2_push(q, TRACE_COLLECTIVE);
    item->open = true;
    item->e.request = request;
    otf2_pend(q, request);
    return otf2_record_end(q);
}

static OTF2_CallbackCode on_collective_complete(
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place, void *arg,
    OTF2_AttributeList *attributes, OTF2_CollectiveOp op, OTF2_CommRef comm,
    uint32_t root, uint64_t sent, uint64_t received, uint64_t request)
{
    struct otf2_queue *q = arg;
    struct otf2_sizes sizes = {op, root, sent, received};

    (void)location, (void)attributes;
    otf2_record(q, time, place, "NON_BLOCKING_COLLECTIVE_COMPLETE");
    const struct otf2_comm *c = otf2_comm_of(q, comm);
    if (!c)
        return otf2_done(q);
    struct otf2_item *item = otf2_unpend(q, request);
    if (!item) { /* it began before the trace */
        if (collective(q, comm, sizes) != OTF2_CALLBACK_SUCCESS)
            return OTF2_CALLBACK_INTERRUPT;
        return otf2_record_end(q);
    }
    if (collective_fill(q, &item->e, c, sizes) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    if (item->e.call == TRACE_COLLECTIVE)
        otf2_list_add(&q->done, request);
    return otf2_record_end(q);
}

static OTF2_CallbackCode on_comm(OTF2_LocationRef location, OTF2_TimeStamp time,
                                 uint64_t place, void *arg,
                                 OTF2_AttributeList *attributes,
                                 OTF2_CommRef comm)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    otf2_record(q, time, place, "COMM_CREATE");
    (void)otf2_comm_of(q, comm);
    return otf2_done(q);
}

/* --- one-sided ------------------------------------------------------------ */

static const struct otf2_comm *window_comm(struct otf2_queue *q,
                                           OTF2_RmaWinRef win)
{
    const struct otf2_window *w = otf2_find(&q->defs->windows, win);

    if (w)
        return otf2_comm_of(q, w->comm);
    (void)otf2_refuse(q, "its window is not defined", win, q->defs->windows.n);
    return NULL;
}

static OTF2_CallbackCode one_sided(struct otf2_queue *q, OTF2_RmaWinRef win,
                                   enum trace_call call, uint32_t remote,
                                   uint64_t bytes)
{
    const struct otf2_comm *c = window_comm(q, win);

    if (!c)
        return otf2_done(q);
    struct trace_event *e = &otf2_push(q, call)->e;
    e->bytes = bytes;
    if (!otf2_peer(q, e, c, remote))
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_record_end(q);
}

static OTF2_CallbackCode on_put(OTF2_LocationRef location, OTF2_TimeStamp time,
                                uint64_t place, void *arg,
                                OTF2_AttributeList *attributes,
                                OTF2_RmaWinRef win, uint32_t remote,
                                uint64_t bytes, uint64_t matching)
{
    (void)location, (void)attributes, (void)matching;
    otf2_record(arg, time, place, "RMA_PUT");
    return one_sided(arg, win, TRACE_PUT, remote, bytes);
}

static OTF2_CallbackCode on_get(OTF2_LocationRef location, OTF2_TimeStamp time,
                                uint64_t place, void *arg,
                                OTF2_AttributeList *attributes,
                                OTF2_RmaWinRef win, uint32_t remote,
                                uint64_t bytes, uint64_t matching)
{
    (void)location, (void)attributes, (void)matching;
    otf2_record(arg, time, place, "RMA_GET");
    return one_sided(arg, win, TRACE_GET, remote, bytes);
}

static OTF2_CallbackCode on_atomic(OTF2_LocationRef location,
                                   OTF2_TimeStamp time, uint64_t place,
                                   void *arg, OTF2_AttributeList *attributes,
                                   OTF2_RmaWinRef win, uint32_t remote,
                                   OTF2_RmaAtomicType type, uint64_t sent,
                                   uint64_t received, uint64_t matching)
{
    (void)location, (void)attributes, (void)type, (void)matching;
    otf2_record(arg, time, place, "RMA_ATOMIC");
    return one_sided(arg, win, received ? TRACE_GET : TRACE_PUT, remote,
                     received ? received : sent);
}

static OTF2_CallbackCode on_op_complete(OTF2_LocationRef location,
                                        OTF2_TimeStamp time, uint64_t place,
                                        void *arg,
                                        OTF2_AttributeList *attributes,
                                        OTF2_RmaWinRef win, uint64_t matching)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)matching;
    otf2_record(q, time, place, "RMA_OP_COMPLETE");
    const struct otf2_comm *c = window_comm(q, win);
    if (!c)
        return otf2_done(q);
    if (q->flush && q->flush_comm != otf2_comm_number(q, c))
        otf2_flush(q);
    q->flush = true;
    q->flush_comm = otf2_comm_number(q, c);
    return otf2_record_end(q);
}

static OTF2_CallbackCode
on_rma_collective(OTF2_LocationRef location, OTF2_TimeStamp time,
                  uint64_t place, void *arg, OTF2_AttributeList *attributes,
                  OTF2_CollectiveOp op, OTF2_RmaSyncLevel level,
                  OTF2_RmaWinRef win, uint32_t root, uint64_t sent,
                  uint64_t received)
{
    struct otf2_queue *q = arg;
    const struct otf2_window *w = otf2_find(&q->defs->windows, win);

    (void)location, (void)attributes, (void)level;
    otf2_record(q, time, place, "RMA_COLLECTIVE_END");
    if (!w)
        return otf2_refuse(q, "its window is not defined", win,
                           q->defs->windows.n);
    if (collective(q, (OTF2_CommRef)w->comm,
                   (struct otf2_sizes){op, root, sent, received}) !=
        OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_record_end(q);
}

static OTF2_CallbackCode
on_group_sync(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
              void *arg, OTF2_AttributeList *attributes,
              OTF2_RmaSyncLevel level, OTF2_RmaWinRef win, OTF2_GroupRef group)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)level, (void)win, (void)group;
    otf2_record(q, time, place, "RMA_GROUP_SYNC");
    q->remarks[OTF2_GROUP_SYNCS]++;
    (void)otf2_push(q, TRACE_UNKNOWN);
    return otf2_record_end(q);
}

static OTF2_CallbackCode on_lock(OTF2_LocationRef location, OTF2_TimeStamp time,
                                 uint64_t place, void *arg,
                                 OTF2_AttributeList *attributes,
                                 OTF2_RmaWinRef win, uint32_t remote,
                                 uint64_t lock, OTF2_LockType type)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)win, (void)remote, (void)lock;
    (void)type;
    otf2_record(q, time, place, "RMA_ACQUIRE_LOCK");
    q->remarks[OTF2_LOCKS]++;
    return otf2_record_end(q);
}

void otf2_collective_callbacks(OTF2_EvtReaderCallbacks *c)
{
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
        c, on_collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
        c, on_collective_complete);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(c, on_comm);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(c, on_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(c, on_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(c, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(c, on_op_complete);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(c, on_op_complete);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(c, on_rma_collective);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(c, on_group_sync);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(c, on_lock);
}
