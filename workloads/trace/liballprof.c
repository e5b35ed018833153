/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the text traces of liballprof, the PMPI library that comes with
 * LogGOPSim: a file a rank, a line a call, its arguments between colons. */
#include "workloads/trace/liballprof.h"

#include "workloads/trace/scan.h"

#include <inttypes.h>
#include <stdlib.h>

#define LIBALLPROF_MOST_NAMES 256
#define LIBALLPROF_MPICH_WORLD 0x44000000u

/*
 * What the arguments of a call are, in the order of MPI's own declaration:
 *   n count  t type  x rank  g tag  c communicator  q request
 *   a how many requests  A their list  v a count for each member  d such a list
 *   of displacements  r root  k colour  y key  p anything else
 */
struct liballprof_call {
    const char *name; /* behind MPI_ */
    const char *arguments;
    uint8_t call, collective;
    bool blocks;
};

#define LIBALLPROF_COLLECTIVE(name, arguments, which)                          \
    {                                                                          \
        name, arguments, TRACE_COLLECTIVE, which, true                         \
    }

static const struct liballprof_call liballprof_calls[] = {
    {"Send", "pntxgc", TRACE_SEND, 0, true},
    {"Recv", "pntxgcp", TRACE_RECV, 0, true},
    {"Isend", "pntxgcq", TRACE_SEND, 0, false},
    {"Irecv", "pntxgcq", TRACE_RECV, 0, false},
    {"Wait", "qp", TRACE_WAIT, 0, false},
    {"Waitall", "aAp", TRACE_WAIT, 0, false},
    {"Waitany", "aApp", TRACE_WAIT, 1, false},
    {"Waitsome", "aAppp", TRACE_WAIT, 1, false},
    {"Test", "qpp", TRACE_POLL, 0, false},
    {"Testall", "aApp", TRACE_POLL, 0, false},
    {"Testany", "aAppp", TRACE_POLL, 0, false},
    {"Testsome", "aAppp", TRACE_POLL, 0, false},
    {"Iprobe", "xgcpp", TRACE_POLL, 0, false},
    {"Probe", "xgcp", TRACE_PROBE, 0, true},
    {"Sendrecv", "pntxgpntxgcp", TRACE_SEND, 1, false},
    {"Sendrecv_replace", "pntxgxgcp", TRACE_SEND, 2, false},
    {"Ssend", "pntxgc", TRACE_SEND, 0, true},
    {"Rsend", "pntxgc", TRACE_SEND, 0, true},
    {"Bsend", "pntxgc", TRACE_SEND, 0, true},
    {"Issend", "pntxgcq", TRACE_SEND, 0, false},
    {"Irsend", "pntxgcq", TRACE_SEND, 0, false},
    {"Ibsend", "pntxgcq", TRACE_SEND, 0, false},
    {"Send_init", "pntxgcq", TRACE_SEND, 3, false},
    {"Ssend_init", "pntxgcq", TRACE_SEND, 3, false},
    {"Rsend_init", "pntxgcq", TRACE_SEND, 3, false},
    {"Bsend_init", "pntxgcq", TRACE_SEND, 3, false},
    {"Recv_init", "pntxgcq", TRACE_RECV, 3, false},
    {"Start", "q", TRACE_OTHER, 1, false},
    {"Startall", "aA", TRACE_OTHER, 1, false},
    {"Cancel", "q", TRACE_CANCEL, 0, false},
    LIBALLPROF_COLLECTIVE("Barrier", "c", TRACE_BARRIER),
    LIBALLPROF_COLLECTIVE("Bcast", "pntrc", TRACE_BROADCAST),
    LIBALLPROF_COLLECTIVE("Reduce", "ppntprc", TRACE_REDUCE),
    LIBALLPROF_COLLECTIVE("Allreduce", "ppntpc", TRACE_ALLREDUCE),
    LIBALLPROF_COLLECTIVE("Scan", "ppntpc", TRACE_SCAN),
    LIBALLPROF_COLLECTIVE("Exscan", "ppntpc", TRACE_EXSCAN),
    LIBALLPROF_COLLECTIVE("Alltoall", "pntpntc", TRACE_ALLTOALL),
    LIBALLPROF_COLLECTIVE("Allgather", "pntpntc", TRACE_ALLGATHER),
    LIBALLPROF_COLLECTIVE("Gather", "pntpntrc", TRACE_GATHER),
    LIBALLPROF_COLLECTIVE("Scatter", "pntpntrc", TRACE_SCATTER),
    LIBALLPROF_COLLECTIVE("Alltoallv", "pvdtpvdtc", TRACE_ALLTOALL),
    LIBALLPROF_COLLECTIVE("Allgatherv", "pntpvdtc", TRACE_ALLGATHER),
    LIBALLPROF_COLLECTIVE("Gatherv", "pntpvdtrc", TRACE_GATHER),
    LIBALLPROF_COLLECTIVE("Scatterv", "pvdtpntrc", TRACE_SCATTER),
    LIBALLPROF_COLLECTIVE("Reduce_scatter", "ppvtpc", TRACE_REDUCE_SCATTER),
    {"Comm_rank", "cp", TRACE_OTHER, 0, false},
    {"Comm_size", "cp", TRACE_OTHER, 0, false},
    {"Comm_dup", "cp", TRACE_COMM, TRACE_DUP, true},
    {"Comm_split", "ckyp", TRACE_COMM, TRACE_SPLIT, true},
    {"Init", NULL, TRACE_INIT, 0, false},
    {"Init_thread", NULL, TRACE_INIT, 0, false},
    {"Finalize", NULL, TRACE_FINALIZE, 0, false},
};
enum { LIBALLPROF_NCALLS = sizeof liballprof_calls / sizeof *liballprof_calls };
enum { /* in place of `collective`, of calls that are none */
       LIBALLPROF_ANY_OF = 1,
       LIBALLPROF_SENDRECV = 1,
       LIBALLPROF_REPLACE = 2,
       LIBALLPROF_PERSISTENT = 3,
       LIBALLPROF_START = 1
};

