/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph algorithms on many GPUs need memory and time in proportion to their
 * work and communicating pairs, not to GPUs times GPUs or GPUs times
 * vertices. */
#include "platforms/platform.h"
#include "apps/agents/outbox.h"
#include "tests/check.h"
#include "tests/traverse_toys.h"

#include <sys/resource.h>

/* One of a million GPUs has updates for three others, more than its threads
 * have room for: a GPU that sends them itself stalls, one for which the CPU
 * sends does not. */
static void channels_of_few(enum control control)
{
    static const uint32_t found[] = {900000, 7, 900000, 41, 7, 7};
    static const uint32_t want_to[] = {7, 41, 900000}, want_n[] = {3, 1, 2};
    struct execution x = {.update_B = 8,
                          .schedule = SCHEDULE_BULK_SYNCHRONOUS,
                          .control = control};
    struct outbox_setup setup = {.x = &x, .ngpus = 1000000, .threads = 2};
    struct outbox b;

    outbox_init(&b, &setup, 3);
    CHECK(outbox_is_empty(&b) && outbox_to(&b) == 0);
    for (uint32_t i = 0; i < 6; i++)
        outbox_add(&b, found[i], (struct update){.v = i});
    CHECK(b.nchannels == 3 && outbox_to(&b) == 3);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t to;
        const struct updates *list = outbox_waiting(&b, i, &to);
        CHECK(to == want_to[i] && list->n == want_n[i]);
    }
    /* The two threads do not have room for more. */
    CHECK(b.crowded == 1);
    CHECK_EQ(outbox_is_stalled(&b), control == CONTROL_GPU);
    outbox_empty(&b);
    CHECK(outbox_is_empty(&b) && outbox_to(&b) == 0 && !b.crowded);
    outbox_add(&b, 41, (struct update){.v = 0});
    CHECK(b.nchannels == 3 && outbox_to(&b) == 1 && !outbox_is_stalled(&b));
    outbox_clear(&b);
}

/* Makes a ring of 2^16 vertices, in which each GPU communicates with the next
 * one. */
static void ring_graph(struct graph *g, uint32_t *part, uint32_t ngpus)
{
    enum { N = 1 << 16 };
    static uint32_t tail[N], head[N];

    for (uint32_t v = 0; v < N; v++) {
        tail[v] = v;
        head[v] = (v + N / 256 / 3) % N;
        part[v] = v / (N / ngpus);
    }
    graph_from_arcs(g, N, tail, head, N);
    g->name = xstrdup("ring");
}

static double peak_MB(void)
{
    struct rusage use;

    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_maxrss / 1024;
}

/* An array of all vertices for each GPU would take 64 MB, with 4 bytes each. */
static void memory_of_256(enum algorithm algorithm, const char *preset)
{
    static uint32_t part[1 << 16];
    struct machine m;
    struct graph g;
    struct run one;
    struct err err = {0};

    if (platform_load(&m, "lassen", NULL, 0, &err) < 0) {
        CHECK(false);
        return;
    }
    ring_graph(&g, part, 256);
    struct traverse_input in = toy_input(&m, &g, part, 256);
    in.algorithm = algorithm;
    in.threshold = 0.5;
    double before = peak_MB();
    run(&one, in, preset, NULL);
    CHECK(one.result == 0);
    printf("%s: %.1f MB more\n", preset, peak_MB() - before);
    CHECK(peak_MB() - before < 40);
    clear(&one);
    graph_clear(&g);
    machine_clear(&m);
}

int main(void)
{
    channels_of_few(CONTROL_GPU);
    channels_of_few(CONTROL_CPU);
    memory_of_256(BFS, "atos-persistent");
    memory_of_256(PAGERANK, "atos-persistent");
    memory_of_256(BFS, "bulk-async");
    return check_result();
}
