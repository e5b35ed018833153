/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits between ranks in a replay, on a machine on which they can be computed
 * by hand: a message takes its sender's CPU 0.2 us, the wire 0.5 us and 1 ns a
 * byte, and its receiver's CPU 0.3 us; rendezvous unless a test says eager. */
#include "apps/replay/report.h"

#include "tests/tiny_machine.h"
#include "tests/trace_made.h"

static struct machine tiny;
static struct made_run on_tiny = {.options = {.compute_scale = 1, .flops = 1e9},
                                  .m = &tiny};

static void set_protocol(enum protocol protocol)
{
    for (int where = 0; where < NLOCALITIES; where++) {
        struct segment *s =
            tiny.messages[RUNTIME_MPI][PATH_HOST][where].segments;
        s->protocol = protocol;
        s->send_s = 0.2e-6;
        s->recv_s = 0.3e-6;
    }
}

/* Returns the times with one rank per node, and checks that the three parts sum
 * to the whole, in us. */
static struct replay_times times_of(struct trace *t)
{
    struct replay_times r = {0};
    struct exec_result x;
    struct err err = {0};
    struct plan p;

    on_tiny.nodes = t->ranks;
    if (made_plan(&p, &on_tiny, t, &err) < 0 ||
        exec_plan(&x, &tiny, &p, NULL, EXEC_DETAILS, &err) < 0) {
        CHECK_HAS(err.text, "no error");
        exit(1);
    }
    replay_times_make(&r, &tiny, &p, &x);
    for (uint32_t i = 0; i < r.ranks; i++) {
        struct replay_rank_times *k = &r.rank[i];
        double parts_s = 0;
        for (int kind = 0; kind < NREPLAY_WAITS; kind++)
            parts_s += k->late_s[kind] + k->transfer_s[kind];
        CHECK_NEAR(parts_s * 1e6, k->waiting_s * 1e6, 1e-6);
        CHECK_NEAR((k->computing_s + k->messages_s + k->waiting_s) * 1e6,
                   k->end_s * 1e6, 1e-6);
    }
    exec_result_clear(&x);
    plan_clear(&p);
    trace_close(t);
    return r;
}

static void check_us(double got_s, double want_us)
{
    CHECK_NEAR(got_s * 1e6 + 1, want_us + 1, 1e-5);
}

/* The receiver waits from the start; the sender begins at 10 us. */
static void late_sender(void)
{
    struct trace t = made_trace(2);

    made_compute(&t, 0, 10e-6);
    made_send(&t, 0, 1, 7, 1000, NO_REQUEST);
    made_recv(&t, 1, 0, 7, 1000, NO_REQUEST);
    struct replay_times r = times_of(&t);
    check_us(r.rank[0].computing_s, 10);
    check_us(r.rank[0].messages_s, 0.2);
    check_us(r.rank[0].transfer_s[REPLAY_SEND], 1.5);
    check_us(r.rank[0].end_s, 11.7);
    check_us(r.rank[1].late_s[REPLAY_RECEIVE], 10);
    check_us(r.rank[1].transfer_s[REPLAY_RECEIVE], 1.7);
    check_us(r.rank[1].messages_s, 0.3);
    CHECK_EQ(r.rank[1].late[REPLAY_RECEIVE], 1);
    CHECK_EQ(r.rank[1].most_for, 0);
    check_us(r.rank[1].most_for_s, 10);
    check_us(r.rank[0].caused_s, 10);
    CHECK_EQ(r.rank[0].most_for, NO_RANK);
    check_us(r.time_s, 12);
    CHECK_NEAR(r.load_balance, 0.5, 1e-9);
    CHECK_NEAR(r.communication_efficiency, 10. / 12, 1e-9);
    CHECK_NEAR(r.parallel_efficiency, 5. / 12, 1e-9);
    replay_times_clear(&r);
}

/* The send needs its receive, which is posted at 10 us, unless it is eager; one
 * that does not block is waited for when its rank has computed, at 2.2 us. */
