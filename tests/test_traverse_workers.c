/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of workers on tiny graphs and machines of round numbers: the
 * vertices that they dequeue, and in which order; each event is computed by
 * hand in the comment above its case. */
#include "tests/timing_toys.h"

/* --- workers -------------------------------------------------------------- */

/*
 * 0 leads to 1, 2, 3, 4; 2 to seven leaves, the others to one each. An edge
 * takes the whole GPU 0.5 us. The arcs of 0 take 2 us, and 1 to 4 are known at
 * 12. Four workers then have a quarter each: an edge takes each of them 2 us.
 * Slices of a quarter step, 2.5 us, are 1.25 edges. The mean worker has 2.5
 * edges: up to twice that, 5, there are 4 slices; the 2 remaining edges of the
 * longest are cut into 2.
 *
 * The three short ones end with the first slice, 1.25 edges: 2.5 us. The long
 * one then has the GPU to itself, for 5.75 edges: 2.875 us. So its last arc is
 * known at 12 + 5.375 + 10, and the leaf behind it a step later.
 *
 * It is done in 5 parts (one a slice in the mean), with 1, 1, 2, 1, 2 arcs:
 * each finds leaves at another time, and so do the short ones: 6 fetches, after
 * those of 0 and of 1 to 4.
 */
static void toy_uneven(struct toy *t)
{
    toy_init(t, 17, 1);
    t->edge_us = 0.5;
    t->x.worker_threads = 1;
    toy_fan(t, 0, 1, 4);
    toy_arc(t, 1, 5);
    toy_fan(t, 2, 8, 7);
    toy_arc(t, 3, 6);
    toy_arc(t, 4, 7);
}

static void longest_worker(void)
{
    struct toy t;
    struct traverse_result r;

    toy_uneven(&t);
    CHECK_NEAR(toy_run(&t, &r), 12 + 5.375 + 10 + 10, 1e-9);
    CHECK_EQ(r.steps, 8);

    /* The second part ends after 2.8 edges, so in the slice that ends at 3.75:
     * 2.5 us and 2.5 edges alone. An arc follows its arc, and one more. */
    toy_uneven(&t);
    toy_arc(&t, 9, 15);
    toy_arc(&t, 15, 16);
    CHECK_NEAR(toy_run(&t, NULL),
               12 + (2.5 + 2.5 * 0.5) + 10 + 2 * (0.5 + 10) + 10, 1e-9);

    /* The fourth ends after 5.6 edges, in the slice that ends at 6. */
    toy_uneven(&t);
    toy_arc(&t, 12, 15);
    toy_arc(&t, 15, 16);
    CHECK_NEAR(toy_run(&t, NULL),
               12 + (2.5 + 4.75 * 0.5) + 10 + 2 * (0.5 + 10) + 10, 1e-9);

    /* Two workers have 1 + 7 and 1 + 1 edges, and an edge takes 1 us of each.
     * With four slices of 2 edges both work for 2 us, then the first for 6
     * edges. */
    toy_uneven(&t);
    t.x.fetch = 2;
    CHECK_NEAR(toy_run(&t, NULL), 12 + 2 + 6 * 0.5 + 10 + 10, 1e-9);

    /* Updates that the CPU sends are known when all have ended, 7 edges of 2
     * us. A step also has a launch and a synchronisation. */
    toy_uneven(&t);
    t.x.control = CONTROL_CPU;
    t.x.runtime = RUNTIME_CPU_COPY;
    CHECK_NEAR(toy_run(&t, NULL), (2 + 12) + (7 * 2 + 12) + 12 + 1, 1e-9);
}

/* A persistent kernel dequeues no more vertices at once than it has threads: of
 * seven leaves 3, 3 and 1. */
static void threads_taken(void)
{
    struct toy t;
    struct traverse_result r;

    toy_init(&t, 8, 1);
    t.m.gpu.threads_per_sm = 3;
    t.edge_us = 0.25;
    toy_fan(&t, 0, 1, 7);
    CHECK_NEAR(toy_run(&t, &r), 1.75 + 10 + 10, 1e-9);
    CHECK_EQ(r.steps, 1 + 3);
}

/*
 * One worker per GPU, three GPUs of a node, a queue for each sender; a step
 * takes 100 us, a visit 15 us, an edge 0.5 us, an update 1.5 us and 2 us.
 *
 * 0, on GPU 1, leads to 1 to 10 on GPU 0 and to 11 on GPU 2, known at 120.5;
 * they arrive at 137.5 and 124. 11 leads to 12 on GPU 0, known at 239.5,
 * arrived at 243. GPU 0 dequeues a vertex every 15 us: the eighth at 242.5.
 * Then it is the other queue's turn: 12 at 257.5, whose arc is known at 373 and
 * takes another visit. The end is detected in two rounds of two stores each.
 */
