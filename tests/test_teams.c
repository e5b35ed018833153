/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runtimes with a communication thread, against times computed by hand, and
 * against mpi where their threads take no time. */
#include "sim/plan/exec_teams.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

/* Between nodes: eager, one way 1 us, 1 ns/B; a rank on each node, of 8 cores.
 */
static struct machine tiny;
static const double us = 1e-6;

static struct runtime_costs *costs(enum runtime by)
{
    struct runtime_costs *c = &tiny.costs[by];

    free(c->source);
    *c = (struct runtime_costs){
        .devices = 1, .windows = 1, .source = xstrdup("assumed: a test")};
    return c;
}

static struct plan plan_of(enum runtime by, unsigned ranks)
{
    struct plan p;

    plan_init(&p, &tiny, "hosts", ranks, 1, NULL);
    p.runtime = by;
    return p;
}

static uint32_t message(struct plan *p, uint32_t from, uint32_t to,
                        uint64_t bytes)
{
    return plan_msg(p, PHASE_OFF_NODE, from, to, NO_GPU, NO_GPU, bytes);
}

static struct exec_result run(const struct plan *p)
{
    struct exec_result r = {.time_s = NAN};
    struct err err = {0};

    if (exec_plan(&r, &tiny, p, NULL, EXEC_DETAILS, &err) < 0)
        err_print(&err);
    return r;
}

/* Runs it and gives it back: the time, in us. */
static double time_us(struct plan *p)
{
    struct exec_result r = run(p);
    double t = r.time_s / us;

    exec_result_clear(&r);
    plan_clear(p);
    return t;
}

static const char *refusal(struct plan *p)
{
    static struct err err;
    struct exec_result r;

    err = (struct err){0};
    if (exec_plan(&r, &tiny, p, NULL, EXEC_TIMES, &err) == 0)
        exec_result_clear(&r);
    plan_clear(p);
    return err.text;
}

/* --- lci ------------------------------------------------------------------ */

static struct runtime_costs *lci_costs(void)
{
    struct runtime_costs *c = costs(RUNTIME_LCI);

    c->call_s = 0.5 * us;
    c->copy_Bps = 1e9;
    c->send_s = 0.7 * us;
    c->recv_s = 0.3 * us;
    c->recv_s_per_B = 0.1e-9;
    c->dequeue_s = 0.2 * us;
    c->packet_B = 1000;
    c->packets_per_host = 1;
    return c;
}

/* Call and copy 1.5, one way and bytes 2, recv 0.4, dequeue and copy 1.2. The
 * sender's communication thread delays nothing. */
static void lci_eager(void)
{
    struct plan p = plan_of(RUNTIME_LCI, 2);

    lci_costs();
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 5.1, 1e-9);
}

/* Call 0.5, RTS 1, recv 0.3, dequeue and answer 0.7, RTR 1, recv 0.3, put and
 * bytes 2, recv 0.4: nobody copies. */
static void lci_rendezvous(void)
{
    struct plan p = plan_of(RUNTIME_LCI, 2);

    lci_costs()->packet_B = 999;
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 6.2, 1e-9);

    p = plan_of(RUNTIME_LCI, 2);
    tiny.costs[RUNTIME_LCI].large_recv_s_per_B = 0.5e-9;
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 6.7, 1e-9);
}

/*
 * Pools of two packets. Two threads call at once, 0.1 longer: 1.6, and their
 * bytes are over at 3.6. The communication thread returns the first packet at
 * 4.3: the third message's call 5.8, there at 7.8, drained at 8.2, taken in at
 * 9.4.
 */
