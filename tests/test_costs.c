/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of vertices by their accesses: by hand, and the sampled cache
 * compared with an exact one of all sectors. */
#include "apps/agents/costs.h"

#include "tests/check.h"
#include "tests/graph_toys.h"
#include "workloads/graph/graph_cache.h"

#include <stdlib.h>
#include <string.h>

/* Prices that distinguish accesses: 10 ns a hit, 100 ns a miss, 1 ns a byte. */
static struct machine prices(double l2_B)
{
    struct machine m = {.ngpus = 4};

    m.gpu = (struct gpu_model){.memory_Bps = 1e9, .l2_B = l2_B};
    m.gpu.access = (struct gpu_access){.hit_s = 10e-9,
                                       .miss_s = 100e-9,
                                       .atomic_hit_s = 20e-9,
                                       .atomic_miss_s = 200e-9,
                                       .float_atomic_hit_s = 20e-9,
                                       .float_atomic_miss_s = 200e-9,
                                       .same_address_s = 7e-9,
                                       .latency_hit_s = 1e-6,
                                       .latency_miss_s = 3e-6};
    return m;
}

static struct execution counts(enum algorithm a)
{
    struct execution x = {.worker_threads = 0};

    x.work[a] = (struct work_counts){
        .value_B = 4,
        .arc = {.stream_B = 4, .atomics = 1},
        .remote_arc = {.stream_B = 4, .atomics = 1},
        .visit = {.stream_B = 16, .reads = 1, .queue_atomics = 2},
        .chain = 3,
    };
    return x;
}

static struct traverse_input input(const struct machine *m,
                                   const struct graph *g, const uint32_t *part,
                                   uint32_t ngpus, const struct execution *x,
                                   enum algorithm a)
{
    return (struct traverse_input){
        .m = m, .g = g, .part = part, .ngpus = ngpus, .x = x, .algorithm = a};
}

/* Makes arcs from 0 to 1, 2, 3 in its own sector of 8 values, to 8 and 9 in the
 * next, and to 20; from 20 to 0. All vertices are set first, so that a cache
 * that holds all of it has only hits. */
static void graph_by_hand(struct graph *g)
{
    uint32_t tail[] = {0, 0, 0, 0, 0, 0, 20}, head[] = {1, 2, 3, 8, 9, 20, 0};

    graph_from_arcs(g, 24, tail, head, 7);
    g->name = xstrdup("hand");
}

static void by_hand(void)
{
    struct machine m = prices(1e6);
    struct execution x = counts(BFS);
    uint32_t part[24] = {0};
    struct graph g;
    struct costs c;

    graph_by_hand(&g);
    struct traverse_input in = input(&m, &g, part, 1, &x, BFS);
    costs_init(&c, &in);
    /* All is in the cache: a stream costs 10 ns for 32 B. A visit reads 16 B, a
     * row and two counters. One of seven, 20, has its arcs not behind those of
     * the visit before. */
    /* Part of a sector that is not its row's, in bytes. */
    const double partial = 28;
    double visit = 5 + 10 + 14 + (10 + partial * 10 / 32) / 7,
           arc = 4 * 10 / 32.0;
    CHECK_NEAR((double)c.vertex[0], visit + 6 * arc + 3 * 20, 1e-6);
    CHECK_NEAR((double)c.vertex[20], visit + arc + 20, 1e-6);
    CHECK_NEAR((double)c.vertex[1], visit, 1e-6);
    CHECK(c.vertex[5] == 0); /* it is not reached */
    CHECK_NEAR(c.gpus[0].chain_s, 3e-6, 1e-9);
    CHECK_EQ(c.depth[20], 1);
    costs_clear(&c);
    /* The cache has one sector: no value is found again except three of four of
     * 0's. One of seven rows is found: 2's, in the sector of 1's, because 1
     * streams only 16 B. */
    m.gpu.l2_B = 32;
    costs_init(&c, &in);
    visit = 16 + 610 / 7.0 + 14 + (100 + partial) / 7;
    CHECK_NEAR((double)c.vertex[0], visit + 6 * 4 + 3 * 200, 1e-6);
    CHECK_NEAR(c.gpus[0].chain_s, 9e-6, 1e-9);
    CHECK_NEAR(c.gpus[0].sectors_per_arc, 4.0 / 7, 1e-9);
    costs_clear(&c);
    /* With a bit for each value all heads are in one sector. */
    x.work[BFS].value_B = 0.125;
    costs_init(&c, &in);
    CHECK_NEAR((double)c.vertex[0], visit + 6 * 4 + 200, 1e-6);
    costs_clear(&c);
    graph_clear(&g);
}

