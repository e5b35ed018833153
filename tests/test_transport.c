/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One transfer of each runtime, and several that meet at a NIC, computed by
 * hand. */
#include "sim/transport/transport.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include "base/child.h"

#include <stdlib.h>

#define US 1e-6

enum { MOST = 4 };

/* Puts and messages between GPUs, all posted at 0; the times at which the bytes
 * of each began to flow, its memory was free again, and it had arrived. */
struct meeting {
    struct machine m;
    struct transfer t[MOST];
    double wire_B[MOST];
    enum runtime by;
    unsigned n;
    double flows_us[MOST], sent_us[MOST], ended_us[MOST], done_us[MOST];
    unsigned done;
};

static unsigned number(const struct meeting *x, const struct transfer *t)
{
    return (unsigned)(t - x->t);
}

static void note_flows(void *user, struct transfer *t)
{
    struct meeting *x = user;

    x->flows_us[number(x, t)] = fabric_now(t->f) / US;
}

static void note_sent(void *user, struct transfer *t)
{
    struct meeting *x = user;

    x->sent_us[number(x, t)] = fabric_now(t->f) / US;
}

static void note_ended(void *user, struct transfer *t)
{
    struct meeting *x = user;

    x->ended_us[number(x, t)] = fabric_now(t->f) / US;
}

static void note_done(void *user, struct transfer *t)
{
    struct meeting *x = user;

    x->done_us[number(x, t)] = fabric_now(t->f) / US;
    x->done++;
}

static void post_all(void *arg)
{
    struct meeting *x = arg;
    const struct transport *by = transports[x->by];

    for (unsigned i = 0; i < x->n; i++) {
        struct transfer *t = &x->t[i];
        t->runtime = (uint8_t)x->by;
        if (by->put) {
            t->wire_B = x->wire_B[i];
            by->put(t);
        } else {
            t->kind = TRANSFER_MESSAGE;
            t->partner = t;
            by->post_send(t);
        }
    }
}

static int meet_in_child(void *arg, struct err *err)
{
    static const struct transfer_events events = {.flows = note_flows,
                                                  .sent = note_sent,
                                                  .ended = note_ended,
                                                  .done = note_done};
    const unsigned cores[] = {0, 1, 2, 3};
    struct meeting *x = arg;
    struct engine *e = engine_new(ENGINE_FLUID, &x->m, 2, err);
    struct fabric f;

    if (!e)
        return -1;
    fabric_init(&f, e, &x->m, 2, 4, cores);
    f.events = &events;
    f.user = x;
    for (unsigned i = 0; i < x->n; i++)
        x->t[i].f = &f;
    engine_after(e, 0, post_all, x);
    int result = engine_run(e, err);
    fabric_clear(&f);
    engine_free(e);
    return result;
}

/* Makes two nodes of the tiny machine, with four GPUs each; every wire moves at
 * least 10 B in a nanosecond. Off node a put takes 3 us and 0.2 ns a byte, a
 * message 1 us and 1 ns a byte, of which the CPUs have a quarter each. */
static struct meeting *meeting(enum runtime by)
{
    struct meeting *x = child_shared(sizeof *x);

    tiny_machine(&x->m, 2);
    x->by = by;
    x->m.gpu.remote_atomic_s = 2 * US;
    x->m.gpu.launch_s = 0.5 * US;
    tiny_runtime(&x->m, RUNTIME_SHMEM, machine_gpu_path(&x->m), OFF_NODE,
                 3 * US, 0.2e-9);
    struct segment *s =
        x->m.messages[RUNTIME_MPI][machine_gpu_path(&x->m)][OFF_NODE].segments;
    s->send_s = s->recv_s = 0.25 * s->alpha_s;
    return x;
}

static void add(struct meeting *x, uint32_t from, uint32_t to, uint64_t bytes,
                uint32_t puts)
{
    x->wire_B[x->n] = (double)bytes;
    x->t[x->n++] = (struct transfer){.bytes = bytes,
                                     .from = from,
                                     .to = to,
                                     .from_gpu = from,
                                     .to_gpu = to,
                                     .puts = puts};
}

