/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rebuilds the queues of message matching from a trace. */
#include "workloads/trace/queues.h"

#include "workloads/trace/comms.h"
#include "workloads/trace/order.h"
#include "workloads/trace/tally.h"

#include <stdlib.h>
#include <string.h>

/* The event for which a rank waits, in traces without clocks. */
struct hold {
    uint32_t recv;      /* a blocking receive, or MATCH_NONE */
    bool in_collective; /* it waits for collective number `turn` of `comm` */
    uint32_t comm;
    uint64_t turn;
};

struct queue_study {
    struct trace_queues *q;
    struct trace *t;
    uint64_t nops; /* number of sends and receives of all ranks */
    uint8_t *wild; /* per rank: one bit for each enum wild that it uses */
    uint64_t cancels;
    struct tally cancelled; /* (rank, ordinal of a receive): 1 */
    uint64_t *ordinal;      /* per rank: number of receives so far */

    struct trace_comms *comms;
    struct match *match;
    uint32_t next_op;
    struct queue_counts *at; /* the receiver's, for the message that arrives */
    struct tally place; /* (rank, communicator): index in q->queues, plus 1 */
    struct tally peers, tags, contexts, tuples;
    /* (rank, request) of a receive that will be cancelled: index of its queue,
     * plus 1. */
    struct tally in_prq;
    /* These are used in traces without clocks. */
    bool *matched;         /* one per operation */
    struct tally requests; /* (rank, request): receive, plus 1 */
    struct tally came; /* (communicator): members that came to collectives */
    struct hold *hold;
};
enum wild { WILD_RANK, WILD_TAG, WILD_BOTH };

static bool queues_has_message(const struct trace_event *e)
{
    return (e->call == TRACE_SEND || e->call == TRACE_RECV) &&
           e->peer != NO_PEER;
}

/* --- first reading: counts ------------------------------------------------ */

static int queues_count_rank(struct queue_study *s, uint32_t rank,
                             struct err *err)
{
    struct trace_event e;
    int got;

    if (trace_rewind(s->t, rank, err) < 0)
        return -1;
    while ((got = trace_next(s->t, rank, &e, err)) > 0) {
        s->cancels += e.call == TRACE_CANCEL;
        if (!queues_has_message(&e))
            continue;
        s->nops++;
        if (e.call == TRACE_RECV && e.peer == ANY_RANK)
            s->wild[rank] |=
                (uint8_t)(1u << (e.tag == ANY_TAG ? WILD_BOTH : WILD_RANK));
        else if (e.call == TRACE_RECV && e.tag == ANY_TAG)
            s->wild[rank] |= (uint8_t)(1u << WILD_TAG);
    }
    return got;
}

/* Finds the receives that are cancelled later. */
static int queues_find_cancelled(struct queue_study *s, uint32_t rank,
                                 struct err *err)
{
    struct tally requests = {0};
    struct trace_event e;
    uint64_t ordinal = 0;
    int got = trace_rewind(s->t, rank, err);

    while (got == 0 && (got = trace_next(s->t, rank, &e, err)) > 0) {
        got = 0;
        if (e.call == TRACE_CANCEL && e.nrequests) {
            uint64_t r = e.requests[0];
            uint64_t found =
                tally_of(&requests, rank, (uint32_t)r, (uint32_t)(r >> 32));
            if (found > 1)
                *tally_at(&s->cancelled, rank, (uint32_t)(found - 2), 0) = 1;
        } else if (queues_has_message(&e)) {
            bool recv = e.call == TRACE_RECV;
            if (e.request != NO_REQUEST)
                *tally_at(&requests, rank, (uint32_t)e.request,
                          (uint32_t)(e.request >> 32)) = recv ? ordinal + 2 : 1;
            ordinal += recv;
        }
    }
    tally_clear(&requests);
    return got;
}

static int queues_count(struct queue_study *s, struct err *err)
{
    for (uint32_t r = 0; r < s->t->ranks; r++)
        if (!s->t->rank[r].missing && queues_count_rank(s, r, err) < 0)
            return -1;
    for (uint32_t r = 0; r < s->t->ranks && s->cancels; r++)
        if (!s->t->rank[r].missing && queues_find_cancelled(s, r, err) < 0)
            return -1;
    if (s->nops >= MATCH_NONE)
        return fail(err, "%s: expected fewer than %u sends and receives",
                    s->t->path, MATCH_NONE);
    return 0;
}

