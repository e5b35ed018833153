/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in simulated time, compared with times computed by hand. */
#include "sim/plan/exec.h"
#include "sim/plan/plan_check.h"
#include "sim/plan/report.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <math.h>
#include <stdlib.h>

static struct machine tiny; /* messages: 1 us + 1 ns/B; wires of 10 GB/s */

static struct segment *segment(enum msg_path path, enum locality where)
{
    return &tiny.messages[RUNTIME_MPI][path][where].segments[0];
}

static double time_of(const struct plan *p)
{
    struct exec_result r;
    struct err err = {0};
    double time = -1;

    if (exec_plan(&r, &tiny, p, NULL, EXEC_TIMES, &err) < 0) {
        err_print(&err);
        return -1;
    }
    time = r.time_s;
    exec_result_clear(&r);
    return time;
}

/* A message takes alpha + beta * bytes, regardless of the shares. */
static void one_message(void)
{
    const double shares[][4] = {{0, 0, 0, 0},
                                {1, 0, 0, 0},
                                {0.25, 0.5, 0.25, 0.5},
                                {0.3, 0.3, 0, 0},
                                {0.5, 0.5, 0.5, 0.5}};

    for (int path = PATH_HOST; path <= PATH_GDR; path++)
        for (size_t i = 0; i < 5; i++)
            for (int copies = 0; copies < 2; copies++) {
                struct segment *s = segment((enum msg_path)path, OFF_NODE);
                s->send_s = shares[i][0] * s->alpha_s;
                s->recv_s = shares[i][1] * s->alpha_s;
                s->send_s_per_B = shares[i][2] * s->beta_s_per_B;
                s->recv_s_per_B = shares[i][3] * s->beta_s_per_B;
                s->mover = copies ? MOVED_BY_RECEIVER : MOVED_BY_WIRE;
                struct plan p;
                plan_init(&p, &tiny, "one", 2, 8, NULL);
                uint32_t a = path == PATH_HOST ? NO_GPU : 0;
                uint32_t b = path == PATH_HOST ? NO_GPU : 4;
                plan_msg(&p, PHASE_OFF_NODE, 0, 8, a, b, 10000);
                /* With every byte on the CPUs the wire still needs 0.1 ns/B,
                 * which is more than the rest of beta, zero. */
                double extra = shares[i][2] + shares[i][3] == 1 ? 1e-6 : 0;
                CHECK_NEAR(time_of(&p), 11e-6 + extra, 1e-9);
                plan_clear(&p);
                *s = (struct segment){.protocol = PROTOCOL_RENDEZVOUS,
                                      .up_to_B = UINT64_MAX,
                                      .alpha_s = 1e-6,
                                      .beta_s_per_B = 1e-9,
                                      .nic = NIC_OF_SOCKET,
                                      .source = s->source};
            }
}

/*
 * Four messages of one rank to four others, with all of alpha on the sender:
 * sends leave at 1, 2, 3, 4 us; each 1000 B take 1 us at their cap of 1 GB/s: 5
 * us.
 */
static void sends_queue_on_the_cpu(void)
{
    struct plan p;

    segment(PATH_HOST, OFF_NODE)->send_s = 1e-6;
    plan_init(&p, &tiny, "queue", 2, 8, NULL);
    for (uint32_t i = 0; i < 4; i++)
        plan_msg(&p, PHASE_OFF_NODE, 0, 8 + i, NO_GPU, NO_GPU, 1000);
    CHECK_NEAR(time_of(&p), 5e-6, 1e-9);
    plan_clear(&p);
    segment(PATH_HOST, OFF_NODE)->send_s = 0;
}

/*
 * With all of alpha on the sender and in the worst case, in which every message
 * waits for the one before, ppn ranks of a node take alpha * m + max(ppn * s /
 * R_N, s / R_b): the max-rate model, Lockhart et al. Eq 2.2. Here it is one
 * socket's NIC: R_N = 10 GB/s, R_b = 1 GB/s.
 */