static void late_receiver(enum protocol protocol, bool blocks)
{
    struct trace t = made_trace(2);
    double late = protocol != PROTOCOL_RENDEZVOUS ? 0 : blocks ? 9.8 : 7.8;

    set_protocol(protocol);
    made_send(&t, 0, 1, 7, 1000, blocks ? NO_REQUEST : 1);
    made_compute(&t, 0, 2e-6);
    made_compute(&t, 1, 10e-6);
    made_recv(&t, 1, 0, 7, 1000, NO_REQUEST);
    struct replay_times r = times_of(&t);
    check_us(r.rank[0].late_s[REPLAY_SEND], late);
    check_us(r.rank[1].caused_s, late);
    CHECK_EQ(r.rank[0].late[REPLAY_SEND], late > 0);
    CHECK_EQ(r.rank[0].most_for, late > 0 ? 1 : NO_RANK);
    check_us(r.rank[1].late_s[REPLAY_RECEIVE], 0);
    check_us(r.rank[1].computing_s, 10);
    check_us(r.rank[1].messages_s, 0.3);
    if (protocol == PROTOCOL_RENDEZVOUS)
        check_us(r.rank[1].transfer_s[REPLAY_RECEIVE], 1);
    replay_times_clear(&r);
    set_protocol(PROTOCOL_RENDEZVOUS);
}

/* The wait begins after 4 us of computing: the message is late only from then
 * on. */
static void overlapped(void)
{
    struct trace t = made_trace(2);

    made_compute(&t, 0, 10e-6);
    made_send(&t, 0, 1, 7, 0, NO_REQUEST);
    made_recv(&t, 1, 0, 7, 0, 1);
    made_compute(&t, 1, 4e-6);
    made_wait(&t, 1, 1, 1);
    made_compute(&t, 1, 1e-6);
    struct replay_times r = times_of(&t);
    check_us(r.rank[1].late_s[REPLAY_RECEIVE], 6);
    check_us(r.rank[1].transfer_s[REPLAY_RECEIVE], 0.7);
    check_us(r.rank[1].messages_s, 0.3);
    check_us(r.rank[1].computing_s, 5);
    replay_times_clear(&r);
}

/* Rank 2 waits for two at once: the last counts, rank 1, although rank 0 is
 * late too; then twice for rank 0, so that this is the one it waited for
 * longest. */
static void several(void)
{
    struct trace t = made_trace(3);

    made_compute(&t, 0, 8e-6);
    made_send(&t, 0, 2, 0, 0, NO_REQUEST);
    made_compute(&t, 1, 10e-6);
    made_send(&t, 1, 2, 0, 0, NO_REQUEST);
    made_recv(&t, 2, 0, 0, 0, 1);
    made_recv(&t, 2, 1, 0, 0, 2);
    made_wait(&t, 2, 1, 2);
    made_send(&t, 2, 0, 1, 0, NO_REQUEST);
    made_recv(&t, 0, 2, 1, 0, NO_REQUEST);
    for (int i = 0; i < 2; i++) {
        made_compute(&t, 0, 20e-6);
        made_send(&t, 0, 2, 2, 0, NO_REQUEST);
        made_recv(&t, 2, 0, 2, 0, NO_REQUEST);
    }
    struct replay_times r = times_of(&t);
    CHECK_EQ(r.rank[2].late[REPLAY_RECEIVE], 3);
    CHECK_EQ(r.rank[2].most_for, 0);
    /* Meanwhile its CPU was busy with rank 0's message; and rank 0 then waits
     * for rank 2 because of rank 1. */
    CHECK(r.rank[1].caused_s > 10e-6 && r.rank[1].caused_s < 12.5e-6);
    CHECK(r.rank[2].most_for_s > 35e-6 && r.rank[2].most_for_s < 40.1e-6);
    check_us(r.rank[2].late_s[REPLAY_RECEIVE],
             9.7 + r.rank[2].most_for_s * 1e6);
    /* Rank 0 waits for the answer of rank 2, which rank 1 delays. */
    CHECK_EQ(r.rank[0].most_for, 2);
    replay_times_clear(&r);
}

