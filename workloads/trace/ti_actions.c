/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the words of an action of a time-independent trace. */
#include "workloads/trace/ti.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

/* Negative numbers that SMPI writes, and those of older versions. */
enum {
    TI_ANY_SOURCE = -555,
    TI_ANY_TAG = -444,
    TI_NO_RANK = -666,
    TI_OLD_ANY = -1,
    TI_OLD_NO_RANK = -2
};
/* Times the size of a type it stays far below 2^64. */
#define TI_MOST_COUNT 1e15

/* Bytes of SMPI's types by their numbers. */
static const uint8_t ti_type_B[] = {
    8, 4,  1, 2,  8,  4, 1,  8,  1, 1,  2,  4,  8,  8,  16, 4, 1,  1,  2, 4,
    8, 1,  2, 4,  8,  8, 16, 32, 8, 8,  8,  16, 16, 8,  8,  8, 16, 16, 4, 4,
    8, 16, 8, 16, 16, 4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8, 8};
enum { TI_NTYPES = sizeof ti_type_B, TI_DOUBLE = 0 };

/* --- words ---------------------------------------------------------------- */

int ti_fail_word(struct ti_line *l, const char *what)
{
    struct scan word = scan_word(&l->s);
    int n = word.end - word.at < 40 ? (int)(word.end - word.at) : 40;

    if (n == 0)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "expected %s, and the line ends", what);
    return trace_fail(l->t, l->rank, l->e, l->err, "expected %s, got '%.*s'",
                      what, n, word.at);
}

static int ti_count(struct ti_line *l, const char *what, uint64_t *out)
{
    struct scan before = l->s;
    double value;

    if (scan_whole(&l->s, out) && *out <= (uint64_t)TI_MOST_COUNT)
        return 0;
    l->s = before;
    if (scan_real(&l->s, &value) && value >= 0 && value <= TI_MOST_COUNT) {
        *out = (uint64_t)value;
        return 0;
    }
    l->s = before;
    return ti_fail_word(l, what);
}

/* Reads a number of flops or seconds, 0 or above. */
static int ti_amount(struct ti_line *l, const char *what, double *out)
{
    struct scan before = l->s;

    if (scan_real(&l->s, out) && *out >= 0)
        return 0;
    l->s = before;
    return ti_fail_word(l, what);
}

static int ti_fail_rank(struct ti_line *l, int64_t n)
{
    return trace_fail(l->t, l->rank, l->e, l->err,
                      "rank %" PRId64 " of %" PRIu32, n, l->t->ranks);
}

/* Reads a peer. If `any`, it may also be a wildcard. */
static int ti_peer(struct ti_line *l, bool any, uint32_t *out)
{
    int64_t n;

    if (!scan_signed(&l->s, &n))
        return ti_fail_word(l, "a rank");
    if (n == TI_NO_RANK || n == TI_OLD_NO_RANK)
        *out = NO_PEER;
    else if (any && (n == TI_ANY_SOURCE || n == TI_OLD_ANY))
        *out = ANY_RANK;
    else if (n < 0 || n >= l->t->ranks)
        return ti_fail_rank(l, n);
    else
        *out = (uint32_t)n;
    return 0;
}

static int ti_tag(struct ti_line *l, uint32_t *out)
{
    int64_t n;

    if (!scan_signed(&l->s, &n))
        return ti_fail_word(l, "a tag");
    if (n == TI_ANY_TAG || n == TI_OLD_ANY)
        *out = ANY_TAG;
    else if (n < 0 || n >= ANY_TAG)
        return trace_fail(l->t, l->rank, l->e, l->err, "tag %" PRId64, n);
    else
        *out = (uint32_t)n;
    return 0;
}

/* Reads the root; it is 0 if the line ends. */
static int ti_root(struct ti_line *l, uint32_t *out)
{
    *out = 0;
    if (scan_done(&l->s))
        return 0;
    uint64_t n;
    if (!scan_whole(&l->s, &n))
        return ti_fail_word(l, "the root's rank");
    if (n >= l->t->ranks)
        return ti_fail_rank(l, (int64_t)n);
    *out = (uint32_t)n;
    return 0;
}

