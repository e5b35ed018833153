/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching with a cost: each engine's time by hand, the wait for an engine that
 * is busy, and queues compared with plain lists. */
#include "sim/plan/exec.h"
#include "sim/plan/report.h"
#include "sim/transport/matching.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>
#include <time.h>

enum { PER_NODE = 8 };

static struct machine tiny;
static struct exec_options how;

/* Messages of 0 B arrive 1 us after they are sent, received or not; no CPU is
 * busy. */
static void eager(void)
{
    for (int where = 0; where < NLOCALITIES; where++)
        tiny.messages[RUNTIME_MPI][PATH_HOST][where].segments[0].protocol =
            PROTOCOL_EAGER;
}

/* Returns constants at 1 GHz, so that a cycle is a nanosecond, with round
 * numbers that distinguish the parts. */
static struct matching law(enum matcher engine)
{
    return (struct matching){.engine = engine,
                             .entry_s = 100e-9,
                             .attempt_s = 10e-9,
                             .clock_Hz = 1e9,
                             .pass_cycles = 1000,
                             .receive_cycles = 300,
                             .miss_cycles = 200,
                             .scan_cycles = 150,
                             .short_cycles = 270,
                             .short_messages = 32,
                             .cta_messages = 1024,
                             .queues = 4,
                             .queue_cycles = 10,
                             .ctas = 4,
                             .resident_ctas = 2,
                             .round_cycles = 5000,
                             .hash_cycles = 4,
                             .slots = 1.25};
}

static double run(struct exec_result *r, const struct plan *p)
{
    struct err err = {0};

    if (exec_plan(r, &tiny, p, &how, EXEC_DETAILS, &err) == 0)
        return r->time_s;
    fprintf(stderr, "%s\n", err.text);
    return -1;
}

static double run_time(struct plan *p)
{
    struct exec_result r;
    double time = run(&r, p);

    exec_result_clear(&r);
    plan_clear(p);
    return time;
}

/* Posts `n` receives of rank 0, with tags from 0 on, then sends as many
 * messages from rank 8 on another node, the last tag first if `backwards`. */
static void posted(struct plan *p, uint32_t n, bool backwards)
{
    plan_init(p, &tiny, "posted", 2, PER_NODE, NULL);
    for (uint32_t i = 0; i < n; i++)
        plan_recv(p, PHASE_OFF_NODE, 0, PER_NODE, i, 0);
    for (uint32_t i = 0; i < n; i++)
        plan_send(p, PHASE_OFF_NODE, PER_NODE, 0, backwards ? n - 1 - i : i, 0);
}

/* --- time by hand --------------------------------------------------------- */

/* Each message and its receive make two attempts of 10 ns each, and entries
 * take 100 ns: 1 for each in order, 4 + 3 + 2 + 1 backwards, one after the
 * other on the receiver's CPU. */
static void by_list(void)
{
    struct plan p;

    tiny.matching = law(MATCHER_LIST);
    posted(&p, 4, false);
    CHECK_NEAR(run_time(&p), 1e-6 + 8 * 10e-9 + 4 * 100e-9, 1e-9);
    posted(&p, 4, true);
    CHECK_NEAR(run_time(&p), 1e-6 + 8 * 10e-9 + 10 * 100e-9, 1e-9);
}

/* One message takes a pass of one warp, which looks at one receive. Of four
 * that arrive at once the first is alone in its pass, the other three are the
 * next. */