static void queues_in_turn(void)
{
    struct toy t;

    toy_init(&t, 14, 4);
    t.ngpus = 3;
    t.edge_us = 0.5;
    t.m.gpu.threads_per_sm = t.x.worker_threads = 1;
    t.x.receive_queues = RECEIVE_PER_GPU;
    t.x.round_s = 100 * US;
    toy_visits(&t, 15);
    toy_fan(&t, 0, 1, 11);
    toy_chain(&t, 11, 2);
    t.part[0] = 1;
    t.part[11] = 2;
    CHECK_NEAR(toy_run(&t, NULL), (257.5 + 15.5 + 100) + (15 + 100) + 8, 1e-9);
}

/*
 * Two workers; a step takes 100 us, an edge 12.5 us and 25 us of each of two. 0
 * leads to 1 and 2, known at 125, and to 3 and 4, at 150. 1 has 2 arcs, until
 * 175. Then one worker is idle and dequeues 3, of one arc, back to 0, until
 * 200, then 4, of one, until 225. Behind 4's is one more, of the whole GPU, and
 * a vertex.
 */
static void one_worker_idle(void)
{
    struct toy t;

    toy_init(&t, 15, 1);
    t.m.gpu.threads_per_sm = 2;
    t.x.worker_threads = 1;
    t.x.round_s = 100 * US;
    t.edge_us = 12.5;
    toy_fan(&t, 0, 1, 4);
    toy_fan(&t, 1, 5, 2);
    toy_fan(&t, 2, 7, 5);
    toy_arc(&t, 3, 0);
    toy_arc(&t, 4, 13);
    toy_arc(&t, 13, 14);
    CHECK_NEAR(toy_run(&t, NULL), 225 + 100 + 12.5 + 100 + 100, 1e-9);
}

/*
 * PageRank of an arc. A GPU looks through its vertices first, 1 us and 8 B each
 * at 8 B/us, in addition to the step. The arc is known a step later, and its
 * head's share is below the threshold. On another GPU it arrives after 8 B,
 * because the owner looks for it and no queue is written, and 2 us.
 */
static void vertices_looked_through(void)
{
    struct toy t;

    for (uint32_t ngpus = 1; ngpus <= 2; ngpus++) {
        toy_init(&t, 2, 2);
        t.algorithm = PAGERANK;
        t.ngpus = ngpus;
        toy_dense(&t);
        t.x.work[PAGERANK].look.stream_B = 8;
        toy_arc(&t, 0, 1);
        t.part[1] = ngpus - 1;
        CHECK_NEAR(toy_run(&t, NULL),
                   ngpus == 1 ? 10 + 2 + 2 + 1 + 10
                              : 10 + 1 + 1 + 1 + 10 + 1 + 2 + 8,
                   1e-9);
    }
}

/*
 * PageRank on two workers that share the GPU, an edge 1 us of it, a step 10 us.
 * All vertices are looked for until 10. Then one worker does the 40 arcs of 0,
 * in 32 slices of 1.25 edges, the other that of 1, until such a slice's end at
 * 12.5, and those of 2 and 3, until 16.5: they lead to 1, which has enough
 * again at 26.5.
 *
 * If it starts when all workers are idle, at 16.5 + 36.75, the look begins: 1
 * is dequeued at 63.25, its arc is known at 74.25, and 4 behind it is looked
 * for until 84.25, and has no arcs. If some idle workers are enough, 1 is
 * looked for from 26.5 and dequeued at 36.5; the arcs of 0 last a microsecond
 * longer, until 54.25, and are known at 64.25.
 */
static void workers_look(void)
{
    struct toy t;

    for (int i = 0; i <= SCAN_SOME_IDLE; i++) {
        toy_init(&t, 50, 1);
        t.algorithm = PAGERANK;
        t.m.gpu.threads_per_sm = 2;
        t.x.worker_threads = 1;
        t.x.scan = (enum scan)i;
        toy_fan(&t, 0, 10, 40);
        toy_arc(&t, 1, 4);
        toy_arc(&t, 2, 1);
        toy_arc(&t, 3, 1);
        CHECK_NEAR(toy_run(&t, NULL), i == SCAN_ALL_IDLE ? 84.25 : 64.25, 1e-9);
    }
}

/*
 * Two GPUs of two workers; a launch takes 9 us, a wait 2 us, an edge 12 us of a
 * GPU. 0, on GPU 0, leads to 1 and 2 on GPU 1, 1 to 3 and 4 there, 2 to 5
 * there. An update takes 3.5 us.
 *
 * In turn 0 works from 9 to 33; 1 arrives at 24.5, 2 at 36.5. 1 works from 33.5
 * to 57.5, known at 59.5; 2, 3 and 4 from 68.5 to 80.5, known at 82.5; 5 at
 * 91.5 and 93.5.
 *
 * If kernels overlap, the counters are read every 2 us, by GPU 1 until it has
 * launched. 0 works from 11, 1 and 2 arrive at 26.5 and 38.5, seen at 28 and
 * 39. 1 works from 37, from 48 on together with 2, which is done at 72, 1 a
 * microsecond later. The reading at 74 sees 3, 4 and 5, launched at 83.
 */
