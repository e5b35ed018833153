/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads reports of Nsight Systems that were exported as SQLite: the calls of
 * MPI of each rank in the order of time, with what they compute in between.
 * Kernels and copies of GPUs run in that time and are not told of.
 *
 * A call of MPI_START_WAIT_EVENTS waits for the requests of its rows (one
 * each); which requests an MPI_Test completed is not written: what nobody waits
 * for is waited for where its handle begins again, or at the end. Sizes of
 * collectives are those of the count that the rank gives; of calls with a count
 * for each member their sum. Versions before 2022 or so write calls as ranges
 * of NVTX without arguments: they are known by name alone.
 */
#include "workloads/trace/foreign/files.h"
#include "workloads/trace/foreign/nsys_rows.h"
#include "workloads/trace/foreign/readers.h"
#include "workloads/trace/foreign.h"
#include "workloads/trace/names.h"
#include "workloads/trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NSYS_RANKS (1 << 20)

struct nsys_comm {
    int64_t root, uid; /* by which ranks agree on it */
    uint32_t *members, n, found;
    bool world;
};

struct nsys_binding { /* a rank's handle of a communicator */
    int64_t handle;
    size_t comm;
    bool told;
};

struct nsys_handle { /* a request */
    int64_t handle;
    uint64_t request;
    bool persistent, open;
    struct trace_event e; /* what a persistent one begins */
};

struct nsys_rank {
    size_t file;
    int64_t process;
    sqlite3_stmt *calls;
    struct nsys_row row; /* the next, if there is one */
    bool begun, has_row, ended, closed;
    struct nsys_binding *bindings;
    size_t nbindings;
    struct nsys_handle *handles;
    size_t nhandles, handle_room;
    uint64_t next_request;
    struct trace_event ready[8]; /* events of a call, from `at` on */
    size_t at, n;
    uint64_t *list; /* of requests that a call waits for */
    size_t nlist, list_room;
};

enum nsys_remark {
    NSYS_WITHOUT_ARGUMENTS,
    NSYS_STRANGE_COMMS,
    NSYS_UNEVEN,
    NSYS_NOT_WAITED,
    NSYS_NREMARKS
};

struct nsys_state {
    struct rank_files paths;
    struct nsys_file *files;
    struct nsys_rank *ranks;
    struct nsys_comm *comms;
    size_t nfiles, ncomms;
    struct names names; /* of calls */
    int64_t begin_ns;
    /* MPICH has MPI_ANY_SOURCE -2 and MPI_PROC_NULL -1, Open MPI the other way
     * round. Nobody sends to MPI_ANY_SOURCE. */
    bool any_is_minus_2;
    uint64_t remarks[NSYS_NREMARKS];
    size_t remark[NSYS_NREMARKS];
};

/* --- remarks -------------------------------------------------------------- */

static void nsys_say_remarks(struct trace *t)
{
    static const char *const texts[NSYS_NREMARKS] = {
        [NSYS_WITHOUT_ARGUMENTS] =
            "calls of MPI are written without their arguments: they are known "
            "by name alone",
        [NSYS_STRANGE_COMMS] = "calls are in communicators whose members the "
                               "report does not say: left out",
        [NSYS_UNEVEN] = "collectives have a count for each member, of which "
                        "the report has the sum: taken in equal parts",
        [NSYS_NOT_WAITED] = "requests complete in calls that the report does "
                            "not tell (MPI_Test): waited for later",
    };
    struct nsys_state *s = t->state;

    for (int k = 0; k < NSYS_NREMARKS; k++) {
        if (!s->remarks[k])
            continue;
        if (!s->remark[k]) {
            trace_remark(t, "%s", "");
            s->remark[k] = t->nremarks;
        }
        free(t->remarks[s->remark[k] - 1]);
        t->remarks[s->remark[k] - 1] =
            xasprintf("%llu %s", (unsigned long long)s->remarks[k], texts[k]);
    }
}

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
    const char *call = name + 4; /* behind MPI_ */

    if (strncmp(name, "MPI_", 4) != 0 || has(name, "eighbor"))
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

