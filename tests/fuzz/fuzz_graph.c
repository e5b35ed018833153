/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes, read as each kind of graph file: they are refused or give a graph
 * that keeps the rules of graph.h, and reads back equal from its copy. */
#include "tests/fuzz/memory_file.h"
#include "workloads/graph/graph_read.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A number that is too large for a small file is refused early, because a
 * million vertices without arcs would cost all the time and show nothing
 * more. */
static const struct graph_limit limit = {64, 4};

static void check(const struct graph *g)
{
    if (!g->n || g->first[0] != 0 || !g->x != !g->y)
        abort();
    for (uint32_t v = 0; v < g->n; v++) {
        if (g->first[v] > g->first[v + 1])
            abort();
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++)
            if (g->to[k] >= g->n || g->to[k] == v ||
                (k > g->first[v] && g->to[k] <= g->to[k - 1]))
                abort();
    }
}

static void check_copy(const struct graph *g)
{
    struct graph copy = {0};
    struct err err = {0};
    struct memory_file f;

    memory_file_open(&f, "", 0);
    if (graph_save(g, f.path, &err) < 0 ||
        graph_read_as(&copy, f.path, GRAPH_COPY, limit, &err) < 0 ||
        copy.n != g->n || graph_arcs(&copy) != graph_arcs(g) ||
        memcmp(copy.first, g->first, (g->n + 1) * sizeof *g->first) != 0 ||
        memcmp(copy.to, g->to, graph_arcs(g) * sizeof *g->to) != 0)
        abort();
    graph_clear(&copy);
    memory_file_close(&f);
}

static void read_as(const char *path, enum graph_format format)
{
    struct graph g = {0};
    struct err err = {0};

    if (graph_read_as(&g, path, format, limit, &err) == 0) {
        check(&g);
        check_copy(&g);
    } else if (!err.text[0] || strchr(err.text, '\n') || g.first || g.map) {
        abort();
    }
    graph_clear(&g);
}

/* Reads the bytes with their correct checksum, because no fuzzer guesses it. */
static void read_forged(const struct memory_file *f, const uint8_t *data,
                        size_t size)
{
    uint64_t sum = graph_copy_checksum(data, size);

    if (pwrite(f->fd, &sum, sizeof sum, 56) == sizeof sum)
        read_as(f->path, GRAPH_COPY);
}

/* Returns whether the bytes are read as this format: a file of the corpus is
 * read as each, a fuzzer's as one, by its length, so that bytes which change in
 * place stay of the same format. */
static bool is_turn_of(int format, size_t size)
{
#ifdef FUZZ_CORPUS
    (void)format, (void)size;
    return true;
#else
    return (int)(size % (GRAPH_BY_CONTENT + 1)) == format;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;

    memory_file_open(&f, data, size);
    for (int format = GRAPH_SNAP; format <= GRAPH_BY_CONTENT; format++)
        if (is_turn_of(format, size))
            read_as(f.path, (enum graph_format)format);
    if (size >= 64 && is_turn_of(GRAPH_COPY, size))
        read_forged(&f, data, size);
    memory_file_close(&f);
    return 0;
}
