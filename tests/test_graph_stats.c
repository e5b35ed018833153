/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of a graph and of its partition, compared with igraph. */
#include "tests/check.h"
#include "tests/graph_toys.h"
#include "workloads/graph/graph_stats.h"

#include <igraph.h>

static struct graph from_pairs(uint32_t n, const uint32_t *pairs, size_t npairs)
{
    struct graph g;
    uint32_t *tail = xcalloc(npairs + 1, sizeof *tail);
    uint32_t *head = xcalloc(npairs + 1, sizeof *head);

    for (size_t i = 0; i < npairs; i++) {
        tail[i] = pairs[2 * i];
        head[i] = pairs[2 * i + 1];
    }
    graph_from_arcs(&g, n, tail, head, npairs);
    g.name = xstrdup("pairs");
    free(tail);
    free(head);
    return g;
}
#define FROM_PAIRS(n, ...)                                                     \
    from_pairs((n), (const uint32_t[]){__VA_ARGS__},                           \
               sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t) / 2)

/* Tests 0 <-> 1 -> 2 -> 3, 4 -> 5, and 6 without arcs. */
static void test_by_hand(void)
{
    struct graph g = FROM_PAIRS(7, 0, 1, 1, 0, 1, 2, 2, 3, 4, 5);
    struct graph_stats s;

    graph_stats(&g, &s);
    CHECK_EQ(s.vertices, 7);
    CHECK_EQ(s.arcs, 5);
    CHECK_NEAR(s.symmetric, 0.4, 1e-12);
    CHECK_EQ(s.out.min, 0);
    CHECK_EQ(s.out.max, 2);
    CHECK_NEAR(s.out.mean, 5 / 7.0, 1e-12);
    /* The squares sum to 4 + 1 + 1 + 1 = 7. */
    CHECK_NEAR(s.out.deviation, sqrt(1 - 25 / 49.0), 1e-12);
    CHECK_NEAR(s.out.ones, 3 / 7.0, 1e-12);
    CHECK_NEAR(s.out.top_share, 2 / 5.0, 1e-12);
    CHECK_EQ(s.in.max, 1);
    graph_clear(&g);
}

static void test_candidates_by_hand(void)
{
    struct graph g = FROM_PAIRS(7, 0, 1, 1, 0, 1, 2, 2, 3, 4, 5);
    struct graph_stats s;

    graph_stats(&g, &s);
    CHECK_EQ(s.components, 3);
    CHECK_EQ(s.largest_component, 4);
    CHECK_EQ(s.hub, 1);
    CHECK_EQ(s.hub_hops, 2);
    CHECK_EQ(s.diameter, 3);
    graph_clear(&g);
}

static void test_turned_round(void)
{
    struct graph g = FROM_PAIRS(7, 0, 1, 1, 0, 1, 2, 2, 3, 4, 5);
    struct graph t;

    graph_transpose(&t, &g);
    CHECK(is_graph(&t));
    CHECK_EQ(graph_degree(&t, 3), 1);
    CHECK_EQ(t.to[t.first[3]], 2);
    graph_clear(&t);

    graph_undirect(&g);
    CHECK(is_graph(&g));
    CHECK_EQ(graph_arcs(&g), 8);
    CHECK_EQ(graph_degree(&g, 1), 2);
    CHECK(!strcmp(g.name, "pairs"));
    graph_clear(&g);
}

static igraph_t as_igraph(const struct graph *g)
{
    igraph_vector_int_t ends;
    igraph_t out;

    igraph_vector_int_init(&ends, 0);
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
            igraph_vector_int_push_back(&ends, v);
            igraph_vector_int_push_back(&ends, g->to[k]);
        }
    igraph_create(&out, &ends, g->n, IGRAPH_DIRECTED);
    igraph_vector_int_destroy(&ends);
    return out;
}

static void check_degrees(const igraph_t *ig, igraph_neimode_t mode,
                          const struct graph_degrees *d)
{
    igraph_vector_int_t degrees;

    igraph_vector_int_init(&degrees, 0);
    igraph_degree(ig, &degrees, igraph_vss_all(), mode, true);
    CHECK_EQ(d->min, igraph_vector_int_min(&degrees));
    CHECK_EQ(d->max, igraph_vector_int_max(&degrees));
    igraph_vector_int_destroy(&degrees);
}