static void lci_retries(void)
{
    struct plan p = plan_of(RUNTIME_LCI, 2);
    struct exec_result r;

    lci_costs()->call_thread_s = 0.1 * us;
    for (int i = 0; i < 3; i++)
        message(&p, 0, 1, 1000);
    r = run(&p);
    CHECK_NEAR(r.time_s, 9.4 * us, 1e-9);
    CHECK_NEAR(r.ops[2].start_s, 4.3 * us, 1e-9);
    CHECK_EQ(r.hosts[0].retries, 1);
    CHECK_NEAR(r.hosts[0].waited_s, 4.3 * us, 1e-9);
    CHECK_EQ(r.hosts[0].messages, 3);
    CHECK_NEAR(r.hosts[0].comm_s, 2.1 * us, 1e-9);
    CHECK_NEAR(r.hosts[1].comm_s, 1.2 * us, 1e-9);
    /* Two pools of two packets of 1000 B. */
    CHECK_NEAR(r.hosts[0].reserved_B, 4000, 0);
    CHECK_NEAR(r.hosts[0].most_B, 3000, 0);
    const struct op_wait *w = waits_until(&r.waits, 2, 4.4 * us);
    CHECK(w && w->cause == CAUSE_PACKET && w->whom == 0);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* The receiver is at work until 20: both of its packets are taken until two
 * threads have taken these messages in, 21.2; then the third one goes. */
static void lci_held_at_its_receiver(void)
{
    struct plan p = plan_of(RUNTIME_LCI, 2);
    struct exec_result r;

    lci_costs();
    plan_work(&p, 1, 20 * us);
    for (int i = 0; i < 3; i++)
        message(&p, 0, 1, 1000);
    r = run(&p);
    CHECK_NEAR(r.time_s, (21.2 + 2 + 0.4 + 1.2) * us, 1e-9);
    CHECK_EQ(r.hosts[1].retries, 1);
    CHECK_EQ(r.hosts[0].retries, 1);
    exec_result_clear(&r);
    plan_clear(&p);
}

static void lci_exhaustion(void)
{
    struct plan p = plan_of(RUNTIME_LCI, 2);

    lci_costs()->exhaustion_fails = true;
    for (int i = 0; i < 3; i++)
        message(&p, 0, 1, 1000);
    const char *text = refusal(&p);
    CHECK_HAS(text, "lci: rank 0 has no packets of its pool to send with");
    CHECK_HAS(text, "operation 2 (message, rank 0 to 1, 1000 B, off_node)");
}

/* Eight threads of a rank on four devices: two on each, 0.1 longer; with one
 * device 0.6 longer for each of the seven others that there are. */
static void threads_and_devices(void)
{
    for (unsigned devices = 1; devices <= 4; devices += 3) {
        struct plan p = plan_of(RUNTIME_LCI, 2);
        struct runtime_costs *c = costs(RUNTIME_LCI);

        c->call_s = 0.5 * us;
        c->call_thread_s = 0.1 * us;
        c->threads = 8;
        c->devices = devices;
        c->packet_B = 1000;
        c->packets_per_host = 100;
        for (int i = 0; i < 16; i++)
            message(&p, 0, 1, 0);
        /* Two times eight. */
        CHECK_NEAR(time_us(&p), 2 * (devices == 1 ? 1.2 : 0.6) + 1, 1e-9);
    }
}

/* --- mpi_probe ------------------------------------------------------------ */

static struct runtime_costs *probe_costs(void)
{
    struct runtime_costs *c = costs(RUNTIME_MPI_PROBE);

    c->call_s = 0.5 * us;
    c->send_s = 0.4 * us;
    c->send_s_per_B = 0.1e-9;
    c->recv_s = 0.3 * us;
    c->recv_s_per_B = 0.1e-9;
    c->poll_s = 0.3 * us;
    c->entry_s = 10e-9;
    c->dequeue_s = 0.2 * us;
    c->eager_B = 1000;
    return c;
}

/* Queued at 0.5, seen at 0.6, sent (0.8) at 1.4, there at 3.4, seen at 3.6,
 * received (0.41) at 4.01, taken in at 4.21. */
static void probe_eager(void)
{
    struct plan p = plan_of(RUNTIME_MPI_PROBE, 2);

    probe_costs();
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 4.21, 1e-9);
}