static void max_rate(void)
{
    const uint64_t sizes[] = {8, 1000, 65536, 1 << 20};
    const unsigned ppns[] = {1, 4, 10, 16, 20};
    struct machine *m = &tiny;
    struct machine wide;

    segment(PATH_HOST, OFF_NODE)->send_s = 1e-6;
    tiny_machine(&wide, 20);
    wide.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].segments[0].send_s = 1e-6;
    m = &wide;
    for (size_t b = 0; b < 4; b++)
        for (size_t n = 0; n < 5; n++)
            for (unsigned count = 1; count <= 4; count++) {
                struct plan p;
                struct exec_result r;
                struct err err = {0};
                plan_init(&p, m, "max-rate", 2, 40, NULL);
                for (unsigned rank = 0; rank < ppns[n]; rank++) {
                    uint32_t before = NO_OP;
                    for (unsigned k = 0; k < count; k++) {
                        uint32_t op =
                            plan_msg(&p, PHASE_OFF_NODE, rank, 40 + rank,
                                     NO_GPU, NO_GPU, sizes[b]);
                        if (before != NO_OP)
                            plan_after(&p, before);
                        before = op;
                    }
                }
                double s = (double)(sizes[b] * count);
                double model = 1e-6 * count + fmax(ppns[n] * s / 10e9, s / 1e9);
                CHECK(exec_plan(&r, m, &p, NULL, EXEC_TIMES, &err) == 0);
                CHECK_NEAR(r.time_s, model, 0.02);
                exec_result_clear(&r);
                plan_clear(&p);
            }
    machine_clear(&wide);
    segment(PATH_HOST, OFF_NODE)->send_s = 0;
}

/* A copy out, then a message, then a copy in: 5 + 1, 1 + 10, 5 + 1 us. */
static void staged_chain(void)
{
    struct plan p;

    plan_init(&p, &tiny, "staged", 2, 8, NULL);
    uint32_t out = plan_copy(&p, PHASE_COPY_OUT, 0, D2H, 0, 10000);
    uint32_t msg = plan_msg(&p, PHASE_OFF_NODE, 0, 8, NO_GPU, NO_GPU, 10000);
    plan_after(&p, out);
    plan_copy(&p, PHASE_COPY_IN, 8, H2D, 4, 10000);
    plan_after(&p, msg);
    CHECK_NEAR(time_of(&p), 6e-6 + 11e-6 + 6e-6, 1e-9);
    plan_clear(&p);
}

/*
 * Eight ranks of two sockets copy to one GPU, 5 copies each in a row; the
 * engine serves 2 us and the 1 ns of the bytes per copy, the rest of alpha (3
 * us) overlaps: with MPS one copy ends every 2.001 us, without it, after the
 * first, every slice of 50 us and 1 ns.
 */
static void copy_engine(void)
{
    for (int mps = 0; mps < 2; mps++) {
        struct plan p;
        tiny.copies.mps = mps;
        plan_init(&p, &tiny, "copies", 1, 8, NULL);
        for (uint32_t rank = 0; rank < 4; rank++) {
            uint32_t before = NO_OP;
            for (int k = 0; k < 5; k++) {
                uint32_t op = plan_copy(&p, PHASE_COPY_IN, rank, H2D, 0, 10);
                if (before != NO_OP)
                    plan_after(&p, before);
                before = op;
            }
        }
        double each = mps ? 2e-6 : 50e-6;
        double want = 3e-6 + 2e-6 + 19 * each + 20 * 1e-9;
        CHECK_NEAR(time_of(&p), want, 1e-9);
        plan_clear(&p);
    }
    tiny.copies.mps = true;
}

/*
 * Two copies of 10000 B at 0.1 ns/B: the engine serves each 2 us, then turns
 * of 4000 B: 3 + 2 + 0.4, 2 + 0.4, 0.4, 0.4, 0.2, 0.2 us; without turns the
 * first ends before the engine serves the second.
 */
static void engine_turns(void)
{
    for (int turns = 0; turns < 2; turns++) {
        struct exec_result r;
        struct err err = {0};
        struct plan p;
        tiny.copies.engine_turn_B = turns ? 4000 : 0;
        plan_init(&p, &tiny, "turns", 1, 8, NULL);
        plan_copy(&p, PHASE_COPY_IN, 0, H2D, 0, 10000);
        plan_copy(&p, PHASE_COPY_IN, 1, H2D, 0, 10000);
        CHECK(exec_plan(&r, &tiny, &p, NULL, EXEC_DETAILS, &err) == 0);
        CHECK_NEAR(r.ops[0].end_s, turns ? 8.8e-6 : 6e-6, 1e-9);
        CHECK_NEAR(r.ops[1].end_s, 9e-6, 1e-9);
        exec_result_clear(&r);
        plan_clear(&p);
    }
    tiny.copies.engine_turn_B = 0;
}

