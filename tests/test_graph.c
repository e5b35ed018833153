/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs that are read: every format gives the graph in the file. */
#include "tests/check.h"
#include "tests/graph_toys.h"
#include "tests/scratch.h"
#include "workloads/graph/graph.h"

#include <igraph.h>

static struct graph read_text(const char *name, const char *text)
{
    char *path = scratch_file(name, text);
    struct graph g = make_graph(path);

    free(path);
    return g;
}

static void check_same(const struct graph *got, const struct graph *want)
{
    CHECK_EQ(got->n, want->n);
    CHECK_EQ(graph_arcs(got), graph_arcs(want));
    if (got->n != want->n || graph_arcs(got) != graph_arcs(want))
        return;
    CHECK(!memcmp(got->first, want->first,
                  ((size_t)want->n + 1) * sizeof *want->first));
    CHECK(!memcmp(got->to, want->to, graph_arcs(want) * sizeof *want->to));
}

/* The graph has the edges 0-1, 0-2, 1-2, 2-4; vertex 3 has none. */
static uint64_t small_first[] = {0, 2, 4, 7, 7, 8};
static uint32_t small_to[] = {1, 2, 0, 2, 0, 1, 4, 2};
static const struct graph small = {
    .n = 5, .first = small_first, .to = small_to};

#define MTX "%%MatrixMarket matrix coordinate "

static const struct {
    const char *name, *text;
} small_files[] = {
    {"small.txt", "0 1\n1 0\n0 2\n2 0\n1 2\n2 1\n2 4\n4 2\n"},
    /* any order, duplicates, loops, comments, blank lines, CR LF, weights */
    {"small.el",
     "# Nodes: 5\r\n4\t2\r\n2\t4\r\n\r\n% and\r\n0\t2\t0.5\r\n"
     "0\t1\r\n2 2\r\n  2   1 \r\n1\t2\r\n3 3\r\n0\t1\r\n1\t0 x y\r\n"
     "2\t0"},
    {"small.edges", "\n\n0 1 -7\n0 2 8\n1 0 9\n1 2\n2 0\n2 1\n2 4\n4 2\n   "},
    {"small.mtx", MTX "pattern symmetric\n5 5 4\n2 1\n3 1\n3 2\n5 3\n"},
    {"small.mtx", MTX "real symmetric\n% c\n\n5 5 6\n3 3 0\n2 1 1e-3\n3 1 .5\n"
                      "\n3 2 -2\n% c\n5 3 1e300\n2 1 1e-3\n"},
    {"small.mtx", MTX "integer general\r\n5 5 8\r\n1 2 1\r\n1 3 1\r\n2 1 1\r\n"
                      "2 3 1\r\n3 5 1\r\n3 2 1\r\n3 1 1\r\n5 3 1"},
    {"small.mtx", MTX "complex Hermitian\n5 5 4\n2 1 0 1\n3 1 0 1\n3 2 0 1\n"
                      "5 3 0 -1\n"},
    {"small.gr",
     "c by hand\np sp 5 8\na 1 2 3\na 1 3 1.5\na 2 1 3\nc\na 2 3 1\n"
     "a 3 1 1\na 3 2 1\na 3 5 1\n\na 5 3 -1\n"},
    {"small.graph", "5 4\n2 3\n1 3\n1 2 5\n\n3\n"},
    {"small.graph", "% c\n5 4 0\n3 2\n% c\n3 1\n5 2 1\n\t \r\n3\n\n% c\n \n"},
    {"small.graph", "5 4 001\n2 7 3 7\n1 7 3 7\n1 7 2 7 5 7\n\n3 7\n"},
    {"small.graph", "5 4 10\n9 2 3\n9 1 3\n9 1 2 5\n9\n9 3\n"},
    {"small.graph", "5 4 10 2\n9 9 2 3\n9 9 1 3\n9 9 1 2 5\n9 9\n9 9 3\n"},
    {"small.graph", "5 4 100\n9 2 3\n9 1 3\n9 1 2 5\n9\n9 3\n"},
    {"small.graph", "5 4 111 2\n9 9 9 2 7 3 7\n9 9 9 1 7 3 7\n"
                    "9 9 9 1 7 2 7 5 7\n9 9 9\n9 9 9 3 7\n"},
    /* the names of these do not tell the format */
    {"small", MTX "pattern symmetric\n5 5 4\n2 1\n3 1\n3 2\n5 3\n"},
    {"small", "c\np sp 5 8\na 1 2 3\na 1 3 1\na 2 1 3\na 2 3 1\na 3 1 1\n"
              "a 3 2 1\na 3 5 1\na 5 3 1\n"},
    {"small", "# 0\n0 1\n0 2\n1 0\n1 2\n2 0\n2 1\n2 4\n4 2\n"},
};