/* Four threads visit four arcs together: four dependent accesses, and two more
 * of 10 us if one of the heads is the other GPU's. */
static void rounds_of_workers(void)
{
    struct machine m = prices(1e6);
    struct execution x = counts(PAGERANK);
    uint32_t part[24] = {0};
    struct graph g;
    struct costs c;

    graph_by_hand(&g);
    m.gpu.remote_atomic_s = 10e-6;
    x.worker_threads = 4;
    x.work[PAGERANK].arc_chain = 4;
    x.work[PAGERANK].remote_arc_chain = 2;
    struct traverse_input in = input(&m, &g, part, 1, &x, PAGERANK);
    costs_init(&c, &in);
    CHECK_NEAR(c.gpus[0].full, 4e-6 / (4 * c.gpus[0].arc_s), 1e-9);
    costs_clear(&c);
    part[20] = 1;
    in = input(&m, &g, part, 2, &x, PAGERANK);
    costs_init(&c, &in);
    CHECK_NEAR(c.gpus[0].full * c.gpus[0].arc_s * 4,
               4e-6 + 20e-6 * (1 - pow(5.0 / 6, 4)), 1e-9);
    CHECK_NEAR(c.gpus[1].full * c.gpus[1].arc_s * 4, 4e-6 + 20e-6, 1e-9);
    costs_clear(&c);
    graph_clear(&g);
}

/* An update of 8 B is sent to 20 and no value is accessed, because it is
 * another GPU's. The order is by number, as in PageRank, and all vertices
 * count. */
static void by_hand_on_two(void)
{
    struct machine m = prices(1e6);
    struct execution x = counts(PAGERANK);
    uint32_t part[24] = {0};
    struct graph g;
    struct costs c;

    graph_by_hand(&g);
    part[20] = 1;
    x.work[PAGERANK].remote_arc = (struct counts){.queue_atomics = 1};
    struct traverse_input in = input(&m, &g, part, 2, &x, PAGERANK);
    costs_init(&c, &in);
    /* One of six arcs of GPU 0 is remote, and the only one of GPU 1. */
    double visit = 5 + 10 + 14, arc = 4 * 10 / 32.0;
    CHECK_NEAR((double)c.vertex[0],
               visit + 6 * (arc * 5 / 6 + 7.0 / 6) + 3 * 20 * 5 / 6.0, 1e-6);
    CHECK_NEAR((double)c.vertex[20], visit + 7 + 10 + 28 * 10 / 32.0, 1e-6);
    CHECK_NEAR((double)c.vertex[5], visit, 1e-6);
    costs_clear(&c);
    /* The cost is that of --edge-ns. */
    in.edge_s = 1e-6;
    costs_init(&c, &in);
    CHECK_NEAR((double)c.vertex[0] * c.unit_s, 6e-6, 1e-12);
    CHECK_NEAR(c.gpus[0].all_s, 6e-6, 1e-12);
    costs_clear(&c);
    graph_clear(&g);
}

/* --- an exact cache ------------------------------------------------------- */

struct exact {
    struct graph_cache cache;
    double hits, values;
    uint32_t next; /* next sector of the stream */
};

static bool touch(struct exact *e, uint32_t sector)
{
    uint64_t before = e->cache.misses[0];

    graph_cache_touch(&e->cache, sector);
    return e->cache.misses[0] == before;
}