static void meet(struct meeting *x)
{
    struct err err = {0};
    unsigned n = x->n;

    if (child_run(meet_in_child, x, &err) < 0) {
        err_print(&err);
        CHECK(!"runs");
    }
    CHECK_EQ(x->done, n);
}

static void end(struct meeting *x)
{
    machine_clear(&x->m);
    child_unshare(x, sizeof *x);
}

static void gaps(struct meeting *x, unsigned nic, double us)
{
    for (size_t i = 0; i < x->m.ndevices; i++)
        if (x->m.devices[i].kind == DEVICE_NIC && x->m.devices[i].index == nic)
            x->m.devices[i].message_gap_s = us * US;
}

/* 10 kB take 2 us at 0.2 ns a byte, then the whole alpha; the memory is free
 * when the bytes have left. */
static void put_off_node(void)
{
    struct meeting *x = meeting(RUNTIME_SHMEM);

    add(x, 0, 4, 10000, 1);
    meet(x);
    CHECK_NEAR(x->sent_us[0], 2, 1e-9);
    CHECK_NEAR(x->ended_us[0], 2 + 3, 1e-9);
    end(x);

    /* Between racks alpha is larger. */
    x = meeting(RUNTIME_SHMEM);
    x->m.network.nodes_per_rack = 1;
    x->m.messages[RUNTIME_SHMEM][machine_gpu_path(&x->m)][OFF_NODE]
        .other_rack_s = 0.5 * US;
    add(x, 0, 4, 10000, 1);
    meet(x);
    CHECK_NEAR(x->ended_us[0], 2 + 3.5, 1e-9);
    end(x);
}

/* 40 kB flow over a wire of 40 GB/s, then a remote atomic follows. */
static void put_in_node(void)
{
    struct meeting *x = meeting(RUNTIME_SHMEM);

    gaps(x, 0, 100);
    add(x, 0, 1, 40000, 1);
    meet(x);
    CHECK_NEAR(x->ended_us[0], 1 + 2, 1e-9);
    end(x);
}

/*
 * GPUs 0 and 1 have nic0, 2 and 3 nic1; there are 4 us between puts. Five puts
 * of 2 kB take five gaps, because their bytes take less: 20 us. A put of GPU 1
 * then begins when theirs are over, and one of GPU 2 at once.
 */
static void puts_share_gaps(void)
{
    for (unsigned nic = 0; nic < 2; nic++) {
        struct meeting *x = meeting(RUNTIME_SHMEM);
        gaps(x, nic, 4);
        add(x, 0, 4, 10000, 5);
        add(x, 1, 5, 10000, 1);
        add(x, 2, 6, 10000, 1);
        meet(x);
        CHECK_NEAR(x->flows_us[1], nic == 0 ? 20 : 0, 1e-9);
        CHECK_NEAR(x->flows_us[2], 0, 1e-9);
        if (nic == 0)
            CHECK_NEAR(x->ended_us[0], 20 + 3, 1e-9);
        CHECK_NEAR(x->ended_us[2], 2 + 3, 1e-9);
        end(x);
    }
}

/* With one put at a time, GPU 1's waits until GPU 0's bytes have left, but not
 * for its latency. */
static void puts_share_places(void)
{
    struct meeting *x = meeting(RUNTIME_SHMEM);

    for (size_t i = 0; i < x->m.ndevices; i++)
        if (x->m.devices[i].kind == DEVICE_NIC)
            x->m.devices[i].messages_at_once = 1;
    add(x, 0, 4, 10000, 1);
    add(x, 1, 5, 10000, 1);
    add(x, 2, 6, 10000, 1);
    meet(x);
    CHECK_NEAR(x->flows_us[1], 2, 1e-9);
    CHECK_NEAR(x->ended_us[1], 2 + 2 + 3, 1e-9);
    CHECK_NEAR(x->ended_us[2], 2 + 3, 1e-9);
    end(x);
}