/* --- communicators -------------------------------------------------------- */

static struct nsys_binding *binding_of(struct nsys_rank *r, int64_t handle)
{
    for (size_t i = 0; i < r->nbindings; i++)
        if (r->bindings[i].handle == handle)
            return &r->bindings[i];
    return NULL;
}

static void bind(struct nsys_rank *r, int64_t handle, size_t comm)
{
    struct nsys_binding *b = binding_of(r, handle);

    if (!b) {
        r->bindings =
            xrealloc(r->bindings, r->nbindings + 1, sizeof *r->bindings);
        b = &r->bindings[r->nbindings++];
    }
    *b = (struct nsys_binding){.handle = handle, .comm = comm};
}

static size_t comm_find(struct nsys_state *s, const struct nsys_membership *m)
{
    for (size_t i = 0; i < s->ncomms; i++)
        if (s->comms[i].root == m->root && s->comms[i].uid == m->uid &&
            s->comms[i].n == m->size)
            return i;
    s->comms = xrealloc(s->comms, s->ncomms + 1, sizeof *s->comms);
    struct nsys_comm *c = &s->comms[s->ncomms];
    *c = (struct nsys_comm){
        .root = m->root, .uid = m->uid, .n = (uint32_t)m->size};
    c->members = xcalloc(c->n + (size_t)1, sizeof *c->members);
    for (uint32_t i = 0; i < c->n; i++)
        c->members[i] = UINT32_MAX;
    return s->ncomms++;
}

/* The first communicator in which every rank has its own number is the
 * world's. */
static void find_world(struct trace *t)
{
    struct nsys_state *s = t->state;

    for (size_t i = 0; i < s->ncomms; i++) {
        struct nsys_comm *c = &s->comms[i];
        c->world = c->n == t->ranks && c->n > 1;
        for (uint32_t k = 0; k < c->n && c->world; k++)
            c->world = c->members[k] == k || c->members[k] == UINT32_MAX;
        if (c->world)
            return;
    }
}

static int nsys_comms(struct trace *t, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_membership *list;
    size_t n;
    int result = 0;

    for (size_t f = 0; f < s->nfiles && result == 0; f++) {
        result = nsys_memberships(&s->files[f], &list, &n, err);
        for (size_t i = 0; i < n && result == 0; i++) {
            const struct nsys_membership *m = &list[i];
            if (m->rank < 0 || m->rank >= t->ranks || m->size < 1 ||
                m->size > t->ranks || m->local < 0 || m->local >= m->size)
                continue; /* MPI_COMM_NULL, say */
            size_t c = comm_find(s, m);
            s->comms[c].members[m->local] = (uint32_t)m->rank;
            bind(&s->ranks[m->rank], m->handle, c);
        }
        free(list);
    }
    if (result == 0)
        find_world(t);
    return result;
}

/* The communicator's number for a call; false: its members are not known. An
 * event that tells of it may come first. */
static bool nsys_comm_of(struct trace *t, struct nsys_rank *r, int64_t handle,
                         uint32_t *number, uint32_t *members)
{
    struct nsys_state *s = t->state;

    *number = TRACE_WORLD;
    *members = t->ranks;
    if (handle == NSYS_NOT_SAID)
        return true;
    struct nsys_binding *b = binding_of(r, handle);
    if (!b && s->ncomms == 0) { /* the rank's first is taken as the world's */
        if (r->nbindings)
            return false;
        bind(r, handle, SIZE_MAX);
        return true;
    }
    if (!b)
        return false;
    if (b->comm == SIZE_MAX || s->comms[b->comm].world)
        return true;
    const struct nsys_comm *c = &s->comms[b->comm];
    for (uint32_t i = 0; i < c->n; i++)
        if (c->members[i] == UINT32_MAX)
            return false;
    *number = (uint32_t)b->comm + 1;
    *members = c->n;
    if (!b->told) {
        struct trace_event *e = &r->ready[r->n++];
        trace_event_set(e, TRACE_COMM);
        e->how = TRACE_KNOWN;
        e->new_comm = e->key = *number;
        e->members = c->members;
        e->nmembers = c->n;
        b->told = true;
    }
    return true;
}

