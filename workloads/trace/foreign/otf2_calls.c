/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts the records of a location together to events.
 *
 * Records between entering and leaving a call are that call's: sends and
 * receives that it begins, then one wait for all that it completes. A call with
 * one send or receive that has no request blocks in it; one with several
 * (MPI_Sendrecv) begins them and waits for all.
 *
 * Score-P without extended records of nonblocking calls writes an MPI_Isend as
 * a send without a request and a nonblocking receive where it completes. Then
 * MPI_Waitall completes all such sends, an MPI_Wait that completes nothing else
 * the oldest, and the receive is posted where it completes.
 *
 * Sizes of collectives are totals of the rank, its own part included, as
 * Score-P writes them: an allreduce of b bytes among n is n b sent and n b
 * received; without its own part (n - 1) b, in place.
 */
#include "workloads/trace/foreign/otf2_calls.h"

#include <stdlib.h>
#include <string.h>

/* Requests of ours: none of the trace's is that large. */
#define OTF2_OWN_REQUEST (UINT64_C(1) << 63)
/* Receives further away from their completion are posted there. */
#define OTF2_AHEAD (1u << 20)

/* --- the queue ------------------------------------------------------------ */

static void list_add(struct otf2_list *l, uint64_t value)
{
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 16;
        l->values = xrealloc(l->values, l->room, sizeof *l->values);
    }
    l->values[l->n++] = value;
}

static double seconds(const struct otf2_queue *q, OTF2_TimeStamp time)
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

/* A new event at the end, now or in the call under way. */
static struct otf2_item *queue_push(struct otf2_queue *q, enum trace_call call)
{
    queue_room(q);
    struct otf2_item *item = &q->items[q->n++];
    *item = (struct otf2_item){.e = trace_event_new(call)};
    item->e.begin_s = item->e.end_s = q->depth ? q->begin_s : q->last_s;
    item->e.name = q->name;
    item->e.place = q->place;
    return item;
}

static struct otf2_item *queue_item(struct otf2_queue *q, uint64_t number)
{
    return &q->items[number - q->passed];
}

static void pend(struct otf2_queue *q, uint64_t request)
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

/* Mostly it is the oldest. */
static void unpend_at(struct otf2_queue *q, size_t i)
{
    memmove(&q->pending[q->pending_head + 1], &q->pending[q->pending_head],
            (i - q->pending_head) * sizeof *q->pending);
    if (++q->pending_head == q->npending)
        q->pending_head = q->npending = 0;
}

/* The event that waits for the completion of this request, which does so no
 * longer; NULL: there is none. */
static struct otf2_item *unpend(struct otf2_queue *q, uint64_t request)
{
    for (size_t i = q->pending_head; i < q->npending; i++)
        if (q->pending[i].request == request) {
            struct otf2_item *item = queue_item(q, q->pending[i].item);
            unpend_at(q, i);
            item->open = false;
            return item;
        }
    return NULL;
}

static OTF2_CallbackCode refuse(struct otf2_queue *q, const char *text,
                                uint64_t a, uint64_t b)
{
    struct trace_event e = {.name = q->name, .place = q->place};

    (void)trace_fail(q->trace, q->rank, &e, q->err, "%s: %llu of %llu", text,
                     (unsigned long long)a, (unsigned long long)b);
    q->failed = true;
    return OTF2_CALLBACK_INTERRUPT;
}

/* --- communicators -------------------------------------------------------- */

static uint32_t comm_number(const struct otf2_queue *q,
                            const struct otf2_comm *c)
{
    const struct otf2_comm *first = q->defs->comms.rows;

    return c->is_world ? TRACE_WORLD : (uint32_t)(c - first) + 1;
}

/* Tells of a communicator before its first use. */
static void comm_tell(struct otf2_queue *q, const struct otf2_comm *c)
{
    const struct otf2_comm *first = q->defs->comms.rows;

    if (c->is_world || q->known[c - first])
        return;
    q->known[c - first] = true;
    struct trace_event *e = &queue_push(q, TRACE_COMM)->e;
    e->how = TRACE_KNOWN;
    e->new_comm = e->key = comm_number(q, c);
    e->members = c->is_self ? &q->self : c->members;
    e->nmembers = c->is_self ? 1 : c->nmembers;
}

static uint32_t comm_size(const struct otf2_queue *q, const struct otf2_comm *c)
{
    return c->is_self ? 1 : c->is_world ? q->defs->ranks : c->nmembers;
}

/* The member that a record means by a number. */
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
        if (c->members[i] == q->rank) /* of the first group: it talks to the
                                         second */
            return peer < c->nmembers - c->nfirst ? c->nfirst + peer
                                                  : UINT32_MAX;
    return peer < c->nfirst ? peer : UINT32_MAX;
}

