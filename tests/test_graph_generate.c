/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated graphs: equal on all machines, and with the properties that were
 * asked for. */
#include "tests/check.h"
#include "tests/graph_toys.h"
#include "workloads/graph/graph_surrogate.h"
#include "workloads/graph/graph_stats.h"
#include "workloads/graph/power.h"

/* If a checksum changes here, every result made with the generator changes; if
 * it differs on another machine, it is an error. */
static void test_checksums(void)
{
    static const struct {
        const char *words;
        unsigned long long want;
    } cases[] = {
        {"rmat:scale=10,edge_factor=8,seed=3", 0xad273da2c64b9282},
        {"kronecker:scale=9,edge_factor=8,seed=3", 0xdb202c721fbf412c},
        {"uniform:vertices=1000,arcs=5000,seed=3", 0x973da275a622d275},
        {"community:vertices=1000,arcs=8000,communities=8,mix=0.2,exponent=2.3,"
         "max_degree=100,seed=3",
         0x5a25f83bbcc14f15},
        {"community:vertices=1000,arcs=8000,communities=8,mix=0.2,exponent=2.3,"
         "max_degree=100,reach=0.2,anywhere=0.1,slope=0.5,seed=3",
         0xbf765908a4749c07},
        {"road:vertices=2000,arcs=4800,diameter=70,seed=3", 0xcedb699a166732c4},
        {"road:vertices=2000,arcs=4800,diameter=70,bridges=0.3,seed=3",
         0xa4335e39fa976814},
        {"standin:soc-LiveJournal1,scale=1/1024,seed=3", 0xa51ac4e24b3e4e97},
        {"standin:hollywood-2009,scale=1/512,seed=3", 0xdb1929a127b0f7bc},
        {"standin:indochina-2004,scale=1/1024,seed=3", 0x4f449eaec26f6dee},
        {"standin:twitter50,scale=1/16384,seed=3", 0x83dd37e1eee4b2f6},
        {"standin:osm_eur,scale=1/4096,seed=3", 0x1cd7b37b28ff3c9d},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct graph g = make_graph(cases[i].words);
        struct graph again = make_graph(cases[i].words);
        CHECK(is_graph(&g));
        CHECK(!strcmp(g.name, cases[i].words));
        if (graph_checksum(&g) != cases[i].want)
            fprintf(stderr, "%s: 0x%016llx\n", cases[i].words,
                    (unsigned long long)graph_checksum(&g));
        CHECK(graph_checksum(&g) == cases[i].want);
        CHECK(graph_checksum(&again) == cases[i].want);
        graph_clear(&g);
        graph_clear(&again);
    }
}

static void test_seeds(void)
{
    struct graph a = make_graph("rmat:scale=8,edge_factor=4");
    struct graph b = make_graph("rmat:edge_factor=4,seed=1,scale=8");
    struct graph c = make_graph("rmat:scale=8,edge_factor=4,seed=2");

    CHECK(graph_checksum(&a) == graph_checksum(&b));
    CHECK(graph_checksum(&a) != graph_checksum(&c));
    graph_clear(&a);
    graph_clear(&b);
    graph_clear(&c);
}

static void test_powers(void)
{
    double x = 1e-9;

    for (int i = 0; i < 25; i++, x *= 7.3) {
        CHECK_NEAR(power_log2(x), log2(x), 2e-15);
        CHECK_NEAR(power_of(x, 0.604), pow(x, 0.604), 1e-13);
        CHECK_NEAR(power_of(x, -1.5), pow(x, -1.5), 1e-13);
    }
    CHECK(power_log2(1) == 0);
    CHECK(power_log2(8) == 3);
    CHECK(power_exp2(-3) == 0.125);
}

/* Before scrambling, 0 is the tail of 0.76^16 of the 65536 arcs that are drawn,
 * 812, and two of them have equal heads with probability 0.625^16: 178 pairs of
 * 812, so that about 650 are different. */
static void test_rmat(void)
{
    struct graph g = make_graph("rmat:scale=16,edge_factor=1");
    struct graph k = make_graph("kronecker:scale=10,edge_factor=16");
    struct graph_stats s;

    graph_stats(&g, &s);
    CHECK_EQ(s.vertices, 65536);
    CHECK(s.arcs < 65536 && s.arcs > 60000);
    CHECK_NEAR(s.out.max, 650, 0.15);
    CHECK_NEAR(s.in.max, 650, 0.15);
    CHECK(s.out.min == 0);
    graph_stats(&k, &s);
    CHECK_NEAR(s.symmetric, 1, 0);
    CHECK(s.out.max == s.in.max);
    graph_clear(&g);
    graph_clear(&k);
}

