/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph algorithms in rounds on divided graphs: results against igraph and a
 * plain sum, proxies and bytes of every message against plain recounts. */
#include "tests/check.h"
#include "tests/graph_toys.h"
#include "tests/scratch.h"

#include "strategies/rounds/analytics.h"
#include "strategies/rounds/gluon.h"
#include "workloads/graph/graph_weights.h"

#include <igraph.h>

static struct hosts divide(const struct graph *g, uint32_t n, const char *how)
{
    struct cut_words cut;
    struct hosts h = {0};
    struct err err;

    CHECK(cut_read(&cut, how, &err) == 0);
    CHECK(hosts_divide(&h, g, n, &cut, &err) == 0);
    return h;
}

static struct analytics_input input_on(const struct hosts *h)
{
    return (struct analytics_input){.hosts = h,
                                    .source = graph_hub(h->graph),
                                    .max_weight = 9,
                                    .damping = 0.85,
                                    .threshold = 1e-9,
                                    .max_rounds = 1000};
}

static struct analytics_result run_on(const struct hosts *h, const char *name)
{
    struct analytics_input in = input_on(h);
    struct analytics_result r;

    analytics_find(name)->run[h->cut](&r, &in);
    return r;
}

/* --- results -------------------------------------------------------------- */

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

/* Every component has one label: the smallest number in it. */
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

/* Sums until nothing changes; what no arc leads on is lost. */
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

static const char *const graphs[] = {
    "rmat:scale=9,edge_factor=4",
    "kronecker:scale=8,edge_factor=3",
    "uniform:vertices=300,arcs=400",
    "road:vertices=400,arcs=1000,diameter=50",
};
enum { NGRAPHS = sizeof graphs / sizeof graphs[0] };
static const struct {
    uint32_t hosts;
    const char *cut;
} cuts[] = {{1, "cvc"},     {2, "cvc"},     {6, "cvc"},     {7, "cvc"},
            {16, "cvc"},    {5, "cvc:5x1"}, {5, "cvc:1x5"}, {12, "cvc:2x6"},
            {1, "blocked"}, {7, "blocked"}, {16, "blocked"}};
enum { NPARTITIONS = sizeof cuts / sizeof cuts[0], NGRIDS = NPARTITIONS - 3 };

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

/* --- plain recounts ------------------------------------------------------- */

/* A cut as its definition says, vertex by vertex and host by host. */
struct plain {
    const struct graph *g;
    const struct hosts *h;
    uint32_t *owner;
    bool *head, *tail; /* host * n + v: of an arc there */
};

static uint32_t arc_host(const struct plain *p, uint32_t u, uint32_t v)
{
    uint32_t columns = p->h->columns;

    return p->owner[u] / columns * columns + p->owner[v] % columns;
}

static struct plain plain_of(const struct graph *g, const struct hosts *h)
{
    struct plain p = {g, h, calloc(g->n, sizeof(uint32_t)),
                      calloc((size_t)h->n * g->n, 1),
                      calloc((size_t)h->n * g->n, 1)};

    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t v = h->begin[i]; v < h->begin[i + 1]; v++)
            p.owner[v] = i;
    for (uint32_t u = 0; u < g->n; u++)
        for (uint64_t k = g->first[u]; k < g->first[u + 1]; k++) {
            uint32_t at = arc_host(&p, u, g->to[k]);
            p.tail[(size_t)at * g->n + u] = true;
            p.head[(size_t)at * g->n + g->to[k]] = true;
        }
    return p;
}

static void plain_clear(struct plain *p)
{
    free(p->owner);
    free(p->head);
    free(p->tail);
}

static uint64_t least_bytes(uint64_t shared, uint64_t updated)
{
    uint64_t all = 4 + 8 + 4 * shared;
    uint64_t bits = 4 + 8 + (shared + 63) / 64 * 8 + 8 + 4 * updated;
    uint64_t offsets = 4 + 8 + 4 * updated + 8 + 4 * updated;

    return !updated                        ? 4
           : all <= bits && all <= offsets ? all
           : bits <= offsets               ? bits
                                           : offsets;
}

static const struct round_message *message_of(const struct round *r,
                                              enum round_step_kind kind,
                                              uint32_t src, uint32_t dst)
{
    const struct round_message *found = NULL;

    for (unsigned s = 0; s < r->nsteps; s++)
        for (size_t i = 0; i < r->steps[s].n; i++) {
            const struct round_message *m = &r->steps[s].messages[i];
            if (r->steps[s].kind != kind || m->src != src || m->dst != dst)
                continue;
            CHECK(!found); /* once */
            found = m;
        }
    return found;
}

/* The message about proxies that `at` shares with the masters of `of`. */
static void check_message(const struct round *r, enum round_step_kind kind,
                          uint32_t src, uint32_t dst, uint64_t shared,
                          uint64_t updated)
{
    const struct round_message *m = message_of(r, kind, src, dst);

    CHECK(!m == !shared);
    if (m && shared)
        CHECK_EQ(m->bytes, least_bytes(shared, updated));
}

