/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtime mpi-probe, compared with times computed by hand: polls, tests of
 * pending requests, aggregation of small messages. */
#include "tests/team_toys.h"

/* The message is queued at 0.5, seen at 0.6, sent (0.8) at 1.4, arrives at 3.4,
 * is seen at 3.6, received (0.41) at 4.01, accepted at 4.21. */
static void probe_eager(void)
{
    struct plan p = plan_of(RUNTIME_MPI_PROBE, 2);

    probe_costs();
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 4.21, 1e-9);
}

/* The RTS is sent (0.7) at 1.3, arrives at 2.3, is seen at 2.4, answered (0.31)
 * at 2.71; the answer is back at 3.71, seen at 4.0 because the sender polls
 * from 1.3 on, 0.4; the bytes arrive at 6.4, are seen at 6.61, 0.4, accepted at
 * 7.21. */
static void probe_rendezvous(void)
{
    struct plan p = plan_of(RUNTIME_MPI_PROBE, 2);

    probe_costs()->eager_B = 999;
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 7.21, 1e-9);

    /* A byte takes 0.2 ns more of the sender, so that the bytes arrive at 6.6
     * and are seen at 6.61 as before, and 0.3 ns of the receiver. */
    p = plan_of(RUNTIME_MPI_PROBE, 2);
    tiny.costs[RUNTIME_MPI_PROBE].large_send_s_per_B = 0.2e-9;
    tiny.costs[RUNTIME_MPI_PROBE].large_recv_s_per_B = 0.3e-9;
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 7.51, 1e-9);

    /* This applies to new memory: a third of the receiver's. */
    p = plan_of(RUNTIME_MPI_PROBE, 2);
    p.new_share = xcalloc(2, sizeof *p.new_share);
    p.new_share[0] = 1;
    p.new_share[1] = 1.0 / 3;
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 7.31, 1e-9);
}

/* Two of 600 B wait 5 us for a third, which does not arrive: one message at
 * 5.5, seen at 5.7, sent (0.82) at 6.52, arrives at 8.72, seen at 9.0, received
 * (0.43) at 9.43; two threads accept them, 9.63. */
static void probe_gathers_small_ones(void)
{
    struct plan p = plan_of(RUNTIME_MPI_PROBE, 2);
    struct runtime_costs *c = probe_costs();
    struct exec_result r;

    c->eager_B = 2000;
    c->flush_s = 5 * us;
    message(&p, 0, 1, 600);
    message(&p, 0, 1, 600);
    r = run(&p);
    CHECK_NEAR(r.time_s, 9.63 * us, 1e-9);
    CHECK_EQ(r.hosts[0].messages, 1);
    CHECK_NEAR(r.hosts[1].most_B, 1200, 0);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* With 1800 B of 2000 the third does not fit: the first two are sent at
 * once. */
static void probe_sends_a_full_batch(void)
{
    struct plan p = plan_of(RUNTIME_MPI_PROBE, 2);
    struct runtime_costs *c = probe_costs();
    struct exec_result r;

    c->eager_B = 1500;
    c->flush_s = 50 * us;
    for (int i = 0; i < 3; i++)
        message(&p, 0, 1, 600);
    r = run(&p);
    CHECK(r.ops[0].end_s < 10 * us && r.ops[1].end_s < 10 * us);
    CHECK(r.ops[2].end_s > 50 * us);
    CHECK_EQ(r.hosts[0].messages, 2);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* There are isends of n rendezvous messages that are answered late: each turn
 * tests the ones before: 0 + 1 + ... + (n - 1) tests. */
static void probe_tests_what_is_pending(void)
{
    struct plan p = plan_of(RUNTIME_MPI_PROBE, 2);
    struct runtime_costs *c = costs(RUNTIME_MPI_PROBE);
    struct exec_result r;

    c->eager_B = 999;
    c->send_s = 0.01 * us;
    c->test_s = 0.02 * us;
    for (int i = 0; i < 4; i++)
        message(&p, 0, 1, 1000);
    r = run(&p);
    /* The answers arrive after all that: with four pending, 0.08 each, then at
     * the ends of the bytes with four, three, two and one. */
    double isends_s = 4 * 0.01 + (0 + 1 + 2 + 3) * 0.02;
    double rest_s = 4 * 4 * 0.02 + (4 + 3 + 2 + 1) * 0.02;
    CHECK_NEAR(r.hosts[0].comm_s, (isends_s + rest_s) * us, 1e-9);
    CHECK_EQ(r.hosts[0].most_requests, 4);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* The receiver has room for one: the second waits from 0.5 until 2.5. */
static void probe_has_no_room(void)
{
    for (int fails = 0; fails < 2; fails++) {
        struct plan p = plan_of(RUNTIME_MPI_PROBE, 2);
        struct runtime_costs *c = costs(RUNTIME_MPI_PROBE);
        c->call_s = 0.5 * us;
        c->eager_B = c->unexpected_B = 1000;
        c->exhaustion_fails = fails;
        message(&p, 0, 1, 1000);
        message(&p, 0, 1, 1000);
        if (fails) {
            CHECK_HAS(refusal(&p), "mpi-probe: rank 1 has no buffers left");
            continue;
        }
        struct exec_result r = run(&p);
        CHECK_NEAR(r.time_s, 4.5 * us, 1e-9);
        CHECK_EQ(r.hosts[1].retries, 1);
        CHECK_NEAR(r.hosts[1].waited_s, 2 * us, 1e-9);
        exec_result_clear(&r);
        plan_clear(&p);
    }
}

int main(void)
{
    team_machine();
    probe_eager();
    probe_rendezvous();
    probe_gathers_small_ones();
    probe_sends_a_full_batch();
    probe_tests_what_is_pending();
    probe_has_no_room();
    machine_clear(&tiny);
    return check_result();
}