/* The sender's CPU takes a quarter of 1 us, the wire a half, 10 kB take 1 ns
 * each, and the receiver's CPU a quarter; by rendezvous the memory is free with
 * the bytes. A second message of the same process begins a quarter later.
 * Messages of kernels (by_gpu) take no CPU: test_nccl; those with rules of
 * their own: test_teams*. */
static void message_off_node(void)
{
    for (enum runtime by = 0; by < NRUNTIMES; by++) {
        if (by == RUNTIME_SHMEM || transports[by]->by_gpu ||
            transports[by]->rules)
            continue;
        struct meeting *x = meeting(by);
        add(x, 0, 4, 10000, 1);
        add(x, 0, 5, 10000, 1);
        meet(x);
        CHECK_NEAR(x->flows_us[0], 0.75, 1e-9);
        CHECK_NEAR(x->sent_us[0], 10.75, 1e-9);
        CHECK_NEAR(x->ended_us[0], 11, 1e-9);
        CHECK_NEAR(x->flows_us[1], 1, 1e-9);
        CHECK_NEAR(x->ended_us[1], 11.25, 1e-9);
        end(x);
    }
}

/* Sets the copies between GPUs of a socket: 4 us and 0.5 ns a byte, of which
 * the engine serves 1 us exclusively. */
static void copy_rows(struct meeting *x)
{
    x->m.copies.mps = true;
    x->m.copies.engine_s = US;
    x->m.copies.rows = xcalloc(1, sizeof *x->m.copies.rows);
    x->m.copies.nrows = 1;
    x->m.copies.rows[0] = (struct copy_cost){.dir = D2D,
                                             .locality = ON_SOCKET,
                                             .processes = 1,
                                             .up_to_B = UINT64_MAX,
                                             .alpha_s = 4 * US,
                                             .beta_s_per_B = 0.5e-9};
}

/* alpha is 4 us, of which the CPU has a launch, 0.5 us, and the engine 1 us; 10
 * kB take 0.5 ns a byte. A second copy is issued 0.5 us after the first, and
 * the engine is free 0.5 us after that. */
static void copies_in_node(void)
{
    struct meeting *x = meeting(RUNTIME_CPU_COPY);

    copy_rows(x);
    add(x, 0, 1, 10000, 1);
    add(x, 0, 1, 10000, 1);
    meet(x);
    CHECK_NEAR(x->flows_us[0], 4, 1e-9);
    CHECK_NEAR(x->sent_us[0], 9, 1e-9);
    CHECK_NEAR(x->ended_us[0], 9, 1e-9);
    CHECK_NEAR(x->flows_us[1], 5, 1e-9);
    CHECK_NEAR(x->ended_us[1], 10, 1e-9);
    end(x);
}
/* MPI takes 1 us and 1 ns a byte; the receiving GPU's engine serves each for
 * 1.5 us, so the second message flows then. The transport is done with the
 * first only when its engine is free. */
static void messages_in_node(void)
{
    struct meeting *x = meeting(RUNTIME_MPI);

    copy_rows(x);
    x->m.copies.engine_s = 1.5 * US;
    add(x, 0, 1, 1000, 1);
    add(x, 0, 1, 1000, 1);
    meet(x);
    CHECK_NEAR(x->flows_us[0], 1, 1e-9);
    CHECK_NEAR(x->ended_us[0], 2, 1e-9);
    CHECK_NEAR(x->done_us[0], 1 + 1.5, 1e-9);
    CHECK_NEAR(x->flows_us[1], 2.5, 1e-9);
    CHECK_NEAR(x->ended_us[1], 3.5, 1e-9);
    CHECK_NEAR(x->done_us[1], 4, 1e-9);
    end(x);
}

int main(void)
{
    put_off_node();
    put_in_node();
    puts_share_gaps();
    puts_share_places();
    message_off_node();
    copies_in_node();
    messages_in_node();
    return check_result();
}
