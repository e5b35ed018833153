/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates messages between two ranks: sends, receives and probes. */
#include "workloads/trace/dumpi/p2p.h"

#include <stdlib.h>

/* --- peers ---------------------------------------------------------------- */

static int peer_check(struct dumpi_rank *r, int64_t peer, uint32_t comm,
                      struct err *err)
{
    uint32_t size = r->comm[comm].size;

    if (size && peer >= size)
        return dumpi_fail(r, err, "rank %lld: the communicator has %u ranks",
                          (long long)peer, size);
    return 0;
}

/* Sets the destination. MPI_PROC_NULL is recorded as the MPI has it, which is
 * below 0; others are ranks. */
static int dest_of(struct dumpi_rank *r, int64_t peer, struct trace_event *e,
                   struct err *err)
{
    e->peer = peer < 0 ? NO_PEER : (uint32_t)peer;
    return peer < 0 ? 0 : peer_check(r, peer, e->comm, err);
}

static bool is_send(uint16_t call, int *dest)
{
    *dest = 2;
    switch (call) {
    case DUMPI_MPI_Send:
    case DUMPI_MPI_Bsend:
    case DUMPI_MPI_Ssend:
    case DUMPI_MPI_Rsend:
    case DUMPI_MPI_Isend:
    case DUMPI_MPI_Ibsend:
    case DUMPI_MPI_Issend:
    case DUMPI_MPI_Irsend:
    case DUMPI_MPI_Send_init:
    case DUMPI_MPI_Bsend_init:
    case DUMPI_MPI_Ssend_init:
    case DUMPI_MPI_Rsend_init:
    case DUMPI_MPI_Sendrecv:
    case DUMPI_MPI_Sendrecv_replace:
        return true;
    case DUMPI_MPI_Cart_shift:
        *dest = 4;
        return true;
    default:
        return false;
    }
}

/*
 * Returns whether a receive from -1 is one from MPI_PROC_NULL. DUMPI records
 * MPI_ANY_SOURCE as -1, and MPI_PROC_NULL as the MPI has it, which is -1, too,
 * in MPICH's family. If a rank sends to -1 anywhere, it has such an MPI, so its
 * receives from -1 get no message, as at the edge of a halo.
 */
static bool null_is_any(struct dumpi_rank *r)
{
    const unsigned char *at = r->file.stream;
    struct dumpi_record *record;
    struct err ignored;
    int dest;

    if (r->null_is_any)
        return r->null_is_any > 0;
    r->null_is_any = -1;
    record = xmalloc(sizeof *record);
    while (r->null_is_any < 0 &&
           dumpi_record_read(record, &at, r->file.stream_end, r->file.version,
                             &ignored) > 0)
        if (is_send(record->call, &dest) && record->arg[dest].value == -1)
            r->null_is_any = 1;
    free(record);
    if (r->null_is_any < 0 || r->state->said_null)
        return r->null_is_any > 0;
    r->state->said_null = true;
    char *where = dumpi_where(r);
    trace_remark(
        r->trace,
        "%s: from -1, which is MPI_ANY_SOURCE or MPI_PROC_NULL of this "
        "MPI: taken for the latter unless the status tells a source, "
        "since the rank also sends to -1",
        where);
    free(where);
    return true;
}

static int source_of(struct dumpi_rank *r, int64_t peer,
                     const struct dumpi_arg *status, struct trace_event *e,
                     struct err *err)
{
    struct dumpi_status s = {.source = -1, .tag = -1};
    bool told = status && status->value > 0;

    if (told)
        s = dumpi_status_of(status, 0, r->file.version);
    if (s.source >= 0)
        e->got_peer = (uint32_t)s.source;
    if (s.source >= 0 && s.tag >= 0)
        e->got_tag = (uint32_t)s.tag;
    e->peer = (uint32_t)peer;
    if (peer >= 0)
        return peer_check(r, peer, e->comm, err);
    if (peer < -1 || (s.source < 0 && (told || null_is_any(r))))
        e->peer = NO_PEER;
    else
        e->peer = ANY_RANK;
    return s.source < 0 ? 0 : peer_check(r, s.source, e->comm, err);
}

static int tag_of(struct dumpi_rank *r, int64_t tag, bool any,
                  struct trace_event *e, struct err *err)
{
    if (tag < (any ? -1 : 0) && e->peer != NO_PEER)
        return dumpi_fail(r, err, "tag: expected 0 or more, got %lld",
                          (long long)tag);
    e->tag = tag < 0 ? any ? ANY_TAG : 0 : (uint32_t)tag;
    return 0;
}

/* --- events --------------------------------------------------------------- */

/* Adds the event after that of its communicator, because that may need an event
 * of its own. */
struct trace_event *dumpi_message(struct dumpi_rank *r, enum trace_call call,
                                  int comm, struct err *err)
{
    uint32_t number;

    if (dumpi_comm(r, dumpi_value(r, comm), &number, err) < 0)
        return NULL;
    struct trace_event *e = dumpi_event(r, call);
    e->comm = number;
    return e;
}

/* Translates the arguments count, datatype, peer, tag and communicator. */
struct trace_event *dumpi_send_event(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = dumpi_message(r, TRACE_SEND, 4, err);

    if (!e ||
        dumpi_bytes(r, dumpi_value(r, 0), dumpi_value(r, 1), &e->bytes, err) <
            0 ||
        dest_of(r, dumpi_value(r, 2), e, err) < 0 ||
        tag_of(r, dumpi_value(r, 3), false, e, err) < 0)
        return NULL;
    return e;
}