/* Without a meaning for time: what their names begin with. */
static const char *const liballprof_quiet[] = {
    "Type_",        "Attr_",        "Comm_get",      "Comm_set",
    "Comm_compare", "Comm_group",   "Group",         "Get_",
    "Errhandler_",  "Error_",       "Op_",           "Keyval_",
    "Info_",        "Wtime",        "Wtick",         "Address",
    "Initialized",  "Finalized",    "Pack",          "Unpack",
    "Cart_coords",  "Cart_rank",    "Cart_shift",    "Dims_",
    "Query",        "Topo_",        "Graph_get",     "Cart_get",
    "Cartdim_get",  "Comm_free",    "Alloc_mem",     "Free_mem",
    "Buffer_",      "Request_free", "Test_cancelled"};
enum { LIBALLPROF_NQUIET = sizeof liballprof_quiet / sizeof *liballprof_quiet };

/* The line that is read, and what its arguments say. */
struct liballprof_line {
    struct trace *t;
    struct liballprof *x;
    struct liballprof_rank *r;
    uint32_t rank;
    struct scan s; /* what is left, from a colon on */
    struct trace_event *e;
    struct err *err;
    uint64_t bytes[2]; /* of the first and second buffer */
    unsigned nbytes;
    uint64_t count; /* of the type that comes next */
    int list;       /* the list of counts that it is of; -1: none */
    uint32_t peer[2], tag[2];
    unsigned npeers, ntags;
    uint64_t address, howmany;
    uint64_t ncounts;
    bool has_comm;
};

/* --- fields --------------------------------------------------------------- */

static int liballprof_fail(struct liballprof_line *l, const char *what)
{
    int n = l->s.end - l->s.at < 40 ? (int)(l->s.end - l->s.at) : 40;

    return trace_fail(l->t, l->rank, l->e, l->err, "expected %s at '%.*s'",
                      what, n, l->s.at);
}

/* Over a colon or comma; false: there is none. */
static bool liballprof_over(struct liballprof_line *l, char separator)
{
    if (l->s.at == l->s.end || *l->s.at != separator)
        return false;
    l->s.at++;
    return true;
}

static int liballprof_whole(struct liballprof_line *l, char separator,
                            const char *what, uint64_t *out)
{
    if (!liballprof_over(l, separator) || !scan_digits(&l->s, out))
        return liballprof_fail(l, what);
    return 0;
}

static int liballprof_signed(struct liballprof_line *l, char separator,
                             const char *what, int64_t *out)
{
    uint64_t n;
    bool over = liballprof_over(l, separator),
         below = over && liballprof_over(l, '-');

    if (!over || !scan_digits(&l->s, &n))
        return liballprof_fail(l, what);
    *out = below ? -(int64_t)n : (int64_t)n;
    return 0;
}