/* Sent (0.7) at 1.3, there at 2.3, seen at 2.4, answered (0.31) at 2.71, back
 * at 3.71, seen at 4.0 since the sender polls from 1.3 on, 0.4, bytes there at
 * 6.4, seen at 6.61, 0.4, taken in at 7.21. */
static void probe_rendezvous(void)
{
    struct plan p = plan_of(RUNTIME_MPI_PROBE, 2);

    probe_costs()->eager_B = 999;
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 7.21, 1e-9);

    /* A byte takes 0.2 ns more of the sender, so that the bytes are there at
     * 6.6 and are seen at 6.61 as before, and 0.3 ns of the receiver. */
    p = plan_of(RUNTIME_MPI_PROBE, 2);
    tiny.costs[RUNTIME_MPI_PROBE].large_send_s_per_B = 0.2e-9;
    tiny.costs[RUNTIME_MPI_PROBE].large_recv_s_per_B = 0.3e-9;
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 7.51, 1e-9);
}

/* Two of 600 B wait 5 us for a third, which does not come: one message at 5.5,
 * seen at 5.7, sent (0.82) at 6.52, there at 8.72, seen at 9.0, received
 * (0.43) at 9.43; two threads take them in, 9.63. */
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

/* With 1800 B of 2000 the third does not fit: the first two go at once. */
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

/* Isends of n rendezvous messages that nobody answers for long: each time round
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
    /* The answers come behind all that: with four pending, 0.08 each, then
     * at the ends of the bytes with four, three, two and one. */
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
            CHECK_HAS(refusal(&p), "mpi_probe: rank 1 has no buffers left");
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

/* --- mpi_rma -------------------------------------------------------------- */

static struct runtime_costs *rma_costs(void)
{
    struct runtime_costs *c = costs(RUNTIME_MPI_RMA);

    c->start_s = 0.1 * us;
    c->call_s = 0.5 * us;
    c->complete_s = 0.2 * us;
    c->wait_s = 0.3 * us;
    c->post_s = 0.4 * us;
    c->lock_s = 0.05 * us;
    c->fence_s = 1 * us;
    c->window_s = 2 * us;
    return c;
}

/* Start and put 0.7, there at 2.7, which is behind the news of the end (0.95 +
 * 1); wait and post 0.8. */
static void rma_one(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 2);
    struct exec_result r;

    rma_costs();
    message(&p, 0, 1, 1000);
    r = run(&p);
    CHECK_NEAR(r.time_s, 3.5 * us, 1e-9);
    CHECK_NEAR(r.hosts[1].reserved_B, 1000, 0);
    CHECK_NEAR(r.hosts[1].most_B, 0, 0);
    CHECK_NEAR(r.hosts[0].most_B, 1000, 0);
    CHECK_NEAR(r.windows_s, 4 * us, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* Two puts of an epoch, between them 2 us of work: called at 0.7 and 3.4,
 * complete at 3.9, news at 4.9: the first is received at 5.7, the second, there
 * at 5.4, at 6.2. */
static void rma_epoch_ends_with_its_last_put(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 3);
    struct exec_result r;

    rma_costs();
    message(&p, 0, 1, 1000);
    uint32_t work = plan_work(&p, 0, 2 * us);
    message(&p, 0, 2, 1000);
    plan_after(&p, work);
    r = run(&p);
    CHECK_NEAR(r.ops[0].end_s, 5.7 * us, 1e-9);
    CHECK_NEAR(r.ops[2].end_s, 6.2 * us, 1e-9);
    const struct op_wait *w = waits_until(&r.waits, 0, 5 * us);
    CHECK(w && w->cause == CAUSE_EPOCH && w->whom == 2);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* A message that waits for another is of the next epoch. */
static void rma_epochs_follow(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 2);

    rma_costs();
    uint32_t there = message(&p, 0, 1, 1000);
    message(&p, 1, 0, 1000);
    plan_after(&p, there);
    CHECK_NEAR(time_us(&p), 7, 1e-9);
}