/* --- requests ------------------------------------------------------------- */

static struct nsys_handle *handle_of(struct nsys_rank *r, int64_t handle)
{
    for (size_t i = r->nhandles; i-- > 0;)
        if (r->handles[i].handle == handle)
            return &r->handles[i];
    return NULL;
}

static void list_add(struct nsys_rank *r, uint64_t request)
{
    if (r->nlist == r->list_room) {
        r->list_room = r->list_room ? 2 * r->list_room : 16;
        r->list = xrealloc(r->list, r->list_room, sizeof *r->list);
    }
    r->list[r->nlist++] = request;
}

/* Waits for what is in the list. */
static struct trace_event *push_wait(struct nsys_rank *r)
{
    struct trace_event *e = &r->ready[r->n++];

    trace_event_set(e, TRACE_WAIT);
    e->blocks = true;
    e->nrequests = r->nlist;
    return e;
}

/* The request that an event begins, under its handle. */
static uint64_t begin_request(struct nsys_state *s, struct nsys_rank *r,
                              int64_t handle)
{
    struct nsys_handle *h = handle_of(r, handle);

    if (h && h->open && !h->persistent) { /* completed unseen */
        list_add(r, h->request);
        (void)push_wait(r);
        s->remarks[NSYS_NOT_WAITED]++;
    }
    if (!h) {
        if (r->nhandles == r->handle_room) {
            r->handle_room = r->handle_room ? 2 * r->handle_room : 16;
            r->handles =
                xrealloc(r->handles, r->handle_room, sizeof *r->handles);
        }
        h = &r->handles[r->nhandles++];
    }
    *h = (struct nsys_handle){
        .handle = handle, .request = r->next_request++, .open = true};
    return h->request;
}

/* A request is waited for. */
static void end_request(struct nsys_rank *r, int64_t handle)
{
    struct nsys_handle *h = handle_of(r, handle);

    if (!h || !h->open)
        return; /* MPI_REQUEST_NULL */
    list_add(r, h->request);
    if (h->persistent)
        h->open = false;
    else
        *h = r->handles[--r->nhandles];
}

/* All that nobody waited for. */
static void end_requests(struct nsys_state *s, struct nsys_rank *r)
{
    for (size_t i = 0; i < r->nhandles; i++)
        if (r->handles[i].open) {
            list_add(r, r->handles[i].request);
            s->remarks[NSYS_NOT_WAITED]++;
        }
    r->nhandles = 0;
    if (r->nlist)
        push_wait(r)->name = "waitall";
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

/* A send or receive, pushed. */
static int message(struct trace *t, uint32_t rank, const struct nsys_row *row,
                   bool receives, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];
    bool begins = has(row->name, "MPI_I") || has(row->name, "_init");
    uint32_t comm, members;

    if (row->peer == NSYS_NOT_SAID || row->bytes < 0) {
        trace_event_set(&r->ready[r->n++], TRACE_UNKNOWN);
        s->remarks[NSYS_WITHOUT_ARGUMENTS]++;
        return 0;
    }
    if (!nsys_comm_of(t, r, row->comm, &comm, &members)) {
        trace_event_set(&r->ready[r->n++], TRACE_UNKNOWN);
        s->remarks[NSYS_STRANGE_COMMS]++;
        return 0;
    }
    if (row->peer >= (int64_t)members)
        return call_fail(t, rank, row, err,
                         "its peer is not a member of the communicator");
    uint64_t request = begins ? begin_request(s, r, row->request) : NO_REQUEST;
    struct trace_event *e = &r->ready[r->n++];
    trace_event_set(e, receives ? TRACE_RECV : TRACE_SEND);
    e->comm = comm;
    e->peer = nsys_peer(s, row, receives);
    e->tag = row->tag >= 0                           ? (uint32_t)row->tag
             : receives && row->tag != NSYS_NOT_SAID ? ANY_TAG
                                                     : 0;
    e->bytes = (uint64_t)row->bytes;
    e->request = request;
    e->blocks = !begins;
    e->synchronous = has(row->name, "Ssend") || has(row->name, "Issend");
    if (has(row->name, "_init")) { /* MPI_Start begins it */
        struct nsys_handle *h = handle_of(r, row->request);
        h->persistent = true;
        h->open = false;
        h->e = *e;
        trace_event_set(e, TRACE_OTHER);
    }
    return 0;
}