static void test_formats(void)
{
    for (size_t i = 0; i < sizeof small_files / sizeof small_files[0]; i++) {
        const char *text = small_files[i].text;
        struct graph g = read_text(small_files[i].name, text);
        check_same(&g, &small);
        CHECK(!strcmp(g.name, "small"));
        graph_clear(&g);

        char *name = xasprintf("%s.gz", small_files[i].name);
        g = read_text(name, text);
        check_same(&g, &small);
        CHECK(!strcmp(g.name, "small"));
        graph_clear(&g);
        free(name);
    }
}

static void test_directed(void)
{
    uint64_t first[] = {0, 2, 2, 3};
    uint32_t to[] = {1, 2, 0};
    const struct graph want = {.n = 3, .first = first, .to = to};
    const char *texts[][2] = {
        {"d.txt", "2 0\n0 2\n0 1\n"},
        {"d.MTX", MTX "pattern general\n3 3 4\n3 1\n2 2\n1 3\n1 2\n"},
        {"d.gr", "p sp 3 3\na 3 1 1\na 1 3 1\na 1 2 1\n"},
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct graph g = read_text(texts[i][0], texts[i][1]);
        check_same(&g, &want);
        CHECK(!strcmp(g.name, "d"));
        graph_clear(&g);
    }
}

/* Numbers have gaps, and some graphs have hardly anything. */
static void test_sparse(void)
{
    struct graph g = read_text("s.txt", "1000000 5\n");
    CHECK_EQ(g.n, 1000001);
    CHECK_EQ(graph_arcs(&g), 1);
    CHECK_EQ(graph_degree(&g, 5), 0);
    CHECK_EQ(graph_degree(&g, 1000000), 1);
    CHECK_EQ(g.to[0], 5);
    graph_clear(&g);

    g = read_text("s.txt", "00 0\n");
    CHECK_EQ(g.n, 1);
    CHECK_EQ(graph_arcs(&g), 0);
    graph_clear(&g);

    g = read_text("s.mtx", MTX "pattern general\n7 7 0\n");
    CHECK_EQ(g.n, 7);
    CHECK_EQ(graph_arcs(&g), 0);
    graph_clear(&g);
}

/* Words and lines are at every place where a block of the file may end. */
static void test_block_ends(void)
{
    enum { BLOCK = 1 << 20, TAIL = 100 };
    const char *rest = "\n0 1\r\n  1\t  0 0.25\r\n0 2\n2 0\n1 2\n# # #\n2 1\n"
                       "2 4 444444444444\n\n4 2";
    char *text = xmalloc(BLOCK + 2 * TAIL);

    for (int cut = 0; cut <= TAIL; cut++) {
        size_t len = (size_t)(BLOCK - cut);
        /* One half is comment, the other blanks. */
        memset(text, '#', len / 2);
        memset(text + len / 2, ' ', len - len / 2);
        text[len / 2] = '\n';
        memcpy(text + len, rest, strlen(rest) + 1);
        struct graph g = read_text("small.txt", text);
        check_same(&g, &small);
        graph_clear(&g);
    }
    free(text);
}

/* In a star the line of its centre is longer than a block. */
static void test_long_line(void)
{
    enum { LEAVES = 200000, ROOM = 10 * LEAVES };
    char *text = xmalloc(ROOM);
    size_t len = (size_t)sprintf(text, "%d %d\n", LEAVES + 1, LEAVES);

    for (int i = 0; i < LEAVES; i++)
        len += (size_t)sprintf(text + len, "%d ", i + 2);
    for (int i = 0; i < LEAVES; i++)
        len += (size_t)sprintf(text + len, "\n1");
    text[len++] = '\n';
    text[len] = 0;

    struct graph g = read_text("star.graph.gz", text);
    CHECK_EQ(g.n, LEAVES + 1);
    CHECK_EQ(graph_arcs(&g), 2 * LEAVES);
    CHECK_EQ(graph_degree(&g, 0), LEAVES);
    for (uint32_t v = 1; v <= LEAVES; v++)
        if (g.to[v - 1] != v || g.to[g.first[v]] != 0)
            CHECK_EQ(v, 0);
    graph_clear(&g);
    free(text);
}

