/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates the rows of a report of Nsight Systems, which are MPI calls, into
 * events. */
#include "workloads/trace/foreign/nsys_state.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- names ---------------------------------------------------------------- */

static bool named(const char *name, const char *what)
{
    return strcmp(name, what) == 0;
}

static bool has(const char *name, const char *part)
{
    return strstr(name, part) != NULL;
}

static bool nsys_collective(const char *name, uint8_t *collective, bool *uneven)
{
    static const struct {
        const char *word;
        uint8_t collective;
    } words[] = {
        {"barrier", TRACE_BARRIER},
        {"bcast", TRACE_BROADCAST},
        {"allgather", TRACE_ALLGATHER},
        {"gather", TRACE_GATHER},
        {"alltoall", TRACE_ALLTOALL},
        {"allreduce", TRACE_ALLREDUCE},
        {"reduce_scatter", TRACE_REDUCE_SCATTER},
        {"reduce", TRACE_REDUCE},
        {"exscan", TRACE_EXSCAN},
        {"scatter", TRACE_SCATTER},
        {"scan", TRACE_SCAN},
    };
    const char *call = name + 4; /* after MPI_ */

    if (strncmp(name, "MPI_", 4) != 0)
        return false;
    if (call[0] == 'I')
        call++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i].word);
        if (strncasecmp(call, words[i].word, n) != 0)
            continue;
        *collective = words[i].collective;
        *uneven = call[n] == 'v' || call[n] == 'w' ||
                  (*collective == TRACE_REDUCE_SCATTER && !has(call, "block"));
        return true;
    }
    return false;
}

/* --- calls ---------------------------------------------------------------- */

static int call_fail(struct trace *t, uint32_t rank, const struct nsys_row *row,
                     struct err *err, const char *text)
{
    struct trace_event e = {.name = row->name, .place = row->place};

    return trace_fail(t, rank, &e, err, "%s", text);
}

static uint32_t nsys_peer(const struct nsys_state *s,
                          const struct nsys_row *row, bool receives)
{
    bool any = receives && row->peer == (s->any_is_minus_2 ? -2 : -1);

    return row->peer >= 0 ? (uint32_t)row->peer : any ? ANY_RANK : NO_PEER;
}

/* Pushes a send or a receive. */
static int message(struct trace *t, uint32_t rank, const struct nsys_row *row,
                   bool receives, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];
    bool begins = has(row->name, "MPI_I") || has(row->name, "_init");
    uint32_t comm, members;

    if (row->peer == NSYS_NOT_SAID || row->bytes < 0) {
        trace_event_set(&r->ready[r->n++], TRACE_UNKNOWN);
        r->remarks[NSYS_WITHOUT_ARGUMENTS]++;
        return 0;
    }
    if (!nsys_comm_of(t, r, row->comm, &comm, &members)) {
        trace_event_set(&r->ready[r->n++], TRACE_UNKNOWN);
        r->remarks[NSYS_STRANGE_COMMS]++;
        return 0;
    }
    if (row->peer >= (int64_t)members)
        return call_fail(t, rank, row, err,
                         "its peer is not a member of the communicator");
    uint64_t request =
        begins ? nsys_begin_request(r, row->request) : NO_REQUEST;
    struct trace_event *e = &r->ready[r->n++];
    trace_event_set(e, receives ? TRACE_RECV : TRACE_SEND);
    e->comm = comm;
    e->peer = nsys_peer(s, row, receives);
    e->tag = row->tag >= 0 ? (uint32_t)row->tag & 0x7fffffff
             : receives && row->tag != NSYS_NOT_SAID ? ANY_TAG
                                                     : 0;
    e->bytes = (uint64_t)row->bytes;
    e->request = request;
    e->blocks = !begins;
    e->synchronous = has(row->name, "Ssend") || has(row->name, "Issend");
    if (has(row->name, "_init")) { /* MPI_Start will begin it */
        struct nsys_handle *h = nsys_handle_of(r, row->request);
        h->persistent = true;
        h->open = false;
        h->e = *e;
        trace_event_set(e, TRACE_OTHER);
    }
    return 0;
}

/* Pushes the events of MPI_Sendrecv, which has a row for the send and one for
 * the receive, or one for both. If the send is unknown, the receive is left
 * out. */