/* MPI_Sendrecv: a row for the send and one for the receive, or one for both. */
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
            return 0;
        e->blocks = false;
        e->request = r->next_request++;
        list_add(r, e->request);
    }
    (void)push_wait(r);
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
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];
    bool begins = has(row->name, "MPI_I"), uneven = false;
    uint8_t kind = 0;
    uint32_t comm, members;

    bool known = nsys_collective(row->name, &kind, &uneven);
    bool sizes =
        kind == TRACE_BARRIER || row->bytes >= 0 || row->recv_bytes >= 0;
    if (!known || !sizes || !nsys_comm_of(t, r, row->comm, &comm, &members)) {
        trace_event_set(&r->ready[r->n++], TRACE_UNKNOWN);
        s->remarks[!known || sizes ? NSYS_STRANGE_COMMS
                                   : NSYS_WITHOUT_ARGUMENTS] += known;
        return 0;
    }
    bool rooted = kind == TRACE_BROADCAST || kind == TRACE_REDUCE ||
                  kind == TRACE_GATHER || kind == TRACE_SCATTER;
    if (rooted && row->peer >= (int64_t)members)
        return call_fail(t, rank, row, err,
                         "its root is not a member of the communicator");
    uint64_t request = begins ? begin_request(s, r, row->request) : NO_REQUEST;
    struct trace_event *e = &r->ready[r->n++];
    trace_event_set(e, TRACE_COLLECTIVE);
    e->collective = kind;
    e->comm = comm;
    if (rooted)
        e->peer = row->peer >= 0 ? (uint32_t)row->peer : 0;
    e->bytes = e->recv_bytes = nsys_bytes(row, kind, uneven, members);
    e->request = request;
    e->blocks = !begins;
    s->remarks[NSYS_UNEVEN] += uneven;
    return 0;
}

static void start_or_wait(struct nsys_rank *r, const struct nsys_row *row)
{
    struct nsys_handle *h = handle_of(r, row->request);

    if (!has(row->name, "MPI_Start")) {
        end_request(r, row->request);
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

static void other(struct nsys_state *s, struct nsys_rank *r,
                  const struct nsys_row *row)
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
        s->remarks[NSYS_WITHOUT_ARGUMENTS]++;
    }
    if (call == TRACE_FINALIZE)
        end_requests(s, r);
    trace_event_set(&r->ready[r->n++], call);
}

/* --- rows to calls -------------------------------------------------------- */

static int next_row(struct trace *t, struct nsys_rank *r, struct err *err)
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

/* A call of waiting: all its rows. */
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
        if (next_row(t, r, err) < 0)
            return -1;
    }
    if (r->nlist)
        (void)push_wait(r);
    else if (r->n == 0)
        trace_event_set(&r->ready[r->n++], tests ? TRACE_POLL : TRACE_OTHER);
    return 0;
}

