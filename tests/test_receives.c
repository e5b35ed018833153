/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends and receives that are separate operations: times by hand and compared
 * with messages, matching in time, programs that never end, and schedules read
 * from files. */
#include "sim/plan/exec.h"
#include "sim/plan/report.h"
#include "tests/check.h"
#include "tests/random_machine.h"
#include "tests/scratch.h"
#include "workloads/schedule.h"

#include <stdlib.h>
#include <time.h>

static struct machine tiny;
static struct exec_options how;

/* Returns the makespan, or -1 with err. */
static double run(struct exec_result *r, const struct machine *m,
                  const struct plan *p, struct err *err)
{
    *err = (struct err){0};
    return exec_plan(r, m, p, &how, EXEC_TIMES, err) < 0 ? -1 : r->time_s;
}

static uint32_t send(struct plan *p, uint32_t from, uint32_t to, uint32_t tag,
                     uint64_t bytes)
{
    return plan_send(p, PHASE_OFF_NODE, from, to, tag, bytes);
}

static uint32_t recv(struct plan *p, uint32_t rank, uint32_t from, uint32_t tag)
{
    return plan_recv(p, PHASE_OFF_NODE, rank, from, tag, UINT64_MAX);
}

/* --- equal to messages ---------------------------------------------------- */

/* Random messages have the same times as sends with receives that are all
 * posted at the beginning. */
static void like_messages(unsigned seed)
{
    struct machine m;
    struct plan msgs, both;
    struct exec_result a, b;
    struct err err;
    uint32_t sent[80], got[80];

    state = seed * 104729ull;
    random_machine(&m);
    unsigned nodes = 2 + below(4), n = 5 + below(60);
    plan_init(&msgs, &m, "messages", nodes, 8, NULL);
    plan_init(&both, &m, "sends", nodes, 8, NULL);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bytes = below(8) ? 1000 * (1 + below(200)) : 0;
        uint32_t from = below(nodes * 8), to = below(nodes * 8);
        uint32_t before = below(n / 3 + 1);
        plan_msg(&msgs, PHASE_OFF_NODE, from, to, NO_GPU, NO_GPU, bytes);
        got[i] = recv(&both, to, from, i);
        sent[i] = send(&both, from, to, i, bytes);
        if (i <= n / 3 || below(2))
            continue;
        bool free = below(2);
        plan_after(&msgs, before | (free ? AFTER_SENT : 0));
        plan_after(&both, free ? sent[before] : got[before]);
    }
    CHECK(run(&a, &m, &msgs, &err) >= 0);
    CHECK(run(&b, &m, &both, &err) >= 0);
    int failures = check_failures;
    for (uint32_t i = 0; i < n && failures == check_failures; i++) {
        CHECK_NEAR(b.ops[got[i]].end_s, a.ops[i].end_s, 1e-9);
        CHECK_EQ(b.partner[got[i]], sent[i]);
    }
    if (failures != check_failures)
        fprintf(stderr, "  with seed %u\n", seed);
    exec_result_clear(&a);
    exec_result_clear(&b);
    plan_clear(&msgs);
    plan_clear(&both);
    machine_clear(&m);
}

/* --- by hand -------------------------------------------------------------- */

/* 1 us + 1 ns/B, a quarter of the alpha on each CPU, 10 kB, a receive posted
 * after 50 us of work. Eager bytes have arrived by then and only the receiver's
 * quarter remains; rendezvous bytes begin to flow then. */
