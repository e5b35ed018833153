/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the contents of a trace, one rank after the other; a rank is read
 * until it uses a communicator that is not known yet. */
#include "workloads/trace/stats.h"

#include "workloads/trace/names.h"
#include "workloads/trace/stats_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum reading { READS, WAITS, ENDED };

/* The state of reading one rank. */
struct reader {
    enum reading state;
    struct trace_event held; /* WAITS: the event that cannot be counted yet */
    struct tally tuples;     /* (receiver, tag) of its sends */
    /* (sender, tag) of its receives from ranks that are missing, whose sends
     * are not counted. */
    struct tally from_missing;
    size_t name; /* name and place of its last call */
    uint64_t place;
    /* until_s: its clock is counted up to this time. */
    double call_begin_s, until_s;
    bool any;
};

struct counting {
    struct trace_stats *s;
    struct trace *t;
    struct reader *reader;
    struct names names; /* has the same numbers as s->names */
    struct tally
        *peers; /* per rank: messages by (peer, enum trace_direction) */
    struct tally tags;
    size_t ncomm; /* room of s->comm */
    bool force;   /* no rank can continue: unknown communicators stay unknown */
};

/* --- names ---------------------------------------------------------------- */

static size_t stats_name_of(struct counting *c, const struct reader *r,
                            const struct trace_event *e)
{
    const char *name = e->name ? e->name : trace_call_names[e->call];

    if (r->any && !strcmp(c->names.text[r->name], name))
        return r->name;
    size_t i = names_number(&c->names, name);
    if (i == c->s->nnames) {
        c->s->names = xrealloc(c->s->names, i + 1, sizeof *c->s->names);
        c->s->names[c->s->nnames++] =
            (struct trace_name){.name = xstrdup(name)};
    }
    return i;
}

/* --- clocks --------------------------------------------------------------- */

static bool same_call(const struct reader *r, const struct trace_event *e,
                      size_t name)
{
    return r->any && r->name == name && r->place == e->place &&
           (e->place || r->call_begin_s == e->begin_s);
}

/* Returns the part of the event's time that is not counted yet, because events
 * of one call may overlap. Time between events is time in which the rank
 * computes. */
static double new_time(struct trace_rank_stats *k, struct reader *r,
                       const struct trace_event *e)
{
    if (!(e->end_s >= e->begin_s))
        return 0;
    if (isnan(k->begin_s))
        k->begin_s = r->until_s = e->begin_s;
    if (e->begin_s > r->until_s) {
        k->compute_s += e->begin_s - r->until_s;
        r->until_s = e->begin_s;
    }
    double time_s = fmax(0, e->end_s - r->until_s);
    r->until_s = fmax(r->until_s, e->end_s);
    k->end_s = r->until_s;
    return time_s;
}

static void count_call(struct counting *c, uint32_t rank,
                       const struct trace_event *e)
{
    struct trace_rank_stats *k = &c->s->rank[rank];
    struct reader *r = &c->reader[rank];
    double time_s = new_time(k, r, e);
    bool computes = e->call == TRACE_COMPUTE;

    if (computes)
        k->compute_s += isnan(e->begin_s) && e->work_s > 0 ? e->work_s : time_s;
    else
        k->in_calls_s += time_s;
    if (computes && isnan(e->work_s))
        k->flops += e->work_flops;

    size_t name = stats_name_of(c, r, e);
    if (!same_call(r, e, name)) {
        k->calls += !computes;
        c->s->names[name].calls++;
    }
    c->s->names[name].as |= 1u << e->call;
    c->s->names[name].time_s += time_s;
    if (e->call == TRACE_COLLECTIVE)
        c->s->collectives[e->collective].time_s += time_s;
    r->any = true;
    r->name = name;
    r->place = e->place;
    r->call_begin_s = e->begin_s;
}

/* --- messages ------------------------------------------------------------- */

static int size_class(uint64_t bytes)
{
    return bytes ? 64 - __builtin_clzll(bytes) : 0;
}

