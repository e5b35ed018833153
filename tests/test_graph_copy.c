/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice's own copy of a graph: it reads back equal, and no damaged one
 * does. */
#include "tests/check.h"
#include "tests/graph_toys.h"
#include "tests/scratch.h"
#include "workloads/graph/graph_read.h"

static uint64_t small_first[] = {0, 2, 4, 7, 7, 8};
static uint32_t small_to[] = {1, 2, 0, 2, 0, 1, 4, 2};
static float small_x[] = {0, 1, 0, 0.25f, -1e30f};
static float small_y[] = {0, 0, 1, 0.75f, 1e-30f};
static const struct graph small = {
    .n = 5, .first = small_first, .to = small_to, .x = small_x, .y = small_y};

static char *save(const struct graph *g, const char *name)
{
    char *path = scratch_path(name);
    struct err err = {0};

    if (graph_save(g, path, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return path;
}

static struct graph read_good(const char *path)
{
    struct graph g = make_graph(path);

    CHECK(g.map != NULL);
    return g;
}

static void check_same(const struct graph *got, const struct graph *want)
{
    CHECK_EQ(got->n, want->n);
    CHECK_EQ(graph_arcs(got), graph_arcs(want));
    CHECK(!memcmp(got->first, want->first,
                  ((size_t)want->n + 1) * sizeof *want->first));
    CHECK(!memcmp(got->to, want->to, graph_arcs(want) * sizeof *want->to));
    CHECK_EQ(got->x != NULL, want->x != NULL);
    if (want->x) {
        CHECK(!memcmp(got->x, want->x, want->n * sizeof *want->x));
        CHECK(!memcmp(got->y, want->y, want->n * sizeof *want->y));
    }
}

static void test_round_trip(void)
{
    struct graph flat = small;
    char *path = save(&small, "small.sluice-graph");
    struct graph g = read_good(path);

    check_same(&g, &small);
    CHECK(!strcmp(g.name, "small"));

    /* It is saved over itself, while it is mapped. */
    free(save(&g, "small.sluice-graph"));
    check_same(&g, &small);
    graph_clear(&g);
    g = read_good(path);
    check_same(&g, &small);
    graph_clear(&g);
    free(path);

    flat.x = flat.y = NULL;
    path = save(&flat, "flat");
    g = read_good(path);
    check_same(&g, &flat);
    graph_clear(&g);
    free(path);
}

/* Tests every number of vertices and of arcs, so every length of the last
 * block. */
static void test_sizes(void)
{
    for (uint32_t n = 1; n <= 20; n++) {
        uint32_t tail[20], head[20];
        for (uint32_t v = 0; v < n; v++) {
            tail[v] = v;
            head[v] = 0;
        }
        struct graph g, back;
        graph_from_arcs(&g, n, tail, head, n);
        char *path = save(&g, "sizes.sluice-graph");
        back = read_good(path);
        check_same(&back, &g);
        graph_clear(&back);
        graph_clear(&g);
        free(path);
    }
}

static void test_real(void)
{
    struct graph g = {0}, back;
    struct err err = {0};

    CHECK_EQ(graph_read(&g, "workloads/data/andorra_osm.mtx.gz", &err), 0);
    char *path = save(&g, "andorra.sluice-graph");
    back = read_good(path);
    check_same(&back, &g);
    graph_clear(&back);
    graph_clear(&g);
    free(path);
}

struct bytes {
    size_t n;
    unsigned char at[1024];
};

static struct bytes load(const char *path)
{
    struct bytes b;
    FILE *f = fopen(path, "rb");

    b.n = fread(b.at, 1, sizeof b.at, f);
    fclose(f);
    return b;
}

static const char *error_of(const struct bytes *b)
{
    static struct err err;
    struct graph g = {0};
    char *path = scratch_path("bad.sluice-graph");
    FILE *f = fopen(path, "wb");

    fwrite(b->at, 1, b->n, f);
    fclose(f);
    memset(&err, 0, sizeof err);
    CHECK_EQ(graph_read(&g, path, &err), -1);
    CHECK(g.map == NULL && g.first == NULL && g.name == NULL);
    CHECK(!strncmp(err.text, path, strlen(path)));
    graph_clear(&g);
    free(path);
    return err.text + strlen(scratch) + 1;
}

static void test_damage(const struct bytes *good)
{
    static const unsigned char turns[] = {0x01, 0x80, 0xff};

    for (size_t i = 0; i < good->n; i++)
        for (size_t k = 0; k < sizeof turns; k++) {
            struct bytes b = *good;
            b.at[i] ^= turns[k];
            error_of(&b);
        }
    for (size_t n = 0; n < good->n; n++) {
        struct bytes b = *good;
        b.n = n;
        CHECK_HAS(error_of(&b), n < 64 ? "not a graph" : "damaged: ");
    }
    struct bytes b = *good;
    b.at[b.n++] = 0;
    CHECK_HAS(error_of(&b), "damaged: 225 bytes of 224");
}

/* Checks a number that is written into the file, with a correct checksum
 * again. */
static void check_forged(const struct bytes *good, size_t at, uint64_t number,
                         size_t bytes, const char *want)
{
    struct bytes b = *good;

    memcpy(b.at + at, &number, bytes);
    uint64_t sum = graph_copy_checksum(b.at, b.n);
    memcpy(b.at + 56, &sum, sizeof sum);
    CHECK_HAS(error_of(&b), want);
}

static void test_forged(const struct bytes *good)
{
    enum { FIRST = 64, TO = 64 + 64, X = TO + 32 };

    check_forged(good, 0, 0x7a, 1, "not a graph that sluice has saved");
    check_forged(good, 8, 2, 4, "version 2: expected 1; convert the graph");
    check_forged(good, 12, 0x04030201, 4, "a machine of another byte order");
    check_forged(good, 16, 0, 8, "its header does not fit together");
    check_forged(good, 16, UINT32_MAX, 8, "its header does not fit");
    check_forged(good, 16, 500, 8, "its header does not fit together");
    check_forged(good, 24, UINT64_MAX, 8, "its header does not fit together");
    check_forged(good, 24, 7, 8, "the arcs do not begin at 0 and end at 7");
    check_forged(good, 32, 2, 8, "its header does not fit together");
    check_forged(good, 40, 1 << 20, 8, "its header does not fit together");
    check_forged(good, 48, 1, 8, "its header does not fit together");
    check_forged(good, FIRST, 1, 8, "the arcs do not begin at 0");
    check_forged(good, FIRST + 40, 9, 8, "the arcs do not begin at 0 and end");
    check_forged(good, FIRST + 16, 1, 8, "the arcs of vertex 1 are not in");
    check_forged(good, FIRST + 16, UINT64_MAX, 8, "the arcs of vertex 1 are");
    check_forged(good, TO + 28, 5, 4, "the arcs of vertex 4 are not in order");
    check_forged(good, TO + 28, UINT32_MAX, 4, "the arcs of vertex 4 are not");
    check_forged(good, TO + 28, 4, 4, "the arcs of vertex 4 are not in order");
    check_forged(good, TO + 4, 1, 4, "the arcs of vertex 0 are not in order");
    check_forged(good, TO + 20, 0, 4, "the arcs of vertex 2 are not in order");
    check_forged(good, X + 4, 0x7fc00000, 4, "vertex 1 lies nowhere");
    check_forged(good, X + 32 + 8, 0xff800000, 4, "vertex 2 lies nowhere");
}

static void check_unwritable(const char *path, const char *want)
{
    struct err err = {0};

    CHECK_EQ(graph_save(&small, path, &err), -1);
    CHECK_HAS(err.text, want);
}

static void check_unreadable(const char *path, const char *want)
{
    struct graph g = {0};
    struct err err = {0};

    CHECK_EQ(graph_read(&g, path, &err), -1);
    CHECK(g.map == NULL);
    CHECK_HAS(err.text, want);
}

static void test_files(void)
{
    int before = scratch_count();
    char *path = scratch_path("none/a.sluice-graph");
    check_unwritable(path, "none/a.sluice-graph: cannot be written: No such");
    check_unwritable("/dev/full", "/dev/full: cannot be written: No space");
    CHECK_EQ(scratch_count(), before);
    free(path);

    check_unreadable("none.sluice-graph",
                     "none.sluice-graph: cannot be opened");
    path = scratch_path("folder.sluice-graph");
    CHECK(symlink(".", path) == 0);
    check_unreadable(path, "folder.sluice-graph: not a plain file");
    free(path);
    path = scratch_path("small.sluice-graph");
    struct bytes good = load(path);
    free(path);
    path = scratch_bytes("gz.sluice-graph.gz", good.at, good.n);
    check_unreadable(path, "gz.sluice-graph.gz: gzipped: unpack it first");
    free(path);
}

int main(void)
{
    scratch_make();
    test_round_trip();
    test_sizes();
    test_real();

    char *path = save(&small, "small.sluice-graph");
    struct bytes good = load(path);
    CHECK_EQ(good.n, 64 + 64 + 32 + 32 + 32);
    test_damage(&good);
    test_forged(&good);
    free(path);
    test_files();
    scratch_clear();
    return check_result();
}