static void late_receive(enum protocol protocol, double want_us)
{
    struct segment *s =
        &tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0];
    struct exec_result r;
    struct plan p;
    struct err err;

    s->send_s = s->recv_s = 0.25 * s->alpha_s;
    s->protocol = protocol;
    plan_init(&p, &tiny, "late", 2, 8, NULL);
    uint32_t out = send(&p, 0, 8, 1, 10000);
    uint32_t work = plan_work(&p, 8, 50e-6);
    uint32_t in = recv(&p, 8, 0, 1);
    plan_after(&p, work);
    CHECK_NEAR(run(&r, &tiny, &p, &err), want_us * 1e-6, 1e-9);
    CHECK_NEAR(r.ops[out].end_s, protocol == PROTOCOL_EAGER ? 0.25e-6 : 60e-6,
               1e-9);
    CHECK_NEAR(r.ops[in].ready_s, 50e-6, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* Makes messages eager up to 5 kB, and above that rendezvous with 4 us more. */
static void two_protocols(struct machine *m)
{
    struct message_table *t = &m->messages[RUNTIME_MPI][PATH_HOST][OFF_NODE];
    struct segment *old = t->segments;

    t->segments = xcalloc(2, sizeof *old);
    t->nsegments = 2;
    t->segments[0] = t->segments[1] = *old;
    t->segments[1].source = source_new(PROVENANCE_ASSUMED, "a test");
    t->segments[0].up_to_B = 5000;
    t->segments[0].protocol = PROTOCOL_EAGER;
    t->segments[1].protocol = PROTOCOL_RENDEZVOUS;
    t->segments[1].alpha_s += 4e-6;
    free(old);
}

/* With equal tags, the receives match the messages in the order of the sends,
 * although the second, of 1 B, announces itself and arrives before the
 * first. */
static void non_overtaking(void)
{
    struct machine m;
    struct exec_result r;
    struct plan p;
    struct err err;

    tiny_machine(&m, 4);
    two_protocols(&m);
    plan_init(&p, &m, "order", 2, 8, NULL);
    uint32_t large = send(&p, 0, 8, 1, 10000), small = send(&p, 0, 8, 1, 1);
    uint32_t first = recv(&p, 8, 0, 1), second = recv(&p, 8, ANY_RANK, ANY_TAG);
    CHECK(run(&r, &m, &p, &err) > 0);
    CHECK_EQ(r.partner[first], large);
    CHECK_EQ(r.partner[second], small);
    CHECK(r.ops[small].end_s < r.ops[large].end_s);
    exec_result_clear(&r);
    plan_clear(&p);
    machine_clear(&m);
}

static bool fits(const struct plan *p, uint32_t recv, uint32_t send)
{
    struct op_match by = p->match[recv];

    return p->ops[recv].dst == p->ops[send].dst &&
           (by.peer == ANY_RANK || by.peer == p->ops[send].src) &&
           (by.tag == ANY_TAG || by.tag == p->match[send].tag);
}

/*
 * Random messages of few tags and both protocols are received with wildcards;
 * all are posted at the beginning, so that sends and receives are in the plan's
 * order. No receive matches a message if an earlier one of the same ranks,
 * which fits as well, is matched by a later receive.
 */
static void never_overtaken(unsigned seed)
{
    enum { N = 40 };
    struct machine m;
    struct exec_result r;
    struct plan p;
    struct err err;

    state = seed * 15485863ull;
    tiny_machine(&m, 4);
    two_protocols(&m);
    plan_init(&p, &m, "wild", 3, 8, NULL);
    for (int i = 0; i < N; i++)
        send(&p, 8 * (1 + below(2)), 0, below(2),
             below(2) ? 1 : 5001 + below(5000));
    for (int i = 0; i < N; i++)
        plan_recv(&p, PHASE_OFF_NODE, 0, ANY_RANK, ANY_TAG, UINT64_MAX);
    for (int i = 0; i < N; i++) {
        /* Named receives are before the wildcards, as many as have a
         * message. */
        if (i < N / 2)
            p.match[N + i] = (struct op_match){
                p.ops[i].src, below(2) ? p.match[i].tag : ANY_TAG, 0};
    }
    CHECK(run(&r, &m, &p, &err) > 0);
    for (uint32_t i = 0; i < N && r.partner; i++)
        for (uint32_t k = i + 1; k < N; k++)
            if (p.ops[i].src == p.ops[k].src && r.partner[i] > r.partner[k] &&
                fits(&p, r.partner[k], i))
                CHECK(!"overtaken");
    exec_result_clear(&r);
    plan_clear(&p);
    machine_clear(&m);
}

/* A wildcard matches the first message to arrive, here that of the other node;
 * a receive that was posted before a wildcard keeps the message that fits
 * it. */
static void wildcards(void)
{
    struct exec_result r;
    struct plan p;
    struct err err;

    plan_init(&p, &tiny, "any", 3, 8, NULL);
    uint32_t named = recv(&p, 0, 8, 5), any = recv(&p, 0, ANY_RANK, ANY_TAG);
    uint32_t work = plan_work(&p, 8, 3e-6);
    uint32_t late = send(&p, 8, 0, 6, 100);
    plan_after(&p, work);
    uint32_t match = send(&p, 8, 0, 5, 100);
    plan_after(&p, work);
    uint32_t early = send(&p, 16, 0, 9, 100);
    uint32_t last = recv(&p, 0, 8, ANY_TAG);
    CHECK(run(&r, &tiny, &p, &err) > 0);
    CHECK_EQ(r.partner[any], early);
    CHECK_EQ(r.partner[named], match);
    CHECK_EQ(r.partner[last], late);
    exec_result_clear(&r);
    plan_clear(&p);
}

static const struct op_wait *first_wait(const struct op_waits *w, uint32_t op)
{
    uint32_t at = w->last[op];

    while (w->list[at - 1].before)
        at = w->list[at - 1].before;
    return &w->list[at - 1];
}

/* The end waits for one of two: 50 us of work before the receive is posted,
 * which the message waits for; or work that keeps the receiver's CPU busy,
 * while the receive waits for the message. */
static void paths(void)
{
    struct exec_result r;
    struct report report;
    struct plan p;
    struct err err = {0};

    tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].protocol =
        PROTOCOL_RENDEZVOUS;
    for (int late = 0; late < 2; late++) {
        plan_init(&p, &tiny, "path", 2, 8, NULL);
        uint32_t work = plan_work(&p, 8, 50e-6);
        uint32_t out = send(&p, 0, 8, 1, 10000), in = recv(&p, 8, 0, 1);
        if (late)
            plan_after(&p, work);
        CHECK(exec_plan(&r, &tiny, &p, &how, EXEC_DETAILS, &err) == 0);
        report_make(&report, &tiny, &p, &r);
        size_t n = report.npath;
        CHECK(n >= 2);
        CHECK_EQ(report.path[0].op, work);
        CHECK_EQ(report.path[n - 1].op, in);
        if (!late) {
            CHECK_EQ(first_wait(&r.waits, in)->cause, CAUSE_MATCH);
            CHECK_EQ(first_wait(&r.waits, in)->whom, out);
        }
        CHECK_EQ(r.waits.last[out] &&
                     first_wait(&r.waits, out)->cause == CAUSE_MATCH,
                 late);
        exec_result_clear(&r);
        plan_clear(&p);
    }
    tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].protocol =
        PROTOCOL_EAGER;
}