static int point_to_point(struct trace *t, uint32_t rank,
                          const struct nsys_row *row, struct err *err)
{
    struct nsys_rank *r = &((struct nsys_state *)t->state)->ranks[rank];

    if (has(row->name, "obe")) { /* MPI_Probe */
        other(t->state, r, row);
        return 0;
    }
    if (!has(row->name, "endrecv"))
        return message(t, rank, row,
                       has(row->name, "recv") || has(row->name, "Recv"), err);
    struct nsys_row second = *row;
    if (r->has_row && same_call(&r->row, row)) {
        second = r->row;
        if (next_row(t, r, err) < 0)
            return -1;
    }
    return exchange(t, rank, row, &second, err);
}

/* The times and names of a call's events: all are at its beginning, but for the
 * last, which takes its time. */
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

static int next_call(struct trace *t, uint32_t rank, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];
    struct nsys_row row = r->row;
    int result = 0;

    r->at = r->n = r->nlist = 0;
    if (next_row(t, r, err) < 0)
        return -1;
    if (row.table == NSYS_P2P)
        result = point_to_point(t, rank, &row, err);
    else if (row.table == NSYS_COLLECTIVES)
        result = collective(t, rank, &row, err);
    else if (row.table == NSYS_START_WAIT)
        result = waits(t, r, &row, err);
    else
        other(s, r, &row);
    call_times(s, r, &row);
    return result;
}

static int nsys_begin(struct trace *t, struct nsys_rank *r, struct err *err)
{
    struct nsys_state *s = t->state;

    r->calls = nsys_calls(&s->files[r->file], r->process, err);
    if (!r->calls)
        return -1;
    r->begun = true;
    return next_row(t, r, err);
}

static int nsys_next_event(struct trace *t, uint32_t rank,
                           struct trace_event *e, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];

    if (!r->begun && nsys_begin(t, r, err) < 0)
        return -1;
    while (r->at == r->n) {
        if (r->has_row) {
            if (next_call(t, rank, err) < 0)
                return -1;
            continue;
        }
        if (r->ended)
            return 0;
        r->ended = true;
        r->at = r->n = r->nlist = 0;
        end_requests(s, r);
        for (size_t i = 0; i < r->n; i++)
            r->ready[i].requests = r->list;
        nsys_say_remarks(t);
    }
    *e = r->ready[r->at++];
    return 1;
}

/* --- opening -------------------------------------------------------------- */

struct nsys_found {
    int64_t rank, process;
    size_t file;
};

/* Which ranks are in which file; a file that does not say is of the rank that
 * its name does, if it is one of several. */
static int nsys_find_ranks(struct trace *t, struct nsys_found **found,
                           size_t *n, struct err *err)
{
    struct nsys_state *s = t->state;

    for (size_t i = 0; i < s->nfiles; i++) {
        struct nsys_process *list;
        size_t k;
        if (nsys_processes(&s->files[i], &list, &k, err) < 0) {
            free(list);
            return -1;
        }
        *found = xrealloc(*found, *n + k + 1, sizeof **found);
        for (size_t j = 0; j < k; j++)
            (*found)[(*n)++] =
                (struct nsys_found){list[j].rank, list[j].process, i};
        if (k == 0)
            (*found)[(*n)++] = (struct nsys_found){
                s->nfiles == 1 ? 0 : (int64_t)s->paths.files[i].number,
                NSYS_NOT_SAID, i};
        free(list);
    }
    return 0;
}

static int nsys_set_ranks(struct trace *t, const struct nsys_found *found,
                          size_t n, struct err *err)
{
    struct nsys_state *s = t->state;
    int64_t ranks = 0;

    for (size_t i = 0; i < n; i++) {
        if (found[i].rank < 0 || found[i].rank >= NSYS_RANKS)
            return fail(err, "%s: rank %lld: expected 0 to %d",
                        s->files[found[i].file].path, (long long)found[i].rank,
                        NSYS_RANKS - 1);
        if (found[i].rank >= ranks)
            ranks = found[i].rank + 1;
    }
    trace_set_ranks(t, (uint32_t)ranks);
    t->has_clock = true;
    s->ranks = xcalloc(t->ranks, sizeof *s->ranks);
    for (uint32_t i = 0; i < t->ranks; i++)
        t->rank[i].missing = true;
    for (size_t i = 0; i < n; i++) {
        struct trace_rank *r = &t->rank[found[i].rank];
        const char *path = s->files[found[i].file].path;
        if (!r->missing && s->ranks[found[i].rank].process == found[i].process)
            continue; /* several threads */
        if (!r->missing)
            return fail(err, "%s: of rank %lld, as %s", path,
                        (long long)found[i].rank, r->file);
        *r = (struct trace_rank){.file = path, .places_lines = true};
        s->ranks[found[i].rank].file = found[i].file;
        s->ranks[found[i].rank].process = found[i].process;
    }
    return 0;
}

