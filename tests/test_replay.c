/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces become plans: messages, waits and the work between, compared with
 * plans that are made by hand. */
#include "tests/replay_checks.h"

/* Tests work, a blocking message off node, and one back. */
static void test_blocking(void)
{
    struct trace t = made_trace(2);
    struct plan p;

    made_compute(&t, 0, 1e-3);
    made_send(&t, 0, 1, 7, 100000, NO_REQUEST);
    made_recv(&t, 0, 1, ANY_TAG, 10, NO_REQUEST);
    made_recv(&t, 1, ANY_RANK, 7, 100000, NO_REQUEST);
    made_compute(&t, 1, 1e-3);
    made_send(&t, 1, 0, 8, 10, NO_REQUEST);

    start(&p, 2, 1);
    uint32_t work = plan_work(&p, 0, 1e-3);
    uint32_t send = plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 100000);
    plan_after(&p, work);
    plan_recv(&p, PHASE_OFF_NODE, 0, 1, 8, 10);
    plan_after(&p, send);
    uint32_t recv = plan_recv(&p, PHASE_OFF_NODE, 1, 0, 7, 100000);
    work = plan_work(&p, 1, 1e-3);
    plan_after(&p, recv);
    plan_send(&p, PHASE_OFF_NODE, 1, 0, 8, 10);
    plan_after(&p, work);
    check_time(&t, time_of(&p));
}

/* Messages in both directions at once are waited for; numbers are used
 * again. */
static void test_nonblocking(void)
{
    struct trace t = made_trace(2);
    struct plan p;
    uint32_t join[2] = {0};

    for (uint32_t r = 0; r < 2; r++)
        for (int again = 0; again < 2; again++) {
            made_recv(&t, r, 1 - r, 0, 50000, 1);
            made_send(&t, r, 1 - r, 0, 50000, 2);
            made_wait(&t, r, 1, 2);
        }

    start(&p, 2, 1);
    for (int again = 0; again < 2; again++)
        for (uint32_t r = 0; r < 2; r++) {
            uint32_t recv = plan_recv(&p, PHASE_OFF_NODE, r, 1 - r, 0, 50000);
            if (again)
                plan_after(&p, join[r]);
            uint32_t send = plan_send(&p, PHASE_OFF_NODE, r, 1 - r, 0, 50000);
            if (again)
                plan_after(&p, join[r]);
            join[r] = plan_work(&p, r, 0);
            plan_after(&p, recv);
            plan_after(&p, send);
        }
    check_time(&t, time_of(&p));
}

/* A receive from any rank matches the first message, or the recorded one. */
static void test_as_received(void)
{
    for (int as = 0; as < 2; as++) {
        struct made_run run = on_lassen;
        struct trace t = made_trace(3);
        char text[1024];

        run.options.as_received = as;
        made_recv(&t, 0, ANY_RANK, ANY_TAG, 8, NO_REQUEST);
        struct made_rank *of = t.state;
        of->events[0].got_peer = 2;
        of->events[0].got_tag = 9;
        made_compute(&t, 0, 1e-3);
        made_recv(&t, 0, ANY_RANK, ANY_TAG, 8, NO_REQUEST);
        made_send(&t, 1, 0, 4, 8, NO_REQUEST);
        made_compute(&t, 2, 1e-3);
        made_send(&t, 2, 0, 9, 8, NO_REQUEST);
        double time_s = made_time(&run, &t, text, sizeof text);
        CHECK(!text[0]);
        CHECK(time_s > (as ? 2e-3 : 1e-3) && time_s < (as ? 2.1e-3 : 1.1e-3));
        trace_close(&t);
    }
}

/* A synchronous send ends with its receive, for any size; one without a receive
 * never ends. */
static void test_synchronous(void)
{
    struct trace t = made_trace(2);
    struct plan p;

    made_send(&t, 0, 1, 7, 8, NO_REQUEST)->synchronous = true;
    made_compute(&t, 0, 1e-3);
    made_compute(&t, 1, 2e-3);
    made_recv(&t, 1, 0, 7, 8, NO_REQUEST);
    start(&p, 2, 1);
    plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 8);
    plan_work(&p, 1, 2e-3);
    plan_recv(&p, PHASE_OFF_NODE, 1, 0, 7, 8);
    plan_after(&p, 1);
    plan_work(&p, 0, 1e-3);
    plan_after(&p, 1); /* this is when the receive is posted */
    check_time(&t, time_of(&p));

    t = made_trace(2);
    made_send(&t, 0, 1, 7, 8, NO_REQUEST)->synchronous = true;
    check_refused(&t, "made:1) waits for a receive that nobody posts");
}