static void exact_visit(struct exact *e, const struct graph *g, uint32_t v)
{
    uint32_t values = g->n / 8 + 1, last = UINT32_MAX;

    touch(e, values + v / 4);
    for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++) {
        uint32_t sector = g->to[a] / 8;
        if (sector != last) {
            e->values++;
            e->hits += touch(e, sector);
        }
        last = sector;
        if (a % 8 == 0)
            touch(e, e->next++);
    }
    if (v % 2)
        touch(e, e->next++);
}

/* Returns the part of the values that hit, by number or in a search's order. */
static double exact_hits(const struct graph *g, const uint32_t *order,
                         uint32_t n, double l2_B)
{
    struct exact e = {0};
    uint32_t size[GRAPH_CACHES], sectors = g->n / 8 + g->n / 4 + 2;

    e.next = sectors;
    for (int i = 0; i < GRAPH_CACHES; i++)
        size[i] = (uint32_t)(l2_B / SECTOR_B) + (uint32_t)i;
    graph_cache_init(&e.cache,
                     sectors + (uint32_t)(graph_arcs(g) / 4 + g->n + 2), size);
    for (uint32_t s = 0; s <= g->n / 8; s++)
        touch(&e, s);
    for (uint32_t i = 0; i < n; i++)
        exact_visit(&e, g, order ? order[i] : i);
    graph_cache_clear(&e.cache);
    return e.hits / e.values;
}

static uint32_t search(const struct graph *g, uint32_t *order)
{
    bool *seen = xcalloc(g->n, sizeof *seen);
    uint32_t head = 0, tail = 0;

    order[tail++] = graph_hub(g);
    seen[order[0]] = true;
    while (head < tail) {
        uint32_t v = order[head++];
        for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++)
            if (!seen[g->to[a]]) {
                seen[g->to[a]] = true;
                order[tail++] = g->to[a];
            }
    }
    free(seen);
    return tail;
}

static void sampled(const char *words, double l2_B)
{
    struct machine m = prices(l2_B);
    struct execution x = counts(BFS);
    struct graph g = make_graph(words);
    uint32_t *part = xcalloc(g.n, sizeof *part);
    uint32_t *order = xcalloc(g.n, sizeof *order), n = search(&g, order);
    struct costs c;

    x.work[PAGERANK] = x.work[BFS];
    for (int a = 0; a < 2; a++) {
        struct traverse_input in =
            input(&m, &g, part, 1, &x, a ? PAGERANK : BFS);
        in.source = graph_hub(&g);
        costs_init(&c, &in);
        double want = a ? exact_hits(&g, NULL, g.n, l2_B)
                        : exact_hits(&g, order, n, l2_B);
        double miss = 1 - c.gpus[0].hits;
        printf("%s, L2 of %g KiB, %s: hits %.4f, of all sectors %.4f\n", words,
               l2_B / 1024, a ? "by number" : "search", c.gpus[0].hits, want);
        CHECK(miss > (1 - want) * 0.95 - 0.005 &&
              miss < (1 - want) * 1.05 + 0.005);
        costs_clear(&c);
    }
    free(order);
    free(part);
    graph_clear(&g);
}

/* A GPU with a half of the graph has more of its values in its cache. */
static void more_gpus(void)
{
    struct machine m = prices(256 << 10);
    struct execution x = counts(PAGERANK);
    struct graph g = make_graph("uniform:vertices=200000,arcs=2000000");
    uint32_t *part = xcalloc(g.n, sizeof *part);
    double all[2];

    x.work[PAGERANK].remote_arc = (struct counts){.stream_B = 8};
    for (uint32_t ngpus = 1; ngpus <= 2; ngpus++) {
        struct costs c;
        for (uint32_t v = 0; v < g.n; v++)
            part[v] = v * 7 % 13 % ngpus; /* as good as any partition */
        struct traverse_input in = input(&m, &g, part, ngpus, &x, PAGERANK);
        costs_init(&c, &in);
        all[ngpus - 1] = c.gpus[0].hits;
        costs_clear(&c);
    }
    printf("hits of one GPU %.3f, of two %.3f\n", all[0], all[1]);
    CHECK(all[1] > 1.3 * all[0] && all[1] < 2 * all[0]);
    free(part);
    graph_clear(&g);
}