/* One field, whatever it has. */
static int liballprof_skip(struct liballprof_line *l)
{
    if (!liballprof_over(l, ':'))
        return liballprof_fail(l, "another argument");
    const char *colon = memchr(l->s.at, ':', (size_t)(l->s.end - l->s.at));
    l->s.at = colon ? colon : l->s.end;
    return 0;
}

/* Microseconds, as seconds of the first rank's clock; "-": not a time. */
static int liballprof_time(struct liballprof_line *l, double *out)
{
    uint64_t us, part = 0;

    *out = NAN;
    if (!liballprof_over(l, ':'))
        return liballprof_fail(l, "a time");
    if (liballprof_over(l, '-'))
        return 0;
    if (!scan_digits(&l->s, &us))
        return liballprof_fail(l, "a time");
    const char *point = l->s.at;
    if (liballprof_over(l, '.')) {
        struct scan digits = {l->s.at,
                              l->s.end - l->s.at > 6 ? l->s.at + 6 : l->s.end};
        if (!scan_digits(&digits, &part))
            return liballprof_fail(l, "a time");
        for (int i = (int)(digits.at - point); i < 7; i++)
            part *= 10;
        l->s.at = digits.at;
        while (l->s.at < l->s.end && (unsigned char)(*l->s.at - '0') < 10)
            l->s.at++;
    }
    /* The difference of whole numbers loses nothing. */
    *out = (double)(int64_t)(us - l->x->origin_us) / 1e6 +
           (double)part * 1e-12 + l->r->clock_s;
    return 0;
}

/* --- arguments ------------------------------------------------------------ */

static int liballprof_count(struct liballprof_line *l)
{
    int64_t n;

    if (liballprof_signed(l, ':', "a count", &n) < 0)
        return -1;
    if (n < 0 || n > INT32_MAX)
        return liballprof_fail(l, "a count from 0 to 2147483647");
    l->count = (uint64_t)n;
    l->list = -1;
    return 0;
}

/* "number,size,extent": what was counted is of so many bytes. */
static int liballprof_type(struct liballprof_line *l)
{
    uint64_t size;

    if (!liballprof_over(l, ':'))
        return liballprof_fail(l, "a type, its size and extent");
    const char *comma = memchr(l->s.at, ',', (size_t)(l->s.end - l->s.at));
    l->s.at = comma ? comma : l->s.end;
    if (liballprof_whole(l, ',', "the size of a type", &size) < 0)
        return -1;
    if (size > INT32_MAX)
        return liballprof_fail(l, "a size of a type up to 2147483647");
    while (l->s.at < l->s.end && *l->s.at != ':')
        l->s.at++;
    if (l->list >= 0) {
        for (uint64_t i = 0; i < l->ncounts; i++)
            l->r->counts[l->list][i] *= size;
    } else if (l->nbytes < 2) {
        l->bytes[l->nbytes++] = l->count * size;
    }
    return 0;
}

/* A pointer, then a count for each member, all of the same list. */
static int liballprof_counts(struct liballprof_line *l, bool which)
{
    struct liballprof_rank *r = l->r;
    uint64_t n = 0;

    if (liballprof_skip(l) < 0)
        return -1;
    if (!r->counts[which])
        r->counts[which] = xcalloc(l->t->ranks, sizeof *r->counts[which]);
    do {
        int64_t count;
        if (liballprof_signed(l, n ? ',' : ':', "a count for each member",
                              &count) < 0)
            return -1;
        if (n == l->t->ranks)
            return liballprof_fail(l, "no more counts than ranks");
        /* Those that only a root gives may be anything elsewhere. */
        r->counts[which][n++] =
            count > 0 && count <= INT32_MAX ? (uint64_t)count : 0;
    } while (l->s.at < l->s.end && *l->s.at == ',');
    l->ncounts = n;
    l->list = which;
    if (which)
        l->e->recv_counts = r->counts[1];
    else
        l->e->counts = r->counts[0];
    l->e->ncounts = n;
    return 0;
}

static int liballprof_rank_argument(struct liballprof_line *l, int64_t *out)
{
    return liballprof_signed(l, ':', "a rank", out);
}

/* Which of its negative numbers are what depends on the MPI: MPI_ANY_SOURCE
 * and MPI_PROC_NULL are -1 and -2 in Open MPI, -2 and -1 in MPICH; a send has
 * no wildcard. The communicator, whose handle tells, comes after it: -1 and -2
 * are kept until then. */