/* The largest degrees follow the shares of a row and of a column. */
static void test_rmat_shares(void)
{
    struct graph g = make_graph("rmat:scale=14,a=0.57,b=0.21,c=0.14");
    struct graph same = make_graph("rmat:scale=8,a=0.57,b=0.19,c=0.19");
    struct graph plain = make_graph("rmat:scale=8,edge_factor=16");
    struct graph_stats s;

    graph_stats(&g, &s);
    CHECK(s.out.max > 2 * s.in.max);
    CHECK(graph_checksum(&same) == graph_checksum(&plain));
    graph_clear(&g);
    graph_clear(&same);
    graph_clear(&plain);
}

static void test_uniform(void)
{
    struct graph g = make_graph("uniform:vertices=20000,arcs=200000");
    struct graph_stats s;

    graph_stats(&g, &s);
    CHECK_NEAR(s.arcs, 200000, 0.001);
    /* In a Poisson distribution the variance is the mean. */
    CHECK_NEAR(s.out.deviation, sqrt(10), 0.02);
    CHECK_NEAR(s.in.deviation, sqrt(10), 0.02);
    graph_clear(&g);
}

/* Returns the share of the arcs that leave their part. */
static double leaving_parts(const struct graph *g, uint32_t blocks,
                            enum graph_partition how)
{
    uint32_t *part = xcalloc(g->n, sizeof *part);
    struct graph_cut cut;
    struct err err;

    CHECK_EQ(graph_partition(part, g, blocks, how, 1, &err), 0);
    graph_cut(g, part, blocks, &cut);
    double share = cut.share;
    graph_cut_clear(&cut);
    free(part);
    return share;
}

/* Does the same for parts that are the blocks of consecutive vertices. */
static double leaving(const struct graph *g, uint32_t blocks)
{
    return leaving_parts(g, blocks, GRAPH_CONTIGUOUS);
}

static void test_community(void)
{
    struct graph g =
        make_graph("community:vertices=32000,arcs=400000,communities=16,"
                   "mix=0.2,exponent=2.5,max_degree=400");
    struct graph_stats s;

    graph_stats(&g, &s);
    CHECK_NEAR(s.arcs, 400000, 0.001);
    CHECK_NEAR(s.symmetric, 1, 0);
    CHECK_NEAR(s.out.max, 400, 0.15);
    CHECK_NEAR(leaving(&g, 16), 0.2, 0.05);
    /* 8 of 15 other communities are in the other half. */
    CHECK_NEAR(leaving(&g, 2), 0.2 * 8 / 15, 0.05);
    CHECK_NEAR(s.largest_component, 32000, 0.01);
    graph_clear(&g);

    g = make_graph("community:vertices=32000,arcs=400000,communities=16,mix=0,"
                   "exponent=2.5,max_degree=400,symmetric=0.3");
    graph_stats(&g, &s);
    CHECK_NEAR(s.symmetric, 0.3, 0.05);
    CHECK_NEAR(s.arcs, 400000, 0.001);
    CHECK(leaving(&g, 16) == 0);
    graph_clear(&g);
}

#define LINE                                                                   \
    "community:vertices=64000,arcs=640000,communities=64,mix=0.5,exponent=3,"  \
    "max_degree=100"

/*
 * There are 64 communities on a line. An arc from a community that has j others
 * between itself and the middle leads away from it 63/64 of 0.3 u^2 far, with u
 * evenly from 0 to 1. It crosses the middle if that is more than j/64: in a
 * share of 63/64 * 0.3 / 3 of all and, because it begins at the end of its
 * community, 1/128 more.
 */
static void test_reach(void)
{
    struct graph near = make_graph(LINE ",reach=0.3");
    struct graph half = make_graph(LINE ",reach=0.3,anywhere=0.5");
    double crossing = 63 / 64.0 * 0.3 / 3 + 1 / 128.0, any = 32 / 63.0;

    CHECK_NEAR(leaving(&near, 64), 0.5, 0.05);
    CHECK_NEAR(leaving(&near, 2), 0.5 * crossing, 0.05);
    CHECK_NEAR(leaving(&half, 2), 0.5 * (crossing + any) / 2, 0.05);
    graph_clear(&near);
    graph_clear(&half);
}