static void by_matrix(void)
{
    struct plan p;
    struct exec_result r;

    tiny.matching = law(MATCHER_MATRIX);
    posted(&p, 1, false);
    CHECK_NEAR(run_time(&p), 1e-6 + 1.27e-6, 1e-9);
    posted(&p, 4, false);
    CHECK_NEAR(run(&r, &p), 1e-6 + 1.27e-6 + (1 + 3 * 0.27) * 1e-6, 1e-9);
    CHECK_EQ(r.nqueues, 1);
    CHECK_EQ(r.queues[0].passes, 2);
    CHECK_EQ(r.queues[0].most_waiting, 3);
    CHECK_EQ(r.queues[0].prq.most, 4);
    CHECK_EQ(r.queues[0].umq.most, 0);
    CHECK_NEAR(r.queues[0].busy_s, 3.08e-6, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* Sources 8 to 11 are in four queues: a message of each, then another one of
 * rank 8; all receives are posted. The first message is alone in its pass; then
 * four queues of a warp each are searched in parallel, where each takes 10
 * cycles a receive more for each of the others. */
static void by_partitions(void)
{
    struct plan p;
    struct exec_result r;

    tiny.matching = law(MATCHER_PARTITIONED);
    plan_init(&p, &tiny, "partitions", 2, PER_NODE, NULL);
    for (uint32_t i = 0; i < 5; i++)
        plan_recv(&p, PHASE_OFF_NODE, 0, PER_NODE + i % 4, i, 0);
    for (uint32_t i = 0; i < 5; i++)
        plan_send(&p, PHASE_OFF_NODE, PER_NODE + i % 4, 0, i, 0);
    CHECK_NEAR(run(&r, &p), 1e-6 + 1.27e-6 + 1.3e-6, 1e-9);
    CHECK_EQ(r.queues[0].passes, 2);
    CHECK_EQ(r.queues[0].most_waiting, 4);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* A round takes 5,000 cycles, and 4 for each receive that it enters. */
static void by_hash(void)
{
    struct plan p;
    struct exec_result r;

    tiny.matching = law(MATCHER_HASH);
    posted(&p, 1, false);
    CHECK_NEAR(run_time(&p), 1e-6 + 5.004e-6, 1e-9);
    posted(&p, 2, false);
    CHECK_NEAR(run_time(&p), 1e-6 + 5.008e-6 + 5.004e-6, 1e-9);
    /* If three are equal one finds no slot: two rounds. Later two, then one. */
    plan_init(&p, &tiny, "alike", 2, PER_NODE, NULL);
    for (uint32_t i = 0; i < 3; i++)
        plan_recv(&p, PHASE_OFF_NODE, 0, PER_NODE, 7, 0);
    plan_send(&p, PHASE_OFF_NODE, PER_NODE, 0, 7, 0);
    uint32_t work = plan_work(&p, PER_NODE, 100e-6);
    for (uint32_t i = 0; i < 2; i++) {
        plan_send(&p, PHASE_OFF_NODE, PER_NODE, 0, 7, 0);
        plan_after(&p, work);
    }
    CHECK_NEAR(run(&r, &p), 101e-6 + 5.008e-6 + 5.004e-6, 1e-9);
    CHECK_NEAR(r.ops[0].end_s, 1e-6 + 10.016e-6, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* Returns an operation's wait for an engine; NULL if it had none. */
static const struct op_wait *engine_wait(const struct op_waits *w, uint32_t op)
{
    uint32_t at = w->last[op];

    while (at && w->list[at - 1].cause != CAUSE_MATCHER)
        at = w->list[at - 1].before;
    return at ? &w->list[at - 1] : NULL;
}

/* The engines of two communicators run in parallel; a receive that is late
 * begins a pass, and the operations that wait for it are seen to wait for the
 * engine. */
static void of_communicators(void)
{
    struct plan p;
    struct exec_result r;

    tiny.matching = law(MATCHER_MATRIX);
    plan_init(&p, &tiny, "two", 2, PER_NODE, NULL);
    for (uint32_t c = 0; c < 2; c++) {
        plan_send(&p, PHASE_OFF_NODE, PER_NODE, 0, 1, 0);
        plan_context(&p, c);
    }
    uint32_t work = plan_work(&p, 0, 10e-6);
    for (uint32_t c = 0; c < 2; c++) {
        plan_recv(&p, PHASE_OFF_NODE, 0, PER_NODE, 1, 0);
        plan_context(&p, c);
        plan_after(&p, work);
    }
    CHECK_NEAR(run(&r, &p), 10e-6 + 1.27e-6, 1e-9);
    CHECK_EQ(r.nqueues, 2);
    for (size_t i = 0; i < 2; i++) {
        CHECK_EQ(r.queues[i].context, i);
        CHECK_EQ(r.queues[i].umq.most, 1);
        CHECK_EQ(r.queues[i].passes, 1);
        const struct op_wait *w = engine_wait(&r.waits, (uint32_t)(3 + i));
        CHECK(w && w->whom == i);
        if (w)
            CHECK_NEAR(w->over_s, 10e-6 + 1.27e-6, 1e-9);
    }
    exec_result_clear(&r);
    plan_clear(&p);
}

/* Makes a message, and its receive, posted at once or 10 us late. */
static void one_pair(struct plan *p, uint32_t from, uint32_t tag, bool late)
{
    plan_init(p, &tiny, "pair", 2, PER_NODE, NULL);
    plan_send(p, PHASE_OFF_NODE, PER_NODE, 0, 3, 0);
    uint32_t work = plan_work(p, 0, late ? 10e-6 : 0);
    plan_recv(p, PHASE_OFF_NODE, 0, from, tag, 0);
    if (late)
        plan_after(p, work);
}

/* The critical path has, if the receive is posted before or after its message,
 * the message's own time, or the work before the receive, and the engine's
 * time. */
static void on_the_path(bool late)
{
    struct plan p;
    struct exec_result r;
    struct report report;

    tiny.matching = law(MATCHER_MATRIX);
    tiny.matching.source = source_new(PROVENANCE_FIT, "a test");
    one_pair(&p, PER_NODE, 3, late);
    CHECK(run(&r, &p) > 0);
    report_make(&report, &tiny, &p, &r);
    CHECK_NEAR(report.rests_on.s[PROVENANCE_FIT], 1.27e-6, 1e-9);
    CHECK_NEAR(report.rests_on.work_s, late ? 10e-6 : 0, 1e-9);
    CHECK_NEAR(report.rests_on.s[PROVENANCE_ASSUMED], late ? 0 : 1e-6, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
    source_free(tiny.matching.source);
    tiny.matching.source = NULL;
}

/* --- long queues ---------------------------------------------------------- */

/* 100,000 messages, all unexpected, are followed by their receives, the last
 * message's first: each search or pass goes far into the queue, and yet all of
 * them are done in about a second. */
static void long_queue(enum matcher engine)
{
    enum { LONG = 100000 };
    struct plan p;
    struct exec_result r;
    clock_t begin = clock();

    tiny.matching = law(engine);
    plan_init(&p, &tiny, "long", 2, PER_NODE, NULL);
    for (uint32_t i = 0; i < LONG; i++)
        plan_send(&p, PHASE_OFF_NODE, PER_NODE, 0, i, 0);
    uint32_t work = plan_work(&p, 0, 1);
    for (uint32_t i = 0; i < LONG; i++) {
        plan_recv(&p, PHASE_OFF_NODE, 0, PER_NODE, LONG - 1 - i, 0);
        plan_after(&p, work);
    }
    CHECK(run(&r, &p) > 1);
    CHECK_EQ(r.nqueues, 1);
    CHECK_EQ(r.queues[0].umq.most, LONG);
    CHECK_EQ(r.queues[0].umq.sum, (uint64_t)LONG * (LONG + 1) / 2);
    CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 20);
    if (engine == MATCHER_LIST) /* every receive walks to the last one left */
        CHECK_NEAR(r.time_s,
                   1 + LONG * 20e-9 + LONG * (LONG + 1.0) / 2 * 100e-9, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* --- laws ----------------------------------------------------------------- */

/* With receives in the order of their messages there are as many passes, with
 * one receive for each message. In reverse each pass looks at all that are
 * left. */
static void passes(void)
{
    struct match_load load = {2048, 2048, 2048, MATCH_IN_ORDER};
    struct match_search s = match_search(load, 1024);

    CHECK_NEAR(s.passes, 2, 1e-12);
    CHECK_NEAR(s.columns, 2048, 1e-12);
    load.order = MATCH_REVERSED;
    CHECK_NEAR(match_search(load, 1024).columns, 2048 + 1024, 1e-12);
    load.order = MATCH_RANDOM;
    CHECK_NEAR(match_search(load, 1024).columns, 2048 + 1024 - 1, 1e-3);
    load.matched = 1024; /* half, so that no pass ends early */
    CHECK_NEAR(match_search(load, 1024).columns, 2048 + 1536, 1e-12);
    CHECK_NEAR(match_search(load, 1024).hits, 1024, 1e-12);
}

/* A receive costs scan and reduction, because a CTA has 32 warps and a matrix
 * of 1024 messages needs all of them to scan. */
static void overlap(void)
{
    struct matching l = law(MATCHER_MATRIX);
    struct match_load load = {512, 512, 512, MATCH_IN_ORDER};

    CHECK_NEAR(match_load_s(&l, load, false), (1000 + 512 * 300) * 1e-9, 1e-9);
    load = (struct match_load){1024, 1024, 1024, MATCH_IN_ORDER};
    CHECK_NEAR(match_load_s(&l, load, false), (1000 + 1024 * 450) * 1e-9, 1e-9);
    load = (struct match_load){32, 32, 32, MATCH_IN_ORDER};
    CHECK_NEAR(match_load_s(&l, load, false), (1000 + 32 * 270) * 1e-9, 1e-9);
    l.compaction = 0.1;
    CHECK_NEAR(match_load_s(&l, load, true), 1.1 * (1000 + 32 * 270) * 1e-9,
               1e-9);
}

/* Eight queues of 512 messages need 17 warps each, so one queue is in a CTA;
 * four CTAs are not enough, so queues get fewer warps, and two CTAs run at a
 * time. */
static void layouts(void)
{
    struct matching l = law(MATCHER_PARTITIONED);
    struct match_layout laid = match_layout(&l, 8, 512);

    CHECK_EQ(laid.ctas, 4);
    CHECK_NEAR(laid.in_cta, 2, 1e-12);
    CHECK_EQ(laid.rows, 480); /* 15 warps and one that reduces, twice */
    CHECK_NEAR(laid.serial, 2, 1e-12);
    laid = match_layout(&l, 4, 32);
    CHECK(laid.is_short);
    CHECK_EQ(laid.ctas, 1);
    CHECK_NEAR(laid.serial, 1, 1e-12);
}

/* --- refusals ------------------------------------------------------------- */

static void refused(struct plan *p, unsigned forbids, enum matcher engine,
                    const char *why)
{
    struct exec_result r;
    struct err err = {0};

    tiny.matching = law(engine);
    tiny.matching.forbids = forbids;
    CHECK(exec_plan(&r, &tiny, p, &how, EXEC_MAKESPAN, &err) < 0);
    CHECK_HAS(err.text, why);
    tiny.matching.forbids = 0;
    if (engine == MATCHER_LIST) {
        CHECK(exec_plan(&r, &tiny, p, &how, EXEC_MAKESPAN, &err) == 0);
        exec_result_clear(&r);
    }
}

static void refusals(void)
{
    const unsigned source = 1u << FORBID_ANY_SOURCE, tag = 1u << FORBID_ANY_TAG;
    struct plan p;

    one_pair(&p, ANY_RANK, 3, false);
    refused(&p, source, MATCHER_LIST,
            "pair: rank 0: operation 2 (receive, rank 0 from any rank, tag 3): "
            "a receive from any rank, which list forbids (matching.forbids: "
            "any_source)");
    refused(&p, 0, MATCHER_PARTITIONED, "which partitioned cannot match");
    refused(&p, 0, MATCHER_HASH, "which hash cannot match");
    plan_clear(&p);
    one_pair(&p, PER_NODE, ANY_TAG, false);
    refused(&p, tag, MATCHER_LIST, "a receive of any tag, which list forbids");
    refused(&p, 0, MATCHER_HASH, "which hash cannot match");
    plan_clear(&p);
    one_pair(&p, PER_NODE, 3, true);
    refused(&p, 1u << FORBID_UNEXPECTED, MATCHER_LIST,
            "pair: rank 0: operation 0 (send, rank 8 to 0, tag 3, 0 B): it "
            "comes before its receive is posted, which list forbids");
    plan_send(&p, PHASE_OFF_NODE, PER_NODE, 0, 3, 0);
    plan_recv(&p, PHASE_OFF_NODE, 0, PER_NODE, 3, 0);
    refused(&p, source | tag | 1u << FORBID_EQUAL, MATCHER_LIST,
            "operation 3 (send, rank 8 to 0, tag 3, 0 B): operation 0 (send, "
            "rank 8 to 0, tag 3, 0 B) like it is under way");
    plan_clear(&p);
}

/* Equal messages are no error once the first is matched, nor if receives are
 * posted before. */
static void not_refused(void)
{
    struct plan p;

    tiny.matching = law(MATCHER_HASH);
    tiny.matching.forbids = (1u << NFORBIDDEN) - 1;
    plan_init(&p, &tiny, "in turn", 2, PER_NODE, NULL);
    uint32_t first = plan_recv(&p, PHASE_OFF_NODE, 0, PER_NODE, 3, 0);
    plan_send(&p, PHASE_OFF_NODE, PER_NODE, 0, 3, 0);
    plan_recv(&p, PHASE_OFF_NODE, 0, PER_NODE, 3, 0);
    plan_after(&p, first);
    uint32_t work = plan_work(&p, PER_NODE, 20e-6);
    plan_send(&p, PHASE_OFF_NODE, PER_NODE, 0, 3, 0);
    plan_after(&p, work);
    CHECK_NEAR(run_time(&p), 21e-6 + 5.004e-6, 1e-9);
}

int main(void)
{
    tiny_machine(&tiny, 4);
    eager();
    for (int engine = 0; engine < 2; engine++) {
        how = exec_defaults;
        how.engine = engine ? ENGINE_SIMGRID : ENGINE_FLUID;
        by_list();
        by_matrix();
        by_partitions();
        by_hash();
        of_communicators();
        refusals();
        not_refused();
        on_the_path(false);
        on_the_path(true);
    }
    how = exec_defaults;
    for (int engine = MATCHER_LIST; engine < NMATCHERS; engine++)
        long_queue((enum matcher)engine);
    passes();
    overlap();
    layouts();
    tiny.matching = (struct matching){0};
    machine_clear(&tiny);
    return check_result();
}