static bool waited_for_match(const struct op_waits *w, uint32_t op)
{
    for (uint32_t at = w->last[op]; at; at = w->list[at - 1].before)
        if (w->list[at - 1].cause == CAUSE_MATCH)
            return true;
    return false;
}

/* An eager message waits for no receive: a receive that is posted first waits
 * for it, one that is posted after its arrival waits only for its work. */
static void eager_paths(void)
{
    struct exec_result r;
    struct plan p;
    struct err err = {0};

    for (int late = 0; late < 2; late++) {
        plan_init(&p, &tiny, "eager", 2, 8, NULL);
        uint32_t work = plan_work(&p, late ? 8 : 0, 50e-6);
        uint32_t out = send(&p, 0, 8, 1, 10000);
        if (!late)
            plan_after(&p, work);
        uint32_t in = recv(&p, 8, 0, 1);
        if (late)
            plan_after(&p, work);
        CHECK(exec_plan(&r, &tiny, &p, &how, EXEC_DETAILS, &err) == 0);
        CHECK_EQ(waited_for_match(&r.waits, in), !late);
        CHECK(!waited_for_match(&r.waits, out));
        exec_result_clear(&r);
        plan_clear(&p);
    }
}

/* --- programs that never end ---------------------------------------------- */

static void never_ends(const struct plan *p, const char *want,
                       const char *want_too)
{
    struct exec_result r;
    struct err err;

    CHECK(run(&r, &tiny, p, &err) < 0);
    CHECK_EQ(err.kind, ERR_INPUT);
    CHECK_HAS(err.text, want);
    CHECK_HAS(err.text, want_too);
}