/* Reads a type, and returns its size; it is the rank's default if the line
 * ends. */
static int ti_type(struct ti_line *l, uint64_t *out_B)
{
    int64_t n;

    *out_B = l->r->default_B;
    if (scan_done(&l->s))
        return 0;
    if (!scan_signed(&l->s, &n))
        return ti_fail_word(l, "the number of a type");
    if (n < -1 || n >= TI_NTYPES)
        return trace_fail(l->t, l->rank, l->e, l->err,
                          "type %" PRId64 ": SimGrid numbers them from 0 to %d",
                          n, TI_NTYPES - 1);
    *out_B = n < 0 ? 0 : ti_type_B[n];
    return 0;
}

static int ti_counts(struct ti_line *l, uint64_t *out)
{
    for (uint32_t i = 0; i < l->t->ranks; i++)
        if (ti_count(l, "a count for each rank", &out[i]) < 0)
            return -1;
    return 0;
}

static void ti_times(uint64_t *counts, uint32_t n, uint64_t B)
{
    for (uint32_t i = 0; i < n; i++)
        counts[i] *= B;
}

/* Returns the rank's first (0) or second (1) list of counts. */
static uint64_t *ti_list(struct ti_line *l, unsigned which)
{
    size_t n = l->t->ranks;

    if (!l->r->counts)
        l->r->counts = xcalloc(2 * n, sizeof *l->r->counts);
    return l->r->counts + which * n;
}

/* Returns the number of words that are left. */
static size_t ti_words_left(struct scan s)
{
    size_t n = 0;

    for (struct scan w = scan_word(&s); w.at < w.end; w = scan_word(&s))
        n++;
    return n;
}

/* --- actions -------------------------------------------------------------- */

static int ti_read_nothing(struct ti_line *l, const struct ti_action *a)
{
    (void)a;
    l->s.at = l->s.end;
    return 0;
}

/* Remarks once that communicators were made, because the trace does not have
 * the communicator of a call. */
static int ti_read_comm(struct ti_line *l, const struct ti_action *a)
{
    struct ti *ti = l->t->state;

    if (!ti->has_comms)
        trace_remark(l->t,
                     "rank %" PRIu32 ", line %" PRIu64 ", %s: such traces do "
                     "not say which communicator a call is of: all are of all "
                     "ranks",
                     l->rank, l->e->place, a->name);
    ti->has_comms = true;
    return ti_read_nothing(l, a);
}

static int ti_read_init(struct ti_line *l, const struct ti_action *a)
{
    l->r->default_B = scan_done(&l->s) ? 1 : ti_type_B[TI_DOUBLE];
    return ti_read_nothing(l, a);
}

static int ti_read_compute(struct ti_line *l, const struct ti_action *a)
{
    (void)a;
    return ti_amount(l, "flops", &l->e->work_flops);
}

static int ti_read_sleep(struct ti_line *l, const struct ti_action *a)
{
    (void)a;
    return ti_amount(l, "seconds", &l->e->work_s);
}

static int ti_read_send(struct ti_line *l, const struct ti_action *a)
{
    uint64_t B;

    if (ti_peer(l, false, &l->e->peer) < 0 || ti_tag(l, &l->e->tag) < 0 ||
        ti_count(l, "a count", &l->e->bytes) < 0 || ti_type(l, &B) < 0)
        return -1;
    l->e->bytes *= B;
    if (l->e->tag == ANY_TAG)
        return trace_fail(l->t, l->rank, l->e, l->err, "a send to any tag");
    if (a->blocks)
        return 0;
    l->e->request = l->r->next_request++;
    pending_add(&l->r->requests, l->rank, l->e->peer, l->e->tag, l->e->request);
    return 0;
}

/* Makes a probe of the receive, which follows it (`then`) and has room for any
 * message. */
static void ti_probe_first(struct ti_line *l)
{
    struct trace_event probe = trace_event_new(TRACE_PROBE);

    l->e->bytes = UINT64_MAX;
    l->r->then[l->r->nthen++] = *l->e;
    probe.blocks = true;
    probe.peer = l->e->peer;
    probe.tag = l->e->tag;
    probe.name = l->e->name;
    probe.place = l->e->place;
    *l->e = probe;
}

