/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of an edge by a graph's degrees, and that of the papers' graphs. */
#include "results/papers/edge_costs.h"
#include "results/papers/study_cell.h"
#include "strategies/agents/edge_cost.h"
#include "tests/check.h"
#include "tests/graph_toys.h"

static enum edge_class class_of(const char *words)
{
    struct graph g = make_graph(words);
    enum edge_class class = edge_class(&g);

    graph_clear(&g);
    return class;
}

static void test_classes(void)
{
    CHECK_EQ(class_of("workloads/data/andorra_osm.mtx.gz"), EDGES_ROAD);
    CHECK_EQ(class_of("workloads/data/san-joaquin_road.mtx.gz"), EDGES_ROAD);
    CHECK_EQ(class_of("rmat:scale=10,edge_factor=8"), EDGES_OTHER);
    /* As few arcs as a road network's, but not evenly. */
    CHECK_EQ(class_of("uniform:vertices=3000,arcs=6000"), EDGES_OTHER);
    /* Even enough, but too many for the plane. */
    CHECK_EQ(class_of("uniform:vertices=3000,arcs=90000"), EDGES_OTHER);
}

/* Synthetic graphs for the papers' graphs; tiny ones of meshes are not even. */
static void test_standins(void)
{
    struct err err = {0};

    for (int i = 0; i < NSTUDY_GRAPHS; i++) {
        const struct study_graph *sg = &study_graphs[i];
        struct graph g;
        CHECK_EQ(study_make(&g, sg, sg->mesh ? sg->scale / 16 : sg->tiny, &err),
                 0);
        CHECK_EQ(edge_class(&g), sg->mesh ? EDGES_ROAD : EDGES_OTHER);
        graph_clear(&g);
    }
}

static struct graph ring(uint32_t n)
{
    struct graph g;
    uint32_t *tail = xcalloc(n, sizeof *tail), *head = xcalloc(n, sizeof *head);

    for (uint32_t v = 0; v < n; v++) {
        tail[v] = v;
        head[v] = (v + 1) % n;
    }
    graph_from_arcs(&g, n, tail, head, n > 1 ? n : 0);
    free(tail);
    free(head);
    return g;
}

static void test_costs(void)
{
    struct graph g = ring(100), one = ring(1);

    CHECK_NEAR(edge_cost(&g, BFS, 0).s, 0.170e-9, 1e-12);
    CHECK_NEAR(edge_cost(&g, PAGERANK, 900e9).s, 0.078e-9, 1e-12);
    CHECK_HAS(edge_cost(&g, BFS, 900e9).source, "road_usa on a V100");
    CHECK_NEAR(edge_cost(&g, PAGERANK, 1800e9).s, 0.039e-9, 1e-12);
    CHECK_HAS(edge_cost(&g, BFS, 1800e9).source, "in proportion to");
    /* No arcs at all: as even as can be. */
    CHECK_EQ(edge_class(&one), EDGES_ROAD);
    graph_clear(&g);
    graph_clear(&one);

    struct graph hubs = make_graph("rmat:scale=8,edge_factor=8");
    CHECK_NEAR(edge_cost(&hubs, BFS, 0).s, 0.170e-9, 1e-12);
    CHECK_NEAR(edge_cost(&hubs, PAGERANK, 0).s, 0.089e-9, 1e-12);
    CHECK_HAS(edge_cost(&hubs, BFS, 0).source, "soc-LiveJournal1 on a V100");
    graph_clear(&hubs);
}

/* Each graph of the study has a cost in its data file, and no other has. */
static void test_of_the_papers(void)
{
    struct err err = {0};
    double s;

    for (int i = 0; i < NSTUDY_GRAPHS; i++)
        for (enum algorithm a = 0; a < NALGORITHMS; a++) {
            CHECK_EQ(edge_costs_of(&s, study_graphs[i].name, a, 0, &err), 0);
            CHECK(s > 0.01e-9 && s < 1e-9);
        }
    CHECK_EQ(edge_costs_of(&s, "twitter50", BFS, 900e9, &err), 0);
    CHECK_NEAR(s, 0.543e-9, 1e-12);
    CHECK_EQ(edge_costs_of(&s, "indochina-2004", PAGERANK, 450e9, &err), 0);
    CHECK_NEAR(s, 0.0242e-9, 1e-12);
    CHECK_EQ(edge_costs_of(&s, "x", BFS, 0, &err), -1);
    CHECK_HAS(err.text, "edge_costs.csv: no row of x, bfs");
}

int main(void)
{
    test_classes();
    test_standins();
    test_costs();
    test_of_the_papers();
    return check_result();
}