static void count_send(struct counting *c, uint32_t rank,
                       const struct trace_event *e, uint32_t to)
{
    struct trace_stats *s = c->s;
    struct trace_rank_stats *k = &s->rank[rank];
    int size = size_class(e->bytes);

    if (to == NO_PEER)
        return;
    k->sends++;
    k->send_bytes += e->bytes;
    s->largest = e->bytes > s->largest || !s->messages ? e->bytes : s->largest;
    s->smallest =
        e->bytes < s->smallest || !s->messages ? e->bytes : s->smallest;
    s->messages++;
    s->bytes += e->bytes;
    s->sizes[size]++;
    s->size_bytes[size] += e->bytes;
    s->synchronous += e->synchronous;
    s->in_gpu += e->in_gpu;
    s->blocking_sends += e->blocks;
    ++*tally_at(&c->tags, e->tag, 0, 0);
    if (to == UNKNOWN_PEER)
        return;
    ++*tally_at(&c->peers[rank], to, TRACE_SENT, 0);
    ++*tally_at(&c->reader[rank].tuples, to, e->tag, 0);
}

static void count_wildcards(struct trace_wildcards *w,
                            const struct trace_event *e)
{
    bool source = e->peer == ANY_RANK, tag = e->tag == ANY_TAG;

    w->both += source && tag;
    w->source += source && !tag;
    w->tag += tag && !source;
}

static void count_recv(struct counting *c, uint32_t rank,
                       const struct trace_event *e, uint32_t from)
{
    if (from == NO_PEER)
        return;
    c->s->rank[rank].recvs++;
    c->s->blocking_recvs += e->blocks;
    count_wildcards(&c->s->recvs, e);
    if (from == ANY_RANK || from == UNKNOWN_PEER)
        c->s->rank[rank].unresolved++;
    else
        ++*tally_at(&c->peers[rank], from, TRACE_RECEIVED, 0);
    uint32_t tag = e->tag == ANY_TAG ? e->got_tag : e->tag;
    if (from < c->t->ranks && c->t->rank[from].missing && tag != ANY_TAG)
        ++*tally_at(&c->reader[rank].from_missing, from, tag, 0);
}

/* --- collectives ---------------------------------------------------------- */

/* Returns the bytes that one member contributes. */
static uint64_t brings(const struct trace_event *e,
                       const struct trace_membership *m)
{
    uint64_t sum = 0;

    switch ((enum trace_collective)e->collective) {
    case TRACE_BARRIER:
        return 0;
    case TRACE_BROADCAST:
        return m->me == e->peer ? e->bytes : 0;
    case TRACE_SCATTER:
        if (m->me != e->peer)
            return 0;
        break;
    case TRACE_ALLTOALL:
    case TRACE_REDUCE_SCATTER:
        break;
    default:
        return e->bytes;
    }
    if (!e->counts)
        return e->bytes * m->comm->n;
    for (size_t i = 0; i < e->ncounts; i++)
        sum += e->counts[i];
    return sum;
}

static void count_collective(struct counting *c, uint32_t rank,
                             const struct trace_event *e,
                             const struct trace_membership *m)
{
    struct trace_collective_stats *k = &c->s->collectives[e->collective];
    uint32_t n = m->comm->n;

    c->s->rank[rank].collectives++;
    k->calls++;
    k->operations += m->me == 0;
    k->bytes += brings(e, m);
    k->least = n && (n < k->least || !k->least) ? n : k->least;
    k->most = n > k->most ? n : k->most;
}

/* --- communicators -------------------------------------------------------- */

static struct trace_comm_stats *comm_of(struct counting *c,
                                        const struct trace_membership *m)
{
    size_t old = c->ncomm;

    if (m->comm->number >= old) {
        c->ncomm = 2 * (size_t)m->comm->number + 8;
        c->s->comm = xrealloc(c->s->comm, c->ncomm, sizeof *c->s->comm);
        memset(c->s->comm + old, 0, (c->ncomm - old) * sizeof *c->s->comm);
    }
    return &c->s->comm[m->comm->number];
}