static int liballprof_peer(struct liballprof_line *l)
{
    int64_t n;

    if (liballprof_rank_argument(l, &n) < 0)
        return -1;
    if (n < -2 || n >= l->t->ranks)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "rank %" PRId64 " of %" PRIu32, n, l->t->ranks);
    if (l->npeers < 2)
        l->peer[l->npeers++] =
            n < 0 ? UINT32_MAX + 1 + (uint32_t)n : (uint32_t)n;
    return 0;
}

static int liballprof_tag(struct liballprof_line *l)
{
    int64_t n;

    if (liballprof_signed(l, ':', "a tag", &n) < 0)
        return -1;
    if (n < -1 || n >= ANY_TAG)
        return trace_fail(l->t, l->rank, l->e, l->err, "tag %" PRId64, n);
    if (l->ntags < 2)
        l->tag[l->ntags++] = n < 0 ? ANY_TAG : (uint32_t)n;
    return 0;
}

static int liballprof_root(struct liballprof_line *l)
{
    int64_t n;

    if (liballprof_rank_argument(l, &n) < 0)
        return -1;
    if (n < 0 || n >= l->t->ranks)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "root %" PRId64 " of %" PRIu32, n, l->t->ranks);
    l->e->peer = (uint32_t)n;
    return 0;
}

/* Handles come to be known when they are used: the world's first; those made
 * later in the order in which they were made. */
static int liballprof_find_comm(struct liballprof_line *l, uint64_t handle,
                                uint64_t size, uint32_t *out)
{
    struct liballprof_rank *r = l->r;

    for (size_t i = r->ncomms; i-- > 0;)
        if (r->comms[i].handle == handle) {
            *out = r->comms[i].number;
            return 0;
        }
    if (r->oldest_made < r->next_comm)
        *out = r->oldest_made++;
    else if (size == l->t->ranks)
        *out = TRACE_WORLD;
    else
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "a communicator of %" PRIu64 " of %" PRIu32
                          " ranks, of which the trace does not say who they "
                          "are",
                          size, l->t->ranks);
    r->comms = xrealloc(r->comms, r->ncomms + 1, sizeof *r->comms);
    r->comms[r->ncomms++] = (struct liballprof_comm){handle, *out};
    return 0;
}

/* "handle,rank,size" */
static int liballprof_comm(struct liballprof_line *l)
{
    uint64_t handle, me, size;

    if (liballprof_whole(l, ':', "a communicator", &handle) < 0 ||
        liballprof_whole(l, ',', "a rank in it", &me) < 0 ||
        liballprof_whole(l, ',', "its size", &size) < 0)
        return -1;
    if (me >= size || size > l->t->ranks)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "rank %" PRIu64 " in a communicator of %" PRIu64
                          ", but there are %" PRIu32 " ranks",
                          me, size, l->t->ranks);
    if (liballprof_find_comm(l, handle, size, &l->e->comm) < 0)
        return -1;
    if (l->e->comm == TRACE_WORLD && me != l->rank)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "it says that it is rank %" PRIu64
                          " of the world: is it the file of another rank or "
                          "run?",
                          me);
    l->has_comm = true;
    return 0;
}

static int liballprof_whole_argument(struct liballprof_line *l, uint32_t *out)
{
    int64_t n;

    if (liballprof_signed(l, ':', "a whole number", &n) < 0)
        return -1;
    *out = (uint32_t)n; /* keys are compared, colours told apart */
    return 0;
}

static int liballprof_argument(struct liballprof_line *l, char kind,
                               bool *second_list)
{
    switch (kind) {
    case 'n':
        return liballprof_count(l);
    case 't':
        return liballprof_type(l);
    case 'x':
        return liballprof_peer(l);
    case 'g':
        return liballprof_tag(l);
    case 'c':
        return liballprof_comm(l);
    case 'r':
        return liballprof_root(l);
    case 'q':
    case 'A':
        return liballprof_whole(l, ':', "an address", &l->address);
    case 'a':
        return liballprof_whole(l, ':', "a number of requests", &l->howmany);
    case 'v':
        return liballprof_counts(l, *second_list);
    case 'd':
        return liballprof_skip(l) < 0 ? -1 : liballprof_skip(l);
    case 'k':
        return liballprof_whole_argument(l, &l->e->color);
    case 'y':
        return liballprof_whole_argument(l, &l->e->key);
    default:
        return liballprof_skip(l);
    }
}

/* --- requests ------------------------------------------------------------- */

/* A request that stands where another did: that one had completed. */
static void liballprof_begin(struct liballprof_rank *r, uint64_t address,
                             struct trace_event *e)
{
    uint32_t low = (uint32_t)address, high = (uint32_t)(address >> 32);
    uint64_t old;