/* With the steepest slope the first half has the larger degree of each two,
 * minus its loss to duplicates. */
static void test_slope(void)
{
    struct graph even = make_graph(LINE);
    struct graph steep = make_graph(LINE ",slope=1e9");
    const uint32_t half = even.n / 2;
    double larger = 0;

    for (uint32_t v = 0; v < half; v++) {
        uint64_t a = graph_degree(&even, v);
        uint64_t b = graph_degree(&even, even.n - 1 - v);
        larger += (double)(a > b ? a : b);
    }
    CHECK_NEAR((double)even.first[half] / (double)graph_arcs(&even), 0.5, 0.02);
    CHECK_NEAR((double)steep.first[half], larger, 0.05);
    graph_clear(&even);
    graph_clear(&steep);
}

/* The degrees follow a power law of exponent 2.5: at four times the degree
 * there are an eighth of the vertices. */
static void test_power_law(void)
{
    struct graph g = make_graph("community:vertices=100000,arcs=800000,"
                                "communities=4,mix=0.5,exponent=2.5,"
                                "max_degree=4000");
    double above_50 = 0, above_200 = 0;

    for (uint32_t v = 0; v < g.n; v++) {
        above_50 += graph_degree(&g, v) >= 50;
        above_200 += graph_degree(&g, v) >= 200;
    }
    CHECK_NEAR(above_50 / above_200, 8, 0.2);
    graph_clear(&g);
}

static void test_roads(void)
{
    /* These are typical road networks: of a county, of two countries, and of
     * none. */
    static const struct graph_numbers {
        const char *words;
        uint32_t vertices, diameter;
        uint64_t arcs;
    } roads[] = {
        {"road:vertices=18263,arcs=47594,diameter=167", 18263, 167, 47594},
        {"road:vertices=114599,arcs=239332,diameter=1337", 114599, 1337,
         239332},
        {"road:vertices=20682,arcs=42072,diameter=2542", 20682, 2542, 42072},
        {"road:vertices=10000,arcs=20400,diameter=3000", 10000, 3000, 20400},
        {"road:vertices=1000,arcs=2400,diameter=60", 1000, 60, 2400},
        {"road:vertices=18263,arcs=47594,diameter=190,bridges=0.3", 18263, 190,
         47594},
        {"road:vertices=80000,arcs=190000,diameter=400,bridges=0.01", 80000,
         400, 190000},
        {"road:vertices=1000,arcs=2400,diameter=60,bridges=0.1", 1000, 60,
         2400},
        {"road:vertices=20682,arcs=42072,diameter=2542,bridges=0.5", 20682,
         2542, 42072},
    };

    for (size_t i = 0; i < sizeof roads / sizeof roads[0]; i++) {
        struct graph g = make_graph(roads[i].words);
        struct graph_stats s;
        graph_stats(&g, &s);
        CHECK_EQ(s.vertices, roads[i].vertices);
        CHECK_EQ(s.diameter, roads[i].diameter);
        CHECK_NEAR(s.arcs, roads[i].arcs, 0.02);
        CHECK_NEAR(s.symmetric, 1, 0);
        CHECK_EQ(s.components, 1);
        CHECK(s.out.max <= 9);
        CHECK(g.x && g.y);
        graph_clear(&g);
    }
}

/* With a quarter of the streets, METIS finds cuts along the borders of
 * districts, if not always straight ones. */
static void test_bridges(void)
{
#define ROAD "road:vertices=40000,arcs=96000,diameter=290"
    struct graph grid = make_graph(ROAD);
    struct graph rivers = make_graph(ROAD ",bridges=0.25");
    double share = leaving_parts(&rivers, 4, GRAPH_METIS) /
                   leaving_parts(&grid, 4, GRAPH_METIS);

    CHECK(share > 0.25 && share < 0.45);
    graph_clear(&grid);
    graph_clear(&rivers);
}

static void check_bad(const char *words, const char *want)
{
    struct graph g = {0};
    struct err err = {0};

    CHECK_EQ(graph_from_words(&g, words, &err), -1);
    CHECK_HAS(err.text, want);
    CHECK_HAS(err.text, words);
}