/* --- second reading: ranks that may continue ------------------------------ */

static uint64_t request_of(const struct tally *t, uint32_t rank,
                           uint64_t request)
{
    return tally_of(t, rank, (uint32_t)request, (uint32_t)(request >> 32));
}

static uint64_t *request_at(struct tally *t, uint32_t rank, uint64_t request)
{
    return tally_at(t, rank, (uint32_t)request, (uint32_t)(request >> 32));
}

/* Returns whether the event's communicator is a split to which other ranks have
 * not come yet. */
static bool queues_pending(const struct queue_study *s, uint32_t rank,
                           const struct trace_event *e)
{
    struct trace_membership m;
    struct err ignored;

    return e->comm != TRACE_WORLD &&
           (queues_has_message(e) || e->call == TRACE_COLLECTIVE) &&
           trace_comms_find(s->comms, rank, e, &m, &ignored) == 0;
}

static bool queues_held(const struct queue_study *s, const struct hold *h)
{
    if (h->recv != MATCH_NONE && !s->matched[h->recv])
        return true;
    if (!h->in_collective)
        return false;
    const struct trace_comm *c = trace_comms_get(s->comms, h->comm);
    return tally_of(&s->came, h->comm, 0, 0) < (h->turn + 1) * c->n;
}

static bool queues_may(void *arg, uint32_t rank, const struct trace_event *e)
{
    const struct queue_study *s = arg;

    if (queues_pending(s, rank, e))
        return false;
    if (s->t->has_clock)
        return true;
    if (queues_held(s, &s->hold[rank]))
        return false;
    for (size_t i = 0; i < e->nrequests && e->call != TRACE_CANCEL; i++) {
        uint64_t op = request_of(&s->requests, rank, e->requests[i]);
        if (op && !s->matched[op - 1])
            return false;
    }
    return true;
}

/* --- second reading: events ----------------------------------------------- */

static struct queue_counts *queues_place(struct queue_study *s, uint32_t rank,
                                         uint32_t context)
{
    struct trace_queues *q = s->q;
    uint64_t *place = tally_at(&s->place, rank, context, 0);

    if (*place)
        return &q->queues[*place - 1];
    if ((q->nqueues & (q->nqueues - 1)) == 0)
        q->queues = xrealloc(q->queues, q->nqueues ? 2 * q->nqueues : 1,
                             sizeof *q->queues);
    q->queues[q->nqueues++] =
        (struct queue_counts){.rank = rank, .context = context};
    *place = q->nqueues;
    return &q->queues[q->nqueues - 1];
}

static bool queues_new(struct tally *t, uint32_t a, uint32_t b)
{
    return (*tally_at(t, a, b, 0))++ == 0;
}

static void queues_meet(struct queue_study *s, uint32_t a, uint32_t b)
{
    if (a == b || !queues_new(&s->peers, a, b))
        return;
    s->q->rank[a].peers++;
    *tally_at(&s->peers, b, a, 0) = 1;
    s->q->rank[b].peers++;
}

static void queues_use(struct queue_study *s, uint32_t rank,
                       const struct trace_event *e, uint32_t context)
{
    if (e->tag != ANY_TAG && queues_new(&s->tags, rank, e->tag)) {
        s->q->rank[rank].tags++;
        s->q->tags += queues_new(&s->tags, ANY_RANK, e->tag);
    }
    if (queues_new(&s->contexts, rank, context)) {
        s->q->rank[rank].contexts++;
        s->q->contexts += queues_new(&s->contexts, ANY_RANK, context);
    }
}

static void queue_enter(struct queue_length *q)
{
    if (++q->now > q->most)
        q->most = q->now;
}

static void queue_search(struct queue_length *q)
{
    q->searches++;
    q->sum += q->now;
}

static void queues_found(void *arg, uint32_t send, uint32_t recv)
{
    struct queue_study *s = arg;

    if (recv == MATCH_NONE) {
        s->at->unexpected++;
        queue_enter(&s->at->umq);
        return;
    }
    s->at->prq.now--;
    s->matched[recv] = true;
    s->at->looked_at += match_walked(s->match, send, recv);
}