    (void)pending_take(&r->requests, low, high, 0, &old);
    e->request = r->next_request++;
    pending_add(&r->requests, low, high, 0, e->request);
}

/* Requests are of 4 B in Fortran and MPICH, of 8 B in C of Open MPI: that by
 * which more of a list are known. */
static uint64_t liballprof_stride(struct pending *p,
                                  const struct liballprof_line *l)
{
    if (l->howmany < 2)
        return 8;
    return pending_take_list(p, l->address, 4, l->howmany, NULL) >
                   pending_take_list(p, l->address, 8, l->howmany, NULL)
               ? 4
               : 8;
}

/* Those that a wait is for; of MPI_Waitany() nobody knows which: the oldest. */
static void liballprof_wait(struct liballprof_line *l,
                            const struct liballprof_call *c)
{
    struct liballprof_rank *r = l->r;

    if (strchr(c->arguments, 'q')) {
        l->e->requests = r->both;
        l->e->nrequests =
            pending_take(&r->requests, (uint32_t)l->address,
                         (uint32_t)(l->address >> 32), 0, &r->both[0]);
        return;
    }
    uint64_t each_B = liballprof_stride(&r->requests, l);
    if (c->collective != LIBALLPROF_ANY_OF) {
        l->e->nrequests = pending_take_list(&r->requests, l->address, each_B,
                                            l->howmany, &l->e->requests);
        return;
    }
    l->e->requests = r->both;
    l->e->nrequests = pending_take_oldest(&r->requests, l->address, each_B,
                                          l->howmany, &r->both[0]);
}

static void liballprof_make_persistent(struct liballprof_line *l)
{
    struct liballprof_rank *r = l->r;
    uint32_t low = (uint32_t)l->address, high = (uint32_t)(l->address >> 32);
    uint64_t number;

    if (!pending_take(&r->persistents, low, high, 0, &number)) {
        number = r->npersistent++;
        if (number == r->persistent_room) {
            r->persistent_room = 2 * r->persistent_room + 16;
            r->persistent = xrealloc(r->persistent, r->persistent_room,
                                     sizeof *r->persistent);
        }
    }
    pending_add(&r->persistents, low, high, 0, number);
    r->persistent[number] = (struct liballprof_persistent){
        l->e->call, l->e->peer, l->e->tag, l->e->comm, l->e->bytes, l->address};
    uint64_t place = l->e->place;
    const char *name = l->e->name;
    trace_event_set(l->e, TRACE_OTHER);
    l->e->place = place;
    l->e->name = name;
}

/* The next of those that MPI_Start() or MPI_Startall() begins. */
static void liballprof_start_next(struct liballprof_rank *r,
                                  struct trace_event *e)
{
    const struct liballprof_persistent *p =
        &r->persistent[r->starting[r->starting_at++]];

    *e = r->start;
    e->call = p->call;
    e->peer = p->peer;
    e->tag = p->tag;
    e->comm = p->comm;
    e->bytes = p->bytes;
    if (r->starting_at < r->nstarting)
        e->end_s = e->begin_s;
    else
        r->nstarting = r->starting_at = 0;
    liballprof_begin(r, p->address, e);
}

/* They stay what they are: what is taken from the list is put back. */
static void liballprof_start(struct liballprof_line *l,
                             const struct liballprof_call *c)
{
    struct liballprof_rank *r = l->r;
    const uint64_t *ids;

    if (strchr(c->arguments, 'q'))
        l->howmany = 1;
    size_t n = pending_take_list(&r->persistents, l->address,
                                 liballprof_stride(&r->persistents, l),
                                 l->howmany, &ids);
    if (n == 0)
        return;
    r->starting = xrealloc(r->starting, n, sizeof *r->starting);
    memcpy(r->starting, ids, n * sizeof *ids);
    r->nstarting = n;
    r->starting_at = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t address = r->persistent[r->starting[i]].address;
        pending_add(&r->persistents, (uint32_t)address,
                    (uint32_t)(address >> 32), 0, r->starting[i]);
    }
    r->start = *l->e;
    liballprof_start_next(r, l->e);
}

/* --- calls ---------------------------------------------------------------- */

/* -1 and -2, now that the MPI is known. */
static uint32_t liballprof_resolve(const struct liballprof_rank *r,
                                   uint32_t peer, bool receive)
{
    uint64_t world = r->ncomms ? r->comms[0].handle : 0;
    bool mpich = world == LIBALLPROF_MPICH_WORLD;

    if (peer < UINT32_MAX - 1)
        return peer;
    bool first = peer == UINT32_MAX; /* -1 */
    return receive && first != mpich ? ANY_RANK : NO_PEER;
}