static void check_components(const igraph_t *ig, const struct graph_stats *s)
{
    igraph_vector_int_t sizes;
    igraph_integer_t n;

    igraph_vector_int_init(&sizes, 0);
    igraph_connected_components(ig, NULL, &sizes, &n, IGRAPH_WEAK);
    CHECK_EQ(s->components, n);
    CHECK_EQ(s->largest_component, igraph_vector_int_max(&sizes));
    igraph_vector_int_destroy(&sizes);
}

/* On these graphs the sweeps find the diameter itself, and never more. */
static void test_against_igraph(void)
{
    static const char *const words[] = {
        "uniform:vertices=300,arcs=500",
        "uniform:vertices=300,arcs=3000",
        "rmat:scale=9,edge_factor=3",
        "kronecker:scale=9,edge_factor=2",
        ("community:vertices=600,arcs=2400,communities=4,mix=0.1,exponent=2.5,"
         "max_degree=60,symmetric=0.5"),
        "road:vertices=900,arcs=2200,diameter=50",
        "road:vertices=900,arcs=1900,diameter=120,seed=7",
        "road:vertices=1500,arcs=3900,diameter=75,seed=4",
        "road:vertices=400,arcs=820,diameter=90",
        "standin:soc-LiveJournal1,scale=1/8192",
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct graph g = make_graph(words[i]);
        igraph_t ig = as_igraph(&g);
        struct graph_stats s;
        igraph_real_t diameter, reciprocity;

        graph_stats(&g, &s);
        CHECK_EQ(s.arcs, igraph_ecount(&ig));
        check_degrees(&ig, IGRAPH_OUT, &s.out);
        check_degrees(&ig, IGRAPH_IN, &s.in);
        check_components(&ig, &s);
        igraph_reciprocity(&ig, &reciprocity, true, IGRAPH_RECIPROCITY_DEFAULT);
        CHECK_NEAR(s.symmetric, reciprocity, 1e-12);
        igraph_diameter(&ig, &diameter, NULL, NULL, NULL, NULL, false, true);
        CHECK_EQ(s.diameter, diameter);
        igraph_destroy(&ig);
        graph_clear(&g);
    }
}

/* 0 1 2 are on GPU 0, 3 4 on GPU 1; arcs 0 -> 1, 1 -> 3, 3 -> 2, 4 -> 3, 0 ->
 * 4. */
static void test_cut(void)
{
    struct graph g = FROM_PAIRS(5, 0, 1, 1, 3, 3, 2, 4, 3, 0, 4);
    const uint32_t part[] = {0, 0, 0, 1, 1};
    struct graph_cut c;

    graph_cut(&g, part, 2, &c);
    CHECK_EQ(c.arcs, 3);
    CHECK_NEAR(c.share, 0.6, 1e-12);
    CHECK_EQ(c.boundary, 5);
    CHECK_NEAR(c.vertex_balance, 3 / 2.5, 1e-12);
    CHECK_NEAR(c.arc_balance, 3 / 2.5, 1e-12);
    CHECK_EQ(c.pairs[0], 1);
    CHECK_EQ(c.pairs[1], 2);
    CHECK_EQ(c.pairs[2], 1);
    CHECK_EQ(c.pairs[3], 1);
    CHECK_EQ(c.gpu_vertices[1], 2);
    CHECK_EQ(c.gpu_arcs[1], 2);
    graph_cut_clear(&c);
    graph_clear(&g);
}

/* The search from 0 has 2 arcs on GPU 0; then 1 and 4, one on each; 3 with one
 * on GPU 1; 2. */
static void test_levels(void)
{
    struct graph g = FROM_PAIRS(5, 0, 1, 1, 3, 3, 2, 4, 3, 0, 4);
    const uint32_t part[] = {0, 0, 0, 1, 1};
    struct graph_cut c;

    graph_cut(&g, part, 2, &c);
    CHECK_NEAR(c.level_balance, (2 + 1 + 1) / 2.5, 1e-12);
    graph_cut_clear(&c);
    graph_clear(&g);
}

/* Makes a grid of w by h points at whole numbers. */
static struct graph grid(uint32_t w, uint32_t h)
{
    struct graph g;
    uint32_t *tail = xcalloc((size_t)w * h * 2, sizeof *tail);
    uint32_t *head = xcalloc((size_t)w * h * 2, sizeof *head);
    uint64_t n = 0;

