/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of Chakra: ASTRA-sim's own, and files written here byte by byte. */
#include "tests/trace_text.h"

#include <sys/stat.h>

#ifndef SLUICE_PROTOBUF
int main(void)
{
    return 77; /* built without protobuf-c */
}
#else

/* --- protocol buffers by hand --------------------------------------------- */

struct bytes {
    unsigned char at[4096];
    size_t n;
};

static void number(struct bytes *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        b->at[b->n++] = (unsigned char)(value | 0x80);
    b->at[b->n++] = (unsigned char)value;
}

static void field(struct bytes *b, unsigned field, uint64_t value)
{
    number(b, field << 3);
    number(b, value);
}

static void block(struct bytes *b, unsigned field, const void *from, size_t n)
{
    number(b, field << 3 | 2);
    number(b, n);
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

static void text(struct bytes *b, unsigned field, const char *from)
{
    block(b, field, from, strlen(from));
}

/* Adds an attribute by the schema: int64_val is field 9. */
static void attribute(struct bytes *node, const char *name, uint64_t value)
{
    struct bytes a = {0};

    text(&a, 1, name);
    field(&a, 9, value);
    block(node, 10, a.at, a.n);
}

static void group(struct bytes *node, const char *name)
{
    struct bytes a = {0};

    text(&a, 1, "pg_name");
    text(&a, 29, name);
    block(node, 10, a.at, a.n);
}

static void add(struct bytes *file, const struct bytes *message)
{
    number(file, message->n);
    memcpy(file->at + file->n, message->at, message->n);
    file->n += message->n;
}

static struct bytes node(uint64_t id, const char *name, unsigned type)
{
    struct bytes b = {0};

    field(&b, 1, id);
    text(&b, 2, name);
    field(&b, 3, type);
    return b;
}

static struct bytes new_file(void)
{
    struct bytes b = {0}, metadata = {0};

    text(&metadata, 1, "0.0.4");
    add(&b, &metadata);
    return b;
}

static char *write_file(const char *name, const struct bytes *b)
{
    return scratch_bytes(name, b->at, b->n);
}

enum { MEMORY = 2, COMP = 4, SEND, RECV, COLL };

/* --- traces that are read ------------------------------------------------- */

/* There are 14 sends and receives of 1 MiB / 8 and 7 sums on each of 8 NPUs. */
static void test_astra_sim(const char *words)
{
    struct trace t;

    check_open(&t, words);
    CHECK_EQ(t.ranks, 8);
    CHECK(!t.has_clock);
    for (uint32_t r = 0; r < 8; r++) {
        char next[32], previous[32], *lines = trace_text(&t, r);
        snprintf(next, sizeof next, "free send to %u ", (r + 1) % 8);
        snprintf(previous, sizeof previous, "free recv from %u ", (r + 7) % 8);
        CHECK_EQ(lines_with(lines, "\n"), 35);
        CHECK_EQ(lines_with(lines, next), 14);
        CHECK_EQ(lines_with(lines, previous), 14);
        CHECK_EQ(lines_with(lines, " 131072 B gpu lane 3"), 28);
        CHECK_EQ(lines_with(lines, "free compute 7e-06 s lane 1"), 7);
        /* They are behind sends, which need not be received first. */
        CHECK_EQ(lines_with(lines, "after #"), 20);
        CHECK_EQ(lines_with(lines, "behind #"), 14);
        free(lines);
    }
    CHECK_EQ(t.nremarks, 0);
    trace_close(&t);
}

/* Nodes are in the file before their dependencies. */
static void test_order(void)
{
    struct trace t;
    struct bytes f = new_file(), n = node(3, "third", COMP);

    field(&n, 5, 1); /* data */
    field(&n, 4, 2); /* control */
    field(&n, 7, 30);
    add(&f, &n);
    n = node(2, "second", COMP);
    field(&n, 5, 1);
    attribute(&n, "is_cpu_op", 1);
    attribute(&n, "num_ops", 5000);
    add(&f, &n);
    n = node(1, "first", MEMORY);
    field(&n, 5, 99); /* does not exist */
    add(&f, &n);
    n = node(4, "fourth", COMP);
    block(&n, 5, "\1\2\3", 3); /* packed */
    field(&n, 7, 5);
    add(&f, &n);
    char *path = write_file("own.0.et", &f);
    check_open(&t, path);
    CHECK_EQ(t.ranks, 1);
    CHECK(t.has_flops);
    for (int twice = 0; twice < 2; twice++) {
        struct err err = {0};
        check_trace_text(
            &t, 0,
            "70 first free compute 0 s lane 1 #1\n"
            "26 second free compute 5000 flops lane 2 #2 after #1\n"
            "8 third free compute 3e-05 s lane 1 #3 after #1 behind #2\n"
            "84 fourth free compute 5e-06 s lane 1 #4 after #1 after #2 "
            "after #3\n");
        CHECK_EQ(trace_rewind(&t, 0, &err), 0);
    }
    check_remark(&t, "1 dependencies are on nodes that are not in the file");
    check_remark(&t, "1 nodes have neither a duration nor operations");
    trace_close(&t);
    unlink(path);
    free(path);
}

static void write_rank(unsigned rank)
{
    struct bytes f = new_file(), n = node(0, "all", COLL);
    char name[32];

    attribute(&n, "comm_type", 0);
    attribute(&n, "comm_size", 1000);
    add(&f, &n);
    n = node(1, "pair", COLL); /* ranks 0 and 2 */
    attribute(&n, "comm_type", 7);
    attribute(&n, "comm_size", 1000);
    group(&n, "dp");
    if (rank != 1)
        add(&f, &n);
    n = node(2, "gather", COLL);
    attribute(&n, "comm_type", 2);
    attribute(&n, "comm_size", 1000);
    add(&f, &n);
    n = node(5, "calls", COLL);
    attribute(&n, "is_cpu_op", 1);
    add(&f, &n);
    snprintf(name, sizeof name, "own.%u.et.gz", rank);
    free(write_file(name, &f));
}

static void test_groups(void)
{
    struct trace t;
    struct trace_event e;
    struct err err = {0};

    for (unsigned r = 0; r < 3; r++)
        write_rank(r);
    check_open(&t, scratch);
    CHECK_EQ(t.ranks, 3);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.collective, TRACE_ALLREDUCE);
    CHECK_EQ(e.bytes, 1000);
    CHECK_EQ(e.comm, TRACE_WORLD);
    CHECK(e.in_gpu && e.free);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.call, TRACE_COMM);
    CHECK_EQ(e.nmembers, 2);
    CHECK_EQ(e.members[1], 2);
    uint32_t comm = e.new_comm;
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.comm, comm);
    CHECK_EQ(e.collective, TRACE_REDUCE_SCATTER);
    CHECK_EQ(e.bytes, 500);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.collective, TRACE_ALLGATHER);
    CHECK_EQ(e.bytes, 1000);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 1);
    CHECK_EQ(e.call, TRACE_COMPUTE);
    CHECK_EQ(trace_next(&t, 2, &e, &err), 0);
    trace_close(&t);
    char *path = scratch_path("own.1.et.gz");
    unlink(path);
    check_open(&t, scratch);
    CHECK(t.rank[1].missing && !t.rank[2].missing);
    trace_close(&t);
    free(path);
    for (unsigned r = 0; r < 3; r++) {
        char name[32];
        snprintf(name, sizeof name, "own.%u.et.gz", r);
        path = scratch_path(name);
        unlink(path);
        free(path);
    }
}