static void test_bad_words(void)
{
    check_bad("rmat:", "scale: expected scale=NUMBER");
    check_bad("rmat:scale=32,edge_factor=1", "scale: expected 1 to 31");
    check_bad("rmat:scale=31,edge_factor=1000", "arcs: expected at most");
    check_bad("kronecker:scale=31,edge_factor=128",
              "549755813888 arcs: wants about 11098 GB of memory");
    check_bad("rmat:scale=9,edge_factor=18446744073709551615",
              "arcs: expected at most");
    check_bad("rmat:scale=9,scale=9,edge_factor=1", "scale: stands twice");
    check_bad("rmat:scale=9,edge_factor=1,", "'': expected KEY=NUMBER");
    check_bad("rmat:scale=9,a=0.95", "a, b, c: expected at most 0.9 each");
    check_bad("rmat:scale=9,a=0.03,b=0.03,c=0.03", "0.1 to 0.999 together");
    check_bad("rmat:scale=9,a=0.6,b=0.4", "0.1 to 0.999 together");
    check_bad("rmat:size=9", "'size': expected KEY=NUMBER with one of scale,");
    check_bad("uniform:vertices=-1,arcs=1",
              "vertices: expected a whole number above 0, got '-1'");
    check_bad("uniform:vertices=10,arcs=0x10",
              "arcs: expected a whole number above 0, got '0x10'");
    check_bad("uniform:vertices=10,arcs=90", "arcs: expected at most half");
    check_bad("uniform:vertices=4294967295,arcs=9",
              "vertices: expected at most 4294967294");
    check_bad("community:vertices=100,arcs=500,communities=9,mix=2,exponent=2,"
              "max_degree=9",
              "mix: expected a number from 0 to 1, got '2'");
    check_bad("community:vertices=100,arcs=500,communities=99,mix=0.5,"
              "exponent=2,max_degree=9",
              "communities: expected at most half as many");
    check_bad("community:vertices=1000,arcs=5000,communities=9,mix=0.5,"
              "exponent=9,max_degree=900",
              "max_degree: expected at most");
    check_bad("community:vertices=1000,arcs=5000,communities=9,mix=0.5,"
              "exponent=1,max_degree=90",
              "exponent: expected a number above 1, got 1");
    check_bad("community:vertices=1000,arcs=5000,communities=9,mix=0.5,"
              "exponent=inf,max_degree=90",
              "exponent: expected a number above 0, got 'inf'");
    check_bad(LINE ",anywhere=0.5", "anywhere: only with a reach above 0");
    /* 63/64 of 64000 vertices are in other communities. */
    check_bad(LINE ",reach=0.00001",
              "reach: expected at least 1.59e-05, which is one vertex, got "
              "1e-05");
    check_bad("community:vertices=9000,arcs=90000,communities=1,mix=0.5,"
              "exponent=2,max_degree=900,symmetric=0,reach=0.5",
              "reach: only with 2 communities or more");
    check_bad("road:vertices=1000,arcs=2400,diameter=9",
              "diameter: a mesh of so many vertices and arcs has one of");
    check_bad("road:vertices=1000,arcs=1000,diameter=90",
              "arcs: expected 2 to 4 for each of at least 4 vertices");
    check_bad("road:vertices=1000,arcs=2400,diameter=90,bridges=0",
              "bridges: expected a number above 0");
    check_bad("road:vertices=1000,arcs=2400,diameter=9000",
              "vertices: a mesh of that diameter");
    check_bad("standin:twitter", "(did you mean twitter50?)");
    check_bad("standin:wikipedia", "expected one of soc-LiveJournal1, ");
    check_bad("standin:road_usa,scale=1/0", "scale: expected a number from 0");
    check_bad("standin:road_usa,scale=0", "leaves less than 256 vertices");
    check_bad("standin:road_usa,size=1", "with one of scale, seed");
    check_bad("none/such/file.el", "none/such/file.el");
}

int main(void)
{
    test_checksums();
    test_seeds();
    test_powers();
    test_rmat();
    test_rmat_shares();
    test_uniform();
    test_community();
    test_reach();
    test_slope();
    test_power_law();
    test_roads();
    test_bridges();
    test_bad_words();
    return check_result();
}