    for (uint32_t v = 0; v < w * h; v++) {
        if (v % w + 1 < w) {
            tail[n] = v;
            head[n++] = v + 1;
        }
        if (v + w < w * h) {
            tail[n] = v;
            head[n++] = v + w;
        }
    }
    graph_from_arcs(&g, w * h, tail, head, n);
    graph_undirect(&g);
    g.name = xstrdup("grid");
    g.x = xcalloc(g.n, sizeof *g.x);
    g.y = xcalloc(g.n, sizeof *g.y);
    for (uint32_t v = 0; v < g.n; v++) {
        uint32_t row = v / w;
        g.x[v] = (float)(v - row * w);
        g.y[v] = (float)row;
    }
    free(tail);
    free(head);
    return g;
}

static struct graph_cut cut_of(const struct graph *g, uint32_t ngpus,
                               enum graph_partition how)
{
    uint32_t *part = xcalloc(g->n, sizeof *part);
    struct graph_cut cut;
    struct err err;

    CHECK_EQ(graph_partition(part, g, ngpus, how, 5, &err), 0);
    for (uint32_t v = 0; v < g->n; v++)
        CHECK(part[v] < ngpus);
    graph_cut(g, part, ngpus, &cut);
    free(part);
    return cut;
}

/* A grid of 48 x 16 points: 16 lines are cut in the middle, again 16 and 16 at
 * a quarter and three quarters; both arcs of each. */
static void test_geometric(void)
{
    struct graph g = grid(48, 16);
    static const struct {
        uint32_t gpus, edges;
    } cases[] = {{1, 0}, {2, 16}, {3, 32}, {4, 48}, {8, 48 + 4 * 12}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct graph_cut c = cut_of(&g, cases[i].gpus, GRAPH_GEOMETRIC);
        CHECK_EQ(c.arcs, 2 * cases[i].edges);
        CHECK_NEAR(c.vertex_balance, 1, 1e-12);
        graph_cut_clear(&c);
    }
    graph_clear(&g);
}

/* Parts have equal numbers up to one; METIS may be off by 3 %. */
static void test_partitions(void)
{
    struct graph g = make_graph("road:vertices=5003,arcs=12000,diameter=120");
    uint64_t arcs[NGRAPH_PARTITIONS];

    for (int how = 0; how < NGRAPH_PARTITIONS; how++) {
        struct graph_cut c = cut_of(&g, 7, (enum graph_partition)how);
        struct graph_cut again = cut_of(&g, 7, (enum graph_partition)how);
        arcs[how] = c.arcs;
        CHECK_EQ(again.arcs, c.arcs);
        for (int gpu = 0; gpu < 7; gpu++)
            if (how != GRAPH_METIS)
                CHECK(c.gpu_vertices[gpu] == 714 || c.gpu_vertices[gpu] == 715);
        CHECK(c.vertex_balance < 1.031);
        graph_cut_clear(&c);
        graph_cut_clear(&again);
    }
    CHECK_NEAR(arcs[GRAPH_RANDOM], 12000 * 6.0 / 7, 0.05);
    CHECK(arcs[GRAPH_METIS] < arcs[GRAPH_RANDOM] / 10);
    CHECK(arcs[GRAPH_GEOMETRIC] < arcs[GRAPH_RANDOM] / 10);
    graph_clear(&g);
}

static void test_refused(void)
{
    struct graph g = make_graph("uniform:vertices=10,arcs=20");
    uint32_t part[10];
    struct err err;

    CHECK_EQ(graph_partition(part, &g, 0, GRAPH_RANDOM, 1, &err), -1);
    CHECK_HAS(err.text, "expected at least one GPU");
    CHECK_EQ(graph_partition(part, &g, 11, GRAPH_RANDOM, 1, &err), -1);
    CHECK_HAS(err.text, "11 GPUs are more than its 10 vertices");
    CHECK_EQ(graph_partition(part, &g, 2, GRAPH_GEOMETRIC, 1, &err), -1);
    CHECK_HAS(err.text, "uniform:vertices=10,arcs=20: no coordinates");
    CHECK_EQ(graph_partition(part, &g, 1, GRAPH_METIS, 1, &err), 0);
    for (int v = 0; v < 10; v++)
        CHECK_EQ(part[v], 0);
    graph_clear(&g);
}

int main(void)
{
    test_by_hand();
    test_candidates_by_hand();
    test_turned_round();
    test_against_igraph();
    test_cut();
    test_levels();
    test_geometric();
    test_partitions();
    test_refused();
    return check_result();
}