/* Labels of every vertex on every host, whether it has a proxy there or not. */
struct labels {
    uint32_t *now, *pushed;
    bool *changed;
};

/* What one step sends, by looking at every vertex for every two hosts. */
static uint64_t plain_step(const struct plain *p, struct labels *l,
                           const struct round *r, enum round_step_kind kind)
{
    uint32_t n = p->g->n;
    uint64_t sum = 0;

    for (uint32_t src = 0; src < p->h->n; src++)
        for (uint32_t dst = 0; dst < p->h->n; dst++) {
            uint64_t shared = 0, updated = 0;
            for (uint32_t v = 0; v < n && src != dst; v++) {
                bool reduce = kind == STEP_REDUCE;
                bool there =
                    reduce ? p->owner[v] == dst && p->head[(size_t)src * n + v]
                           : p->owner[v] == src && p->tail[(size_t)dst * n + v];
                if (!there)
                    continue;
                shared++;
                if (!l->changed[(size_t)src * n + v])
                    continue;
                updated++;
                uint32_t *to = &l->now[(size_t)dst * n + v];
                uint32_t label = l->now[(size_t)src * n + v];
                if (label < *to) {
                    *to = label;
                    l->changed[(size_t)dst * n + v] = reduce;
                }
            }
            check_message(r, kind, src, dst, shared, updated);
            sum += shared ? least_bytes(shared, updated) : 0;
        }
    return sum;
}

static void plain_compute(const struct plain *p, struct labels *l)
{
    uint32_t n = p->g->n;
    uint32_t *before = malloc((size_t)p->h->n * n * sizeof *before);

    memcpy(before, l->now, (size_t)p->h->n * n * sizeof *before);
    for (uint32_t u = 0; u < n; u++)
        for (uint64_t k = p->g->first[u]; k < p->g->first[u + 1]; k++) {
            uint32_t v = p->g->to[k], at = arc_host(p, u, v);
            size_t from = (size_t)at * n + u, to = (size_t)at * n + v;
            if (before[from] >= l->pushed[from])
                continue;
            uint32_t label = before[from] + 1;
            if (label < l->now[to]) {
                l->now[to] = label;
                l->changed[to] = true;
            }
        }
    for (size_t i = 0; i < (size_t)p->h->n * n; i++)
        l->pushed[i] = before[i];
    free(before);
}

/* Searches: a label falls once in a round, so that order is nothing. */
static void check_bytes(const struct graph *g, uint32_t hosts, const char *cut)
{
    struct hosts h = divide(g, hosts, cut);
    struct plain p = plain_of(g, &h);
    struct analytics_result r = run_on(&h, "bfs");
    size_t all = (size_t)hosts * g->n;
    struct labels l = {malloc(all * 4), malloc(all * 4), calloc(all, 1)};

    memset(l.now, 0xff, all * 4);
    memset(l.pushed, 0xff, all * 4);
    for (uint32_t i = 0; i < hosts; i++)
        l.now[(size_t)i * g->n + graph_hub(g)] = 0;
    for (size_t i = 0; i < r.rounds.n; i++) {
        const struct round *one = rounds_at(&r.rounds, i);
        memset(l.changed, 0, all);
        plain_compute(&p, &l);
        uint64_t sum = plain_step(&p, &l, one, STEP_REDUCE);
        sum += plain_step(&p, &l, one, STEP_BROADCAST);
        CHECK_EQ(round_bytes(one), sum);
    }
    uint32_t wrong = 0;
    for (uint32_t v = 0; v < g->n; v++)
        wrong += l.now[(size_t)p.owner[v] * g->n + v] != r.label[v];
    CHECK_EQ(wrong, 0);
    free(l.now);
    free(l.pushed);
    free(l.changed);
    plain_clear(&p);
    analytics_clear(&r);
    hosts_clear(&h);
}

/* In the first round of PageRank every head of an arc gets something. */
static void check_first_ranks(const struct graph *g, uint32_t hosts,
                              const char *cut)
{
    struct hosts h = divide(g, hosts, cut);
    struct plain p = plain_of(g, &h);
    struct analytics_result r = run_on(&h, "pagerank");
    const struct round *one = rounds_at(&r.rounds, 0);
    bool *gets = calloc(g->n, 1);

    for (uint64_t k = 0; k < graph_arcs(g); k++)
        gets[g->to[k]] = true;
    for (uint32_t src = 0; src < hosts; src++)
        for (uint32_t dst = 0; dst < hosts; dst++) {
            uint64_t heads = 0, tails = 0, updated = 0;
            for (uint32_t v = 0; v < g->n && src != dst; v++) {
                bool reads =
                    p.owner[v] == src && p.tail[(size_t)dst * g->n + v];
                heads += p.owner[v] == dst && p.head[(size_t)src * g->n + v];
                tails += reads;
                updated += reads && gets[v];
            }
            check_message(one, STEP_REDUCE, src, dst, heads, heads);
            check_message(one, STEP_BROADCAST, src, dst, tails, updated);
        }
    free(gets);
    plain_clear(&p);
    analytics_clear(&r);
    hosts_clear(&h);
}