/* --- refusals ------------------------------------------------------------- */

static void check_refusal(const struct bytes *f, const char *part)
{
    char *path = write_file("bad.0.et", f), *got = trace_refusal(path);

    CHECK_HAS(got, part);
    CHECK(!strchr(got, '\n'));
    unlink(path);
    free(got);
    free(path);
}

static void test_refused(void)
{
    struct bytes f = new_file(), n = node(1, "one", COMP);

    field(&n, 5, 2);
    add(&f, &n);
    n = node(2, "two", COMP);
    field(&n, 5, 1);
    add(&f, &n);
    check_refusal(&f, "bad.0.et: byte 8: rank 0: one: nodes that depend on "
                      "each other in a circle");
    f = new_file();
    n = node(1, "one", COMP);
    add(&f, &n);
    add(&f, &n);
    check_refusal(&f, "byte 18: rank 0: one: a node with its id was there");
    f = new_file();
    n = node(1, "one", SEND);
    attribute(&n, "comm_size", 5);
    attribute(&n, "comm_dst", 3);
    add(&f, &n);
    check_refusal(&f, "one: its peer is not among the ranks");
    f = new_file();
    n = node(1, "one", RECV);
    add(&f, &n);
    check_refusal(&f, "one: expected comm_src and comm_size");
    f = new_file();
    n = node(1, "one", COLL);
    attribute(&n, "comm_type", 5);
    attribute(&n, "comm_size", 5);
    attribute(&n, "root", 1);
    add(&f, &n);
    check_refusal(&f, "one: its root is not a member");
    f.n -= 3;
    check_refusal(&f, "bad.0.et: byte 8: rank 0: a node of ");
    f = new_file();
    number(&f, UINT64_C(1) << 62);
    check_refusal(&f, "byte 8: rank 0: a node of 4611686018427387904 B, of "
                      "which 0 are there");
    f = new_file();
    add(&f, &(struct bytes){{0xff, 0xff, 0xff}, 3});
    check_refusal(&f, "not a node of the Chakra schema");
    f = new_file();
    memset(f.at + f.n, 0xff, 20);
    f.n += 20;
    check_refusal(&f, "expected the length of a node");
    f = new_file();
    char *path = write_file("far.4000000000.et", &f);
    char *got = trace_refusal(path);
    CHECK_HAS(got, "rank 4000000000, of a trace of 1 files");
    free(got);
    unlink(path);
    free(path);
}

