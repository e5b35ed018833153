/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timing_toys.h - a graph, a machine and an execution of round numbers, small
 * enough that all times can be computed by hand. */
#ifndef TESTS_TIMING_TOYS_H
#define TESTS_TIMING_TOYS_H

#include "base/json.h"
#include "apps/agents/traverse.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

#define US 1e-6

enum { MOST_ARCS = 200, MOST_VERTICES = 200 };

/* A search from vertex 0, or a PageRank. */
struct toy {
    enum algorithm algorithm;
    struct machine m;
    struct execution x;
    uint32_t n, ngpus, narcs;
    uint32_t tail[MOST_ARCS], head[MOST_ARCS];
    uint32_t part[MOST_VERTICES];
    double edge_us;
};

/* Makes a toy in which every wire moves 8 B in a microsecond. An atomic of an
 * update has 8 B and its place in a queue 4 B; it arrives 2 us after its last
 * byte, a put between nodes 3 us after. A launch and a synchronisation take 1
 * us each. */
static inline void toy_init(struct toy *t, uint32_t n, unsigned gpus_per_node)
{
    memset(t, 0, sizeof *t);
    tiny_machine(&t->m, 2);
    for (size_t i = 0; i < t->m.nwires; i++)
        t->m.wires[i].bandwidth_Bps = 8 / US;
    t->m.network.bandwidth_Bps = 8 / US;
    t->m.ngpus = gpus_per_node;
    t->m.gpu = (struct gpu_model){.sms = 1,
                                  .threads_per_sm = 64,
                                  .launch_s = US,
                                  .sync_s = US,
                                  .remote_atomic_s = 2 * US,
                                  .packet = {8, 64, 0, NULL}};
    t->m.gpu.calls.s[GPU_CALL_LAUNCH] = t->m.gpu.calls.s[GPU_CALL_SYNC] = US;
    t->m.gpu.calls.s[GPU_CALL_COPY_TO_HOST] = US;
    tiny_runtime(&t->m, RUNTIME_SHMEM, machine_gpu_path(&t->m), OFF_NODE,
                 3 * US, 0);
    t->m.copies.rows = xcalloc(2, sizeof *t->m.copies.rows);
    t->m.copies.nrows = 2;
    for (int i = 0; i < 2; i++)
        t->m.copies.rows[i] =
            (struct copy_cost){.dir = D2D,
                               .locality = i ? ON_NODE : ON_SOCKET,
                               .processes = 1,
                               .up_to_B = UINT64_MAX,
                               .alpha_s = US};
    t->n = n;
    t->ngpus = 1;
    t->edge_us = 1;
    /* A step takes 10 us; all workers of a GPU are one. */
    t->x = (struct execution){.name = "by hand",
                              .kernel = KERNEL_PERSISTENT,
                              .runtime = RUNTIME_SHMEM,
                              .fetch = 1,
                              .wait_visits = 4,
                              .visit_s = US,
                              .round_s = 10 * US,
                              .update_B = 8};
}

/* Makes an arc take edge_us and a visit visit_us more, by accesses to one
 * address. */
static inline void toy_visits(struct toy *t, double visit_us)
{
    struct work_counts *w = &t->x.work[t->algorithm];

    t->m.gpu.memory_Bps = t->m.gpu.l2_B = 1e9;
    t->m.gpu.access =
        (struct gpu_access){.same_address_s = t->edge_us * US,
                            .source = source_new(PROVENANCE_ASSUMED, "a test")};
    w->value_B = 4;
    w->arc.queue_atomics = w->remote_arc.queue_atomics = 1;
    w->visit.queue_atomics = visit_us / t->edge_us;
    t->edge_us = 0;
}

/* Adds 1 us for every vertex of a GPU in each step. */
static inline void toy_dense(struct toy *t)
{
    t->m.gpu.memory_Bps = 8 / US;
    t->x.work[t->algorithm].dense.stream_B = 8;
}

/* Makes the kernel discrete, with steps of 10 us including launch and
 * synchronisation. */
static inline void toy_discrete(struct toy *t)
{
    t->x.kernel = KERNEL_DISCRETE;
    t->x.round_s = 8 * US;
}

/* Sets the framework's calls, as a preset does. */
static inline void toy_steps(struct toy *t, const char *text)
{
    struct err err = {0};
    struct json *doc = json_parse(text, "a test", &err);

    CHECK(doc &&
          step_read(&t->x.steps[t->algorithm][1], doc, "bfs", true, &err) == 0);
    json_free(doc);
}

static inline void toy_arc(struct toy *t, uint32_t tail, uint32_t head)
{
    t->tail[t->narcs] = tail;
    t->head[t->narcs++] = head;
}

/* Adds arcs from `tail` to each of first .. first + n - 1. */
static inline void toy_fan(struct toy *t, uint32_t tail, uint32_t first,
                           uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        toy_arc(t, tail, first + i);
}

/* Adds n arcs: from first to first + 1, and so on. */
static inline void toy_chain(struct toy *t, uint32_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        toy_arc(t, first + i, first + i + 1);
}

/* Returns the time in microseconds. Stores the rest of the result, without its
 * lists, unless `out` is NULL. */
static inline double toy_run(struct toy *t, struct traverse_result *out)
{
    struct traverse_result r;
    struct graph g;
    struct err err = {0};

    graph_from_arcs(&g, t->n, t->tail, t->head, t->narcs);
    g.name = xstrdup("toy");
    struct traverse_input in = {.m = &t->m,
                                .g = &g,
                                .part = t->part,
                                .ngpus = t->ngpus,
                                .x = &t->x,
                                .algorithm = t->algorithm,
                                .damping = 0.85,
                                .threshold = 0.99,
                                .edge_s = t->edge_us * US};
    struct step *step = &t->x.steps[t->algorithm][t->ngpus > 1];
    if (execution_has_calls(&t->x) && !step->given)
        step_plain(step, t->x.control == CONTROL_CPU);
    int result = traverse_run(&r, &in, &err);
    CHECK_EQ(result, 0);
    if (result < 0) {
        err_print(&err);
        exit(1);
    }
    double time_us = r.time_s / US;
    if (out)
        *out = (struct traverse_result){.edges = r.edges,
                                        .visits = r.visits,
                                        .steps = r.steps,
                                        .flushed_full = r.flushed_full};
    traverse_result_clear(&r);
    graph_clear(&g);
    machine_clear(&t->m);
    step_clear(&t->x.steps[t->algorithm][t->ngpus > 1]);
    return time_us;
}

#endif