static void kernels_overlap(void)
{
    static const double ends[] = {68.5 + 12 + 12. / 9 + 2 + 9 + 2, 83};
    struct toy t;

    for (int i = 0; i < NLAUNCHES; i++) {
        struct traverse_result r;
        toy_init(&t, 6, 2);
        toy_discrete(&t);
        t.ngpus = 2;
        t.m.gpu.threads_per_sm = 2;
        t.m.gpu.calls.s[GPU_CALL_SYNC] = 2 * US;
        t.x.worker_threads = 1;
        t.x.receive_queues = RECEIVE_PER_GPU;
        t.x.launch = (enum launch)i;
        t.edge_us = 12;
        toy_fan(&t, 0, 1, 2);
        toy_fan(&t, 1, 3, 2);
        toy_arc(&t, 2, 5);
        for (uint32_t v = 1; v < 6; v++)
            t.part[v] = 1;
        CHECK_NEAR(toy_run(&t, &r), ends[i] + 2, 1e-9);
        CHECK_EQ(r.steps, 4);
    }
}

/* A queue holds as many vertices as its capacity: the four neighbours of 0. */
static void queue_capacity(void)
{
    struct toy t;

    toy_init(&t, 5, 1);
    t.edge_us = 0.5;
    t.x.queue_capacity = 4;
    toy_fan(&t, 0, 1, 4);
    CHECK_NEAR(toy_run(&t, NULL), 2 + 10 + 10, 1e-9);
}

/* --- priority ------------------------------------------------------------- */

/*
 * Two GPUs of a node, discrete kernels, thresholds that rise by delta; a kernel
 * takes 10 us and 1 us for each vertex that its GPU owns: 100 us on GPU 0. An
 * edge takes 1 us, an update 3.5 us to the other GPU.
 *
 * On GPU 0: 0 leads to 1 (depth 1), that to 2 (depth 2). On GPU 1: 5 (depth 1),
 * 6 (2), 7 (3). 0 leads to 5, that to 6, that to 7 and to 3 on GPU 0 (depth 3),
 * 7 to 4 on GPU 0 (depth 4).
 *
 * GPU 0's kernels: 0 until 102; 1 until 203. With a delta of 2 the vertex 2 is
 * then put off, and the threshold rises to 2 + 2.
 */
static void toy_priority(struct toy *t, uint32_t on_gpu_1, uint32_t delta)
{
    toy_init(t, 90 + on_gpu_1, 2);
    toy_discrete(t);
    t->ngpus = 2;
    t->x.order = ORDER_PRIORITY;
    t->x.priority_delta = delta;
    toy_dense(t);
    toy_chain(t, 0, 2);
    toy_arc(t, 0, 5);
    toy_chain(t, 5, 2);
    toy_arc(t, 6, 3);
    toy_arc(t, 7, 4);
    for (uint32_t i = 0; i < on_gpu_1; i++)
        t->part[5 + i] = 1;
}

static double priority_with(uint32_t on_gpu_1, uint32_t delta)
{
    struct toy t;

    toy_priority(&t, on_gpu_1, delta);
    return toy_run(&t, NULL);
}

static void priority_threshold(void)
{
    struct traverse_result r;
    struct toy t;

    /* GPU 1's kernels take 13 us: 5 from 105.5 to 119.5, 6 to 134.5, 7 to
     * 148.5. So 3 and 4 wait behind the threshold of 2 when it rises to 4: 2
     * and 3 are in one kernel until 303, 4 in the next until 403. */
    CHECK_NEAR(priority_with(3, 2), 403 + 1, 1e-9);
    /* 60 us: 5 to 166.5, 6 to 228.5, 7 to 289.5. 3 and 4 arrive while 2 is in a
     * kernel, until 303, and the threshold is 4: 3 is in the next kernel, 4 is
     * put off to the one after it. */
    CHECK_NEAR(priority_with(50, 2), 503 + 1, 1e-9);
    /* With a delta of 2 and an initial threshold of 4, 2 and 3 are in one
     * kernel until 303, as well. */
    toy_priority(&t, 3, 2);
    t.x.threshold = 4;
    CHECK_NEAR(toy_run(&t, &r), 403 + 1, 1e-9);
    CHECK_EQ(r.steps, 7);
    /* With 5 so is 4. */
    toy_priority(&t, 3, 2);
    t.x.threshold = 5;
    CHECK_NEAR(toy_run(&t, NULL), 303 + 1, 1e-9);
    /* 13 us, and the threshold is 3 from the beginning: 2 is alone until 303;
     * then it rises to 3 + 3, and 3 and 4 are in one kernel. */
    CHECK_NEAR(priority_with(3, 3), 403 + 1, 1e-9);
}