static int ti_read_recv(struct ti_line *l, const struct ti_action *a)
{
    uint64_t B;

    if (ti_peer(l, true, &l->e->peer) < 0 || ti_tag(l, &l->e->tag) < 0)
        return -1;
    scan_blanks(&l->s);
    bool probe = l->s.at < l->s.end && *l->s.at == '-';
    l->s.at += probe;
    if (ti_count(l, "a count", &l->e->bytes) < 0 || ti_type(l, &B) < 0)
        return -1;
    l->e->bytes *= B;
    if (!a->blocks) {
        l->e->request = l->r->next_request++;
        pending_add(&l->r->requests, l->e->peer, l->rank, l->e->tag,
                    l->e->request);
    }
    if (probe)
        ti_probe_first(l);
    return 0;
}

static struct trace_event *ti_then(struct ti_line *l, enum trace_call call)
{
    struct trace_event *e = &l->r->then[l->r->nthen++];

    trace_event_set(e, call);
    e->name = l->e->name;
    e->place = l->e->place;
    return e;
}

/* Makes a receive, a send, and a wait for both; the tag is 0. */
static int ti_read_sendrecv(struct ti_line *l, const struct ti_action *a)
{
    uint64_t send, recv, send_B, recv_B;
    uint32_t to, from;

    (void)a;
    if (ti_count(l, "a count", &send) < 0 || ti_peer(l, false, &to) < 0 ||
        ti_count(l, "a count", &recv) < 0 || ti_peer(l, true, &from) < 0 ||
        ti_type(l, &send_B) < 0 || ti_type(l, &recv_B) < 0)
        return -1;
    l->r->both[0] = l->e->request = l->r->next_request++;
    l->r->both[1] = l->r->next_request++;
    l->e->peer = from;
    l->e->bytes = recv * recv_B;
    struct trace_event *e = ti_then(l, TRACE_SEND);
    e->peer = to;
    e->bytes = send * send_B;
    e->request = l->r->both[1];
    e = ti_then(l, TRACE_WAIT);
    e->requests = l->r->both;
    e->nrequests = 2;
    return 0;
}

/* Reads the key of a request. If no request has it, the request is complete
 * already. */
static int ti_read_wait(struct ti_line *l, const struct ti_action *a)
{
    uint32_t src, dst, tag;

    if (ti_peer(l, true, &src) < 0 || ti_peer(l, false, &dst) < 0 ||
        ti_tag(l, &tag) < 0)
        return -1;
    if (a->call != TRACE_WAIT)
        return 0;
    l->e->requests = l->r->both;
    l->e->nrequests =
        pending_take(&l->r->requests, src, dst, tag, &l->r->both[0]);
    return 0;
}

static int ti_read_waitall(struct ti_line *l, const struct ti_action *a)
{
    l->e->nrequests = pending_take_all(&l->r->requests, &l->e->requests);
    return ti_read_nothing(l, a);
}

/* Adds the flops that the rank computes after a reduction. */
static void ti_flops_after(struct ti_line *l, double flops)
{
    if (flops > 0)
        ti_then(l, TRACE_COMPUTE)->work_flops = flops;
}

/* Reads count [root [type]]. */
static int ti_read_bcast(struct ti_line *l, const struct ti_action *a)
{
    uint64_t B;

    (void)a;
    if (ti_count(l, "a count", &l->e->bytes) < 0 ||
        ti_root(l, &l->e->peer) < 0 || ti_type(l, &B) < 0)
        return -1;
    l->e->bytes *= B;
    return 0;
}

/* Reads count flops [root] [type]. */
static int ti_read_reduction(struct ti_line *l, const struct ti_action *a)
{
    double flops;
    uint64_t B;

    if (ti_count(l, "a count", &l->e->bytes) < 0 ||
        ti_amount(l, "flops", &flops) < 0)
        return -1;
    if (a->collective == TRACE_REDUCE && ti_root(l, &l->e->peer) < 0)
        return -1;
    if (ti_type(l, &B) < 0)
        return -1;
    l->e->bytes *= B;
    ti_flops_after(l, flops);
    return 0;
}

