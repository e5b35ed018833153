/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of updates on tiny graphs and machines of round numbers: stores,
 * puts, copies and a ring of GPUs; each event is computed by hand in the
 * comment above its case. */
#include "tests/timing_toys.h"

/* --- room ----------------------------------------------------------------- */

/*
 * A GPU of 3 threads. 0 leads to 1 here, and to `stores` vertices of the other
 * GPU of the node; 1 leads to 2 here. An edge takes 0.5 us. The stores are 12 B
 * each, 1.5 us, and arrive 2 us later. Three of them are one per thread, and 1
 * is dequeued at once; with four it is dequeued when they have arrived. The end
 * is detected in two rounds of two stores each, 8 us.
 */
static double stores_under_way(uint32_t stores)
{
    struct toy t;

    toy_init(&t, 3 + stores, 2);
    t.ngpus = 2;
    t.m.gpu.threads_per_sm = 3;
    t.edge_us = 0.5;
    toy_arc(&t, 0, 1);
    toy_arc(&t, 1, 2);
    toy_fan(&t, 0, 3, stores);
    for (uint32_t i = 0; i < stores; i++)
        t.part[3 + i] = 1;
    return toy_run(&t, NULL);
}

/*
 * Two nodes of one GPU; batches of 16 B, two updates; an update takes 5 us over
 * the network, an edge 0.25 us. 0 leads to 1 here and to three vertices there:
 * at 11 they are more than a batch and are sent, until 26. 1 leads to `more`
 * vertices there and to a chain of four arcs here, known at 21 + (more + 1) /
 * 4.
 *
 * There is room for two batches, or for an update of each thread, if that is
 * more. Otherwise the chain has to wait until the network has accepted them, at
 * 26. It takes 4 * 10.25 us and a step; the end is detected by 4 puts of 3 us.
 */
static double batches_gathered(unsigned threads, uint32_t more)
{
    struct toy t;

    toy_init(&t, 10 + more, 1);
    t.ngpus = 2;
    t.m.gpu.threads_per_sm = threads;
    for (size_t i = 0; i < t.m.nwires; i++)
        t.m.wires[i].bandwidth_Bps = 1.6 / US;
    t.x.batch_B = 16;
    t.x.wait_visits = 100;
    t.edge_us = 0.25;
    toy_fan(&t, 0, 7, 3);
    toy_arc(&t, 0, 1);
    toy_fan(&t, 1, 10, more);
    toy_chain(&t, 1, 5);
    for (uint32_t v = 7; v < t.n; v++)
        t.part[v] = 1;
    return toy_run(&t, NULL) - (4 * 10.25 + 10) - 12;
}

/*
 * Three threads; an update takes 40 us to the other GPU and 2 us, an edge 0.25
 * us. 0, 1 and 2 each lead to a vertex there and to the next here, known at
 * 10.5, 21 and 31.5; so then one update flows and two wait, a thread each, and
 * the chain of 12 arcs behind continues.
 */
static void stores_counted_once(void)
{
    struct toy t;

    toy_init(&t, 19, 2);
    t.ngpus = 2;
    t.m.gpu.threads_per_sm = 3;
    for (size_t i = 0; i < t.m.nwires; i++)
        t.m.wires[i].bandwidth_Bps = 0.3 / US;
    t.edge_us = 0.25;
    toy_chain(&t, 0, 15);
    for (uint32_t v = 0; v < 3; v++) {
        toy_arc(&t, v, 16 + v);
        t.part[16 + v] = 1;
    }
    CHECK_NEAR(toy_run(&t, NULL), 31.5 + 12 * 10.25 + 10 + 8, 1e-9);
}

static void stall_room(void)
{
    CHECK_NEAR(stores_under_way(3), (2 + 10) + 0.5 + 20 + 8, 1e-9);
    CHECK_NEAR(stores_under_way(4), (2.5 + 10) + (6 + 2) + 0.5 + 20 + 8, 1e-9);

    CHECK_NEAR(batches_gathered(3, 4), 22.25, 1e-9);
    CHECK_NEAR(batches_gathered(3, 5), 26, 1e-9);
    CHECK_NEAR(batches_gathered(6, 5), 22.5, 1e-9);
    CHECK_NEAR(batches_gathered(6, 6), 22.75, 1e-9);
    CHECK_NEAR(batches_gathered(6, 7), 26, 1e-9);
}