/* Rank 1 sees the message, computes, and then receives it; a probe without a
 * message is an error. */
static void test_probe(void)
{
    for (int late = 0; late < 2; late++) {
        struct trace t = made_trace(2);

        made_compute(&t, 0, late ? 1e-6 : 1e-3);
        made_send(&t, 0, 1, 7, 8, NO_REQUEST);
        made_compute(&t, 1, late ? 1e-3 : 1e-6);
        made_recv(&t, 1, ANY_RANK, 7, 0, NO_REQUEST)->call = TRACE_PROBE;
        made_compute(&t, 1, 1e-3);
        made_recv(&t, 1, 0, 7, 8, NO_REQUEST);

        char text[1024];
        double time_s = made_time(&on_lassen, &t, text, sizeof text);
        CHECK(!text[0]);
        /* Most of the message is over when the receive is posted. */
        CHECK(time_s > 2e-3 && time_s < 2e-3 + (late ? 1e-6 : 5e-6));
        trace_close(&t);
    }
    struct trace t = made_trace(2);
    made_send(&t, 0, 1, 7, 8, NO_REQUEST);
    made_recv(&t, 1, 0, 8, 0, NO_REQUEST)->call = TRACE_PROBE;
    made_recv(&t, 1, 0, 7, 8, NO_REQUEST);
    check_refused(&t, "probe, rank 1 from rank 0, tag 8, made:1) waits for a "
                      "message that nobody sends");
}

/* Messages between GPUs are those of a plan. */
static void test_gpus(void)
{
    struct trace t = made_trace(2);
    struct plan p;

    made_send(&t, 0, 1, 7, 100000, NO_REQUEST)->in_gpu = true;
    made_recv(&t, 1, 0, 7, 100000, NO_REQUEST)->in_gpu = true;
    start(&p, 2, 1);
    plan_msg(&p, PHASE_OFF_NODE, 0, 1, 0, 4, 100000);
    check_time(&t, time_of(&p));
}

/* Puts have arrived when they are flushed, and an answer takes two
 * latencies. */
static void test_onesided(void)
{
    struct trace t = made_trace(2);
    struct plan p;

    made_send(&t, 0, 1, 0, 50000, 0)->call = TRACE_PUT;
    made_send(&t, 0, 1, 0, 50000, NO_REQUEST)->call = TRACE_GET;
    struct made_rank *of = (struct made_rank *)t.state;
    of->events[0].request = of->events[1].request = NO_REQUEST;
    of->events[0].blocks = of->events[1].blocks = false;
    made_add(&t, 0, TRACE_FLUSH, "MPI_Win_flush")->peer = ANY_RANK;
    made_compute(&t, 0, 1e-3);

    start(&p, 2, 1);
    plan_msg(&p, PHASE_OFF_NODE, 0, 1, NO_GPU, NO_GPU, 50000);
    plan_msg(&p, PHASE_OFF_NODE, 0, 1, NO_GPU, NO_GPU, 0);
    plan_msg(&p, PHASE_OFF_NODE, 1, 0, NO_GPU, NO_GPU, 50000);
    plan_after(&p, 1);
    plan_work(&p, 0, 1e-3);
    plan_after(&p, 0);
    plan_after(&p, 2);
    check_time(&t, time_of(&p));
}

static void made_cancel(struct trace *t, uint32_t rank, uint64_t request)
{
    made_wait(t, rank, request, 1);
    struct made_rank *of = (struct made_rank *)t->state + rank;
    of->events[of->n - 1].call = TRACE_CANCEL;
}

/* A cancelled receive is left out, unless it matched a message before. */
static void test_cancel(void)
{
    for (int served = 0; served < 2; served++) {
        struct trace t = made_trace(2);
        struct plan p;

        made_recv(&t, 1, ANY_RANK, 7, 8, 1);
        made_compute(&t, 1, 1e-3);
        made_cancel(&t, 1, 1);
        made_wait(&t, 1, 1, 1);
        made_compute(&t, 1, 1e-3);
        made_compute(&t, 0, 3e-3);
        if (served)
            made_send(&t, 0, 1, 7, 8, NO_REQUEST);

        start(&p, 2, 1);
        plan_work(&p, 0, 3e-3);
        if (served) {
            plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 8);
            plan_after(&p, 0);
            plan_recv(&p, PHASE_OFF_NODE, 1, 0, 7, 8);
            plan_work(&p, 1, 1e-3);
            plan_work(&p, 1, 1e-3);
            plan_after(&p, 2);
            plan_after(&p, 3);
        }
        check_time(&t, time_of(&p));
    }
}

