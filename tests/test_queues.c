/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching queues rebuilt from a trace, compared with lists that are searched
 * from their beginning, on small traces and on drawn ones. */
#include "workloads/trace/queues.h"

#include "base/err.h"
#include "base/random.h"
#include "tests/check.h"
#include "tests/trace_lists.h"

#include <stdlib.h>

/* --- traces in memory ----------------------------------------------------- */

struct toy {
    struct trace_event *events; /* events of all ranks */
    uint32_t *rank;             /* the rank of each event */
    size_t n, room;
    size_t *at; /* for each rank, its next event is here or later */
};

static int toy_next(struct trace *t, uint32_t rank, struct trace_event *e,
                    struct err *err)
{
    struct toy *toy = t->state;
    size_t i = toy->at[rank];

    (void)err;
    while (i < toy->n && toy->rank[i] != rank)
        i++;
    toy->at[rank] = i + 1;
    if (i >= toy->n)
        return 0;
    *e = toy->events[i];
    return 1;
}

static int toy_rewind(struct trace *t, uint32_t rank, struct err *err)
{
    (void)err;
    ((struct toy *)t->state)->at[rank] = 0;
    return 0;
}

static void toy_close(struct trace *t)
{
    struct toy *toy = t->state;

    for (size_t i = 0; i < toy->n; i++)
        free((void *)toy->events[i].requests);
    free(toy->events);
    free(toy->rank);
    free(toy->at);
    free(toy);
}

static const struct trace_format toy_format = {
    .name = "toy", .next = toy_next, .rewind = toy_rewind, .close = toy_close};

static void toy_open(struct trace *t, uint32_t ranks, bool clocks)
{
    struct toy *toy = xcalloc(1, sizeof *toy);

    *t = (struct trace){.format = &toy_format, .path = xstrdup("toy")};
    trace_set_ranks(t, ranks);
    t->has_clock = clocks;
    t->state = toy;
    toy->at = xcalloc(ranks, sizeof *toy->at);
}

static struct trace_event *add(struct trace *t, uint32_t rank, double begin_s,
                               enum trace_call call)
{
    struct toy *toy = t->state;

    if (toy->n == toy->room) {
        toy->room = toy->room ? 2 * toy->room : 64;
        toy->events = xrealloc(toy->events, toy->room, sizeof *toy->events);
        toy->rank = xrealloc(toy->rank, toy->room, sizeof *toy->rank);
    }
    toy->rank[toy->n] = rank;
    toy->events[toy->n] = trace_event_new(call);
    toy->events[toy->n].begin_s = begin_s;
    toy->events[toy->n].name = "toy";
    return &toy->events[toy->n++];
}

static void message(struct trace *t, uint32_t rank, double begin_s,
                    enum trace_call call, uint32_t peer, uint32_t tag,
                    uint64_t request)
{
    struct trace_event *e = add(t, rank, begin_s, call);

    e->peer = peer;
    e->tag = tag;
    e->request = request;
    e->blocks = request == NO_REQUEST;
}

static void with_request(struct trace *t, uint32_t rank, double begin_s,
                         enum trace_call call, uint64_t request)
{
    struct trace_event *e = add(t, rank, begin_s, call);
    uint64_t *list = xcalloc(1, sizeof *list);

    *list = request;
    e->requests = list;
    e->nrequests = 1;
}

/* --- by hand -------------------------------------------------------------- */

static void test_both_queues(void)
{
    struct trace_queues q;
    struct trace t;
    struct err err;

    toy_open(&t, 3, true);
    message(&t, 0, 1, TRACE_SEND, 2, 7, NO_REQUEST); /* unexpected */
    message(&t, 0, 2, TRACE_SEND, 2, 7, NO_REQUEST); /* unexpected */
    message(&t, 1, 3, TRACE_SEND, 2, 8, NO_REQUEST); /* unexpected */
    message(&t, 2, 4, TRACE_RECV, 1, 8, NO_REQUEST); /* looks at 3 */
    message(&t, 2, 5, TRACE_RECV, ANY_RANK, 9, 1);   /* looks at 2, waits */
    message(&t, 2, 6, TRACE_RECV, 0, ANY_TAG, 2);    /* looks at 1 */
    message(&t, 1, 7, TRACE_SEND, 2, 9, NO_REQUEST); /* looks at 1 */
    CHECK_EQ(trace_queues(&q, &t, &err), 0);
    CHECK_EQ(q.nqueues, 1);
    const struct queue_counts *c = &q.rank[2].all;
    CHECK_EQ(c->messages, 4);
    CHECK_EQ(c->receives, 3);
    CHECK_EQ(c->unexpected, 3);
    CHECK_EQ(c->any_rank, 1);
    CHECK_EQ(c->any_tag, 1);
    CHECK_EQ(c->umq.most, 3);
    CHECK_EQ(c->umq.now, 1);
    CHECK_EQ(c->umq.searches, 3);
    CHECK_EQ(c->umq.sum, 3 + 2 + 2);
    CHECK_EQ(c->prq.most, 1);
    CHECK_EQ(c->prq.now, 0);
    CHECK_EQ(c->prq.sum, 1); /* three times 0 */
    CHECK_EQ(c->looked_at, 3 + 2 + 1 + 1);
    CHECK_EQ(q.rank[2].peers, 2);
    CHECK_EQ(q.rank[0].peers, 1);
    CHECK_EQ(q.rank[2].tags, 2);
    CHECK_EQ(q.rank[0].tags, 1);
    CHECK_EQ(q.tags, 3);
    CHECK_EQ(q.rank[2].most_frequent, 2);
    CHECK_EQ(q.contexts, 1);
    trace_queues_clear(&q);
    trace_close(&t);
}