struct trace_event *dumpi_recv_event(struct dumpi_rank *r,
                                     const struct dumpi_arg *status,
                                     struct err *err)
{
    struct trace_event *e = dumpi_message(r, TRACE_RECV, 4, err);

    if (!e ||
        dumpi_bytes(r, dumpi_value(r, 0), dumpi_value(r, 1), &e->bytes, err) <
            0 ||
        source_of(r, dumpi_value(r, 2), status, e, err) < 0 ||
        tag_of(r, dumpi_value(r, 3), true, e, err) < 0)
        return NULL;
    return e;
}

/* --- blocking ------------------------------------------------------------- */

int dumpi_send(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = dumpi_send_event(r, err);

    if (!e)
        return -1;
    e->blocks = true;
    return 0;
}

/* A buffered send returns when the message is in a buffer. */
int dumpi_bsend(struct dumpi_rank *r, struct err *err)
{
    return dumpi_send_event(r, err) ? 0 : -1;
}

int dumpi_ssend(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = dumpi_send_event(r, err);

    if (!e)
        return -1;
    e->blocks = e->synchronous = true;
    return 0;
}

int dumpi_recv(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = dumpi_recv_event(r, dumpi_values(r, 5), err);

    if (!e)
        return -1;
    e->blocks = true;
    return 0;
}

/* --- nonblocking ---------------------------------------------------------- */

static int begins(struct dumpi_rank *r, struct trace_event *e)
{
    if (!e)
        return -1;
    e->request =
        dumpi_request_begin(r, (uint32_t)dumpi_value(r, 5), DUMPI_ACTIVE);
    return 0;
}

int dumpi_isend(struct dumpi_rank *r, struct err *err)
{
    return begins(r, dumpi_send_event(r, err));
}

int dumpi_issend(struct dumpi_rank *r, struct err *err)
{
    struct trace_event *e = dumpi_send_event(r, err);

    if (e)
        e->synchronous = true;
    return begins(r, e);
}

int dumpi_ibsend(struct dumpi_rank *r, struct err *err)
{
    if (!dumpi_send_event(r, err))
        return -1;
    (void)dumpi_request_begin(r, (uint32_t)dumpi_value(r, 5), DUMPI_SILENT);
    return 0;
}

int dumpi_irecv(struct dumpi_rank *r, struct err *err)
{
    return begins(r, dumpi_recv_event(r, NULL, err));
}

/* --- send and receive ----------------------------------------------------- */

/* A number that no request of the file has. */
#define BOTH_REQUEST (UINT64_C(1) << 63)

/* Adds a wait for the send and the receive before. */
static int both_wait(struct dumpi_rank *r)
{
    if (r->waited_room < 2)
        r->waited = xrealloc(r->waited, r->waited_room = 2, sizeof *r->waited);
    r->waited[0] = BOTH_REQUEST;
    r->waited[1] = BOTH_REQUEST + 1;
    struct trace_event *e = dumpi_event(r, TRACE_WAIT);
    e->requests = r->waited;
    e->nrequests = 2;
    return 0;
}

static int both_send(struct dumpi_rank *r, int comm, struct err *err)
{
    struct trace_event *e = dumpi_message(r, TRACE_SEND, comm, err);

    if (!e ||
        dumpi_bytes(r, dumpi_value(r, 0), dumpi_value(r, 1), &e->bytes, err) <
            0 ||
        dest_of(r, dumpi_value(r, 2), e, err) < 0 ||
        tag_of(r, dumpi_value(r, 3), false, e, err) < 0)
        return -1;
    e->request = BOTH_REQUEST;
    return 0;
}

/* count: the argument with the receive's count, or with the send's if it has
 * none. */
static int both_recv(struct dumpi_rank *r, int count, int source, int comm,
                     struct err *err)
{
    struct trace_event *e = dumpi_message(r, TRACE_RECV, comm, err);

    if (!e ||
        dumpi_bytes(r, dumpi_value(r, count), dumpi_value(r, count + 1),
                    &e->bytes, err) < 0 ||
        source_of(r, dumpi_value(r, source), dumpi_values(r, comm + 1), e,
                  err) < 0 ||
        tag_of(r, dumpi_value(r, source + 1), true, e, err) < 0)
        return -1;
    e->request = BOTH_REQUEST + 1;
    return 0;
}

int dumpi_sendrecv(struct dumpi_rank *r, struct err *err)
{
    if (both_send(r, 8, err) < 0 || both_recv(r, 4, 6, 8, err) < 0)
        return -1;
    return both_wait(r);
}

int dumpi_sendrecv_replace(struct dumpi_rank *r, struct err *err)
{
    if (both_send(r, 6, err) < 0 || both_recv(r, 0, 4, 6, err) < 0)
        return -1;
    return both_wait(r);
}

/* --- probes --------------------------------------------------------------- */

static int probes(struct dumpi_rank *r, enum trace_call call, int status,
                  struct err *err)
{
    struct trace_event *e = dumpi_message(r, call, 2, err);

    if (!e || source_of(r, dumpi_value(r, 0),
                        status ? dumpi_values(r, status) : NULL, e, err) < 0)
        return -1;
    return tag_of(r, dumpi_value(r, 1), true, e, err);
}

int dumpi_probe(struct dumpi_rank *r, struct err *err)
{
    return probes(r, TRACE_PROBE, 3, err);
}

int dumpi_iprobe(struct dumpi_rank *r, struct err *err)
{
    if (dumpi_value(r, 3))
        return probes(r, TRACE_PROBE, 4, err);
    return probes(r, TRACE_POLL, 0, err);
}