/* Without MPI_Finalize, operations that need events after the end are left
 * out. */
static void test_cut_off(void)
{
    struct trace t = made_trace(2);
    struct plan p;
    struct err err = {0};

    for (uint32_t r = 0; r < 2; r++)
        made_add(&t, r, TRACE_INIT, "MPI_Init");
    made_compute(&t, 0, 1e-3);
    made_send(&t, 0, 1, 7, 8, NO_REQUEST);
    made_send(&t, 0, 1, 7, 8, NO_REQUEST);
    made_recv(&t, 1, 0, 7, 8, NO_REQUEST);
    made_recv(&t, 1, 0, 9, 8, NO_REQUEST);
    made_collective(&t, 1, TRACE_BARRIER, 0);
    made_compute(&t, 1, 1);
    CHECK_EQ(made_plan(&p, &on_lassen, &t, &err), 0);
    CHECK(p.origin->cut_off);
    CHECK_EQ(p.origin->nremarks, 3);
    CHECK(strstr(p.origin->remarks[0], "1 of 2 ranks end without"));
    CHECK(strstr(p.origin->remarks[1], "rank 1 up to barrier at line 4"));
    CHECK(strstr(p.origin->remarks[2], "1 messages that nobody receives, and "
                                       "1 receives"));
    plan_clear(&p);

    start(&p, 2, 1);
    plan_work(&p, 0, 1e-3);
    plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 8);
    plan_after(&p, 0);
    plan_recv(&p, PHASE_OFF_NODE, 1, 0, 7, 8);
    check_time(&t, time_of(&p));
}

static void test_refused(void)
{
    struct trace t = made_trace(2);

    made_send(&t, 0, 1, 7, 8, NO_REQUEST);
    check_refused(&t, "tag 7, 8 B, made:1) is never received");

    t = made_trace(2);
    made_recv(&t, 0, 1, 7, 8, NO_REQUEST);
    made_recv(&t, 1, 0, 7, 8, NO_REQUEST);
    check_refused(&t, "made:1) waits for a message that nobody sends");

    t = made_trace(2);
    made_add(&t, 0, TRACE_INIT, "MPI_Init");
    made_wait(&t, 0, 5, 1);
    check_refused(&t, "made:2: rank 0: MPI_Waitall: request 5 was not begun");

    t = made_trace(2);
    made_collective(&t, 0, TRACE_ALLREDUCE, 8);
    made_collective(&t, 1, TRACE_BARRIER, 0);
    check_refused(&t, "its call is not that of rank");

    t = made_trace(2);
    made_collective(&t, 0, TRACE_BARRIER, 0);
    check_refused(&t, "made:1: rank 0: barrier: rank 1 ends without this call");

    t = made_trace(2);
    made_send(&t, 0, 1, 7, 8, NO_REQUEST);
    made_recv(&t, 1, 0, 7, 7, NO_REQUEST);
    check_refused(&t, "made:1) has room for 7 B, too few for operation");

    t = made_trace(2);
    t.rank[1].missing = true;
    made_send(&t, 0, 1, 7, 8, NO_REQUEST);
    check_refused(&t, "made: rank 1 of 2 is missing");

    t = made_trace(2);
    made_send(&t, 0, 1, 7, UINT64_MAX / 2, NO_REQUEST);
    check_refused(&t, "made:1: rank 0: MPI_Send: 9223372036854775807 bytes: "
                      "expected at most 2^53");

    t = made_trace(2);
    made_send(&t, 0, 2, 7, 8, NO_REQUEST);
    check_refused(&t, "made:1: rank 0: MPI_Send: ");
}

int main(void)
{
    if (!load_lassen())
        return 1;
    test_blocking();
    test_nonblocking();
    test_as_received();
    test_synchronous();
    test_probe();
    test_gpus();
    test_onesided();
    test_cancel();
    test_cut_off();
    test_refused();
    machine_clear(&lassen);
    return check_result();
}