/*
 * Slices apply to processes that share a GPU without MPS, if the last copy was
 * another's, and to copies below 32768 B: a single copy has none; of two, one
 * after the other with 3.2767 us of bytes behind it, the second has one; and
 * with 32768 B there are only the 2 us of the engine.
 */
static void slices(void)
{
    static const struct {
        uint32_t ranks;
        uint64_t bytes;
        double want;
    } cases[] = {{1, 10, 5.001e-6},
                 {2, 32767, 3e-6 + 5.2767e-6 + 53.2767e-6},
                 {2, 32768, 3e-6 + 2 * 5.2768e-6}};

    tiny.copies.mps = false;
    for (size_t i = 0; i < 3; i++) {
        struct plan p;
        plan_init(&p, &tiny, "slices", 1, 8, NULL);
        for (uint32_t rank = 0; rank < cases[i].ranks; rank++)
            plan_copy(&p, PHASE_COPY_IN, rank, H2D, 0, cases[i].bytes);
        CHECK_NEAR(time_of(&p), cases[i].want, 1e-9);
        plan_clear(&p);
    }
    tiny.copies.mps = true;
}

/* The engine of copies between GPUs is free again when the bytes begin to flow:
 * the second is served from 5 us on, and its bytes take 1 us. */
static void peers_overlap(void)
{
    struct plan p;

    plan_init(&p, &tiny, "overlap", 1, 8, NULL);
    plan_copy_peer(&p, PHASE_ON_NODE, 0, 0, 1, 10000);
    plan_copy_peer(&p, PHASE_ON_NODE, 1, 0, 1, 10000);
    CHECK_NEAR(time_of(&p), 8e-6, 1e-9);
    plan_clear(&p);
}

/* Two of three ranks are on the first socket; a receive from the rank behind
 * the last is refused. */
static void ranks_of_a_plan(void)
{
    struct plan p;
    struct err err = {0};

    plan_init(&p, &tiny, "three", 1, 3, NULL);
    CHECK_EQ(p.core[0], 0);
    CHECK_EQ(p.core[1], 1);
    CHECK_EQ(p.core[2], 4);
    plan_recv(&p, PHASE_OFF_NODE, 0, 2, 7, 8);
    CHECK(plan_check(&p, &tiny, &err) == 0);
    plan_recv(&p, PHASE_OFF_NODE, 0, 3, 7, 8);
    CHECK(plan_check(&p, &tiny, &err) < 0);
    CHECK_HAS(err.text, "rank 3 of 3");
    plan_clear(&p);
}

/* A copy in and one out go over the two directions of the GPU's wire. */
static void copy_directions(void)
{
    struct exec_result r;
    struct plan p;
    struct err err = {0};

    plan_init(&p, &tiny, "directions", 1, 8, NULL);
    plan_copy(&p, PHASE_COPY_IN, 0, H2D, 0, 10000);
    plan_copy(&p, PHASE_COPY_OUT, 1, D2H, 0, 20000);
    CHECK(exec_plan(&r, &tiny, &p, NULL, EXEC_DETAILS, &err) == 0);
    CHECK_EQ(r.nlinks, 2);
    for (size_t i = 0; i < r.nlinks; i++)
        CHECK_NEAR(r.links[i].bytes, i ? 10000 : 20000, 1e-12);
    exec_result_clear(&r);
    plan_clear(&p);
}

/* Two ranks copy to two GPUs at once, which takes no longer than one copy; if
 * the two GPUs count as one, the second copy is served 2 us and its bytes
 * later. The other direction has an engine of its own. */
static void gpus_that_are_one(void)
{
    for (int one = 0; one < 2; one++) {
        struct plan p;
        tiny.copies.gpus_are_one = one;
        plan_init(&p, &tiny, "one", 1, 8, NULL);
        plan_copy(&p, PHASE_COPY_IN, 0, H2D, 0, 10000);
        plan_copy(&p, PHASE_COPY_IN, 1, H2D, 1, 10000);
        plan_copy(&p, PHASE_COPY_OUT, 2, D2H, 0, 10000);
        CHECK_NEAR(time_of(&p), 6e-6 + (one ? 3e-6 : 0), 1e-9);
        plan_clear(&p);
    }
    tiny.copies.gpus_are_one = false;
}