static int open_files(struct trace *t, struct err *err)
{
    struct nsys_state *s = t->state;
    uint64_t kernels = 0, copies = 0;

    s->files = xcalloc(s->paths.n, sizeof *s->files);
    s->begin_ns = INT64_MAX;
    for (size_t i = 0; i < s->paths.n; i++) {
        s->nfiles++;
        if (nsys_file_open(&s->files[i], s->paths.files[i].path, err) < 0)
            return -1;
        int minus_1 = nsys_sends_to(&s->files[i], -1, err);
        if (minus_1 < 0)
            return -1;
        s->any_is_minus_2 |= minus_1;
        if (s->files[i].begin_ns < s->begin_ns)
            s->begin_ns = s->files[i].begin_ns;
        kernels += s->files[i].kernels;
        copies += s->files[i].copies;
    }
    if (kernels || copies)
        trace_remark(t,
                     "%llu kernels and %llu copies of GPUs ran in the time "
                     "between calls, which counts as computing",
                     (unsigned long long)kernels, (unsigned long long)copies);
    return 0;
}

static int nsys_open(struct trace *t, struct err *err)
{
    struct nsys_state *s = t->state = xcalloc(1, sizeof *s);
    struct nsys_found *found = NULL;
    size_t n = 0;

    if (rank_files_find(&s->paths, t->path, ".sqlite", 1, err) < 0 ||
        open_files(t, err) < 0)
        return -1;
    int result = nsys_find_ranks(t, &found, &n, err);
    if (result == 0)
        result = nsys_set_ranks(t, found, n, err);
    free(found);
    return result < 0 ? -1 : nsys_comms(t, err);
}

static void rank_clear(struct nsys_rank *r)
{
    sqlite3_finalize(r->calls);
    free(r->handles);
    free(r->list);
    *r = (struct nsys_rank){.file = r->file,
                            .process = r->process,
                            .bindings = r->bindings,
                            .nbindings = r->nbindings};
}

static int nsys_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    struct nsys_state *s = t->state;
    struct nsys_rank *r = &s->ranks[rank];

    (void)err;
    rank_clear(r);
    for (size_t i = 0; i < r->nbindings; i++)
        r->bindings[i].told = false;
    if (s->ncomms == 0)
        r->nbindings = 0;
    return 0;
}

static void nsys_close(struct trace *t)
{
    struct nsys_state *s = t->state;

    if (!s)
        return;
    for (uint32_t i = 0; s->ranks && i < t->ranks; i++) {
        rank_clear(&s->ranks[i]);
        free(s->ranks[i].bindings);
    }
    for (size_t i = 0; i < s->nfiles; i++)
        nsys_file_close(&s->files[i]);
    for (size_t i = 0; i < s->ncomms; i++)
        free(s->comms[i].members);
    rank_files_clear(&s->paths);
    names_clear(&s->names);
    free(s->comms);
    free(s->files);
    free(s->ranks);
    free(s);
    t->state = NULL;
}

const struct trace_format nsys_reader = {
    .name = "nsys",
    .summary = NSYS_SUMMARY,
    .open = nsys_open,
    .next = nsys_next_event,
    .rewind = nsys_rewind,
    .close = nsys_close,
};