static int exchange(struct trace *t, uint32_t rank,
                    const struct nsys_row *first, const struct nsys_row *second,
                    struct err *err)
{
    struct nsys_rank *r = &((struct nsys_state *)t->state)->ranks[rank];

    for (int i = 0; i < 2; i++) {
        if (message(t, rank, i ? second : first, i == 1, err) < 0)
            return -1;
        struct trace_event *e = &r->ready[r->n - 1];
        if (e->call == TRACE_UNKNOWN)
            break;
        e->blocks = false;
        e->request = r->next_request++;
        nsys_list_add(r, e->request);
    }
    if (r->nlist) /* not if the send is unknown */
        (void)nsys_push_wait(r);
    return 0;
}

static uint64_t nsys_bytes(const struct nsys_row *row, uint8_t collective,
                           bool uneven, uint32_t members)
{
    int64_t bytes = row->bytes > 0 ? row->bytes : row->recv_bytes;

    if (bytes < 0 || collective == TRACE_BARRIER)
        return 0;
    bool summed =
        uneven &&
        (collective == TRACE_ALLTOALL || collective == TRACE_SCATTER ||
         collective == TRACE_REDUCE_SCATTER || row->bytes <= 0);
    return (uint64_t)bytes / (summed ? members : 1);
}

static int collective(struct trace *t, uint32_t rank,
                      const struct nsys_row *row, struct err *err)
{
    struct nsys_rank *r = &((struct nsys_state *)t->state)->ranks[rank];
    bool begins = has(row->name, "MPI_I"), uneven = false;
    uint8_t kind = 0;
    uint32_t comm, members;

    bool known = nsys_collective(row->name, &kind, &uneven);
    bool sizes =
        kind == TRACE_BARRIER || row->bytes >= 0 || row->recv_bytes >= 0;
    if (!known || !sizes || !nsys_comm_of(t, r, row->comm, &comm, &members)) {
        trace_event_set(&r->ready[r->n++], TRACE_UNKNOWN);
        r->remarks[!known || sizes ? NSYS_STRANGE_COMMS
                                   : NSYS_WITHOUT_ARGUMENTS] += known;
        return 0;
    }
    bool rooted = kind == TRACE_BROADCAST || kind == TRACE_REDUCE ||
                  kind == TRACE_GATHER || kind == TRACE_SCATTER;
    if (rooted && row->peer >= (int64_t)members)
        return call_fail(t, rank, row, err,
                         "its root is not a member of the communicator");
    uint64_t request =
        begins ? nsys_begin_request(r, row->request) : NO_REQUEST;
    struct trace_event *e = &r->ready[r->n++];
    trace_event_set(e, TRACE_COLLECTIVE);
    e->collective = kind;
    e->comm = comm;
    if (rooted)
        e->peer = row->peer >= 0 ? (uint32_t)row->peer : 0;
    e->bytes = e->recv_bytes = nsys_bytes(row, kind, uneven, members);
    e->request = request;
    e->blocks = !begins;
    r->remarks[NSYS_UNEVEN] += uneven;
    return 0;
}

static void start_or_wait(struct nsys_rank *r, const struct nsys_row *row)
{
    struct nsys_handle *h = nsys_handle_of(r, row->request);

    if (!has(row->name, "MPI_Start")) {
        nsys_end_request(r, row->request);
        return;
    }
    if (!h || !h->persistent || h->open) {
        trace_event_set(&r->ready[r->n++], TRACE_UNKNOWN);
        return;
    }
    h->open = true;
    h->request = r->next_request++;
    r->ready[r->n] = h->e;
    r->ready[r->n++].request = h->request;
}