/* Copies between GPUs that count as one nevertheless overlap: 5 us and the
 * bytes at 0.1 ns each. */
static void peers_that_are_one(void)
{
    for (int one = 0; one < 2; one++) {
        struct plan p;
        tiny.copies.gpus_are_one = one;
        plan_init(&p, &tiny, "peers", 1, 8, NULL);
        plan_copy_peer(&p, PHASE_ON_NODE, 0, 0, 1, 10000);
        plan_copy_peer(&p, PHASE_ON_NODE, 4, 2, 3, 10000);
        CHECK_NEAR(time_of(&p), 6e-6, 1e-9);
        plan_clear(&p);
    }
    tiny.copies.gpus_are_one = false;
}

/* The dependency of a receive ends at 2 us, long before its message is sent at
 * 20 us: 1 us and 10 kB at 1 ns each later it has arrived. */
static void receive_before_send(void)
{
    struct plan p;

    plan_init(&p, &tiny, "early", 2, 8, NULL);
    uint32_t receiver = plan_work(&p, 8, 2e-6);
    uint32_t sender = plan_work(&p, 0, 20e-6);
    plan_msg(&p, PHASE_OFF_NODE, 0, 8, NO_GPU, NO_GPU, 10000);
    plan_after(&p, sender);
    plan_posted_after(&p, receiver);
    CHECK_NEAR(time_of(&p), 31e-6, 1e-9);
    plan_clear(&p);
}

/* An eager send ends when the CPU is done, a rendezvous send with the flow. */
static void sent_before_received(void)
{
    struct segment *s = segment(PATH_HOST, OFF_NODE);

    s->send_s = 0.5e-6;
    for (int eager = 0; eager < 2; eager++) {
        struct plan p;
        s->protocol = eager ? PROTOCOL_EAGER : PROTOCOL_RENDEZVOUS;
        plan_init(&p, &tiny, "sent", 2, 8, NULL);
        uint32_t msg =
            plan_msg(&p, PHASE_OFF_NODE, 0, 8, NO_GPU, NO_GPU, 10000);
        plan_work(&p, 0, 100e-6);
        plan_after(&p, msg | AFTER_SENT);
        CHECK_NEAR(time_of(&p), (eager ? 0.5e-6 : 11e-6) + 100e-6, 1e-9);
        plan_clear(&p);
    }
    s->send_s = 0;
    s->protocol = PROTOCOL_RENDEZVOUS;
}

/* A NIC that sends a message every microsecond: the 10th leaves at 9 us. */
static void message_rate(void)
{
    struct plan p;

    tiny.devices[6].message_gap_s = 1e-6;
    plan_init(&p, &tiny, "rate", 2, 8, NULL);
    for (uint32_t i = 0; i < 10; i++)
        plan_msg(&p, PHASE_OFF_NODE, i % 4, 8 + i % 4, NO_GPU, NO_GPU, 8);
    CHECK_NEAR(time_of(&p), 9e-6 + 1e-6 + 8e-9, 1e-9);
    plan_clear(&p);
    tiny.devices[6].message_gap_s = 0;
}

/* A GPU's messages leave by the NIC of its own socket, whichever core posts
 * them: those of GPU 2 and 3 do not wait for the gaps of the first NIC. */
static void nic_of_gpu(void)
{
    for (uint32_t gpu = 0; gpu < 4; gpu += 2) {
        struct plan p;
        tiny.devices[6].message_gap_s = 1e-6;
        plan_init(&p, &tiny, "nics", 2, 8, NULL);
        for (uint32_t i = 0; i < 2; i++)
            plan_msg(&p, PHASE_OFF_NODE, i, 8 + i, gpu + i, 4 + gpu + i, 8);
        CHECK_NEAR(time_of(&p), (gpu ? 0 : 1e-6) + 1e-6 + 8e-9, 1e-9);
        plan_clear(&p);
    }
    tiny.devices[6].message_gap_s = 0;
}

/*
 * Three messages into one GPU from its neighbour: each is a copy that its
 * engine serves for 2 us, and takes 1 us + 1 ns/B itself: the third begins
 * after two of them.
 */