static int liballprof_message(struct liballprof_line *l,
                              const struct liballprof_call *c)
{
    struct trace_event *e = l->e;

    e->peer = liballprof_resolve(l->r, l->peer[0], c->call != TRACE_SEND);
    e->tag = l->tag[0];
    e->bytes = l->bytes[0];
    e->synchronous = !strcmp(c->name, "Ssend") || !strcmp(c->name, "Issend");
    if (c->call == TRACE_SEND && e->tag == ANY_TAG && e->peer != NO_PEER)
        return trace_fail(l->t, l->rank, e, l->err, "a send to any tag");
    if (c->collective == LIBALLPROF_PERSISTENT)
        liballprof_make_persistent(l);
    else if (!c->blocks)
        liballprof_begin(l->r, l->address, e);
    return 0;
}

/* The receive first, then the send, and a wait for both. */
static void liballprof_sendrecv(struct liballprof_line *l, bool replace)
{
    struct liballprof_rank *r = l->r;
    struct trace_event *e = l->e;

    r->then[0] = r->then[1] = *e;
    r->then[0].call = TRACE_SEND;
    r->then[0].peer = liballprof_resolve(r, l->peer[0], false);
    r->then[0].tag = l->tag[0];
    r->then[0].bytes = l->bytes[0];
    r->then[1].call = TRACE_WAIT;
    r->then[1].comm = TRACE_WORLD;
    r->then[1].requests = r->both;
    r->then[1].nrequests = 2;
    r->nthen = 2;
    e->call = TRACE_RECV;
    e->peer = liballprof_resolve(r, l->peer[1], true);
    e->tag = l->tag[1];
    e->bytes = l->bytes[replace ? 0 : 1];
    e->end_s = r->then[0].end_s = e->begin_s;
    r->both[0] = e->request = r->next_request++;
    r->both[1] = r->then[0].request = r->next_request++;
}

/* A reduction's count stands where a pair of buffers' first would. */
static void liballprof_collective(struct liballprof_line *l)
{
    struct trace_event *e = l->e;

    if (e->collective == TRACE_SCATTER && e->counts)
        e->recv_bytes = l->bytes[0];
    else {
        e->bytes = l->bytes[0];
        e->recv_bytes = l->bytes[1];
    }
    if (e->collective == TRACE_REDUCE_SCATTER)
        e->recv_counts = e->counts;
}

/* MPI_Waitany() waits for the oldest, MPI_Test() finds nothing. */
static void liballprof_guess(struct liballprof_line *l, const char *what)
{
    if (!l->x->guessed)
        trace_remark(l->t,
                     "rank %" PRIu32 ", line %" PRIu64 ", %s and others: "
                     "such traces do not say which request was complete: "
                     "the oldest of a wait, none of a test",
                     l->rank, l->r->line, what);
    l->x->guessed = true;
}

static int liballprof_mean(struct liballprof_line *l,
                           const struct liballprof_call *c)
{
    switch (c->call) {
    case TRACE_SEND:
        if (c->collective == LIBALLPROF_SENDRECV ||
            c->collective == LIBALLPROF_REPLACE) {
            liballprof_sendrecv(l, c->collective == LIBALLPROF_REPLACE);
            return 0;
        }
        return liballprof_message(l, c);
    case TRACE_RECV:
        return liballprof_message(l, c);
    case TRACE_PROBE:
        l->e->peer = liballprof_resolve(l->r, l->peer[0], true);
        l->e->tag = l->tag[0];
        return 0;
    case TRACE_POLL:
        liballprof_guess(l, l->e->name);
        return 0;
    case TRACE_CANCEL:
    case TRACE_WAIT:
        if (c->collective == LIBALLPROF_ANY_OF)
            liballprof_guess(l, l->e->name);
        liballprof_wait(l, c);
        return 0;
    case TRACE_COLLECTIVE:
        l->e->collective = c->collective;
        liballprof_collective(l);
        return 0;
    case TRACE_COMM:
        l->e->how = c->collective;
        l->e->new_comm = l->r->next_comm++;
        return 0;
    case TRACE_OTHER:
        if (c->collective == LIBALLPROF_START)
            liballprof_start(l, c);
        return 0;
    default:
        return 0;
    }
}

/* --- lines ---------------------------------------------------------------- */