/* There are 4 computes and 3 collectives without a size, one of which is a
 * kernel; it depends on nodes that the excerpt lacks. */
static void test_json(void)
{
#ifdef SLUICE_YAJL
    struct trace t;

    check_open(&t, "tests/data/chakra/small_chakra.0.json");
    CHECK_EQ(t.ranks, 1);
    char *lines = trace_text(&t, 0);
    CHECK_EQ(lines_with(lines, "\n"), 7);
    CHECK_EQ(lines_with(lines, " free compute "), 7);
    CHECK_EQ(lines_with(lines, " s lane 3 #435"), 1);
    check_remark(&t, "1 nodes of collectives do not say of which kind");
    CHECK_HAS(lines, "aten::flatten_dense_tensors(1) free compute 2.8e-05 s "
                     "lane 2 #217 after #216\n");
    CHECK_HAS(lines, "#435 after #432 after #216 after #217\n");
    check_remark(&t, "7 dependencies are on nodes that are not in the file");
    free(lines);
    /* A second reading counts the same nodes, not more. */
    struct err err = {0};
    CHECK_EQ(trace_rewind(&t, 0, &err), 0);
    free(trace_text(&t, 0));
    check_remark(&t, "1 nodes of collectives do not say of which kind");
    trace_close(&t);
    check_trace_refused("x.0.json", "{\"workload_graph\": [{\"Id\": 3}, ",
                        "x.0.json: byte 31: the JSON text ends too early");
    check_trace_refused("x.0.json",
                        "{\"workload_graph\": [{\"Id\": 3}, {\"Id\": 3}]}",
                        "x.0.json: byte 31: rank 0: a node with its id");
#endif
}

/* The name of a folder does not determine the kind of its files. */
static void test_folder_named_json(void)
{
    static const char from[] =
        "tests/data/chakra/custom_ring_allreduce_8npus_1MB.%d.et.xz";
    char *folder = scratch_path("of.json.files");

    CHECK_EQ(mkdir(folder, 0700), 0);
    for (int i = 0; i < 8; i++) {
        char *name = xasprintf(from, i), *there = realpath(name, NULL);
        char *here = xasprintf("%s/x.%d.et.xz", folder, i);
        CHECK_EQ(symlink(there, here), 0);
        free(here);
        free(there);
        free(name);
    }
    char *first = xasprintf("%s/x.0.et.xz", folder);
    test_astra_sim(first);
    free(first);
    for (int i = 0; i < 8; i++) {
        char *here = xasprintf("%s/x.%d.et.xz", folder, i);
        CHECK_EQ(unlink(here), 0);
        free(here);
    }
    CHECK_EQ(rmdir(folder), 0);
    free(folder);
}

int main(void)
{
    scratch_make();
    test_folder_named_json();
    test_json();
    test_astra_sim("tests/data/chakra/custom_ring_allreduce_8npus_1MB.3.et.xz");
    test_astra_sim("chakra:tests/data/chakra");
    test_order();
    test_groups();
    test_refused();
    scratch_clear();
    return check_result();
}
#endif