/* Writes the edge list of a mtx.gz, which it reads without our reader. The
 * caller frees the path. */
static char *edge_list(const char *mtx, const char *name)
{
    char line[1024], *end;
    gzFile gz = gzopen(mtx, "rb");
    char *path = scratch_path(name);
    FILE *list = fopen(path, "w");

    while (gzgets(gz, line, sizeof line) && line[0] == '%')
        ;
    while (gzgets(gz, line, sizeof line)) {
        unsigned long row = strtoul(line, &end, 10);
        fprintf(list, "%lu %lu\n", row - 1, strtoul(end, NULL, 10) - 1);
    }
    gzclose(gz);
    fclose(list);
    return path;
}

static void check_neighbours(const struct graph *g, const igraph_t *want)
{
    igraph_vector_int_t near;
    int different = 0;

    igraph_vector_int_init(&near, 0);
    for (uint32_t v = 0; v < g->n; v++) {
        igraph_neighbors(want, &near, v, IGRAPH_ALL);
        igraph_integer_t n = igraph_vector_int_size(&near);
        bool same = graph_degree(g, v) == (uint64_t)n;
        for (igraph_integer_t k = 0; same && k < n; k++)
            same = g->to[g->first[v] + (uint64_t)k] == VECTOR(near)[k];
        different += !same;
    }
    CHECK_EQ(different, 0);
    igraph_vector_int_destroy(&near);
}

/* Compares two road networks with igraph's reading. */
static void test_igraph(const char *mtx, uint32_t vertices, uint64_t arcs)
{
    char *path = edge_list(mtx, "roads.txt");
    struct graph g = make_graph(mtx);
    igraph_t want;
    FILE *list = fopen(path, "r");

    CHECK_EQ(igraph_read_graph_edgelist(&want, list, 0, IGRAPH_UNDIRECTED),
             IGRAPH_SUCCESS);
    igraph_simplify(&want, 1, 1, NULL);
    fclose(list);
    CHECK_EQ(g.n, vertices);
    CHECK_EQ(igraph_vcount(&want), vertices);
    CHECK_EQ(graph_arcs(&g), arcs);
    CHECK_EQ(igraph_ecount(&want) * 2, arcs);
    check_neighbours(&g, &want);
    graph_clear(&g);

    /* An edge list has each edge in one direction, as written. */
    g = make_graph(path);
    CHECK_EQ(g.n, vertices);
    CHECK_EQ(graph_arcs(&g), arcs / 2);
    graph_clear(&g);
    igraph_destroy(&want);
    free(path);
}

/* Pairs in any order give each vertex its heads, once and ascending. */
static void test_from_arcs(void)
{
    uint32_t tail[] = {2, 0, 2, 4, 1, 0, 2, 2, 1, 3, 4, 0};
    uint32_t head[] = {4, 2, 1, 2, 0, 1, 0, 4, 2, 3, 2, 2};
    struct graph g;

    graph_from_arcs(&g, 5, tail, head, sizeof tail / sizeof tail[0]);
    check_same(&g, &small);
    CHECK(g.name == NULL && g.map == NULL && g.x == NULL);
    graph_clear(&g);
    CHECK(g.first == NULL && g.n == 0);

    graph_from_arcs(&g, 2, NULL, NULL, 0);
    CHECK_EQ(g.n, 2);
    CHECK_EQ(graph_arcs(&g), 0);
    graph_clear(&g);
}

int main(void)
{
    scratch_make();
    test_from_arcs();
    test_formats();
    test_directed();
    test_sparse();
    test_block_ends();
    test_long_line();
    test_igraph("workloads/data/san-joaquin_road.mtx.gz", 18263, 47594);
    test_igraph("workloads/data/andorra_osm.mtx.gz", 20682, 42072);
    scratch_clear();
    return check_result();
}