/* Reads scount rcount [root] [stype rtype]. */
static int ti_read_equal(struct ti_line *l, const struct ti_action *a)
{
    uint64_t send_B, recv_B;

    if (ti_count(l, "a count", &l->e->bytes) < 0 ||
        ti_count(l, "a count", &l->e->recv_bytes) < 0)
        return -1;
    if ((a->collective == TRACE_GATHER || a->collective == TRACE_SCATTER) &&
        ti_root(l, &l->e->peer) < 0)
        return -1;
    if (ti_type(l, &send_B) < 0 || ti_type(l, &recv_B) < 0)
        return -1;
    l->e->bytes *= send_B;
    l->e->recv_bytes *= recv_B;
    return 0;
}

/* Reads the types of counts that have been read, and makes the counts bytes. */
static int ti_types_of_counts(struct ti_line *l)
{
    uint64_t send_B, recv_B, *send = NULL, *recv = NULL;

    if (ti_type(l, &send_B) < 0 || ti_type(l, &recv_B) < 0)
        return -1;
    if (l->e->counts)
        ti_times(send = ti_list(l, 0), l->t->ranks, send_B);
    if (l->e->recv_counts)
        ti_times(recv = ti_list(l, 1), l->t->ranks, recv_B);
    l->e->counts = send;
    l->e->recv_counts = recv;
    l->e->ncounts = l->t->ranks;
    l->e->bytes *= send_B;
    l->e->recv_bytes *= recv_B;
    return 0;
}

/* Reads sbufsize scounts[N] rbufsize rcounts[N] [stype rtype]. */
static int ti_read_alltoallv(struct ti_line *l, const struct ti_action *a)
{
    uint64_t room;

    (void)a;
    if (ti_count(l, "the size of the send buffer", &room) < 0 ||
        ti_counts(l, ti_list(l, 0)) < 0 ||
        ti_count(l, "the size of the receive buffer", &room) < 0 ||
        ti_counts(l, ti_list(l, 1)) < 0)
        return -1;
    l->e->counts = ti_list(l, 0);
    l->e->recv_counts = ti_list(l, 1);
    return ti_types_of_counts(l);
}

/* Reads scount rcounts[N], then for gatherv [root stype rtype], for allgatherv
 * [stype rtype] [displacements[N]]. Both of these are there only if more than N
 * words are left. */
static int ti_read_gatherv(struct ti_line *l, const struct ti_action *a)
{
    if (ti_count(l, "a count", &l->e->bytes) < 0 ||
        ti_counts(l, ti_list(l, 1)) < 0)
        return -1;
    l->e->recv_counts = ti_list(l, 1);
    if (a->collective == TRACE_GATHER)
        return ti_root(l, &l->e->peer) < 0 ? -1 : ti_types_of_counts(l);
    size_t left = ti_words_left(l->s);
    if (left > 2 && left <= l->t->ranks)
        l->s.at = l->s.end;
    if (ti_types_of_counts(l) < 0)
        return -1;
    l->s.at = l->s.end;
    return 0;
}

/* Reads scounts[N] rcount [root stype rtype]. */
static int ti_read_scatterv(struct ti_line *l, const struct ti_action *a)
{
    (void)a;
    if (ti_counts(l, ti_list(l, 0)) < 0 ||
        ti_count(l, "a count", &l->e->recv_bytes) < 0 ||
        ti_root(l, &l->e->peer) < 0)
        return -1;
    l->e->counts = ti_list(l, 0);
    return ti_types_of_counts(l);
}

/* Reads rcounts[N] flops [type]; each rank contributes as many of each part. */
static int ti_read_reduce_scatter(struct ti_line *l, const struct ti_action *a)
{
    uint64_t *counts = ti_list(l, 0), B;
    double flops;

    (void)a;
    if (ti_counts(l, counts) < 0 || ti_amount(l, "flops", &flops) < 0 ||
        ti_type(l, &B) < 0)
        return -1;
    ti_times(counts, l->t->ranks, B);
    l->e->counts = l->e->recv_counts = counts;
    l->e->ncounts = l->t->ranks;
    ti_flops_after(l, flops);
    return 0;
}