/* Five vertices give to one vertex, and to another one each: additions to the
 * first are serialised, if they take longer than the arcs; with room for three
 * arcs at once, those of two vertices. */
static void crowds(void)
{
    uint32_t tail[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4},
             head[] = {8, 16, 8, 24, 8, 32, 8, 40, 8, 48}, part[56] = {0};
    struct machine m = prices(1e6);
    struct execution x = counts(PAGERANK);
    struct graph g;
    struct costs c;
    double before[56], sum_s = 0;

    x.work[PAGERANK].arc = (struct counts){.float_sums = 1};
    m.gpu.access.float_sum_hit_s = m.gpu.access.float_sum_miss_s = 10e-9;
    m.gpu.sms = 1;
    m.gpu.threads_per_sm = 64;
    graph_from_arcs(&g, 56, tail, head, 10);
    g.name = xstrdup("crowd");
    struct traverse_input in = input(&m, &g, part, 1, &x, PAGERANK);
    costs_init(&c, &in);
    for (uint32_t v = 0; v < 56; v++) {
        before[v] = (double)c.vertex[v] * c.unit_s;
        sum_s += before[v];
    }
    CHECK_NEAR(c.gpus[0].all_s, sum_s, 1e-12);
    costs_clear(&c);
    /* All five additions are made at once. */
    m.gpu.access.float_same_address_s = sum_s;
    costs_init(&c, &in);
    CHECK_NEAR(c.gpus[0].all_s / (5 * sum_s), 1, 1e-6);
    CHECK_NEAR((double)c.vertex[3] * c.unit_s / (5 * before[3]), 1, 1e-6);
    costs_clear(&c);
    /* They are hidden behind the rest. */
    m.gpu.access.float_same_address_s = sum_s / 6;
    costs_init(&c, &in);
    CHECK_NEAR(c.gpus[0].all_s / sum_s, 1, 1e-6);
    costs_clear(&c);
    m.gpu.access.float_same_address_s = sum_s;
    m.gpu.threads_per_sm = 3;
    costs_init(&c, &in);
    CHECK_NEAR((double)c.vertex[1] * c.unit_s /
                   (2 * sum_s * before[1] / (before[0] + before[1])),
               1, 1e-6);
    costs_clear(&c);
    graph_clear(&g);
}

/* One of two arcs finds a vertex. Of 32 some do, so that a worker waits for the
 * push, too, and each 32 arcs have an atomic on one address. */
static void pushes(void)
{
    struct machine m = prices(1e6);
    struct execution x = counts(BFS);
    uint32_t part[24] = {0};
    struct graph g;
    struct costs c;

    graph_by_hand(&g);
    struct traverse_input in = input(&m, &g, part, 1, &x, BFS);
    costs_init(&c, &in);
    double vertex = (double)c.vertex[0], all_s = c.gpus[0].all_s;
    costs_clear(&c);
    x.worker_threads = 4;
    x.work[BFS].push_atomics = 1;
    x.work[BFS].push_chain = 5;
    x.work[BFS].arc_chain = 2;
    costs_init(&c, &in); /* seven visits of seven arcs: always */
    CHECK_NEAR((double)c.vertex[0] - vertex, 6 * 7 / 32.0, 1e-5);
    CHECK_NEAR((c.gpus[0].all_s - all_s) * 32 / 49e-9, 1, 1e-6);
    CHECK_NEAR(c.gpus[0].full * 4 * c.gpus[0].arc_s, (2 + 5) * 1e-6, 1e-12);
    costs_clear(&c);
    graph_clear(&g);
}

int main(void)
{
    by_hand();
    by_hand_on_two();
    rounds_of_workers();
    sampled("rmat:scale=16,edge_factor=16,seed=1", 32 << 10);
    sampled("rmat:scale=19,edge_factor=10,seed=1", 256 << 10);
    sampled("rmat:scale=19,edge_factor=10,seed=1", 1 << 20);
    sampled("uniform:vertices=900000,arcs=6000000", 1 << 20);
    sampled("road:vertices=800000,arcs=1920000,diameter=1200", 512 << 10);
    more_gpus();
    crowds();
    pushes();
    return check_result();
}
