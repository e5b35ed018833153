/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of a message for its two processes, by hand: CPUs that are busy for
 * longer than a ping-pong shows, buffers that are free late, bytes that wait
 * for the match, gaps of one kind of message, and links that both directions
 * share. */
#include "sim/plan/exec.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

static struct machine tiny;
enum { PER_NODE = 8 };

static struct segment *segment(enum msg_path path, enum locality where)
{
    return &tiny.messages[RUNTIME_MPI][path][where].segments[0];
}

/* Resets the segment to 1 us + 1 ns/B, rendezvous, no CPU time. */
static struct segment *plain(enum msg_path path, enum locality where)
{
    struct segment *s = segment(path, where);

    *s = (struct segment){.protocol = PROTOCOL_RENDEZVOUS,
                          .up_to_B = UINT64_MAX,
                          .alpha_s = 1e-6,
                          .beta_s_per_B = 1e-9,
                          .nic = NIC_OF_SOCKET,
                          .source = s->source};
    return s;
}

static double run_on(struct plan *p, enum engine_kind kind)
{
    struct exec_options exec = exec_defaults;
    struct exec_result r = {0};
    struct err err = {0};

    exec.engine = kind;
    CHECK(exec_plan(&r, &tiny, p, &exec, EXEC_TIMES, &err) == 0);
    double time = r.time_s;
    exec_result_clear(&r);
    plan_clear(p);
    return time;
}

static double run(struct plan *p)
{
    return run_on(p, exec_defaults.engine);
}

static void begin(struct plan *p)
{
    plan_init(p, &tiny, "costs", 2, PER_NODE, NULL);
}

static uint32_t message(struct plan *p, uint32_t from, uint32_t to,
                        uint64_t bytes)
{
    return plan_msg(p, PHASE_OFF_NODE, from, to, NO_GPU, NO_GPU, bytes);
}

/* Both CPUs are busy for the whole alpha of 1 us and for each byte: a lone
 * message takes as long as a ping-pong's, for any distribution of the
 * surplus. */
static void lone_message(void)
{
    const double busy[][2] = {{1, 1}, {2, 0.5}, {0, 3}, {5, 5}, {0.2, 0.3}};

    for (size_t i = 0; i < 5; i++)
        for (int moved = 0; moved < 2; moved++) {
            struct segment *s = plain(PATH_HOST, ON_SOCKET);
            struct plan p;
            s->send_s = busy[i][0] * 1e-6;
            s->recv_s = busy[i][1] * 1e-6;
            s->send_s_per_B = busy[i][0] * 1e-9;
            s->recv_s_per_B = busy[i][1] * 1e-9;
            s->mover = moved ? MOVED_BY_RECEIVER : MOVED_BY_WIRE;
            begin(&p);
            message(&p, 0, 1, 1000);
            CHECK_NEAR(run(&p), 2e-6, 1e-3);
        }
    plain(PATH_HOST, ON_SOCKET);
}

/*
 * Four messages to one process from four others have no bytes, and each CPU is
 * busy for the whole alpha of 1 us. Half is hidden at either end: all have
 * arrived after 0.5 us; the first is received until 1 us, because the receiver
 * has waited, each of the others takes the whole 1 us.
 */
static void receiver_pays_what_it_did_not_hide(void)
{
    struct segment *s = plain(PATH_HOST, ON_SOCKET);
    struct plan p;

    s->send_s = s->recv_s = 1e-6;
    begin(&p);
    for (uint32_t i = 1; i < 4; i++)
        message(&p, i, 0, 0);
    CHECK_NEAR(run(&p), 3e-6, 1e-9);

    /* The second message hides 0.2 us of its half in the pause before it. */
    begin(&p);
    message(&p, 1, 0, 0);
    uint32_t work = plan_work(&p, 2, 0.7e-6);
    message(&p, 2, 0, 0);
    plan_after(&p, work);
    CHECK_NEAR(run(&p), 1.2e-6 + 0.3e-6 + 0.5e-6, 1e-9);
    plain(PATH_HOST, ON_SOCKET);
}

/* The sender's hidden half comes after its message has left: the second message
 * begins after 1 us, and arrives 1 us later. */
