/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph algorithms in rounds on partitioned graphs: results compared with
 * igraph and a plain sum. */
#include "tests/analytics_toys.h"
#include "tests/scratch.h"
#include "workloads/graph/graph_weights.h"

#include <igraph.h>

static igraph_t as_igraph(const struct graph *g, igraph_vector_t *weights)
{
    igraph_vector_int_t ends;
    igraph_t out;

    igraph_vector_int_init(&ends, 0);
    igraph_vector_init(weights, 0);
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
            igraph_vector_int_push_back(&ends, v);
            igraph_vector_int_push_back(&ends, g->to[k]);
            igraph_vector_push_back(weights, arc_weight(v, g->to[k], 9));
        }
    igraph_create(&out, &ends, g->n, IGRAPH_DIRECTED);
    igraph_vector_int_destroy(&ends);
    return out;
}

static void check_distances(const igraph_t *ig, const igraph_vector_t *weights,
                            const struct hosts *h, const char *name)
{
    struct analytics_result r = run_on(h, name);
    igraph_matrix_t want;
    uint32_t wrong = 0;

    igraph_matrix_init(&want, 0, 0);
    igraph_distances_dijkstra(ig, &want, igraph_vss_1(graph_hub(h->graph)),
                              igraph_vss_all(), weights, IGRAPH_OUT);
    for (uint32_t v = 0; v < h->graph->n; v++) {
        double d = MATRIX(want, 0, v);
        wrong += isinf(d) ? r.label[v] != UNREACHED : r.label[v] != d;
    }
    CHECK_EQ(wrong, 0);
    igraph_matrix_destroy(&want);
    analytics_clear(&r);
}

/* Checks that every component has one label, the smallest number in it. */
static void check_components(const igraph_t *ig, const struct hosts *h)
{
    struct analytics_result r = run_on(h, "cc");
    uint32_t *least = malloc(h->graph->n * sizeof *least), wrong = 0;
    igraph_vector_int_t of;

    igraph_vector_int_init(&of, 0);
    igraph_connected_components(ig, &of, NULL, NULL, IGRAPH_WEAK);
    for (uint32_t v = h->graph->n; v-- > 0;)
        least[VECTOR(of)[v]] = v;
    for (uint32_t v = 0; v < h->graph->n; v++)
        wrong += r.label[v] != least[VECTOR(of)[v]];
    CHECK_EQ(wrong, 0);
    igraph_vector_int_destroy(&of);
    free(least);
    analytics_clear(&r);
}

/* Sums until nothing changes; the rank of vertices without arcs is lost. */
static double *plain_ranks(const struct graph *g)
{
    double *rank = calloc(g->n, sizeof *rank), *sum = calloc(g->n, sizeof *sum);

    for (int i = 0; i < 300; i++) {
        for (uint32_t v = 0; v < g->n; v++)
            sum[v] = 0.15;
        for (uint32_t v = 0; v < g->n; v++)
            for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++)
                sum[g->to[k]] += 0.85 * rank[v] / (double)graph_degree(g, v);
        memcpy(rank, sum, g->n * sizeof *rank);
    }
    free(sum);
    return rank;
}

static void check_ranks(const igraph_t *ig, const struct hosts *h,
                        bool connected)
{
    struct analytics_result r = run_on(h, "pagerank");
    double *want = plain_ranks(h->graph), most = 0;
    igraph_vector_t ranks;
    igraph_real_t value;

    for (uint32_t v = 0; v < h->graph->n; v++)
        most = fmax(most, fabs(r.rank[v] - want[v]));
    CHECK(most < 1e-5);
    igraph_vector_init(&ranks, 0);
    igraph_pagerank(ig, IGRAPH_PAGERANK_ALGO_PRPACK, &ranks, &value,
                    igraph_vss_all(), true, 0.85, NULL, NULL);
    for (uint32_t v = 0; connected && v < h->graph->n; v++)
        most = fmax(most, fabs(r.rank[v] / h->graph->n - VECTOR(ranks)[v]));
    CHECK(most < 1e-5);
    CHECK(!r.unfinished);
    igraph_vector_destroy(&ranks);
    free(want);
    analytics_clear(&r);
}

static void test_results(void)
{
    for (int i = 0; i < NGRAPHS; i++) {
        struct graph g = make_graph(graphs[i]), both = make_graph(graphs[i]);
        igraph_vector_t weights;
        igraph_t ig = as_igraph(&g, &weights);
        graph_undirect(&both);
        for (int c = 0; c < NPARTITIONS; c++) {
            struct hosts h = divide(&g, cuts[c].hosts, cuts[c].cut);
            struct hosts edges = divide(&both, cuts[c].hosts, cuts[c].cut);
            check_distances(&ig, NULL, &h, "bfs");
            check_distances(&ig, &weights, &h, "sssp");
            check_components(&ig, &edges);
            check_ranks(&ig, &h, i == 3);
            hosts_clear(&h);
            hosts_clear(&edges);
        }
        igraph_vector_destroy(&weights);
        igraph_destroy(&ig);
        graph_clear(&g);
        graph_clear(&both);
    }
}