static void comm_unknown(struct counting *c, struct trace_membership *m,
                         const char *why)
{
    static const struct trace_comm nobody = {.number = UINT32_MAX};

    if (!c->s->unknown_comm++)
        c->s->unknown_comm_first = xstrdup(why);
    *m = (struct trace_membership){&nobody, UNKNOWN_PEER};
}

/* Finds the membership of an event's communicator. Returns 0 if it is known
 * only after others have come to it. */
static int membership(struct counting *c, uint32_t rank,
                      const struct trace_event *e, struct trace_membership *m)
{
    struct err why = {0};
    int rc = trace_comms_find(c->s->comms, rank, e, m, &why);

    if (rc > 0 || (rc == 0 && !c->force))
        return rc;
    if (rc == 0)
        (void)trace_fail(c->t, rank, e, &why,
                         "communicator %u: some ranks never come to its split",
                         e->comm);
    comm_unknown(c, m, why.text);
    return 1;
}

static bool uses_comm(const struct trace_event *e)
{
    switch ((enum trace_call)e->call) {
    case TRACE_SEND:
    case TRACE_RECV:
    case TRACE_PROBE:
    case TRACE_COLLECTIVE:
    case TRACE_PUT:
    case TRACE_GET:
        return true;
    case TRACE_COMM:
        return e->how != TRACE_KNOWN;
    default:
        return false;
    }
}

/* --- events --------------------------------------------------------------- */

static int count_message(struct counting *c, uint32_t rank,
                         const struct trace_event *e,
                         const struct trace_membership *m, struct err *err)
{
    struct trace_stats *s = c->s;
    uint32_t peer = e->peer, world;

    if (e->call == TRACE_SEND && peer == ANY_RANK)
        return trace_fail(c->t, rank, e, err, "a send to any rank");
    if (e->call == TRACE_RECV && peer == ANY_RANK)
        peer = e->got_peer;
    if (trace_comms_peer(s->comms, rank, e, m, peer, &world, err) < 0)
        return -1;
    if (e->call == TRACE_SEND)
        count_send(c, rank, e, world);
    else
        count_recv(c, rank, e, world);
    if (world == NO_PEER || m->comm->number == UINT32_MAX)
        return 0;
    struct trace_comm_stats *k = comm_of(c, m);
    k->messages += e->call == TRACE_SEND;
    k->bytes += e->call == TRACE_SEND ? e->bytes : 0;
    return 0;
}

/* Counts the properties that depend on the kind of the call. */
static int count_meaning(struct counting *c, uint32_t rank,
                         const struct trace_event *e,
                         const struct trace_membership *m, struct err *err)
{
    struct trace_stats *s = c->s;

    switch ((enum trace_call)e->call) {
    case TRACE_SEND:
    case TRACE_RECV:
        return count_message(c, rank, e, m, err);
    case TRACE_PROBE:
        count_wildcards(&s->probes, e);
        return 0;
    case TRACE_COLLECTIVE:
        count_collective(c, rank, e, m);
        if (m->comm->number != UINT32_MAX)
            comm_of(c, m)->collectives++;
        return 0;
    case TRACE_COMM:
        if (uses_comm(e) && m->comm->number == UINT32_MAX)
            return 0;
        return trace_comms_add(s->comms, rank, e, err);
    case TRACE_PUT:
        s->puts++;
        s->put_bytes += e->bytes;
        return 0;
    case TRACE_GET:
        s->gets++;
        s->get_bytes += e->bytes;
        return 0;
    case TRACE_FINALIZE:
        s->rank[rank].finalized = true;
        return 0;
    default:
        return 0;
    }
}

/* Returns 1 if the event is counted, 0 if it has to wait, -1 after an error. */
static int count_event(struct counting *c, uint32_t rank,
                       const struct trace_event *e, struct err *err)
{
    struct trace_rank_stats *k = &c->s->rank[rank];
    struct trace_membership m = {0};

    if (uses_comm(e) && !membership(c, rank, e, &m))
        return 0;
    if (count_meaning(c, rank, e, &m, err) < 0)
        return -1;
    c->s->events++;
    c->s->of[e->call]++;
    k->events++;
    k->begun += e->request != NO_REQUEST && !e->free;
    k->waited += e->call == TRACE_WAIT ? e->nrequests : 0;
    count_call(c, rank, e);
    return 1;
}