/* The communicator of a record, told of; NULL with an error, or (not of ranks)
 * without. */
static const struct otf2_comm *comm_of(struct otf2_queue *q, uint64_t ref)
{
    const struct otf2_comm *c = otf2_find(&q->defs->comms, ref);

    if (!c) {
        (void)refuse(q, "its communicator is not defined", ref,
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

static OTF2_CallbackCode done_with(const struct otf2_queue *q)
{
    return q->failed ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* --- records of messages -------------------------------------------------- */

/* A record outside of any call is a call of its own. */
static void record(struct otf2_queue *q, OTF2_TimeStamp time, uint64_t place,
                   const char *name)
{
    q->last_s = seconds(q, time);
    if (q->depth)
        return;
    q->name = name;
    q->place = place;
    q->call = OTF2_PLAIN_CALL;
    q->first = q->passed + q->n;
}

static void call_end(struct otf2_queue *q);

static OTF2_CallbackCode record_end(struct otf2_queue *q)
{
    if (!q->depth)
        call_end(q);
    return done_with(q);
}

/* The peer of a message, checked. */
static bool otf2_peer(struct otf2_queue *q, struct trace_event *e,
                      const struct otf2_comm *c, uint32_t peer)
{
    e->comm = comm_number(q, c);
    e->peer = comm_member(q, c, peer);
    if (e->peer < comm_size(q, c))
        return true;
    (void)refuse(q, "not a member of its communicator", peer, comm_size(q, c));
    return false;
}

static OTF2_CallbackCode send(struct otf2_queue *q, uint32_t receiver,
                              OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                              uint64_t request)
{
    const struct otf2_comm *c = comm_of(q, comm);

    if (!c)
        return done_with(q);
    struct trace_event *e = &queue_push(q, TRACE_SEND)->e;
    e->tag = tag;
    e->bytes = bytes;
    e->request = request;
    e->synchronous =
        q->call == OTF2_SYNCHRONOUS || q->call == OTF2_STARTS_SYNCHRONOUS;
    if (!otf2_peer(q, e, c, receiver))
        return OTF2_CALLBACK_INTERRUPT;
    if (request != NO_REQUEST)
        return OTF2_CALLBACK_SUCCESS;
    if (q->call == OTF2_BUFFERED) /* complete for the rank at once */
        return OTF2_CALLBACK_SUCCESS;
    if (q->call != OTF2_STARTS && q->call != OTF2_STARTS_SYNCHRONOUS) {
        q->nblocking++;
        return OTF2_CALLBACK_SUCCESS;
    }
    e->request = q->next_request++;
    list_add(&q->unnamed, e->request);
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
    record(q, time, place, "MPI_SEND");
    if (send(q, receiver, comm, tag, bytes, NO_REQUEST) !=
        OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return record_end(q);
}

static OTF2_CallbackCode
on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
         void *arg, OTF2_AttributeList *attributes, uint32_t receiver,
         OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    record(q, time, place, "MPI_ISEND");
    if (send(q, receiver, comm, tag, bytes, request) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return record_end(q);
}

static OTF2_CallbackCode on_isend_complete(OTF2_LocationRef location,
                                           OTF2_TimeStamp time, uint64_t place,
                                           void *arg,
                                           OTF2_AttributeList *attributes,
                                           uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    record(q, time, place, "MPI_ISEND_COMPLETE");
    list_add(&q->done, request);
    return record_end(q);
}

/* What a receive got. It is made anew if it was not posted before. */
static OTF2_CallbackCode receive(struct otf2_queue *q, uint32_t sender,
                                 OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes, uint64_t request)
{
    const struct otf2_comm *c = comm_of(q, comm);

    if (!c)
        return done_with(q);
    struct otf2_item *posted =
        request == NO_REQUEST ? NULL : unpend(q, request);
    if (!posted && request != NO_REQUEST)
        q->remarks[OTF2_LATE_RECEIVES]++;
    struct trace_event *e = posted ? &posted->e : &queue_push(q, TRACE_RECV)->e;
    e->tag = e->got_tag = tag;
    e->bytes = bytes;
    e->request = request;
    if (!otf2_peer(q, e, c, sender))
        return OTF2_CALLBACK_INTERRUPT;
    e->got_peer = e->peer;
    if (request == NO_REQUEST)
        q->nblocking++;
    else
        list_add(&q->done, request);
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
    record(q, time, place, "MPI_RECV");
    if (receive(q, sender, comm, tag, bytes, NO_REQUEST) !=
        OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return record_end(q);
}

static OTF2_CallbackCode
on_irecv_request(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                 void *arg, OTF2_AttributeList *attributes, uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    record(q, time, place, "MPI_IRECV_REQUEST");
    struct otf2_item *item = queue_push(q, TRACE_RECV);
    item->open = true;
    item->e.request = request;
    pend(q, request);
    return record_end(q);
}

static OTF2_CallbackCode
on_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
         void *arg, OTF2_AttributeList *attributes, uint32_t sender,
         OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    record(q, time, place, "MPI_IRECV");
    if (receive(q, sender, comm, tag, bytes, request) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return record_end(q);
}

static OTF2_CallbackCode on_test(OTF2_LocationRef location, OTF2_TimeStamp time,
                                 uint64_t place, void *arg,
                                 OTF2_AttributeList *attributes,
                                 uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)request;
    record(q, time, place, "MPI_REQUEST_TEST");
    q->tested = true;
    return record_end(q);
}

/* A receive that was cancelled never says of whom it was: it is left out. */
static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location,
                                      OTF2_TimeStamp time, uint64_t place,
                                      void *arg, OTF2_AttributeList *attributes,
                                      uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    record(q, time, place, "MPI_REQUEST_CANCELLED");
    struct otf2_item *posted = unpend(q, request);
    if (posted) {
        posted->dropped = true;
        q->remarks[OTF2_CANCELLED_RECEIVES]++;
        return record_end(q);
    }
    struct otf2_item *item = queue_push(q, TRACE_CANCEL);
    item->one = request;
    item->e.nrequests = 1;
    list_add(&q->done, request);
    return record_end(q);
}

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

/* Of a total for all members, or for all but the rank's own part. */
static uint64_t of_each(uint64_t total, uint32_t n)
{
    return n > 1 && total % n != 0 && total % (n - 1) == 0 ? total / (n - 1)
                                                           : total / n;
}

/* Member i of n sends its part to those behind it (and itself, if sent and
 * received say so). */
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
    uint32_t n = comm_size(q, c);

    switch (collective) {
    case TRACE_BARRIER:
        return 0;
    case TRACE_BROADCAST: /* the root sends to all and receives its own */
        return received ? received : sent;
    case TRACE_SCATTER:
        return received ? received : of_each(sent, n);
    case TRACE_GATHER:
    case TRACE_REDUCE:
        return sent ? sent : of_each(received, n);
    case TRACE_ALLGATHER: /* of different parts the mean */
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

/* Makes the event of a collective of what its end says. */
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
    e->comm = comm_number(q, c);
    if (comm_size(q, c) == 0)
        return refuse(q, "a collective of no members", 0, 0);
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

static void flush_now(struct otf2_queue *q)
{
    if (!q->flush)
        return;
    struct trace_event *e = &queue_push(q, TRACE_FLUSH)->e;
    e->comm = q->flush_comm;
    e->peer = ANY_RANK;
    e->blocks = true;
    q->flush = false;
}

static OTF2_CallbackCode collective(struct otf2_queue *q, OTF2_CommRef comm,
                                    struct otf2_sizes s)
{
    flush_now(q);
    const struct otf2_comm *c = comm_of(q, comm);
    if (!c)
        return done_with(q);
    struct trace_event *e = &queue_push(q, TRACE_COLLECTIVE)->e;
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
    record(q, time, place, "MPI_COLLECTIVE_END");
    if (collective(q, comm, (struct otf2_sizes){op, root, sent, received}) !=
        OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return record_end(q);
}

static OTF2_CallbackCode on_collective_request(OTF2_LocationRef location,
                                               OTF2_TimeStamp time,
                                               uint64_t place, void *arg,
                                               OTF2_AttributeList *attributes,
                                               uint64_t request)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    record(q, time, place, "NON_BLOCKING_COLLECTIVE_REQUEST");
    struct otf2_item *item = queue_push(q, TRACE_COLLECTIVE);
    item->open = true;
    item->e.request = request;
    pend(q, request);
    return record_end(q);
}

static OTF2_CallbackCode on_collective_complete(
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place, void *arg,
    OTF2_AttributeList *attributes, OTF2_CollectiveOp op, OTF2_CommRef comm,
    uint32_t root, uint64_t sent, uint64_t received, uint64_t request)
{
    struct otf2_queue *q = arg;
    struct otf2_sizes sizes = {op, root, sent, received};

    (void)location, (void)attributes;
    record(q, time, place, "NON_BLOCKING_COLLECTIVE_COMPLETE");
    const struct otf2_comm *c = comm_of(q, comm);
    if (!c)
        return done_with(q);
    struct otf2_item *item = unpend(q, request);
    if (!item) { /* its beginning is before the trace's */
        if (collective(q, comm, sizes) != OTF2_CALLBACK_SUCCESS)
            return OTF2_CALLBACK_INTERRUPT;
        return record_end(q);
    }
    if (collective_fill(q, &item->e, c, sizes) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    if (item->e.call == TRACE_COLLECTIVE)
        list_add(&q->done, request);
    return record_end(q);
}

static OTF2_CallbackCode on_comm(OTF2_LocationRef location, OTF2_TimeStamp time,
                                 uint64_t place, void *arg,
                                 OTF2_AttributeList *attributes,
                                 OTF2_CommRef comm)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes;
    record(q, time, place, "COMM_CREATE");
    (void)comm_of(q, comm);
    return done_with(q);
}

/* --- one-sided ------------------------------------------------------------ */

static const struct otf2_comm *window_comm(struct otf2_queue *q,
                                           OTF2_RmaWinRef win)
{
    const struct otf2_window *w = otf2_find(&q->defs->windows, win);

    if (w)
        return comm_of(q, w->comm);
    (void)refuse(q, "its window is not defined", win, q->defs->windows.n);
    return NULL;
}

static OTF2_CallbackCode one_sided(struct otf2_queue *q, OTF2_RmaWinRef win,
                                   enum trace_call call, uint32_t remote,
                                   uint64_t bytes)
{
    const struct otf2_comm *c = window_comm(q, win);

    if (!c)
        return done_with(q);
    struct trace_event *e = &queue_push(q, call)->e;
    e->bytes = bytes;
    if (!otf2_peer(q, e, c, remote))
        return OTF2_CALLBACK_INTERRUPT;
    return record_end(q);
}

static OTF2_CallbackCode on_put(OTF2_LocationRef location, OTF2_TimeStamp time,
                                uint64_t place, void *arg,
                                OTF2_AttributeList *attributes,
                                OTF2_RmaWinRef win, uint32_t remote,
                                uint64_t bytes, uint64_t matching)
{
    (void)location, (void)attributes, (void)matching;
    record(arg, time, place, "RMA_PUT");
    return one_sided(arg, win, TRACE_PUT, remote, bytes);
}

static OTF2_CallbackCode on_get(OTF2_LocationRef location, OTF2_TimeStamp time,
                                uint64_t place, void *arg,
                                OTF2_AttributeList *attributes,
                                OTF2_RmaWinRef win, uint32_t remote,
                                uint64_t bytes, uint64_t matching)
{
    (void)location, (void)attributes, (void)matching;
    record(arg, time, place, "RMA_GET");
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
    record(arg, time, place, "RMA_ATOMIC");
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
    record(q, time, place, "RMA_OP_COMPLETE");
    const struct otf2_comm *c = window_comm(q, win);
    if (!c)
        return done_with(q);
    if (q->flush && q->flush_comm != comm_number(q, c))
        flush_now(q);
    q->flush = true;
    q->flush_comm = comm_number(q, c);
    return record_end(q);
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
    record(q, time, place, "RMA_COLLECTIVE_END");
    if (!w)
        return refuse(q, "its window is not defined", win, q->defs->windows.n);
    if (collective(q, (OTF2_CommRef)w->comm,
                   (struct otf2_sizes){op, root, sent, received}) !=
        OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return record_end(q);
}

static OTF2_CallbackCode
on_group_sync(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
              void *arg, OTF2_AttributeList *attributes,
              OTF2_RmaSyncLevel level, OTF2_RmaWinRef win, OTF2_GroupRef group)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)level, (void)win, (void)group;
    record(q, time, place, "RMA_GROUP_SYNC");
    q->remarks[OTF2_GROUP_SYNCS]++;
    (void)queue_push(q, TRACE_UNKNOWN);
    return record_end(q);
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
    record(q, time, place, "RMA_ACQUIRE_LOCK");
    q->remarks[OTF2_LOCKS]++;
    return record_end(q);
}

/* --- calls ---------------------------------------------------------------- */

/* Sends and receives without a request in a call with several: given one, and
 * waited for. */
static void call_begun(struct otf2_queue *q)
{
    uint64_t end = q->passed + q->n;
    bool several = q->nblocking > 1 || q->done.n > 0;

    for (uint64_t i = q->first; i < end && q->nblocking; i++) {
        struct trace_event *e = &queue_item(q, i)->e;
        if ((e->call != TRACE_SEND && e->call != TRACE_RECV) ||
            e->request != NO_REQUEST || q->call == OTF2_BUFFERED)
            continue;
        e->blocks = !several;
        if (!several)
            continue;
        e->request = q->next_request++;
        list_add(&q->done, e->request);
    }
    q->nblocking = 0;
}

/* Sends that have no request of the trace complete where the application
 * waits. */
static void call_unnamed(struct otf2_queue *q)
{
    size_t n = q->call == OTF2_WAIT_ALL                 ? q->unnamed.n
               : q->call == OTF2_WAIT_ONE && !q->done.n ? 1
                                                        : 0;

    if (n > q->unnamed.n)
        n = q->unnamed.n;
    for (size_t i = 0; i < n; i++)
        list_add(&q->done, q->unnamed.values[i]);
    q->unnamed.n -= n;
    if (n)
        memmove(q->unnamed.values, q->unnamed.values + n,
                q->unnamed.n * sizeof *q->unnamed.values);
}

static void call_wait(struct otf2_queue *q)
{
    if (!q->done.n)
        return;
    struct otf2_item *item = queue_push(q, TRACE_WAIT);
    item->e.blocks = true;
    item->e.nrequests = q->done.n;
    item->one = q->done.values[0];
    if (q->done.n > 1) {
        item->list = xcalloc(q->done.n, sizeof *item->list);
        memcpy(item->list, q->done.values, q->done.n * sizeof *item->list);
    }
    q->done.n = 0;
}

/* A call of which no record tells. */
static void call_alone(struct otf2_queue *q)
{
    enum trace_call call =
        q->call == OTF2_INIT                ? TRACE_INIT
        : q->call == OTF2_FINALIZE          ? TRACE_FINALIZE
        : q->tested || q->call == OTF2_TEST ? TRACE_POLL
        : q->call == OTF2_WITH_TIME || q->call == OTF2_NEIGHBORS ? TRACE_UNKNOWN
                                                                 : TRACE_OTHER;

    (void)queue_push(q, call);
}

/* The events of a call: all begin and end at its beginning, but for the last,
 * which takes its time. */
static void call_end(struct otf2_queue *q)
{
    call_begun(q);
    call_unnamed(q);
    flush_now(q);
    call_wait(q);
    if (q->depth && q->first == q->passed + q->n)
        call_alone(q);
    if (q->first < q->passed + q->n)
        queue_item(q, q->passed + q->n - 1)->e.end_s = q->last_s;
    q->tested = false;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location,
                                  OTF2_TimeStamp time, uint64_t place,
                                  void *arg, OTF2_AttributeList *attributes,
                                  OTF2_RegionRef ref)
{
    struct otf2_queue *q = arg;
    const struct otf2_region *region = otf2_find(&q->defs->regions, ref);

    (void)location, (void)attributes;
    q->last_s = seconds(q, time);
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
    q->last_s = seconds(q, time);
    if (!region || region->call == OTF2_NO_CALL || !q->depth)
        return OTF2_CALLBACK_SUCCESS;
    if (q->depth == 1) {
        call_end(q);
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
    record(q, time, place, "BUFFER_FLUSH");
    if (q->depth)
        return OTF2_CALLBACK_SUCCESS;
    queue_push(q, TRACE_OTHER)->e.end_s = q->last_s = seconds(q, stop);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_pause(OTF2_LocationRef location,
                                  OTF2_TimeStamp time, uint64_t place,
                                  void *arg, OTF2_AttributeList *attributes,
                                  OTF2_MeasurementMode mode)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)place;
    q->last_s = seconds(q, time);
    q->remarks[OTF2_PAUSES] += mode == OTF2_MEASUREMENT_OFF;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_unknown(OTF2_LocationRef location,
                                    OTF2_TimeStamp time, uint64_t place,
                                    void *arg, OTF2_AttributeList *attributes)
{
    struct otf2_queue *q = arg;

    (void)location, (void)attributes, (void)place;
    q->last_s = seconds(q, time);
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
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, on_buffer_flush);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(c, on_pause);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(c, on_unknown);
    return c;
}

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

/* The oldest receive or collective that is not complete is left out: of whom
 * it is, is not known. */
static void queue_give_up(struct otf2_queue *q)
{
    struct otf2_item *item = queue_item(q, q->pending[q->pending_head].item);

    item->open = false;
    item->dropped = true;
    unpend_at(q, q->pending_head);
}

void otf2_queue_end(struct otf2_queue *q)
{
    if (q->depth) {
        call_end(q);
        q->depth = 0;
    }
    for (; q->npending > q->pending_head; queue_give_up(q))
        q->remarks[OTF2_OPEN_RECEIVES]++;
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
        queue_give_up(q); /* posted where it completes: see receive() */
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