static void sender_is_busy_after_it_sent(void)
{
    struct segment *s = plain(PATH_HOST, ON_SOCKET);
    struct plan p;

    s->send_s = s->recv_s = 1e-6;
    begin(&p);
    message(&p, 0, 1, 0);
    message(&p, 0, 2, 0);
    CHECK_NEAR(run(&p), 2e-6, 1e-9);

    /* An eager buffer is free after the CPU time: 1 us, not the half that
     * delays the message. */
    s->protocol = PROTOCOL_EAGER;
    begin(&p);
    uint32_t first = message(&p, 0, 1, 0);
    plan_work(&p, 0, 10e-6);
    plan_after(&p, first | AFTER_SENT);
    CHECK_NEAR(run(&p), 11e-6, 1e-9);
    plain(PATH_HOST, ON_SOCKET);
}

/* The sender takes 0.2 us, the wire 0.5, 1000 B 1 us, then the receiver 0.3;
 * work of 10 us follows when the buffer is free. */
static void buffer_is_free(void)
{
    const struct {
        enum protocol protocol;
        enum buffer_free when;
        double want_us;
    } cases[] = {
        {PROTOCOL_EAGER, FREE_BY_PROTOCOL, 0.2},
        {PROTOCOL_RENDEZVOUS, FREE_BY_PROTOCOL, 1.7},
        {PROTOCOL_EAGER, FREE_AT_ONCE, 0.2},
        {PROTOCOL_EAGER, FREE_ACKNOWLEDGED, 2.1},
        {PROTOCOL_RENDEZVOUS, FREE_ACKNOWLEDGED, 2.1},
        {PROTOCOL_EAGER, FREE_TRANSFERRED, 1.7},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int matched = 0; matched < 2; matched++) {
            struct segment *s = plain(PATH_HOST, OFF_NODE);
            struct plan p;
            uint32_t sent;
            s->send_s = 0.2e-6;
            s->recv_s = 0.3e-6;
            s->protocol = cases[i].protocol;
            s->buffer_free = cases[i].when;
            s->ack_s = cases[i].when == FREE_ACKNOWLEDGED ? 0.4e-6 : 0;
            begin(&p);
            if (matched) {
                plan_recv(&p, PHASE_OFF_NODE, PER_NODE, 0, 7, 1000);
                sent = plan_send(&p, PHASE_OFF_NODE, 0, PER_NODE, 7, 1000);
            } else {
                sent = message(&p, 0, PER_NODE, 1000) | AFTER_SENT;
            }
            plan_work(&p, 0, 10e-6);
            plan_after(&p, sent);
            CHECK_NEAR(run(&p), (cases[i].want_us + 10) * 1e-6, 1e-9);
        }
    plain(PATH_HOST, OFF_NODE);
}

/* The receive of the same message is posted after 20 us of work: the part after
 * the match (0.5 us on the wire) and the bytes follow it. */
static void after_match(enum rendezvous how)
{
    double after_us = how == RENDEZVOUS_GET ? 0.5 : 0;
    struct segment *s = plain(PATH_HOST, OFF_NODE);
    struct plan p;

    s->send_s = 0.2e-6;
    s->recv_s = 0.3e-6;
    s->rendezvous = how;
    begin(&p);
    message(&p, 0, PER_NODE, 1000);
    CHECK_NEAR(run(&p), 2e-6, 1e-9);

    begin(&p);
    uint32_t work = plan_work(&p, PER_NODE, 20e-6);
    message(&p, 0, PER_NODE, 1000);
    plan_posted_after(&p, work);
    CHECK_NEAR(run(&p), (20 + after_us + 1 + 0.3) * 1e-6, 1e-9);

    begin(&p);
    work = plan_work(&p, PER_NODE, 20e-6);
    plan_recv(&p, PHASE_OFF_NODE, PER_NODE, 0, 7, 1000);
    plan_after(&p, work);
    plan_send(&p, PHASE_OFF_NODE, 0, PER_NODE, 7, 1000);
    CHECK_NEAR(run(&p), (20 + after_us + 1 + 0.3) * 1e-6, 1e-9);
    plain(PATH_HOST, OFF_NODE);
}

/* Copies from two GPUs into two others take 1 us for the bytes, then 3 us of
 * one process that receives both: that process waits for the bytes of one
 * before it begins the other, although each has an engine of its own. */