/* --- ranks ---------------------------------------------------------------- */

static void count_tuple(struct counting *c, uint32_t to, uint64_t messages)
{
    struct trace_rank_stats *k = &c->s->rank[to];

    k->messages_to += messages;
    if (messages > k->top_tuple)
        k->top_tuple = messages;
}

/* Ends a rank: counts the messages that it sent to each receiver with one
 * tag. */
static void rank_end(struct counting *c, uint32_t rank)
{
    struct reader *r = &c->reader[rank];

    for (size_t i = 0; i < r->tuples.size; i++) {
        const struct tally_row *row = &r->tuples.rows[i];
        count_tuple(c, row->key[0], row->count);
    }
    for (size_t i = 0; i < r->from_missing.size; i++)
        count_tuple(c, rank, r->from_missing.rows[i].count);
    tally_clear(&r->tuples);
    tally_clear(&r->from_missing);
    r->state = ENDED;
}

/* Reads a rank as far as possible. Returns 1 if it advanced, 0 if not. */
static int rank_read(struct counting *c, uint32_t rank, struct err *err)
{
    struct reader *r = &c->reader[rank];
    struct trace_event e;
    int went = 0;

    if (r->state == WAITS) {
        int rc = count_event(c, rank, &r->held, err);
        if (rc <= 0)
            return rc;
        went = 1;
    }
    r->state = READS;
    for (;;) {
        int rc = trace_next(c->t, rank, &e, err);
        if (rc == 0)
            rank_end(c, rank);
        if (rc <= 0)
            return rc < 0 ? -1 : 1;
        if ((rc = count_event(c, rank, &e, err)) < 0)
            return -1;
        if (rc == 0) {
            r->held = e;
            r->state = WAITS;
            return went;
        }
        went = 1;
    }
}

/* Reads all ranks. If every rank waits for others, some are missing or do not
 * agree; communicators that are unknown then stay so. */
static int ranks_read(struct counting *c, struct err *err)
{
    for (bool some = true; some;) {
        bool went = false;
        some = false;
        for (uint32_t r = 0; r < c->t->ranks; r++) {
            if (c->t->rank[r].missing || c->reader[r].state == ENDED)
                continue;
            int rc = rank_read(c, r, err);
            if (rc < 0)
                return -1;
            went |= rc > 0;
            some |= c->reader[r].state != ENDED;
        }
        c->force |= some && !went;
    }
    return 0;
}

/* --- the whole trace ------------------------------------------------------ */

static void counting_end(struct counting *c)
{
    struct trace_stats *s = c->s;
    struct trace_membership last = {
        trace_comms_get(s->comms, trace_comms_n(s->comms) - 1), 0};

    (void)comm_of(c, &last);
    trace_stats_end(s, c->peers, &c->tags);
}

static void counting_clear(struct counting *c)
{
    for (uint32_t r = 0; r < c->t->ranks; r++) {
        tally_clear(&c->peers[r]);
        tally_clear(&c->reader[r].tuples);
        tally_clear(&c->reader[r].from_missing);
    }
    tally_clear(&c->tags);
    free(c->peers);
    free(c->reader);
    names_clear(&c->names);
}

int trace_stats_read(struct trace_stats *s, struct trace *t, struct err *err)
{
    struct counting c = {.s = s, .t = t};

    *s = (struct trace_stats){.trace = t, .has_clock = t->has_clock};
    s->rank = xcalloc(t->ranks, sizeof *s->rank);
    s->comms = trace_comms_new(t);
    c.peers = xcalloc(t->ranks, sizeof *c.peers);
    c.reader = xcalloc(t->ranks, sizeof *c.reader);
    for (uint32_t r = 0; r < t->ranks; r++) {
        s->rank[r].begin_s = s->rank[r].end_s = NAN;
        s->missing += t->rank[r].missing;
    }
    int rc = ranks_read(&c, err);
    if (rc == 0)
        counting_end(&c);
    counting_clear(&c);
    if (rc < 0)
        trace_stats_clear(s);
    return rc;
}