static const struct liballprof_call *liballprof_find_call(struct scan name)
{
    size_t n = (size_t)(name.end - name.at);

    for (int i = 0; i < LIBALLPROF_NCALLS; i++)
        if (liballprof_calls[i].name[0] == *name.at &&
            !strncmp(liballprof_calls[i].name, name.at, n) &&
            !liballprof_calls[i].name[n])
            return &liballprof_calls[i];
    return NULL;
}

static bool liballprof_is_quiet(struct scan name)
{
    for (int i = 0; i < LIBALLPROF_NQUIET; i++) {
        size_t n = strlen(liballprof_quiet[i]);
        if ((size_t)(name.end - name.at) >= n &&
            !memcmp(name.at, liballprof_quiet[i], n))
            return true;
    }
    return false;
}

/* The trace's copy of the whole name. */
static const char *liballprof_name(struct liballprof *x, struct scan word)
{
    size_t n = (size_t)(word.end - word.at);

    n = n < 64 ? n : 64;
    for (size_t i = 0; i < x->nnames; i++)
        if (!strncmp(x->names[i], word.at, n) && !x->names[i][n])
            return x->names[i];
    if (x->nnames == LIBALLPROF_MOST_NAMES)
        return "other";
    if (!x->names)
        x->names = xcalloc(LIBALLPROF_MOST_NAMES, sizeof *x->names);
    return x->names[x->nnames++] = xasprintf("%.*s", (int)n, word.at);
}

/* The time at the end of the line, which stands behind arguments that nobody
 * reads. */
static int liballprof_last_time(struct liballprof_line *l, double *out)
{
    const char *colon = memrchr(l->s.at, ':', (size_t)(l->s.end - l->s.at));

    l->s.at = colon ? colon : l->s.end;
    return liballprof_time(l, out);
}

static int liballprof_read_call(struct liballprof_line *l,
                                const struct liballprof_call *c)
{
    double end_s;

    if (liballprof_time(l, &l->e->begin_s) < 0)
        return -1;
    bool second = false;
    l->list = -1;
    for (const char *a = c && c->arguments ? c->arguments : ""; *a; a++) {
        if (liballprof_argument(l, *a, &second) < 0)
            return -1;
        /* Lists of counts are of the second buffer behind the first. */
        second |= *a == 't' && c->collective != TRACE_REDUCE_SCATTER;
    }
    if ((c && c->arguments ? liballprof_time(l, &end_s)
                           : liballprof_last_time(l, &end_s)) < 0)
        return -1;
    if (l->s.at < l->s.end)
        return liballprof_fail(l, "the end of the line");
    l->e->end_s = isnan(end_s) ? l->e->begin_s : end_s;
    if (isnan(l->e->begin_s))
        l->e->begin_s = l->e->end_s;
    if (l->e->end_s < l->e->begin_s)
        return trace_fail(l->t, l->rank, l->e, l->err, "ends before it begins");
    return c ? liballprof_mean(l, c) : 0;
}

/* "MPI_Isend:...": 1, or -1. */
static int liballprof_read_line(struct liballprof_line *l)
{
    const char *colon = memchr(l->s.at, ':', (size_t)(l->s.end - l->s.at));
    struct scan name = {l->s.at, colon ? colon : l->s.end};

    trace_event_set(l->e, TRACE_OTHER);
    l->e->place = l->r->line;
    if (!colon || name.end - name.at < 5 || memcmp(name.at, "MPI_", 4) != 0)
        return liballprof_fail(l, "MPI_ and a call");
    l->e->name = liballprof_name(l->x, name);
    l->s.at = colon;
    name.at += 4;
    const struct liballprof_call *c = liballprof_find_call(name);
    if (c) {
        l->e->call = c->call;
        l->e->blocks = c->blocks;
    } else if (!liballprof_is_quiet(name)) {
        l->e->call = TRACE_UNKNOWN;
    }
    return liballprof_read_call(l, c) < 0 ? -1 : 1;
}

static int liballprof_next(struct trace *t, uint32_t rank,
                           struct trace_event *e, struct err *err)
{
    struct liballprof *x = t->state;
    struct liballprof_rank *r = &x->ranks[rank];
    struct liballprof_line l = {
        .t = t, .x = x, .r = r, .rank = rank, .e = e, .err = err};

