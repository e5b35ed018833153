/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes, taken for each kind of graph file, must be refused or give a graph
 * that keeps what graph.h says, and comes back from its copy. */
#include "workloads/graph/graph_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    char path[64];
    int fd = memfd_create("copy", 0);

    if (fd < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (graph_save(g, path, &err) < 0 ||
        graph_read_as(&copy, path, GRAPH_COPY, &err) < 0 || copy.n != g->n ||
        graph_arcs(&copy) != graph_arcs(g) ||
        memcmp(copy.first, g->first, (g->n + 1) * sizeof *g->first) != 0 ||
        memcmp(copy.to, g->to, graph_arcs(g) * sizeof *g->to) != 0)
        abort();
    graph_clear(&copy);
    close(fd);
}

static void read_as(const char *path, enum graph_format format)
{
    struct graph g = {0};
    struct err err = {0};

    if (graph_read_as(&g, path, format, &err) == 0) {
        check(&g);
        check_copy(&g);
    } else if (!err.text[0] || strchr(err.text, '\n') || g.first || g.map) {
        abort();
    }
    graph_clear(&g);
}

/* No fuzzer guesses a checksum. */
static void read_forged(int fd, const char *path, const uint8_t *data,
                        size_t size)
{
    uint64_t sum = graph_copy_checksum(data, size);

    if (pwrite(fd, &sum, sizeof sum, 56) == sizeof sum)
        read_as(path, GRAPH_COPY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("graph", 0);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int f = GRAPH_SNAP; f <= GRAPH_BY_CONTENT; f++)
        read_as(path, (enum graph_format)f);
    if (size >= 64)
        read_forged(fd, path, data, size);
    close(fd);
    return 0;
}