static void peer_engine(void)
{
    struct plan p;

    plan_init(&p, &tiny, "peers", 1, 8, NULL);
    for (int i = 0; i < 3; i++)
        plan_msg(&p, PHASE_ON_NODE, 0, 1, 0, 1, 1000);
    CHECK_NEAR(time_of(&p), 2 * 2e-6 + 2e-6, 1e-9);
    plan_clear(&p);
}

/* Between four GPUs that count as one: without MPS the second message gets its
 * slice when the first's 2 us are over, 3 us after the start. */
static void messages_take_turns(void)
{
    tiny.copies.gpus_are_one = true;
    for (int mps = 0; mps < 2; mps++) {
        struct plan p;
        tiny.copies.mps = mps;
        plan_init(&p, &tiny, "turns", 1, 8, NULL);
        plan_msg(&p, PHASE_ON_NODE, 0, 1, 0, 1, 1000);
        plan_msg(&p, PHASE_ON_NODE, 4, 5, 2, 3, 1000);
        CHECK_NEAR(time_of(&p), mps ? 2e-6 : 4e-6, 1e-9);
        plan_clear(&p);
    }
    tiny.copies.gpus_are_one = false;
}

/*
 * A NIC that sends two messages at once: of four of 10000 B at 1 GB/s each the
 * second pair begins when the first has left, and so ends 10 us later.
 */
static void messages_at_once(void)
{
    struct plan p;

    tiny.devices[6].messages_at_once = 2;
    plan_init(&p, &tiny, "bounded", 2, 8, NULL);
    for (uint32_t i = 0; i < 4; i++)
        plan_msg(&p, PHASE_OFF_NODE, i, 8 + i, NO_GPU, NO_GPU, 10000);
    CHECK_NEAR(time_of(&p), 1e-6 + 20e-6, 1e-9);
    plan_clear(&p);
    tiny.devices[6].messages_at_once = 0;
}

/* A node in another rack is farther. */
static void racks(void)
{
    tiny.network.nodes_per_rack = 2;
    tiny.messages[RUNTIME_MPI][PATH_HOST][OFF_NODE].other_rack_s = 3e-6;
    for (uint32_t node = 1; node < 3; node++) {
        struct plan p;
        plan_init(&p, &tiny, "racks", 4, 8, NULL);
        plan_msg(&p, PHASE_OFF_NODE, 0, 8 * node, NO_GPU, NO_GPU, 1000);
        CHECK_NEAR(time_of(&p), node == 1 ? 2e-6 : 5e-6, 1e-9);
        plan_clear(&p);
    }
    tiny.network.nodes_per_rack = 0;
}

/* The same plan in a batch takes the same time, bit for bit, each time. */
static void batch(void)
{
    struct plan p;
    struct timed_plan plans[50];
    double times[50], again[50];
    struct err err = {0};

    plan_init(&p, &tiny, "batch", 4, 8, NULL);
    for (uint32_t i = 0; i < 32; i++)
        plan_msg(&p, PHASE_OFF_NODE, i, (i + 8) % 32, NO_GPU, NO_GPU,
                 1000 + 77 * i);
    for (int i = 0; i < 50; i++)
        plans[i] = (struct timed_plan){&p, NULL};
    CHECK(exec_times(times, &tiny, plans, 50, NULL, &err) == 0);
    CHECK(exec_times(again, &tiny, plans, 50, NULL, &err) == 0);
    double one = time_of(&p);
    for (int i = 0; i < 50; i++) {
        CHECK(times[i] == again[i]);
        CHECK(times[i] == one);
    }
    plan_clear(&p);
}

static void refused(void)
{
    struct plan p;
    struct exec_result r;
    struct err err = {0};

    plan_init(&p, &tiny, "far", 65, 8, NULL);
    CHECK(exec_plan(&r, &tiny, &p, NULL, EXEC_TIMES, &err) < 0);
    CHECK_HAS(err.text, "far: 65 nodes wanted, tiny has 64");
    plan_clear(&p);
}

/*
 * Rank 0 sends to rank 8, which works until 20 us, then to rank 9, which works
 * for 100 us with the message. Sending takes 1 us each, the wire 1 us. The
 * first message kept the sender's CPU busy until 1 us; that it waits for rank 8
 * afterwards is not on the path.
 */