    if (r->nthen) {
        *e = r->then[0];
        r->then[0] = r->then[1];
        r->nthen--;
        return 1;
    }
    if (r->starting_at < r->nstarting) {
        liballprof_start_next(r, e);
        return 1;
    }
    input_pass(&r->in);
    while (r->in.at < r->in.end) {
        l.s = scan_line(r->in.at, r->in.end, &r->in.at);
        r->line++;
        while (l.s.end > l.s.at && scan_is_blank(l.s.end[-1]))
            l.s.end--;
        if (l.s.at < l.s.end && *l.s.at != '#')
            return liballprof_read_line(&l);
    }
    return 0;
}

/* --- the format ----------------------------------------------------------- */

static int liballprof_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    struct liballprof_rank *r = &((struct liballprof *)t->state)->ranks[rank];
    const uint64_t *ids;

    (void)err;
    r->in.at = r->in.begin;
    r->in.given_back = 0;
    r->line = 0;
    r->next_comm = r->oldest_made = TRACE_WORLD + 1;
    r->ncomms = 0;
    r->npersistent = 0;
    r->next_request = 0;
    r->nthen = 0;
    r->nstarting = r->starting_at = 0;
    (void)pending_take_all(&r->requests, &ids);
    (void)pending_take_all(&r->persistents, &ids);
    return 0;
}

/* "# Init clockdiff: US" of older versions, "# clockdiff: S s" of newer: to be
 * added to a rank's clock, so that it shows the first rank's. */
static double liballprof_clock(const struct input *in)
{
    static const struct {
        const char *begins;
        double unit_s;
    } lines[] = {{"# Init clockdiff: ", 1e-6}, {"# clockdiff: ", 1}};
    const char *at = in->begin;

    for (int n = 0; n < 20 && at < in->end; n++) {
        struct scan line = scan_line(at, in->end, &at);
        for (int i = 0; i < 2; i++) {
            size_t length = strlen(lines[i].begins);
            double diff;
            if ((size_t)(line.end - line.at) < length ||
                memcmp(line.at, lines[i].begins, length) != 0)
                continue;
            line.at += length;
            return scan_real(&line, &diff) ? diff * lines[i].unit_s : 0;
        }
    }
    return 0;
}

/* The first time of a file, in microseconds. */
static uint64_t liballprof_origin(struct trace *t, uint32_t rank)
{
    struct trace_event e;
    struct err err;
    double begin_s = NAN;

    while (isnan(begin_s) && liballprof_next(t, rank, &e, &err) > 0)
        begin_s = e.begin_s;
    (void)liballprof_rewind(t, rank, &err);
    return begin_s >= 0 ? (uint64_t)(begin_s * 1e6) : 0;
}

static int liballprof_open(struct trace *t, struct err *err)
{
    struct liballprof *l = xcalloc(1, sizeof *l);
    uint32_t missing = 0, first = 0;

    t->state = l;
    t->has_clock = true;
    if (liballprof_open_files(t, l, err) < 0)
        return -1;
    for (uint32_t r = 0; r < t->ranks; r++) {
        missing += t->rank[r].missing;
        if (t->rank[r].missing)
            continue;
        if (input_open(&l->ranks[r].in, l->ranks[r].file, err) < 0 ||
            liballprof_rewind(t, r, err) < 0)
            return -1;
        l->ranks[r].clock_s = liballprof_clock(&l->ranks[r].in);
    }
    while (t->rank[first].missing)
        first++;
    l->origin_us = liballprof_origin(t, first);
    if (missing)
        trace_remark(
            t, "the files of %" PRIu32 " of %" PRIu32 " ranks are missing",
            missing, t->ranks);
    return 0;
}

static void liballprof_clear(struct liballprof_rank *r)
{
    input_close(&r->in);
    free(r->file);
    free(r->comms);
    pending_clear(&r->requests);
    pending_clear(&r->persistents);
    free(r->persistent);
    free(r->counts[0]);
    free(r->counts[1]);
    free(r->starting);
}

static void liballprof_close(struct trace *t)
{
    struct liballprof *l = t->state;

    if (!l)
        return;
    for (uint32_t r = 0; r < l->n; r++)
        liballprof_clear(&l->ranks[r]);
    for (size_t i = 0; i < l->nnames; i++)
        free(l->names[i]);
    free(l->names);
    free(l->ranks);
    free(l);
}

const struct trace_format liballprof_format = {
    .name = "liballprof",
    .summary = "text traces of liballprof, LogGOPSim's PMPI library",
    .files = "the file of any rank, or the folder of all",
    .is = liballprof_is,
    .open = liballprof_open,
    .next = liballprof_next,
    .rewind = liballprof_rewind,
    .close = liballprof_close,
};