/* --- puts and copies ------------------------------------------------------ */

/* Makes 0 lead to one vertex or more on each of the nodes; a NIC starts a
 * message every 3 us. An edge takes 0.5 us. */
static void toy_puts(struct toy *t, uint32_t nodes, uint32_t each)
{
    toy_init(t, 1 + nodes * each, 1);
    t->ngpus = 1 + nodes;
    t->edge_us = 0.5;
    for (size_t i = 0; i < t->m.ndevices; i++)
        if (t->m.devices[i].kind == DEVICE_NIC)
            t->m.devices[i].message_gap_s = 3 * US;
    toy_fan(t, 0, 1, nodes * each);
    for (uint32_t v = 1; v < t->n; v++)
        t->part[v] = 1 + (v - 1) % nodes;
}

static void issue_of_puts(void)
{
    struct toy t;
    const double end = 3 + 10 + 4 * 3; /* a put's latency, a step, detection */

    /* One update has 8 B, 1 us. */
    toy_puts(&t, 1, 1);
    CHECK_NEAR(toy_run(&t, NULL), 10.5 + 1 + end, 1e-9);
    /* Three puts take 3 us each to start, although their bytes take 1. */
    toy_puts(&t, 1, 3);
    CHECK_NEAR(toy_run(&t, NULL), 11.5 + 3 * 3 + end, 1e-9);
    /* The same in batches of 16 B: two puts. */
    toy_puts(&t, 1, 3);
    t.x.batch_B = 16;
    CHECK_NEAR(toy_run(&t, NULL), 11.5 + 2 * 3 + end, 1e-9);
    /* Puts to three nodes start 3 us after each other. */
    toy_puts(&t, 2, 1);
    CHECK_NEAR(toy_run(&t, NULL), 11 + 3 + 1 + end, 1e-9);
    toy_puts(&t, 3, 1);
    CHECK_NEAR(toy_run(&t, NULL), 11.5 + 2 * 3 + 1 + end, 1e-9);
}

/* A full batch is sent at once, a smaller one after 4 visits of 1 us; a batch
 * of one update is none. */
static void batches(void)
{
    struct toy t;
    struct traverse_result r;
    const double end = 3 + 10 + 4 * 3;

    for (uint32_t updates = 1; updates <= 2; updates++) {
        toy_puts(&t, 1, updates);
        t.x.batch_B = 16;
        CHECK_NEAR(toy_run(&t, NULL),
                   updates == 2 ? 11 + 2 + end : 10.5 + 4 + 1 + end, 1e-9);
    }
    toy_puts(&t, 1, 1);
    t.x.batch_B = 8;
    CHECK_NEAR(toy_run(&t, &r), 10.5 + 1 + end, 1e-9);
    CHECK_EQ(r.flushed_full, 0);
}

/*
 * 0, on GPU 1 of a node of two, leads to a vertex on each GPU of the other
 * node, known at 11. By node they fill one batch, 2 us, to GPU 3; which stores
 * the other's into GPU 2, 1.5 us and 2 us. By GPU each waits 4 us, and both
 * share the NIC for 2 us.
 */
static void batch_of_a_node(void)
{
    struct toy t;

    for (int by_node = 0; by_node < 2; by_node++) {
        toy_init(&t, 3, 2);
        t.ngpus = 4;
        t.edge_us = 0.5;
        t.x.batch_B = 16;
        t.x.batch_group = by_node ? BATCH_PER_NODE : BATCH_PER_GPU;
        toy_fan(&t, 0, 1, 2);
        t.part[0] = 1;
        t.part[1] = 2;
        t.part[2] = 3;
        CHECK_NEAR(toy_run(&t, NULL),
                   by_node ? 11 + 2 + 3 + 3.5 + 10 + 12
                           : 11 + 4 + 2 + 3 + 10 + 12,
                   1e-9);
    }
}

/* 0 leads to a vertex on each of two other GPUs of the node, known at 11; their
 * number is copied to the CPU and waited for, until 13. The CPU starts the
 * second copy a launch after the first, at 14; 8 B take 1 us, the copy's
 * latency is a launch; then a step, and the last synchronisation. */