static void critical_path(void)
{
    const double from[] = {0, 1e-6, 3e-6}, to[] = {1e-6, 3e-6, 103e-6};
    const enum cause causes[] = {CAUSE_NONE, CAUSE_CPU, CAUSE_DEPENDENCY};
    const uint32_t ops[] = {1, 2, 3};
    struct exec_result x;
    struct report r;
    struct err err = {0};
    struct plan p;

    segment(PATH_HOST, OFF_NODE)->send_s = 1e-6;
    plan_init(&p, &tiny, "path", 2, 8, NULL);
    plan_work(&p, 8, 20e-6);
    plan_msg(&p, PHASE_OFF_NODE, 0, 8, NO_GPU, NO_GPU, 1000);
    uint32_t last = plan_msg(&p, PHASE_OFF_NODE, 0, 9, NO_GPU, NO_GPU, 1000);
    plan_work(&p, 9, 100e-6);
    plan_after(&p, last);
    CHECK(exec_plan(&x, &tiny, &p, NULL, EXEC_DETAILS, &err) == 0);
    report_make(&r, &tiny, &p, &x);
    CHECK(r.npath == 3);
    for (size_t i = 0; i < 3; i++) {
        CHECK(r.path[i].op == ops[i]);
        CHECK(r.path[i].cause == causes[i]);
        CHECK_NEAR(r.path[i].from_s, from[i], 1e-12);
        CHECK_NEAR(r.path[i].to_s, to[i], 1e-12);
    }
    exec_result_clear(&x);
    plan_clear(&p);
    segment(PATH_HOST, OFF_NODE)->send_s = 0;
}

/* Simulation is exact up to 20,000 messages and copies, regardless of other
 * operations. */
static void accuracy_by_size(void)
{
    struct exec_options how = exec_defaults;
    struct plan p;

    plan_init(&p, &tiny, "size", 2, 8, NULL);
    for (uint32_t i = 0; i < AUTO_EXACT; i++) {
        plan_msg(&p, PHASE_OFF_NODE, 0, 8, NO_GPU, NO_GPU, 1);
        plan_work(&p, 0, 0);
    }
    CHECK_EQ(AUTO_EXACT, 20000);
    CHECK(exec_accuracy(NULL, plan_flows(&p)) == 0);
    plan_copy(&p, PHASE_COPY_OUT, 0, D2H, 0, 1);
    CHECK(exec_accuracy(NULL, plan_flows(&p)) == AUTO_TOLERANCE);
    how.accuracy = 0;
    CHECK(exec_accuracy(&how, plan_flows(&p)) == 0);
    how.accuracy = 0.05;
    CHECK(exec_accuracy(&how, plan_flows(&p)) == 0.05);
    how.engine = ENGINE_SIMGRID;
    CHECK(exec_accuracy(&how, plan_flows(&p)) == 0);
    plan_clear(&p);
}

int main(void)
{
    tiny_machine(&tiny, 4);
    tiny.copies.mps = true;
    tiny.copies.engine_s = 2e-6;
    tiny.copies.slice_s = 50e-6;
    tiny.copies.slice_below_B = 32768;
    tiny.copies.rows = xcalloc(4, sizeof *tiny.copies.rows);
    tiny.copies.nrows = 4;
    for (int i = 0; i < 4; i++)
        tiny.copies.rows[i] = (struct copy_cost){
            .dir = i == 0   ? D2H
                   : i == 3 ? D2D
                            : H2D,
            .locality = i == 2 ? ON_NODE : ON_SOCKET,
            .processes = 1,
            .up_to_B = UINT64_MAX,
            .alpha_s = 5e-6,
            .beta_s_per_B = 1e-10,
            .source = source_new(PROVENANCE_ASSUMED, "a test")};
    one_message();
    sends_queue_on_the_cpu();
    max_rate();
    critical_path();
    staged_chain();
    copy_engine();
    engine_turns();
    slices();
    copy_directions();
    peers_overlap();
    ranks_of_a_plan();
    gpus_that_are_one();
    peers_that_are_one();
    receive_before_send();
    sent_before_received();
    message_rate();
    nic_of_gpu();
    racks();
    peer_engine();
    messages_take_turns();
    messages_at_once();
    batch();
    refused();
    accuracy_by_size();
    machine_clear(&tiny);
    return check_result();
}