static void receiver_waits_for_peer_copies(void)
{
    struct copy_cost d2d = {D2D, ON_NODE, 1, UINT64_MAX, 1e-6, 0, NULL};
    struct segment *s;

    tiny.copies = (struct copy_table){.rows = &d2d, .nrows = 1, .mps = true};
    for (int moved = 0; moved < 2; moved++) {
        struct plan p;
        for (int where = ON_SOCKET; where <= ON_NODE; where++) {
            s = plain(PATH_GDR, (enum locality)where);
            s->send_s = 0.5e-6;
            s->alpha_s = 3.5e-6;
            s->recv_s = 3e-6;
            s->mover = moved ? MOVED_BY_RECEIVER : MOVED_BY_WIRE;
        }
        begin(&p);
        plan_msg(&p, PHASE_ON_NODE, 4, 0, 2, 0, 1000);
        plan_msg(&p, PHASE_ON_NODE, 5, 0, 3, 1, 1000);
        CHECK_NEAR(run(&p), moved ? 8.5e-6 : 7.5e-6, 1e-9);
        plain(PATH_GDR, ON_SOCKET);
        plain(PATH_GDR, ON_NODE);
    }
    tiny.copies = (struct copy_table){0};
}

/* Two messages into a GPU: its engine serves each for 2 us, as a copy, for any
 * length of the calls and the bytes, or for the time that the segment
 * states. */
static void engine_serves_peer_copies(void)
{
    struct copy_cost d2d = {D2D, ON_NODE, 1, UINT64_MAX, 9e-6, 5e-9, NULL};

    tiny.copies = (struct copy_table){
        .rows = &d2d, .nrows = 1, .mps = true, .engine_s = 2e-6};
    for (int own = 0; own < 2; own++) {
        struct segment *s = plain(PATH_GDR, ON_NODE);
        struct plan p;
        s->has_engine = own;
        begin(&p);
        plan_msg(&p, PHASE_ON_NODE, 4, 0, 2, 0, 1000);
        plan_msg(&p, PHASE_ON_NODE, 5, 1, 3, 0, 1000);
        CHECK_NEAR(run(&p), own ? 2e-6 : 4e-6, 1e-9);
    }
    tiny.copies = (struct copy_table){0};
    plain(PATH_GDR, ON_NODE);
}

/* Inside a GPU the bytes take as long as a copy there, and the sender is longer
 * by its call; if a call is quicker by more than the sender is busy, it saves
 * the sender's busy time (half of 1 us), and no more. */
static void inside_a_gpu(void)
{
    static const struct {
        size_t n;
        double peer_s, want_s;
    } cases[] = {{1, 4e-6, 5e-6}, {2, 4e-6, 4e-6}, {2, 15e-6, 1.5e-6}};

    for (int i = 0; i < 3 * (ENGINE_FLUID + 1); i++) {
        struct copy_cost rows[] = {
            {D2D, ON_SOCKET, 1, UINT64_MAX, cases[i % 3].peer_s, 1e-9, NULL},
            {D2D, SHARED_CACHE, 1, UINT64_MAX, 6e-6, 0.25e-9, NULL}};
        struct plan p;
        tiny.copies = (struct copy_table){
            .rows = rows, .nrows = cases[i % 3].n, .mps = true};
        plain(PATH_GDR, ON_SOCKET)->send_s = 0.5e-6;
        begin(&p);
        plan_msg(&p, PHASE_ON_NODE, 0, 1, 0, 0, 4000);
        CHECK_NEAR(run_on(&p, (enum engine_kind)(i / 3)), cases[i % 3].want_s,
                   1e-3);
    }
    plain(PATH_GDR, ON_SOCKET);
    tiny.copies = (struct copy_table){0};
}

/* Three messages are of a kind that the NIC begins every 5 us. */
static void gap_of_a_kind(void)
{
    struct segment *s = plain(PATH_HOST, OFF_NODE);
    struct plan p;

    s->gap_s = 5e-6;
    begin(&p);
    for (uint32_t i = 0; i < 3; i++)
        message(&p, 0, PER_NODE + i, 0);
    CHECK_NEAR(run(&p), 11e-6, 1e-9);
    plain(PATH_HOST, OFF_NODE);
}

/* 0 and 1 ping-pong without the cost; but a message from another process than
 * the last one costs 2 us more. */