static void test_alone(void)
{
    struct graph g = make_graph(graphs[0]);
    struct hosts h = divide(&g, 1, "cvc");

    for (size_t i = 0; i < nanalytics; i++) {
        struct analytics_result r = run_on(&h, analytics[i].name);
        for (size_t k = 0; k < r.rounds.n; k++)
            CHECK_EQ(round_messages(rounds_at(&r.rounds, k)), 0);
        CHECK_EQ(r.window_B[0], 0);
        analytics_clear(&r);
    }
    hosts_clear(&h);
    graph_clear(&g);
}

static void test_weights(void)
{
    int seen[10] = {0};

    for (uint32_t u = 0; u < 100; u++)
        for (uint32_t v = 0; v < 100; v++) {
            uint32_t w = arc_weight(u, v, 9);
            CHECK(w >= 1 && w <= 9 && w == arc_weight(v, u, 9));
            seen[w]++;
        }
    for (int w = 1; w <= 9; w++)
        CHECK_NEAR(seen[w], 10000 / 9.0, 0.15);
}

static const char dimacs[] = "p sp 5 7\na 1 2 5\na 2 3 1\na 1 3 9\na 1 3 8\n"
                             "a 3 4 2\na 1 4 20\na 2 2 0\n";
static const char mtx[] = "%%MatrixMarket matrix coordinate real symmetric\n"
                          "3 3 2\n2 1 4.0\n3 2 7\n";
static const char pattern[] =
    "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";

/* Checks the distances from the first vertex of a file whose weights are
 * used. */
static void check_weighted(const char *name, const char *text,
                           const uint32_t *want)
{
    char *path = scratch_file(name, text);
    struct graph g = make_graph(path);
    uint32_t *weight = NULL;
    struct err err;

    CHECK(graph_read_weights(&weight, &g, path, &err) == 0 && weight);
    for (uint32_t hosts = 1; hosts <= 3; hosts++)
        for (int cut = 0; cut < NCUTS; cut++) {
            struct hosts h = divide(&g, hosts, cut_names[cut]);
            struct analytics_input in = input_on(&h);
            struct analytics_result r;
            in.source = 0;
            in.weight = weight;
            analytics_find("sssp")->run[cut](&r, &in);
            for (uint32_t v = 0; v < g.n; v++)
                CHECK_EQ(r.label[v], want[v]);
            CHECK(!r.too_long);
            analytics_clear(&r);
            hosts_clear(&h);
        }
    free(weight);
    graph_clear(&g);
    free(path);
}

static void weights_fail(const char *name, const char *text, const char *why)
{
    char *path = scratch_file(name, text);
    struct graph g = make_graph(path);
    uint32_t *weight;
    struct err err;

    if (!why) {
        CHECK(graph_read_weights(&weight, &g, path, &err) == 0 && !weight);
    } else {
        CHECK(graph_read_weights(&weight, &g, path, &err) < 0);
        CHECK_HAS(err.text, why);
    }
    graph_clear(&g);
    free(path);
}

/* Among equal arcs the smallest weight counts, and loops are dropped. */
static void test_file_weights(void)
{
    scratch_make();
    check_weighted("a.gr", dimacs, (uint32_t[]){0, 5, 6, 8, UNREACHED});
    check_weighted("b.mtx", mtx, (uint32_t[]){0, 4, 11});
    check_weighted("c.graph", "3 2 1\n2 6\n1 6 3 2\n2 2\n",
                   (uint32_t[]){0, 6, 8});
    weights_fail("d.mtx", pattern, NULL);
    weights_fail("e.txt", "0 1\n1 2\n", NULL);
    weights_fail("f.gr", "p sp 2 1\na 1 2 -3\n",
                 "f.gr:2: weight -3: expected a whole number");
    weights_fail("g.gr", "p sp 2 1\na 1 2 1.5\n", "weight 1.5");
    scratch_clear();
}

static void test_long_path(void)
{
    struct graph g = make_graph("road:vertices=400,arcs=1000,diameter=50");
    struct hosts h = divide(&g, 4, "cvc");
    struct analytics_input in = input_on(&h);
    struct analytics_result r;

    in.max_weight = UINT32_MAX / 4;
    analytics_find("sssp")->run[CUT_CVC](&r, &in);
    CHECK(r.too_long);
    analytics_clear(&r);
    hosts_clear(&h);
    graph_clear(&g);
}

static void test_refused(void)
{
    struct graph g = make_graph("uniform:vertices=8,arcs=10");
    struct cut_words cut;
    struct hosts h;
    struct err err;

    CHECK(cut_read(&cut, NULL, &err) == 0);
    CHECK(hosts_divide(&h, &g, 9, &cut, &err) < 0);
    CHECK_HAS(err.text, "9 hosts for 8 vertices");
    CHECK(cut_read(&cut, "cvc:2x3", &err) == 0);
    CHECK(hosts_divide(&h, &g, 8, &cut, &err) < 0);
    CHECK_HAS(err.text, "a grid of 6 hosts; 8 are wanted");
    CHECK(cut_read(&cut, "cvc:0x3", &err) < 0);
    CHECK(cut_read(&cut, "cvc:2x3x", &err) < 0);
    CHECK(cut_read(&cut, "cvc:-2x3", &err) < 0);
    CHECK(cut_read(&cut, "metis", &err) < 0);
    CHECK_HAS(err.text, "expected cvc");
    graph_clear(&g);
}

int main(void)
{
    test_results();
    test_alone();
    test_weights();
    test_file_weights();
    test_long_path();
    test_refused();
    return check_result();
}