/* Rank 2 arrives at the second of two barriers 50 us after the first. */
static void late_member(void)
{
    struct trace t = made_trace(4);

    for (uint32_t r = 0; r < 4; r++) {
        made_compute(&t, r, (r + 1) * 1e-6);
        made_collective(&t, r, TRACE_BARRIER, 0);
        if (r == 2)
            made_compute(&t, r, 50e-6);
        made_collective(&t, r, TRACE_BARRIER, 0);
    }
    struct replay_times r = times_of(&t);
    for (uint32_t i = 0; i < 4; i++) {
        const struct replay_rank_times *k = &r.rank[i];
        CHECK_EQ(k->most_for, i == 2 ? 3 : 2);
        if (i != 2)
            CHECK(k->late_s[REPLAY_COLLECTIVE] > 50e-6 &&
                  k->late_s[REPLAY_COLLECTIVE] < 54e-6);
        CHECK(k->transfer_s[REPLAY_COLLECTIVE] > 1e-6 &&
              k->transfer_s[REPLAY_COLLECTIVE] < 6e-6);
        CHECK_EQ(k->late_s[REPLAY_RECEIVE] > 0, 0);
    }
    /* In the first it is rank 3's delay, minus a message sent and one
     * received. */
    check_us(r.rank[2].late_s[REPLAY_COLLECTIVE], 1 - 0.2 - 0.3);
    replay_times_clear(&r);
}

/* All members of a broadcast need its root, but no other rank. */
static void late_root(uint32_t late)
{
    struct trace t = made_trace(3);

    set_protocol(PROTOCOL_SHORT);
    for (uint32_t r = 0; r < 3; r++) {
        if (r == late)
            made_compute(&t, r, 30e-6);
        made_collective(&t, r, TRACE_BROADCAST, 8);
    }
    struct replay_times r = times_of(&t);
    check_us(r.rank[1].late_s[REPLAY_COLLECTIVE], late == 0 ? 30 : 0);
    check_us(r.rank[0].late_s[REPLAY_COLLECTIVE], 0);
    replay_times_clear(&r);
    set_protocol(PROTOCOL_RENDEZVOUS);
}

/* Rank 0 computes 10 us, 4 of them on another lane too, and sends; a receive is
 * before a computation of 5 us, which does not wait for it. */
static void graph(void)
{
    struct trace t = made_trace(2);

    for (uint8_t lane = 0; lane < 2; lane++) {
        made_compute(&t, 0, lane ? 4e-6 : 10e-6);
        struct trace_event *e =
            (struct trace_event *)((struct made_rank *)t.state)[0].events +
            lane;
        e->free = true;
        e->lane = lane;
        e->request = lane;
    }
    struct trace_event *e = made_send(&t, 0, 1, 7, 0, 2);
    e->free = true;
    e->requests = made_copy((const uint64_t[]){0, 1}, 2);
    e->nrequests = 2;
    made_recv(&t, 1, 0, 7, 0, 0)->free = true;
    made_compute(&t, 1, 5e-6);
    ((struct made_rank *)t.state)[1].events[1].free = true;
    struct replay_times r = times_of(&t);
    CHECK(r.graph);
    check_us(r.rank[0].computing_s, 10);
    check_us(r.rank[0].messages_s, 0.2);
    check_us(r.rank[1].computing_s, 5);
    check_us(r.rank[1].messages_s, 0.3);
    check_us(r.rank[1].waiting_s, 11 - 5.3);
    CHECK_EQ(r.rank[1].most_for, NO_RANK);
    replay_times_clear(&r);
}

int main(void)
{
    tiny_machine(&tiny, 1);
    set_protocol(PROTOCOL_RENDEZVOUS);
    late_sender();
    late_receiver(PROTOCOL_RENDEZVOUS, true);
    late_receiver(PROTOCOL_RENDEZVOUS, false);
    late_receiver(PROTOCOL_SHORT, true);
    overlapped();
    several();
    late_member();
    late_root(0);
    late_root(2);
    graph();
    machine_clear(&tiny);
    return check_result();
}