static void heard_from_another_peer(void)
{
    struct segment *s = plain(PATH_HOST, ON_SOCKET);
    struct plan p;

    s->other_peer_s = 2e-6;
    begin(&p);
    for (uint32_t i = 0; i < 4; i++) {
        message(&p, i % 2, !(i % 2), 0);
        if (i)
            plan_after(&p, i - 1);
    }
    CHECK_NEAR(run(&p), 4e-6, 1e-9);

    begin(&p);
    for (uint32_t i = 0; i < 3; i++) {
        message(&p, 1 + i / 2, 0, 0);
        if (i)
            plan_after(&p, i - 1);
    }
    CHECK_NEAR(run(&p), 3e-6 + 2e-6, 1e-9);
    plain(PATH_HOST, ON_SOCKET);
}

/* Both CPUs copy 1000 B, and 500 B for each message: the wire between the
 * sockets (40 GB/s) carries 2500 B for each of 100 messages at once. */
static void copied_twice(void)
{
    struct segment *s = plain(PATH_HOST, ON_NODE);
    struct plan p;

    s->copies = 2;
    s->extra_B = 500;
    begin(&p);
    message(&p, 0, 4, 1000);
    CHECK_NEAR(run(&p), 2e-6, 1e-9);
    begin(&p);
    for (uint32_t i = 0; i < 100; i++)
        message(&p, i % 4, 4 + i % 4, 1000);
    CHECK_NEAR(run(&p), 1e-6 + 100 * 2500 / 40e9, 1e-6);
    plain(PATH_HOST, ON_NODE);
}

/* If the receiver moves the bytes they flow in its time, at its speed: 4
 * messages one after the other, each 0.5 us and 1000 B at 0.5 ns/B; the other
 * half is the sender's. */
static void flows_in_its_time(void)
{
    struct segment *s = plain(PATH_HOST, ON_SOCKET);
    struct plan p;

    s->protocol = PROTOCOL_EAGER;
    s->mover = MOVED_BY_RECEIVER;
    s->send_s = s->recv_s = 0.5e-6;
    s->send_s_per_B = s->recv_s_per_B = 0.5e-9;
    begin(&p);
    for (uint32_t i = 1; i < 4; i++)
        message(&p, i, 0, 1000);
    CHECK_NEAR(run(&p), 1e-6 + 3 * 1e-6, 1e-9);
    plain(PATH_HOST, ON_SOCKET);
}

/* A message to itself is a copy of 0.1 us + 0.25 ns/B, twice; without this
 * cost, it is a message. */
static void to_itself(void)
{
    struct segment *s = plain(PATH_HOST, ON_SOCKET);
    struct plan p;

    for (int copies = 0; copies < 2; copies++) {
        s->send_s = s->recv_s = 0.5e-6;
        s->self_copies = copies;
        s->self_s = 0.1e-6;
        s->self_s_per_B = 0.25e-9;
        begin(&p);
        message(&p, 0, 0, 1000);
        message(&p, 0, 0, 1000);
        plan_after(&p, 0);
        CHECK_NEAR(run(&p), copies ? 0.7e-6 : 4e-6, 1e-4);
    }
    plain(PATH_HOST, ON_SOCKET);
}

/* 40 kB flow between the sockets in each direction over 40 GB/s: 1 us for a
 * copy alone, twice that if both directions share the link. */
static void both_ways_are_one(void)
{
    for (int half = 0; half < 2; half++) {
        struct segment *s = plain(PATH_HOST, ON_NODE);
        struct plan p;
        s->beta_s_per_B = 0;
        tiny.wires[0].half_duplex = half;
        begin(&p);
        message(&p, 0, 4, 40000);
        message(&p, 4, 0, 40000);
        CHECK_NEAR(run(&p), half ? 3e-6 : 2e-6, 1e-9);
    }
    tiny.wires[0].half_duplex = false;
    plain(PATH_HOST, ON_NODE);
}

/* GPU memories of two nodes exchange 10 kB in each direction between two GPUs
 * of each: 2 us over NICs of 10 GB/s and wires of as much; the four halves of a
 * route share 10 GB/s at either node: 4 us. Host memory does not take part. */
