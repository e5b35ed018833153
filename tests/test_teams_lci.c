/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtime lci, compared with times computed by hand: packets, rendezvous,
 * retries, threads and devices. */
#include "tests/team_toys.h"

/* Call and copy take 1.5, latency and bytes 2, recv 0.4, dequeue and copy 1.2.
 * The sender's communication thread delays nothing. */
static void lci_eager(void)
{
    struct plan p = plan_of(RUNTIME_LCI, 2);

    lci_costs();
    message(&p, 0, 1, 1000);
    CHECK_NEAR(time_us(&p), 5.1, 1e-9);
}

/* Call 0.5, RTS 1, recv, dequeue and answer 1, RTR 1, recv 0.3, put and bytes
 * 2, recv 0.4: there is no copy, and no compute thread of the receiver is
 * needed. */
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

    p = plan_of(RUNTIME_LCI, 2);
    plan_work(&p, 1, 20 * us);
    message(&p, 0, 1, 1000);
    struct exec_result r = run(&p);
    CHECK_NEAR(r.ops[1].end_s, 6.7 * us, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
}

/*
 * Pools have two packets. Two threads call at once, 0.1 longer: 1.6, and their
 * bytes end at 3.6. The communication thread returns the first packet at 4.3:
 * the third message's call ends at 5.8, it arrives at 7.8, is drained at 8.2,
 * and accepted at 9.4.
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
    /* There are two pools of two packets of 1000 B. */
    CHECK_NEAR(r.hosts[0].reserved_B, 4000, 0);
    CHECK_NEAR(r.hosts[0].most_B, 3000, 0);
    const struct op_wait *w = waits_until(&r.waits, 2, 4.4 * us);
    CHECK(w && w->cause == CAUSE_PACKET && w->whom == 0);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* The receiver works until 20: both of its packets are occupied until two
 * threads have accepted these messages, 21.2; then the third one is sent. */
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

/* Eight threads of a rank are on four devices: two on each, 0.1 longer; with
 * one device 0.6 longer for each of the seven others. */
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
        /* Two times eight messages. */
        CHECK_NEAR(time_us(&p), 2 * (devices == 1 ? 1.2 : 0.6) + 1, 1e-9);
    }
}

int main(void)
{
    team_machine();
    lci_eager();
    lci_rendezvous();
    lci_retries();
    lci_held_at_its_receiver();
    lci_exhaustion();
    threads_and_devices();
    machine_clear(&tiny);
    return check_result();
}