/*
 * A chain of 0 to 3 in four kernels of 1 us. The CPU has a kernel launched
 * after 20 us, and then calls for 20 us while it runs, so that the next begins
 * after 40 us. Before the third the CPU waits 4 us, because the threshold
 * rises: the calls that follow are as much later, not only the kernel.
 */
static void priority_raised(void)
{
    struct toy t;

    toy_init(&t, 4, 2);
    t.x.kernel = KERNEL_DISCRETE;
    t.x.round_s = 0;
    t.ngpus = 2;
    t.x.order = ORDER_PRIORITY;
    t.x.priority_delta = 2;
    t.m.gpu.calls.s[GPU_CALL_LAUNCH] = 20 * US;
    t.m.gpu.calls.s[GPU_CALL_SYNC] = 4 * US;
    toy_steps(&t, "{\"step\": {\"before\": [\"launch\"], \"after\": "
                  "[\"launch\"], \"raise\": [\"sync\"], \"source\": "
                  "\"\"}}");
    toy_chain(&t, 0, 3);
    CHECK_NEAR(toy_run(&t, NULL), 40 + 40 + 44 + 40, 1e-9);
}

/*
 * The case of priority_threshold() with a delta of 3; 3 and 4, received at 138
 * and 152, wait with 2 from 203 on. In order they are behind the threshold, and
 * are dequeued after 2, until 403. In a separate queue they are dequeued with
 * 2, until 303. Checked they are dequeued with 2, put off, which is a visit
 * each, and end at 403.
 */
static void priority_received(void)
{
    static const double end_us[] = {403, 403, 303};
    static const uint64_t again[] = {0, 2, 0};
    struct traverse_result r;
    struct toy t;

    for (int i = 0; i < NRECEIVED; i++) {
        toy_priority(&t, 3, 3);
        t.x.received = (enum received_order)i;
        CHECK_NEAR(toy_run(&t, &r), end_us[i] + 1, 1e-9);
        CHECK_EQ(r.visits, 8 + again[i]);
    }
    /* Workers of a persistent kernel that put off all vertices they dequeued
     * dequeue them again at once, because they have nothing else, so that the
     * threshold rises. */
    double took[2];
    for (int i = 0; i < 2; i++) {
        toy_priority(&t, 3, 1);
        t.x.kernel = KERNEL_PERSISTENT;
        t.x.work[BFS].dense.stream_B = 0;
        t.x.received = i ? RECEIVED_CHECKED : RECEIVED_BYPASS;
        took[i] = toy_run(&t, &r);
    }
    CHECK_NEAR(took[0], took[1], 1e-9);
    CHECK(r.visits > 8);
}

/*
 * Found vertices can be dequeued when there is no push for `quiet` us; one of
 * exp(-rate * quiet) pushes is followed by none, at their rate over the 10 us
 * of a step. 0 leads to `width` chains of two arcs, which the GPU visits
 * together. With one push, or two, and 4 us: 0.67 and 0.9 of a push, so all
 * wait 4 us after 10 + width and again after 10 + width more. Two with 1 us:
 * 1.6, so they can be dequeued at once. One step more is for the chains' ends.
 */
static double quiet_queue(double quiet, uint32_t width)
{
    struct toy t;

    toy_init(&t, 1 + 2 * width, 1);
    t.m.gpu.access.latency_hit_s = US;
    t.x.quiet = quiet;
    t.x.push_threads = 1;
    for (uint32_t i = 0; i < width; i++) {
        toy_arc(&t, 0, 1 + i);
        toy_arc(&t, 1 + i, 1 + width + i);
    }
    return toy_run(&t, NULL) - 2 * (10 + width) - 10;
}

static void pushes_hide(void)
{
    CHECK_NEAR(quiet_queue(0, 1), 0, 1e-9);
    CHECK_NEAR(quiet_queue(4, 1), 2 * 4, 1e-9);
    CHECK_NEAR(quiet_queue(4, 2), 2 * 4, 1e-9);
    CHECK_NEAR(quiet_queue(1, 2), 0, 1e-9);
}

int main(void)
{
    longest_worker();
    threads_taken();
    queues_in_turn();
    one_worker_idle();
    vertices_looked_through();
    workers_look();
    kernels_overlap();
    queue_capacity();
    priority_threshold();
    priority_raised();
    priority_received();
    pushes_hide();
    return check_result();
}