static void queues_send(struct queue_study *s, uint32_t rank,
                        const struct trace_event *e, uint32_t peer,
                        uint32_t context)
{
    struct envelope envelope = {peer, rank, e->tag, context};
    uint64_t *same = tally_at(&s->tuples, peer, rank, e->tag);
    uint32_t op = s->next_op++;

    if (++*same > s->q->rank[peer].most_frequent)
        s->q->rank[peer].most_frequent = *same;
    queues_meet(s, rank, peer);
    if (s->q->missing)
        return;
    s->at = queues_place(s, peer, context);
    s->at->messages++;
    queue_search(&s->at->prq);
    match_send(s->match, op, envelope);
    match_arrive(s->match, op, envelope, queues_found, s);
}

/* Posts a receive that will be cancelled: it is in the queue and gets no
 * message. */
static void queues_cancelled(struct queue_study *s, uint32_t rank,
                             const struct trace_event *e, uint32_t op)
{
    queue_enter(&s->at->prq);
    *request_at(&s->in_prq, rank, e->request) =
        (uint64_t)(s->at - s->q->queues) + 1;
    s->matched[op] = true;
    s->q->cancelled++;
}

static void queues_post(struct queue_study *s, uint32_t rank,
                        const struct trace_event *e, uint32_t peer,
                        uint32_t context)
{
    struct envelope envelope = {rank, peer, e->tag, context};
    uint64_t ordinal = s->ordinal[rank]++;
    uint32_t op = s->next_op++;

    s->at = queues_place(s, rank, context);
    s->at->receives++;
    s->at->any_rank += peer == ANY_RANK;
    s->at->any_tag += e->tag == ANY_TAG;
    if (peer != ANY_RANK)
        queues_meet(s, rank, peer);
    if (s->q->missing)
        return;
    if (e->request != NO_REQUEST && !s->t->has_clock)
        *request_at(&s->requests, rank, e->request) = op + 1;
    queue_search(&s->at->umq);
    if (s->cancels && tally_of(&s->cancelled, rank, (uint32_t)ordinal, 0)) {
        queues_cancelled(s, rank, e, op);
        return;
    }
    uint32_t send = match_post(s->match, op, envelope);
    if (send == MATCH_NONE) {
        queue_enter(&s->at->prq);
        if (e->blocks)
            s->hold[rank].recv = op;
        return;
    }
    s->at->umq.now--;
    s->matched[op] = true;
    s->at->looked_at += match_walked(s->match, send, op);
}

static void queues_cancel(struct queue_study *s, uint32_t rank,
                          const struct trace_event *e)
{
    uint64_t *place = e->nrequests && s->in_prq.used
                          ? request_at(&s->in_prq, rank, e->requests[0])
                          : NULL;

    if (!place || *place < 1)
        return;
    s->q->queues[*place - 1].prq.now--;
    *place = 0; /* because the number may be reused and cancelled again */
}

static void queues_collective(struct queue_study *s, uint32_t rank,
                              const struct trace_comm *c, bool blocks)
{
    uint64_t *came = tally_at(&s->came, c->number, 0, 0);

    if (!blocks || !c->n)
        return;
    s->hold[rank].in_collective = true;
    s->hold[rank].comm = c->number;
    s->hold[rank].turn = (*came)++ / c->n;
}

/* Counts only the wildcards and tags of an operation, because its peer is not
 * known. */
static void queues_unknown(struct queue_study *s, uint32_t rank,
                           const struct trace_event *e,
                           const struct trace_comm *comm)
{
    s->q->unknown++;
    if (!comm)
        return;
    queues_use(s, rank, e, comm->number);
    if (e->call != TRACE_RECV)
        return;
    struct queue_counts *c = queues_place(s, rank, comm->number);
    c->receives++;
    c->any_rank += e->peer == ANY_RANK;
    c->any_tag += e->tag == ANY_TAG;
}

static int queues_event(struct queue_study *s, uint32_t rank,
                        const struct trace_event *e, struct err *err)
{
    struct trace_membership m;
    uint32_t peer;

    s->hold[rank] = (struct hold){.recv = MATCH_NONE};
    if (e->call == TRACE_COMM)
        return trace_comms_add(s->comms, rank, e, err) < 0 ? -1 : 0;
    if (e->call == TRACE_CANCEL)
        queues_cancel(s, rank, e);
    if (!queues_has_message(e) && e->call != TRACE_COLLECTIVE)
        return 0;
    int found = trace_comms_find(s->comms, rank, e, &m, err);
    if (found < 0)
        return -1;
    if (!found || !m.comm->n) {
        if (e->call != TRACE_COLLECTIVE)
            queues_unknown(s, rank, e, found ? m.comm : NULL);
        return 0;
    }
    if (e->call == TRACE_COLLECTIVE) {
        queues_collective(s, rank, m.comm, e->blocks);
        return 0;
    }
    if (trace_comms_peer(s->comms, rank, e, &m, e->peer, &peer, err) < 0)
        return -1;
    queues_use(s, rank, e, m.comm->number);
    (e->call == TRACE_SEND ? queues_send : queues_post)(s, rank, e, peer,
                                                        m.comm->number);
    return 0;
}