/* Messages match only within a communicator, each with its own queue. */
static void test_communicators(void)
{
    struct trace_queues q;
    struct trace t;
    struct err err;

    toy_open(&t, 2, true);
    for (uint32_t r = 0; r < 2; r++) {
        struct trace_event *e = add(&t, r, r, TRACE_COMM);
        e->how = TRACE_SPLIT;
        e->new_comm = 5;
        e->key = 1 - r; /* in reverse order */
    }
    /* Its clock shows a time before the other has arrived. */
    message(&t, 0, 0.5, TRACE_SEND, 0, 7, NO_REQUEST);
    ((struct toy *)t.state)->events[2].comm = 5;
    message(&t, 1, 2, TRACE_RECV, 0, 7, 1);
    message(&t, 1, 3, TRACE_RECV, 1, 7, 2);
    ((struct toy *)t.state)->events[4].comm = 5;
    CHECK_EQ(trace_queues(&q, &t, &err), 0);
    CHECK_EQ(q.forced, 0);
    CHECK_EQ(q.contexts, 2);
    CHECK_EQ(q.nqueues, 2);
    CHECK_EQ(q.rank[1].contexts, 2);
    CHECK_EQ(q.rank[1].all.umq.most, 1);
    CHECK_EQ(q.rank[1].all.umq.now, 0); /* the queue of communicator 5 */
    CHECK_EQ(q.rank[1].all.prq.now, 1); /* the queue of the world */
    trace_queues_clear(&q);
    trace_close(&t);
}

static void test_cancelled(void)
{
    struct trace_queues q;
    struct trace t;
    struct err err;

    toy_open(&t, 2, true);
    message(&t, 1, 1, TRACE_RECV, 0, 7, 40);
    message(&t, 1, 2, TRACE_RECV, 0, 7, 41);
    message(&t, 0, 3, TRACE_SEND, 1, 7, NO_REQUEST); /* matches 41 */
    with_request(&t, 1, 4, TRACE_CANCEL, 40);
    CHECK_EQ(trace_queues(&q, &t, &err), 0);
    CHECK_EQ(q.cancelled, 1);
    CHECK_EQ(q.rank[1].all.prq.most, 2);
    CHECK_EQ(q.rank[1].all.prq.now, 0);
    CHECK_EQ(q.rank[1].all.unexpected, 0);
    trace_queues_clear(&q);
    trace_close(&t);
}

/* A request number that was cancelled is reused for a send, which is cancelled,
 * too: only the receive left the queue of posted receives. */
static void test_cancelled_again(void)
{
    struct trace_queues q;
    struct trace t;
    struct err err;

    toy_open(&t, 2, true);
    message(&t, 1, 1, TRACE_RECV, 0, 7, 40);
    with_request(&t, 1, 2, TRACE_CANCEL, 40);
    message(&t, 1, 3, TRACE_RECV, 0, 8, 41); /* stays */
    message(&t, 1, 4, TRACE_SEND, 0, 7, 40);
    with_request(&t, 1, 5, TRACE_CANCEL, 40);
    CHECK_EQ(trace_queues(&q, &t, &err), 0);
    CHECK_EQ(q.cancelled, 1);
    CHECK_EQ(q.rank[1].all.prq.most, 1);
    CHECK_EQ(q.rank[1].all.prq.now, 1);
    trace_queues_clear(&q);
    trace_close(&t);
}

/* Without clocks, a rank that waits is skipped until its message has
 * arrived. */
static void test_turns(void)
{
    struct trace_queues q;
    struct trace t;
    struct err err;

    toy_open(&t, 2, false);
    message(&t, 0, NAN, TRACE_RECV, 1, 1, 9);
    with_request(&t, 0, NAN, TRACE_WAIT, 9);
    for (uint32_t i = 0; i < 3; i++)
        message(&t, 0, NAN, TRACE_RECV, 1, 2, 10 + i);
    for (uint32_t i = 0; i < 5; i++) /* work that takes several turns */
        message(&t, 1, NAN, TRACE_SEND, 1, 3, NO_REQUEST);
    message(&t, 1, NAN, TRACE_SEND, 0, 1, NO_REQUEST);
    CHECK_EQ(trace_queues(&q, &t, &err), 0);
    CHECK_EQ(q.forced, 0);
    CHECK_EQ(q.rank[0].all.unexpected, 0);
    CHECK_EQ(q.rank[0].all.prq.most, 3); /* not 4 */
    CHECK_EQ(q.rank[0].all.prq.now, 3);
    trace_queues_clear(&q);
    trace_close(&t);
}