static void issue_of_copies(void)
{
    struct toy t;

    toy_init(&t, 3, 4);
    toy_discrete(&t);
    t.x.control = CONTROL_CPU;
    t.x.runtime = RUNTIME_CPU_COPY;
    t.ngpus = 3;
    t.edge_us = 0.5;
    toy_fan(&t, 0, 1, 2);
    t.part[1] = 1;
    t.part[2] = 2;
    CHECK_NEAR(toy_run(&t, NULL), 14 + 1 + 1 + 10 + 1, 1e-9);
}

/*
 * An arc leads to another GPU, in two kernels. Between nodes each kernel takes
 * 7 us more for each doubling of the GPUs, and arrivals are known three such
 * times later; in a node nothing is added.
 */
static void rounds_between_nodes(void)
{
    static const struct {
        unsigned per_node;
        uint32_t ngpus, to;
        double more_us;
    } of[] = {{1, 2, 1, 5 * 7}, {2, 4, 2, 2 * 5 * 7}, {2, 2, 1, 0}};

    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct toy t;
        double took[2];
        for (int sync = 0; sync < 2; sync++) {
            toy_init(&t, 2, of[i].per_node);
            toy_discrete(&t);
            t.x.control = CONTROL_CPU;
            t.x.runtime = RUNTIME_CPU_COPY;
            tiny_runtime(&t.m, RUNTIME_CPU_COPY, machine_gpu_path(&t.m),
                         OFF_NODE, 3 * US, 0);
            t.ngpus = of[i].ngpus;
            toy_arc(&t, 0, 1);
            t.part[1] = of[i].to;
            t.x.sync_s = sync * 7 * US;
            t.x.sync_rounds[BFS] = 3;
            took[sync] = toy_run(&t, NULL);
        }
        CHECK_NEAR(took[1] - took[0], of[i].more_us, 1e-9);
    }
}

/* --- a ring --------------------------------------------------------------- */

/* Makes persistent kernels; to send takes the CPU 4 us, to receive receive_us.
 * A copy takes 1 us, and 1 us for each 8 B. */
static void toy_ring(struct toy *t, uint32_t n, uint32_t ngpus,
                     double receive_us)
{
    toy_init(t, n, 4);
    t->ngpus = ngpus;
    t->x.control = CONTROL_CPU;
    t->x.runtime = RUNTIME_CPU_COPY;
    t->x.forwarding = FORWARDING_RING;
    t->m.gpu.calls.s[GPU_CALL_SYNC] = 4 * US;
    t->m.gpu.calls.s[GPU_CALL_LAUNCH] = receive_us * US;
    toy_steps(t, "{\"step\": {\"send\": [\"sync\"], \"receive_peer\": "
                 "[\"launch\"], \"raise\": [\"sync\"], \"source\": \"\"}}");
}

/*
 * 0 leads to 1, two GPUs further, and to 2 on the next, known at 12. To send
 * takes until 16, 16 B until 19, to receive until 24. There 2 is dequeued, and
 * 1 forwarded: until 28, 30, and 35, and a step. Directly the CPU starts the
 * second copy, of 8 B, a launch of 1 us after the first: until 15, and 20.
 */
static void ring_of_three(void)
{
    struct toy t;

    for (int i = 0; i < NWAYS; i++) {
        toy_ring(&t, 3, 3, 5);
        t.x.forwarding = (enum forwarding)i;
        toy_fan(&t, 0, 1, 2);
        t.part[1] = 2;
        t.part[2] = 1;
        CHECK_NEAR(toy_run(&t, NULL), i == FORWARDING_RING ? 35 + 10 : 20 + 10,
                   1e-9);
    }
}

/*
 * To receive takes 20 us. 0 leads to 1 and 2 as above, and to 3 here: known at
 * 13, sent at 17, arrived at 20, received at 40. 3 leads to 4 on the next GPU,
 * known at 24, arrived at 30, but received after the earlier arrivals, at 60; 4
 * to 5, known at 71, and a step more.
 */
static void ring_takes_in_turn(void)
{
    struct toy t;

    toy_ring(&t, 6, 3, 20);
    toy_fan(&t, 0, 1, 3);
    toy_chain(&t, 3, 2);
    t.part[1] = 2;
    t.part[2] = t.part[4] = t.part[5] = 1;
    CHECK_NEAR(toy_run(&t, NULL), 71 + 10, 1e-9);
}