static void other(struct nsys_rank *r, const struct nsys_row *row)
{
    static const char *const in_time[] = {"MPI_File",  "MPI_Win", "MPI_Probe",
                                          "MPI_Put",   "MPI_Get", "MPI_Accu",
                                          "MPI_Mprobe"};
    enum trace_call call = TRACE_OTHER;

    if (named(row->name, "MPI_Init") || named(row->name, "MPI_Init_thread"))
        call = TRACE_INIT;
    else if (named(row->name, "MPI_Finalize"))
        call = TRACE_FINALIZE;
    else if (has(row->name, "MPI_Iprobe"))
        call = TRACE_POLL;
    for (size_t i = 0; i < sizeof in_time / sizeof in_time[0]; i++)
        if (has(row->name, in_time[i]) && !has(row->name, "MPI_Get_"))
            call = TRACE_UNKNOWN;
    if (row->table == NSYS_NVTX && call == TRACE_OTHER &&
        !has(row->name, "_rank") && !has(row->name, "_size")) {
        call = TRACE_UNKNOWN;
        r->remarks[NSYS_WITHOUT_ARGUMENTS]++;
    }
    if (call == TRACE_FINALIZE)
        nsys_end_requests(r);
    trace_event_set(&r->ready[r->n++], call);
}

/* --- rows to calls -------------------------------------------------------- */

int nsys_next_row(struct trace *t, struct nsys_rank *r, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_file *f = &s->files[r->file];
    int result = nsys_next(f, r->calls, &r->row, err);

    r->has_row = result > 0;
    return result < 0 ? -1 : 0;
}

static bool same_call(const struct nsys_row *a, const struct nsys_row *b)
{
    return a->table == b->table && a->begin_ns == b->begin_ns &&
           a->end_ns == b->end_ns && strcmp(a->name, b->name) == 0;
}

/* Reads a call that waits, with all its rows. */
static int waits(struct trace *t, struct nsys_rank *r,
                 const struct nsys_row *first, struct err *err)
{
    bool tests = has(first->name, "MPI_Test");

    if (!tests)
        start_or_wait(r, first);
    while (r->has_row && same_call(&r->row, first) &&
           r->n + 2 < sizeof r->ready / sizeof r->ready[0]) {
        if (!tests)
            start_or_wait(r, &r->row);
        if (nsys_next_row(t, r, err) < 0)
            return -1;
    }
    if (r->nlist)
        (void)nsys_push_wait(r);
    else if (r->n == 0)
        trace_event_set(&r->ready[r->n++], tests ? TRACE_POLL : TRACE_OTHER);
    return 0;
}

static int point_to_point(struct trace *t, uint32_t rank,
                          const struct nsys_row *row, struct err *err)
{
    struct nsys_rank *r = &((struct nsys_state *)t->state)->ranks[rank];

    if (has(row->name, "obe")) { /* MPI_Probe and its variants */
        other(r, row);
        return 0;
    }
    if (!has(row->name, "endrecv"))
        return message(t, rank, row,
                       has(row->name, "recv") || has(row->name, "Recv"), err);
    struct nsys_row second = *row;
    if (r->has_row && same_call(&r->row, row)) {
        second = r->row;
        if (nsys_next_row(t, r, err) < 0)
            return -1;
    }
    return exchange(t, rank, row, &second, err);
}

/* Sets the times and names of a call's events: all are at its beginning, except
 * that the last takes its time. */
static void call_times(struct nsys_state *s, struct nsys_rank *r,
                       const struct nsys_row *row)
{
    double begin_s = (double)(row->begin_ns - s->begin_ns) / 1e9;

    size_t number = names_number(&s->names, row->name);
    const char *name = s->names.text[number];
    for (size_t i = 0; i < r->n; i++) {
        struct trace_event *e = &r->ready[i];
        e->begin_s = e->end_s = begin_s;
        e->place = row->place;
        if (!e->name || e->call != TRACE_WAIT)
            e->name = name;
        if (e->call == TRACE_WAIT)
            e->requests = r->list;
    }
    if (r->n)
        r->ready[r->n - 1].end_s = (double)(row->end_ns - s->begin_ns) / 1e9;
}

int nsys_next_call(struct trace *t, uint32_t rank, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];
    struct nsys_row row = r->row;
    int result = 0;

    r->at = r->n = r->nlist = 0;
    if (nsys_next_row(t, r, err) < 0)
        return -1;
    if (row.table == NSYS_P2P)
        result = point_to_point(t, rank, &row, err);
    else if (row.table == NSYS_COLLECTIVES)
        result = collective(t, rank, &row, err);
    else if (row.table == NSYS_START_WAIT)
        result = waits(t, r, &row, err);
    else
        other(r, &row);
    call_times(s, r, &row);
    return result;
}