/* In a collective without clocks, no rank continues until all have arrived. */
static void test_collective(void)
{
    struct trace_queues q;
    struct trace t;
    struct err err;

    toy_open(&t, 2, false);
    add(&t, 0, NAN, TRACE_COLLECTIVE)->blocks = true;
    message(&t, 0, NAN, TRACE_SEND, 1, 1, NO_REQUEST);
    for (uint32_t i = 0; i < 4; i++)
        message(&t, 1, NAN, TRACE_SEND, 1, 3, NO_REQUEST);
    message(&t, 1, NAN, TRACE_RECV, 0, 1, 1);
    add(&t, 1, NAN, TRACE_COLLECTIVE)->blocks = true;
    /* No other rank joins it. */
    add(&t, 1, NAN, TRACE_COLLECTIVE)->blocks = true;
    message(&t, 1, NAN, TRACE_RECV, 1, 3, 2);
    CHECK_EQ(trace_queues(&q, &t, &err), 0);
    CHECK_EQ(q.rank[1].all.unexpected, 4); /* its own messages, not rank 0's */
    CHECK_EQ(q.rank[1].all.umq.now, 3);
    CHECK_EQ(q.forced, 1);
    trace_queues_clear(&q);
    trace_close(&t);
}

static void test_missing(void)
{
    struct trace_queues q;
    struct trace t;
    struct err err;

    toy_open(&t, 3, true);
    t.rank[2].missing = true;
    message(&t, 0, 1, TRACE_RECV, 2, 7, 1);
    message(&t, 0, 2, TRACE_SEND, 1, 8, NO_REQUEST);
    CHECK_EQ(trace_queues(&q, &t, &err), 0);
    CHECK_EQ(q.missing, 1);
    CHECK_EQ(q.rank[0].peers, 2);
    CHECK_EQ(q.rank[0].tags, 2);
    CHECK_EQ(q.rank[0].all.prq.most, 0);
    trace_queues_clear(&q);
    trace_close(&t);
}

/* --- compared with lists -------------------------------------------------- */

static void check_lists(struct trace *t)
{
    struct trace_queues q;
    struct err err;
    struct list_queues *lists = list_queues(t);

    CHECK_EQ(trace_queues(&q, t, &err), 0);
    for (uint32_t r = 0; r < t->ranks; r++) {
        const struct queue_counts *c = &q.rank[r].all;
        CHECK_EQ(c->umq.most, lists[r].umq_most);
        CHECK_EQ(c->prq.most, lists[r].prq_most);
        CHECK_EQ(c->umq.now, lists[r].umq.n);
        CHECK_EQ(c->prq.now, lists[r].prq.n);
        CHECK_EQ(c->unexpected, lists[r].unexpected);
    }
    list_queues_free(lists, t->ranks);
    trace_queues_clear(&q);
}

static void test_drawn(uint64_t seed, bool wild)
{
    enum { RANKS = 5, EVENTS = 800, TAGS = 3 };
    uint64_t state = seed;
    double now = 0;
    struct trace t;

    toy_open(&t, RANKS, true);
    for (int i = 0; i < EVENTS; i++) {
        uint32_t rank = (uint32_t)random_below(&state, RANKS);
        uint32_t peer = (uint32_t)random_below(&state, RANKS);
        uint32_t tag = (uint32_t)random_below(&state, TAGS);
        bool recv = random_below(&state, 2);
        if (recv && wild && random_below(&state, 4) == 0)
            peer = ANY_RANK;
        if (recv && wild && random_below(&state, 4) == 0)
            tag = ANY_TAG;
        now += (double)random_below(&state, 2); /* times may be equal */
        message(&t, rank, now, recv ? TRACE_RECV : TRACE_SEND, peer, tag,
                (uint64_t)i);
    }
    check_lists(&t);
    trace_close(&t);
}

/* Tests the traces of files, if the arguments name any. */
static void test_file(const char *name)
{
    struct trace t;
    struct err err;

    if (trace_open(&t, name, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        CHECK(!"opened");
        return;
    }
    check_lists(&t);
    trace_close(&t);
}

int main(int argc, char **argv)
{
    test_both_queues();
    test_communicators();
    test_cancelled();
    test_cancelled_again();
    test_turns();
    test_collective();
    test_missing();
    for (uint64_t seed = 1; seed <= 40; seed++)
        test_drawn(seed, seed % 2);
    for (int i = 1; i < argc; i++)
        test_file(argv[i]);
    return check_result();
}