static void gpus_share_a_way(void)
{
    for (int bounded = 0; bounded < 2; bounded++) {
        struct segment *s = plain(PATH_GDR, OFF_NODE);
        struct plan p;
        s->beta_s_per_B = 0;
        tiny.network.gpu_Bps = bounded ? 10e9 : 0;
        begin(&p);
        for (uint32_t i = 0; i < 2; i++) {
            plan_msg(&p, PHASE_OFF_NODE, 4 * i, PER_NODE + 4 * i, 2 * i,
                     4 + 2 * i, 10000);
            plan_msg(&p, PHASE_OFF_NODE, PER_NODE + 4 * i, 4 * i, 4 + 2 * i,
                     2 * i, 10000);
        }
        CHECK_NEAR(run(&p), bounded ? 5e-6 : 2e-6, 1e-9);
        begin(&p);
        message(&p, 0, PER_NODE, 10000);
        message(&p, PER_NODE, 0, 10000);
        CHECK_NEAR(run(&p), 11e-6, 1e-9);
    }
    tiny.network.gpu_Bps = 0;
    plain(PATH_GDR, OFF_NODE);
}

/* A NIC sends one message at a time, but messages that receivers fetch from it
 * begin at once: three of 10 us each, over a NIC with ten times the
 * bandwidth. */
static void fetched_without_a_place(void)
{
    tiny.devices[6].messages_at_once = 1;
    for (int fetched = 0; fetched < 2; fetched++) {
        struct segment *s = plain(PATH_HOST, OFF_NODE);
        struct plan p;
        s->rendezvous = fetched ? RENDEZVOUS_GET : RENDEZVOUS_PUT;
        begin(&p);
        for (uint32_t k = 0; k < 3; k++)
            message(&p, k, PER_NODE + k, 10000);
        CHECK_NEAR(run(&p), fetched ? 11e-6 : 31e-6, 1e-9);
    }
    tiny.devices[6].messages_at_once = 0;
    plain(PATH_HOST, OFF_NODE);
}

/* Ten receives are posted, and their messages sent, in the same order or the
 * opposite one; each entry looked at takes 100 ns of the receiver: 1 for each
 * message, or 10, 9, ... 1. */
static void walks_through_lists(void)
{
    tiny.matching =
        (struct matching){.engine = MATCHER_LIST, .entry_s = 100e-9};
    for (int backwards = 0; backwards < 2; backwards++) {
        struct plan p;
        begin(&p);
        for (uint32_t i = 0; i < 10; i++)
            plan_recv(&p, PHASE_OFF_NODE, PER_NODE, 0, i, 0);
        for (uint32_t i = 0; i < 10; i++)
            plan_send(&p, PHASE_OFF_NODE, 0, PER_NODE, backwards ? 9 - i : i,
                      0);
        CHECK_NEAR(run(&p), 1e-6 + (backwards ? 55 : 10) * 100e-9, 1e-9);
    }
    tiny.matching = (struct matching){0};
}

/* A receiver that moves the bytes searches its lists before, even if they flow
 * slowly: 5 us for two entries, then 10 us over a wire of 1 GB/s. */
static void walks_before_it_moves(void)
{
    struct segment *s = plain(PATH_HOST, ON_NODE);
    struct plan p;

    tiny.matching =
        (struct matching){.engine = MATCHER_LIST, .entry_s = 2.5e-6};
    tiny.wires[0].bandwidth_Bps = 1e9;
    s->mover = MOVED_BY_RECEIVER;
    s->beta_s_per_B = 0;
    begin(&p);
    plan_recv(&p, PHASE_ON_NODE, 4, 0, 1, 0);
    plan_recv(&p, PHASE_ON_NODE, 4, 0, 2, 10000);
    plan_send(&p, PHASE_ON_NODE, 0, 4, 2, 10000);
    uint32_t work = plan_work(&p, 1, 100e-6);
    plan_send(&p, PHASE_ON_NODE, 0, 4, 1, 0);
    plan_after(&p, work);
    struct exec_result r;
    struct err err = {0};
    CHECK(exec_plan(&r, &tiny, &p, NULL, EXEC_TIMES, &err) == 0);
    CHECK_NEAR(r.ops[1].end_s, 1e-6 + 5e-6 + 10e-6, 1e-9);
    exec_result_clear(&r);
    plan_clear(&p);
    tiny.wires[0].bandwidth_Bps = 40e9;
    tiny.matching = (struct matching){0};
    plain(PATH_HOST, ON_NODE);
}