/*
 * A threshold of 2, then 4. On GPU 0 is a chain of 0, 1, 2, 3; 0 leads to 5 on
 * GPU 1, known at 12, arrived at 18, received at 23, and 5 to 6. 2 is put off
 * at 23, 6 at 34. If each GPU has its own threshold, 2 is dequeued at once, 3
 * at 34. If all share one, it rises when both have nothing below it, at 34, in
 * 4 us: 3 is dequeued at 38 + 11.
 */
static void threshold_of_all(void)
{
    struct toy t;

    for (int i = 0; i < NSCOPES; i++) {
        toy_ring(&t, 7, 2, 5);
        t.x.order = ORDER_PRIORITY;
        t.x.priority_delta = 2;
        t.x.scope = (enum scope)i;
        toy_chain(&t, 0, 3);
        toy_arc(&t, 0, 5);
        toy_arc(&t, 5, 6);
        t.part[5] = t.part[6] = 1;
        CHECK_NEAR(toy_run(&t, NULL), i == SCOPE_ALL ? 49 + 10 : 34 + 10, 1e-9);
    }
}

/*
 * The same, but vertices that a GPU finds below the threshold cannot be
 * dequeued for 100 us: 1, known at 12, is dequeued at 112, so 2 is put off at
 * 123, long after 6. The threshold rises then, at 127, and 3, known at 138, is
 * dequeued at 238.
 */
static void threshold_of_all_hides(void)
{
    struct toy t;

    toy_ring(&t, 7, 2, 5);
    t.m.gpu.access.latency_hit_s = US;
    t.x.quiet = 100;
    t.x.push_threads = 1;
    t.x.order = ORDER_PRIORITY;
    t.x.priority_delta = 2;
    t.x.scope = SCOPE_ALL;
    toy_chain(&t, 0, 3);
    toy_arc(&t, 0, 5);
    toy_arc(&t, 5, 6);
    t.part[5] = t.part[6] = 1;
    CHECK_NEAR(toy_run(&t, NULL), 238 + 10, 1e-9);
}

/*
 * PageRank: 0 and, if `tails` is 2, 1 lead to 2 on GPU 1 and give it 0.1275
 * each, where a vertex is above 0.1485. The GPUs look through their vertices
 * until 10, the arcs are known at 20 + tails, and an update takes 1 us and 2 us
 * to the other GPU, which has to look again if 2 is above; the end is detected
 * in 8 us.
 */
static double residues_of(enum residues residues, uint32_t tails,
                          enum scan scan)
{
    struct toy t;

    toy_init(&t, 3, 2);
    t.algorithm = PAGERANK;
    t.ngpus = 2;
    t.x.residues = residues;
    t.x.scan = scan;
    for (uint32_t v = 0; v < tails; v++)
        toy_arc(&t, v, 2);
    t.part[2] = 1;
    return toy_run(&t, NULL) - 8;
}

static void residues_of_others(void)
{
    /* Both are in one update; in an update each; or their sum, if it is
     * above. */
    CHECK_NEAR(residues_of(RESIDUES_SUMMED, 2, SCAN_ALL_IDLE), 25 + 10, 1e-9);
    CHECK_NEAR(residues_of(RESIDUES_EACH, 2, SCAN_ALL_IDLE), 26 + 10, 1e-9);
    CHECK_NEAR(residues_of(RESIDUES_ABOVE, 2, SCAN_ALL_IDLE), 25 + 10, 1e-9);
    /* The sum stays below: it is sent in vain, or not at all. */
    CHECK_NEAR(residues_of(RESIDUES_SUMMED, 1, SCAN_ALL_IDLE), 24, 1e-9);
    CHECK_NEAR(residues_of(RESIDUES_ABOVE, 1, SCAN_ALL_IDLE), 21, 1e-9);
    /* Without looks each takes 10 us less, because vertices that rise above are
     * queued. */
    CHECK_NEAR(residues_of(RESIDUES_SUMMED, 2, SCAN_NONE), 15, 1e-9);
}

int main(void)
{
    stores_counted_once();
    stall_room();
    issue_of_puts();
    batches();
    batch_of_a_node();
    issue_of_copies();
    rounds_between_nodes();
    ring_of_three();
    ring_takes_in_turn();
    threshold_of_all();
    threshold_of_all_hides();
    residues_of_others();
    return check_result();
}