/* Arcs and proxies of each host, against the definition. */
static void check_cut(const struct graph *g, uint32_t hosts, const char *cut)
{
    struct hosts h = divide(g, hosts, cut);
    struct plain p = plain_of(g, &h);
    uint64_t arcs = 0, wrong = 0;

    for (uint32_t at = 0; at < hosts; at++) {
        const struct host *one = &h.host[at];
        uint32_t proxies = 0;
        for (uint32_t v = 0; v < g->n; v++)
            proxies += p.owner[v] == at || p.head[(size_t)at * g->n + v] ||
                       p.tail[(size_t)at * g->n + v];
        CHECK_EQ(one->masters + one->mirrors, proxies);
        CHECK(h.begin[at] < h.begin[at + 1]);
        for (uint32_t u = 0; u < one->masters + one->mirrors; u++)
            for (uint64_t k = one->first[u]; k < one->first[u + 1]; k++)
                wrong += arc_host(&p, host_vertex(&h, at, u),
                                  host_vertex(&h, at, one->to[k])) != at;
        arcs += one->first[one->masters + one->mirrors];
    }
    CHECK_EQ(arcs, graph_arcs(g));
    CHECK_EQ(wrong, 0);
    plain_clear(&p);
    hosts_clear(&h);
}

/* --- blocked -------------------------------------------------------------- */

/* Of dense rounds: heads on `to` that are not visited, with an active tail on
 * `from`. */
static uint64_t plain_heads(const struct graph *g, const struct hosts *h,
                            const uint32_t *label, uint32_t level,
                            uint32_t from, uint32_t to)
{
    bool *counted = calloc(g->n, 1);
    uint64_t sum = 0;

    for (uint32_t u = h->begin[from]; u < h->begin[from + 1]; u++)
        for (uint64_t k = g->first[u]; k < g->first[u + 1]; k++) {
            uint32_t v = g->to[k];
            bool there = v >= h->begin[to] && v < h->begin[to + 1];
            if (!there || label[u] != level || label[v] <= level || counted[v])
                continue;
            counted[v] = true;
            sum++;
        }
    free(counted);
    return sum;
}

static void check_blocked_messages(const struct analytics_result *r,
                                   const struct graph *g, const struct hosts *h,
                                   uint32_t level, bool sparse, uint32_t from)
{
    const struct round *one = rounds_at(&r->rounds, level);
    uint64_t bits = (h->begin[from + 1] - h->begin[from] + 63) / 64 * 8;
    uint64_t own = 0;

    for (uint32_t v = h->begin[from]; v < h->begin[from + 1]; v++)
        own += r->label[v] == level;
    for (uint32_t to = 0; to < h->n; to++) {
        const struct round_message *m =
            message_of(one, sparse ? STEP_BROADCAST : STEP_REDUCE, from, to);
        const struct round_message *visited =
            message_of(one, STEP_VISITED, from, to);
        if (from == to) {
            CHECK(!m && !visited);
            continue;
        }
        CHECK(m);
        CHECK_EQ(
            m->bytes,
            8 * (sparse ? own : plain_heads(g, h, r->label, level, from, to)));
        CHECK(sparse ? !visited : visited && visited->bytes == bits);
    }
}

/* The labels of the run say who is active when. */
static void check_blocked(const struct graph *g, uint32_t hosts)
{
    struct hosts h = divide(g, hosts, "blocked");
    struct analytics_result r = run_on(&h, "bfs");

    for (uint32_t level = 0; level < r.rounds.n; level++) {
        uint64_t arcs = 0, vertices = 0;
        for (uint32_t v = 0; v < g->n; v++) {
            vertices += r.label[v] == level;
            arcs += r.label[v] == level ? graph_degree(g, v) : 0;
        }
        CHECK(vertices > 0);
        CHECK_EQ(rounds_at(&r.rounds, level)->active, vertices);
        for (uint32_t from = 0; from < hosts; from++)
            check_blocked_messages(&r, g, &h, level, arcs < graph_arcs(g) / 20,
                                   from);
    }
    analytics_clear(&r);
    hosts_clear(&h);
}

static void test_blocked(void)
{
    for (int i = 0; i < NGRAPHS; i++) {
        struct graph g = make_graph(graphs[i]);
        for (uint32_t hosts = 1; hosts < 12; hosts += 5)
            check_blocked(&g, hosts);
        graph_clear(&g);
    }
}

static void test_recounts(void)
{
    for (int i = 0; i < NGRAPHS; i++) {
        struct graph g = make_graph(graphs[i]);
        for (int c = 0; c < NGRIDS; c++) {
            check_cut(&g, cuts[c].hosts, cuts[c].cut);
            check_bytes(&g, cuts[c].hosts, cuts[c].cut);
            check_first_ranks(&g, cuts[c].hosts, cuts[c].cut);
        }
        graph_clear(&g);
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

/* From the first vertex, of a file whose weights are used. */
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

/* Of equal arcs the smallest, and no loops. */
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
    test_recounts();
    test_blocked();
    test_alone();
    test_weights();
    test_file_weights();
    test_long_path();
    test_refused();
    return check_result();
}