/* Calls of two threads 0.55, there at 2.55, a barrier of two rounds 4.55, fence
 * 1.05. */
static void rma_fence(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 3);

    rma_costs()->epoch = EPOCH_FENCE;
    message(&p, 0, 1, 1000);
    message(&p, 0, 2, 1000);
    CHECK_NEAR(time_us(&p), 5.6, 1e-9);
}

/* The receive is posted at 10, its sender hears of that at 11: 13, and 0.8. */
static void rma_waits_for_its_window(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 2);

    rma_costs();
    plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 1000);
    uint32_t work = plan_work(&p, 1, 10 * us);
    plan_recv(&p, PHASE_OFF_NODE, 1, 0, 7, 1000);
    plan_after(&p, work);
    CHECK_NEAR(time_us(&p), 13.8, 1e-9);
}

static void rma_refusals(void)
{
    struct plan p = plan_of(RUNTIME_MPI_RMA, 2);

    rma_costs();
    plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 1000);
    plan_recv(&p, PHASE_OFF_NODE, 1, ANY_RANK, 7, 1000);
    CHECK_HAS(refusal(&p), "mpi_rma has no wildcards");

    p = plan_of(RUNTIME_MPI_RMA, 2);
    plan_send(&p, PHASE_OFF_NODE, 0, 1, 7, 1000);
    plan_probe(&p, PHASE_OFF_NODE, 1, 0, 7);
    plan_recv(&p, PHASE_OFF_NODE, 1, 0, 7, 1000);
    CHECK_HAS(refusal(&p), "mpi_rma has nothing to probe for");

    p = plan_of(RUNTIME_MPI_RMA, 2);
    tiny.devices[0].memory_B = 0x1p30;
    message(&p, 0, 1, UINT64_C(2) << 30);
    CHECK_HAS(refusal(&p), "mpi_rma: the windows of the ranks of node 1 hold 2 "
                           "GiB, more than the 1 GiB of its memory");
    tiny.devices[0].memory_B = 0;
}

static void refusals(void)
{
    struct plan p = plan_of(RUNTIME_LCI, 2);

    free(costs(RUNTIME_LCI)->source);
    tiny.costs[RUNTIME_LCI].source = NULL;
    message(&p, 0, 1, 1000);
    CHECK_HAS(refusal(&p), "lci: tiny has no runtimes.lci.costs");

    p = plan_of(RUNTIME_LCI, 2);
    lci_costs();
    plan_msg(&p, PHASE_OFF_NODE, 0, 1, 0, 4, 1000);
    CHECK_HAS(refusal(&p), "lci has no table of messages between GPUs");
}

/* --- all ------------------------------------------------------------------ */

static const enum runtime hosted[] = {RUNTIME_LCI, RUNTIME_MPI_PROBE,
                                      RUNTIME_MPI_RMA};

/* What a rank received is in use until what depends on it is over. */
static void buffers_are_used(void)
{
    for (int scatter = 0; scatter < 2; scatter++) {
        struct plan p = plan_of(RUNTIME_LCI, 3);
        struct exec_result r;

        struct runtime_costs *c = costs(RUNTIME_LCI);
        c->packet_B = 2000;
        c->packets_per_host = 10;
        uint32_t a = message(&p, 0, 2, 1000);
        uint32_t work = plan_work(&p, 1, 5 * us);
        message(&p, 1, 2, 1000);
        plan_after(&p, work);
        if (scatter) {
            p.lanes = 1;
            plan_work_beside(&p, 2, 1, 20 * us);
            plan_after(&p, a);
        }
        r = run(&p);
        CHECK_NEAR(r.hosts[2].most_B, scatter ? 2000 : 1000, 0);
        CHECK_NEAR(r.hosts[2].live_B, 0, 0);
        exec_result_clear(&r);
        plan_clear(&p);
    }
}