static int queues_replay(struct queue_study *s, struct err *err)
{
    struct order o;
    const struct trace_event *e;
    uint32_t rank;
    int got = order_open(&o, s->t, queues_may, s, err);

    while (got == 0 && (got = order_next(&o, &rank, &e, err)) > 0)
        got = queues_event(s, rank, e, err);
    s->q->forced = o.forced;
    order_close(&o);
    return got;
}

/* --- the whole trace ------------------------------------------------------ */

static void queues_announce(struct queue_study *s)
{
    static const struct envelope wilds[] = {
        [WILD_RANK] = {.src = ANY_RANK},
        [WILD_TAG] = {.tag = ANY_TAG},
        [WILD_BOTH] = {.src = ANY_RANK, .tag = ANY_TAG}};

    for (uint32_t r = 0; r < s->t->ranks; r++)
        for (int w = 0; w <= WILD_BOTH; w++)
            if (s->wild[r] >> w & 1) {
                struct envelope e = wilds[w];
                e.dst = r;
                match_announce(s->match, e);
            }
}

static void queue_longer(struct queue_length *sum, const struct queue_length *q)
{
    sum->now += q->now;
    sum->searches += q->searches;
    sum->sum += q->sum;
    if (q->most > sum->most)
        sum->most = q->most;
}

static void queues_sum_up(struct trace_queues *q)
{
    for (size_t i = 0; i < q->nqueues; i++) {
        const struct queue_counts *c = &q->queues[i];
        struct queue_counts *all = &q->rank[c->rank].all;
        all->rank = c->rank;
        all->messages += c->messages;
        all->receives += c->receives;
        all->unexpected += c->unexpected;
        all->any_rank += c->any_rank;
        all->any_tag += c->any_tag;
        all->looked_at += c->looked_at;
        queue_longer(&all->umq, &c->umq);
        queue_longer(&all->prq, &c->prq);
    }
}

static void queues_start(struct queue_study *s)
{
    s->comms = trace_comms_new(s->t);
    s->match = match_new(s->t->ranks, (size_t)s->nops);
    match_count_walks(s->match);
    queues_announce(s);
    s->matched = xcalloc((size_t)s->nops + 1, sizeof *s->matched);
    s->hold = xcalloc(s->t->ranks, sizeof *s->hold);
    for (uint32_t r = 0; r < s->t->ranks; r++)
        s->hold[r].recv = MATCH_NONE;
}

static void queues_end(struct queue_study *s)
{
    struct tally *const tallies[] = {&s->cancelled, &s->place,    &s->peers,
                                     &s->tags,      &s->contexts, &s->tuples,
                                     &s->in_prq,    &s->requests, &s->came};

    for (size_t i = 0; i < sizeof tallies / sizeof tallies[0]; i++)
        tally_clear(tallies[i]);
    trace_comms_free(s->comms);
    match_free(s->match);
    free(s->wild);
    free(s->ordinal);
    free(s->matched);
    free(s->hold);
}

int trace_queues(struct trace_queues *q, struct trace *t, struct err *err)
{
    struct queue_study s = {.q = q, .t = t};

    *q = (struct trace_queues){.ranks = t->ranks};
    q->rank = xcalloc(t->ranks, sizeof *q->rank);
    for (uint32_t r = 0; r < t->ranks; r++)
        q->missing += t->rank[r].missing;
    s.wild = xcalloc(t->ranks, sizeof *s.wild);
    s.ordinal = xcalloc(t->ranks, sizeof *s.ordinal);
    int result = queues_count(&s, err);
    if (result == 0) {
        queues_start(&s);
        result = queues_replay(&s, err);
        queues_sum_up(q);
    }
    queues_end(&s);
    if (result < 0)
        trace_queues_clear(q);
    return result;
}

void trace_queues_clear(struct trace_queues *q)
{
    free(q->rank);
    free(q->queues);
    *q = (struct trace_queues){0};
}