static void stuck(void)
{
    struct plan p;
    uint32_t op[4];

    plan_init(&p, &tiny, "ring", 2, 8, NULL);
    op[0] = recv(&p, 0, 8, 1);
    send(&p, 0, 8, 2, 10);
    plan_after(&p, op[0]);
    op[2] = recv(&p, 8, 0, 2);
    send(&p, 8, 0, 1, 10);
    plan_after(&p, op[2]);
    never_ends(&p, "never end: 4 of 4; these wait for each other",
               "operation 2 (receive, rank 8 from rank 0, tag 2) waits for "
               "operation 1");
    plan_clear(&p);

    /* The first of two equal receives gets the message; the second none. */
    plan_init(&p, &tiny, "two", 2, 8, NULL);
    recv(&p, 0, 8, 5);
    op[1] = recv(&p, 0, 8, 5);
    send(&p, 0, 8, 6, 1);
    plan_after(&p, op[1]);
    op[3] = recv(&p, 8, 0, 6);
    send(&p, 8, 0, 5, 1);
    plan_after(&p, op[3]);
    never_ends(&p, "never end: 5 of 5",
               "operation 1 (receive, rank 0 from rank 8, tag 5) waits for a "
               "message that nobody sends");
    plan_clear(&p);

    /* A deadlock is reported before messages that are never received. */
    plan_init(&p, &tiny, "both", 2, 8, NULL);
    tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].protocol =
        PROTOCOL_EAGER;
    send(&p, 0, 8, 9, 10);
    recv(&p, 0, 8, 1);
    never_ends(&p, "never end: 1 of 2; messages sent and never received: 1",
               "operation 1 (receive");
    plan_clear(&p);

    plan_init(&p, &tiny, "nobody", 2, 8, NULL);
    op[0] = recv(&p, 0, 8, 7);
    plan_work(&p, 0, 1);
    plan_after(&p, op[0]);
    never_ends(&p, "never end: 2 of 2",
               "operation 0 (receive, rank 0 from rank 8, tag 7) waits for a "
               "message that nobody sends");
    plan_clear(&p);

    tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].protocol =
        PROTOCOL_RENDEZVOUS;
    plan_init(&p, &tiny, "unposted", 2, 8, NULL);
    send(&p, 0, 8, 7, 100);
    never_ends(&p, "never end: 1 of 1",
               "tag 7, 100 B) waits for a receive that nobody posts");
    tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].protocol =
        PROTOCOL_EAGER;
    never_ends(&p, "sent and never received: 1", "tag 7, 100 B) is never");
    plan_clear(&p);

    plan_init(&p, &tiny, "long", 2, 8, NULL);
    send(&p, 0, 8, 7, 100);
    plan_recv(&p, PHASE_OFF_NODE, 8, 0, 7, 99);
    never_ends(&p,
               "operation 1 (receive, rank 8 from rank 0, tag 7) has room "
               "for 99 B",
               "too few for operation 0 (send");
    plan_clear(&p);
}

/* A receive with room for exactly the bytes of its message matches it, in the
 * time of the message: 1 us + 100 ns. */
static void room_that_fits(void)
{
    struct segment *s =
        tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments;
    enum protocol before = s->protocol;

    for (int eager = 0; eager < 2; eager++) {
        struct exec_result r;
        struct plan p;
        struct err err;
        s->protocol = eager ? PROTOCOL_EAGER : PROTOCOL_RENDEZVOUS;
        plan_init(&p, &tiny, "exact", 2, 8, NULL);
        send(&p, 0, 8, 7, 100);
        plan_recv(&p, PHASE_OFF_NODE, 8, 0, 7, 100);
        CHECK_NEAR(run(&r, &tiny, &p, &err), 1.1e-6, 1e-9);
        exec_result_clear(&r);
        plan_clear(&p);
    }
    s->protocol = before;
}

/* 100,000 messages to one rank are received in the opposite order: each is
 * found at once by its tag. */