/* One message at a time is sent to the nodes of the rack, two to others: of
 * three of 10 us each to either, the last end after 30 and 20 us. */
static void places_by_rack(void)
{
    const uint32_t nodes[] = {1, 2};

    tiny.network.nodes_per_rack = 2;
    tiny.devices[6].messages_at_once = 1;
    tiny.devices[6].other_rack_at_once = 2;
    for (int i = 0; i < 2; i++) {
        struct plan p;
        plan_init(&p, &tiny, "racks", 3, PER_NODE, NULL);
        for (uint32_t k = 0; k < 3; k++)
            message(&p, k, nodes[i] * PER_NODE + k, 10000);
        CHECK_NEAR(run(&p), i ? 21e-6 : 31e-6, 1e-9);
    }
    tiny.network.nodes_per_rack = 0;
    tiny.devices[6].messages_at_once = tiny.devices[6].other_rack_at_once = 0;
}

/* Four pairs of a socket send two messages of 100 kB each, one after the other,
 * at most 1 GB/s each; memory has 2 GB/s. Half of the used data fits into the
 * caches: the first four messages take 201 us through memory, the others 101 us
 * there. */
static void through_memory(void)
{
    struct device *socket = &tiny.devices[0];
    const double set_B[] = {0, 500, 1000, 2000, 1e12};
    const double want_s[] = {402e-6, 202e-6, 202e-6, 302e-6, 402e-6};

    plain(PATH_HOST, ON_SOCKET);
    socket->memory_Bps = 2e9;
    for (int i = 0; i < 5; i++) {
        struct plan p;
        tiny.devices[0].cache_B = tiny.devices[1].cache_B = i ? 1000 : 0;
        begin(&p);
        p.working_set_B = set_B[i];
        for (uint32_t k = 0; k < 8; k++) {
            message(&p, k % 4, (k + 1) % 4, 100000);
            if (k >= 4)
                plan_after(&p, k - 4);
        }
        CHECK_NEAR(run(&p), want_s[i], 1e-6);
    }
    CHECK_NEAR(machine_memory_share(&tiny, 4000), 0.75, 1e-12);
    socket->memory_Bps = 0;
    tiny.devices[0].cache_B = tiny.devices[1].cache_B = 0;
}

/* 1000 B take 1 ns each, 0.5 of it at either end, and half of them are in no
 * cache, where a byte takes 0.4 ns more. */
static void in_no_cache(void)
{
    const double set_B[] = {500, 2000}, want_s[] = {2e-6, 2.2e-6};

    tiny.devices[0].cache_B = tiny.devices[1].cache_B = 1000;
    for (int i = 0; i < 2; i++)
        for (int moved = 0; moved < 2; moved++) {
            struct segment *s = plain(PATH_HOST, ON_SOCKET);
            struct plan p;
            s->uncached_s_per_B = 0.4e-9;
            s->send_s_per_B = s->recv_s_per_B = moved ? 0.5e-9 : 0;
            s->mover = moved ? MOVED_BY_RECEIVER : MOVED_BY_WIRE;
            begin(&p);
            p.working_set_B = set_B[i];
            message(&p, 0, 1, 1000);
            CHECK_NEAR(run(&p), want_s[i], 1e-6);
        }
    tiny.devices[0].cache_B = tiny.devices[1].cache_B = 0;
    plain(PATH_HOST, ON_SOCKET);
}

int main(void)
{
    tiny_machine(&tiny, PER_NODE / 2);
    lone_message();
    receiver_pays_what_it_did_not_hide();
    sender_is_busy_after_it_sent();
    buffer_is_free();
    after_match(RENDEZVOUS_PUT);
    after_match(RENDEZVOUS_GET);
    receiver_waits_for_peer_copies();
    engine_serves_peer_copies();
    inside_a_gpu();
    gap_of_a_kind();
    heard_from_another_peer();
    copied_twice();
    flows_in_its_time();
    to_itself();
    both_ways_are_one();
    gpus_share_a_way();
    places_by_rack();
    walks_through_lists();
    walks_before_it_moves();
    fetched_without_a_place();
    through_memory();
    in_no_cache();
    machine_clear(&tiny);
    return check_result();
}