static uint32_t drawn(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*seed * below >> 32);
}

/* Messages among six ranks, some behind work, some behind other messages. */
static struct plan random_plan(enum runtime by, uint32_t seed, bool depend)
{
    struct plan p = plan_of(by, 6);
    uint32_t last[6] = {0}, n = 0;
    bool any[6] = {0};

    for (int i = 0; i < 40; i++) {
        uint32_t from = drawn(&seed, 6), to = (from + 1 + drawn(&seed, 5)) % 6;
        n = message(&p, from, to, drawn(&seed, 5000));
        if (depend && any[from] && drawn(&seed, 2))
            plan_after(&p, last[from]);
        last[to] = n;
        any[to] = true;
    }
    return p;
}

/* Threads that take no time: mpi's, whose CPUs take none here. */
static void no_costs_are_the_wire(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++)
        for (int r = 0; r < 3; r++) {
            bool depend = hosted[r] != RUNTIME_MPI_RMA && seed % 2;
            struct plan mpi = random_plan(RUNTIME_MPI, seed, depend);
            struct plan p = random_plan(hosted[r], seed, depend);
            struct runtime_costs *c = costs(hosted[r]);
            c->packet_B = c->eager_B = 5000;
            c->packets_per_host = 100;
            CHECK_NEAR(time_us(&p), time_us(&mpi), 1e-9);
        }
}

/* More packets are never slower. */
static void packets_help(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        double before_us = INFINITY;
        for (unsigned packets = 1; packets <= 16; packets *= 2) {
            struct plan p = random_plan(RUNTIME_LCI, seed, false);
            struct runtime_costs *c = lci_costs();
            c->packet_B = 5000;
            c->packets_per_host = packets;
            double t = time_us(&p);
            CHECK(t <= before_us * (1 + 1e-9));
            before_us = t;
        }
    }
}

/* Whatever it takes: each message ends once, and buffers are empty then. */
static void all_ends(void)
{
    const struct exec_options alone = {.engine = ENGINE_ALONE,
                                       .max_events = 1000000};

    for (uint32_t seed = 1; seed <= 30; seed++)
        for (int k = 0; k < 6; k++) {
            struct plan p = random_plan(hosted[k / 2], seed, true);
            struct exec_result r;
            struct err err = {0};
            lci_costs()->packet_B = 2500;
            probe_costs()->flush_s = seed % 3 * us;
            tiny.costs[RUNTIME_MPI_PROBE].test_s = 0.05 * us;
            tiny.costs[RUNTIME_MPI_PROBE].eager_B = 2500;
            tiny.costs[RUNTIME_MPI_PROBE].unexpected_B = 3000;
            rma_costs()->epoch = seed % 2 ? EPOCH_PSCW : EPOCH_FENCE;
            CHECK(exec_plan(&r, &tiny, &p, k % 2 ? &alone : NULL, EXEC_DETAILS,
                            &err) == 0);
            for (uint32_t i = 0; i < r.nhosts; i++)
                CHECK_NEAR(r.hosts[i].live_B, 0, 0);
            exec_result_clear(&r);
            plan_clear(&p);
        }
}

int main(void)
{
    tiny_machine(&tiny, 4);
    tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].protocol =
        PROTOCOL_EAGER;
    lci_eager();
    lci_rendezvous();
    lci_retries();
    lci_held_at_its_receiver();
    lci_exhaustion();
    threads_and_devices();
    probe_eager();
    probe_rendezvous();
    probe_gathers_small_ones();
    probe_sends_a_full_batch();
    probe_tests_what_is_pending();
    probe_has_no_room();
    rma_one();
    rma_epoch_ends_with_its_last_put();
    rma_epochs_follow();
    rma_fence();
    rma_waits_for_its_window();
    rma_refusals();
    refusals();
    buffers_are_used();
    no_costs_are_the_wire();
    packets_help();
    all_ends();
    machine_clear(&tiny);
    return check_result();
}