static void many(void)
{
    struct exec_result r;
    struct plan p;
    struct err err;
    const uint32_t n = 100000;

    plan_init(&p, &tiny, "many", 2, 8, NULL);
    for (uint32_t i = 0; i < n; i++)
        send(&p, 8 + i % 8, 0, i, 8);
    uint32_t work = plan_work(&p, 0, 1);
    for (uint32_t i = 0; i < n; i++) {
        recv(&p, 0, i % 3 ? 8 + (n - 1 - i) % 8 : ANY_RANK, n - 1 - i);
        plan_after(&p, work);
    }
    clock_t before = clock();
    CHECK(run(&r, &tiny, &p, &err) > 1);
    /* This takes a twentieth of that; a search one by one takes minutes. */
    CHECK(clock() - before < 10 * CLOCKS_PER_SEC);
    CHECK_EQ(r.partner[0], 2 * n);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* --- schedules ------------------------------------------------------------ */

static int load_text(struct plan *p, uint32_t *ranks, const char *header,
                     const char *rows, struct err *err)
{
    char *text = xasprintf("%s\n%s", header, rows);
    char *path = scratch_file("schedule.csv", text);
    char *words = xasprintf("schedule:%s", path);

    *err = (struct err){0};
    int result = schedule_to_plan(p, ranks, &tiny, words, err);
    free(text);
    free(path);
    free(words);
    return result;
}

static int load(struct plan *p, uint32_t *ranks, const char *rows,
                struct err *err)
{
    return load_text(p, ranks, "op,rank,kind,peer,tag,bytes,work_us,after",
                     rows, err);
}

static void schedules(void)
{
    struct plan p;
    struct exec_result r;
    struct err err;
    uint32_t ranks;

    CHECK(load(&p, &ranks,
               "0,8,work,,,,50,\n1,0,send,8,3,10000,,\n"
               "2,8,recv,any,any,,,0\n3,8,work,,,,1,0 2\n",
               &err) == 0);
    CHECK_EQ(ranks, 9);
    CHECK_EQ(p.nodes, 2);
    /* EAGER: the receiver's quarter after its work, then 1 us. */
    CHECK_NEAR(run(&r, &tiny, &p, &err), 51.25e-6, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);

    /* A rank that is only waited for counts too. */
    CHECK(load(&p, &ranks, "0,0,recv,8,0,,,\n", &err) == 0);
    CHECK_EQ(ranks, 9);
    plan_clear(&p);
}

static void refused(const char *rows, const char *want)
{
    struct plan p;
    struct err err;
    uint32_t ranks;

    CHECK(load(&p, &ranks, rows, &err) < 0);
    CHECK_HAS(err.text, want);
    CHECK_EQ(err.kind, ERR_INPUT);
}

static void refused_header(const char *header, const char *want)
{
    struct plan p;
    struct err err;
    uint32_t ranks;

    CHECK(load_text(&p, &ranks, header, "0,0,work,,,,1,,\n", &err) < 0);
    CHECK_HAS(err.text, want);
}

static void refusals(void)
{
    refused_header("op,rank,kind,peer,tag,bytes,work_us,afterr,x",
                   "no column named after");
    refused_header("op,rank,kind,peer,tag,bytes,work_us,after,x",
                   "unknown column 'x'");
    refused("0,0,work,1,,,1,\n", ":2: peer: a work has none, got '1'");
    refused("0,0,send,1,1,1,3,\n", ":2: work_us: a send has none, got '3'");
    refused("0,0,work,,,,2e12,\n", ":2: work_us: expected 0 to 1e12");
    refused("", "no rows");
    refused("1,0,work,,,,1,\n", ":2: op: expected 0, the row's number, got 1");
    refused("0,-1,work,,,,1,\n", ":2: rank: expected a whole number");
    refused("0,16777216,work,,,,1,\n", ":2: rank: 16777216 is too large");
    refused("0,99999,work,,,,1,\n", "100000 ranks wanted, tiny has 64 nodes");
    refused("0,0,isend,1,1,1,,\n", ":2: kind: expected send, recv or work");
    refused("0,0,work,,,,-1,\n", ":2: work_us: expected 0 to 1e12, got -1");
    refused("0,0,work,,,,nan,\n", ":2: work_us: expected a number, got");
    refused("0,0,send,any,1,1,,\n", ":2: peer: expected a number, got");
    refused("0,0,send,1,any,1,,\n", ":2: tag: expected a number, got");
    refused("0,0,send,1,1,,,\n", ":2: bytes: expected a number, got");
    refused("0,0,work,,,,1,\n1,1,work,,,,1,0\n",
            ":3: after: operation 0 is rank 0's");
    refused("0,0,work,,,,1,0\n", ":2: after: 0 is no earlier operation");
    refused("0,0,work,,,,1,\n1,0,work,,,,1,0x\n",
            ":3: after: expected numbers, got '0x'");
}

int main(void)
{
    scratch_make();
    how = exec_defaults;
    tiny_machine(&tiny, 4);
    for (int kind = 0; kind < NENGINES; kind++) {
        how.engine = (enum engine_kind)kind;
        late_receive(PROTOCOL_RENDEZVOUS, 60.25);
        late_receive(PROTOCOL_EAGER, 50.25);
        non_overtaking();
        wildcards();
        stuck();
        paths();
        eager_paths();
        for (unsigned seed = 1; seed <= 50; seed++)
            never_overtaken(seed);
        for (unsigned seed = 1; seed <= 100; seed++)
            like_messages(seed);
    }
    how.engine = ENGINE_FLUID;
    for (unsigned seed = 101; seed <= 500; seed++)
        like_messages(seed);
    room_that_fits();
    many();
    schedules();
    refusals();
    machine_clear(&tiny);
    scratch_clear();
    return check_result();
}