#define TI_ACTION(name, read, call, which, blocks)                             \
    {                                                                          \
        name, sizeof name - 1, ti_read_##read, call, which, blocks             \
    }
#define TI_COLLECTIVE(name, read, which)                                       \
    TI_ACTION(name, read, TRACE_COLLECTIVE, which, true)

/* Frequent actions come first, because the search is linear. */
static const struct ti_action ti_actions[] = {
    TI_ACTION("compute", compute, TRACE_COMPUTE, 0, false),
    TI_ACTION("isend", send, TRACE_SEND, 0, false),
    TI_ACTION("irecv", recv, TRACE_RECV, 0, false),
    TI_ACTION("wait", wait, TRACE_WAIT, 0, false),
    TI_ACTION("send", send, TRACE_SEND, 0, true),
    TI_ACTION("recv", recv, TRACE_RECV, 0, true),
    TI_ACTION("waitall", waitall, TRACE_WAIT, 0, false),
    TI_ACTION("test", wait, TRACE_POLL, 0, false),
    TI_ACTION("sleep", sleep, TRACE_COMPUTE, 0, false),
    TI_ACTION("sendRecv", sendrecv, TRACE_RECV, 0, false),
    TI_COLLECTIVE("barrier", nothing, TRACE_BARRIER),
    TI_COLLECTIVE("bcast", bcast, TRACE_BROADCAST),
    TI_COLLECTIVE("reduce", reduction, TRACE_REDUCE),
    TI_COLLECTIVE("allreduce", reduction, TRACE_ALLREDUCE),
    TI_COLLECTIVE("scan", reduction, TRACE_SCAN),
    TI_COLLECTIVE("exscan", reduction, TRACE_EXSCAN),
    TI_COLLECTIVE("alltoall", equal, TRACE_ALLTOALL),
    TI_COLLECTIVE("allgather", equal, TRACE_ALLGATHER),
    TI_COLLECTIVE("gather", equal, TRACE_GATHER),
    TI_COLLECTIVE("scatter", equal, TRACE_SCATTER),
    TI_COLLECTIVE("alltoallv", alltoallv, TRACE_ALLTOALL),
    TI_COLLECTIVE("allgatherv", gatherv, TRACE_ALLGATHER),
    TI_COLLECTIVE("gatherv", gatherv, TRACE_GATHER),
    TI_COLLECTIVE("scatterv", scatterv, TRACE_SCATTER),
    TI_COLLECTIVE("reducescatter", reduce_scatter, TRACE_REDUCE_SCATTER),
    TI_ACTION("init", init, TRACE_INIT, 0, false),
    TI_ACTION("finalize", nothing, TRACE_FINALIZE, 0, false),
    TI_ACTION("location", nothing, TRACE_OTHER, 0, false),
    TI_ACTION("comm_size", nothing, TRACE_OTHER, 0, false),
    TI_ACTION("comm_split", comm, TRACE_OTHER, 0, false),
    TI_ACTION("comm_dup", comm, TRACE_OTHER, 0, false),
    TI_ACTION("comm_rank", nothing, TRACE_OTHER, 0, false),
    TI_ACTION("comm_free", nothing, TRACE_OTHER, 0, false),
};
enum { TI_NACTIONS = sizeof ti_actions / sizeof ti_actions[0] };

/* Old traces have "Isend" and "allReduce", so a second search ignores case. */
const struct ti_action *ti_find_action(struct scan word)
{
    size_t n = (size_t)(word.end - word.at);

    for (int i = 0; i < TI_NACTIONS; i++)
        if (ti_actions[i].length == n && ti_actions[i].name[0] == *word.at &&
            !memcmp(ti_actions[i].name, word.at, n))
            return &ti_actions[i];
    for (int i = 0; i < TI_NACTIONS; i++)
        if (ti_actions[i].length == n &&
            !strncasecmp(ti_actions[i].name, word.at, n))
            return &ti_actions[i];
    return NULL;
}

bool ti_says_nothing(struct scan line)
{
    scan_blanks(&line);
    return line.at == line.end || *line.at == '#';
}
