/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises the format of a graph file, reads it and builds the graph. */
#include "workloads/graph/graph_read.h"

#include "base/packed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *text;
    enum graph_format format;
} endings[] = {
    {".txt", GRAPH_SNAP},          {".el", GRAPH_SNAP},
    {".edges", GRAPH_SNAP},        {".mtx", GRAPH_MTX},
    {".gr", GRAPH_DIMACS},         {".graph", GRAPH_METIS_TEXT},
    {".sluice-graph", GRAPH_COPY},
};
enum { NENDINGS = sizeof endings / sizeof endings[0] };

/* Removes an ending from a name of *len bytes. Returns false if the name has
 * another ending. */
static bool cut(const char *name, size_t *len, const char *ending)
{
    size_t n = strlen(ending);

    if (*len <= n || strncasecmp(name + *len - n, ending, n) != 0)
        return false;
    *len -= n;
    return true;
}

/* Returns "road" for "data/road.mtx.gz", and the format of the ending. The
 * caller frees the name. */
static char *name_of(const char *path, enum graph_format *format)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t len = packed_stem(name);

    *format = GRAPH_BY_CONTENT;
    for (size_t i = 0; i < NENDINGS && *format == GRAPH_BY_CONTENT; i++)
        if (cut(name, &len, endings[i].text))
            *format = endings[i].format;
    return xasprintf("%.*s", (int)len, name);
}

static bool starts(const struct text *t, const char *with)
{
    return !strncmp(t->at, with, strlen(with));
}

/* Recognises the format by the first line. An edge list without a comment is
 * not recognised, because it looks like a METIS graph. */
static int recognise(enum graph_format *format, struct text *t)
{
    if (starts(t, GRAPH_COPY_MAGIC))
        *format = GRAPH_COPY;
    else if (starts(t, "%%MatrixMarket"))
        *format = GRAPH_MTX;
    else if (starts(t, "c ") || starts(t, "c\n") || starts(t, "c\r") ||
             starts(t, "p sp "))
        *format = GRAPH_DIMACS;
    else if (starts(t, "#"))
        *format = GRAPH_SNAP;
    else
        return fail(t->err,
                    "%s: what kind of graph? expected a name that ends in "
                    ".txt, .el, .edges (SNAP), .mtx, .gr (DIMACS), .graph "
                    "(METIS) or .sluice-graph",
                    t->path);
    return 0;
}

static int check_plausible(const struct arcs *a, struct graph_limit limit,
                           struct text *t)
{
    if (a->vertices <= limit.vertices ||
        (a->vertices - limit.vertices) / limit.per_arc <= a->n)
        return 0;
    t->line = a->line;
    return text_fail(t,
                     "%" PRIu64 " vertices with %" PRIu64
                     " arcs: expected at most %" PRIu64 " for each arc",
                     a->vertices, a->n, limit.per_arc);
}

/* Checks that every arc has its reverse: in the order of the tails, each arc
 * must be the next one of its head. */
static int check_both_ways(const struct graph *g, struct text *t)
{
    uint64_t *next = xmalloc(g->n * sizeof *next);
    int result = 0;

    memcpy(next, g->first, g->n * sizeof *next);
    for (uint32_t v = 0; v < g->n && result == 0; v++)
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
            uint32_t w = g->to[k];
            uint64_t back = next[w]++;
            if (back < g->first[w + 1] && g->to[back] == v)
                continue;
            /* No later tail is v, so v cannot match it. */
            bool extra = back < g->first[w + 1] && g->to[back] < v;
            uint32_t one = extra ? w : v, other = extra ? g->to[back] : w;
            result = fail(t->err,
                          "%s: vertex %" PRIu64 " has the neighbour %" PRIu64
                          ", but not the other way round",
                          t->path, (uint64_t)one + 1, (uint64_t)other + 1);
            break;
        }
    free(next);
    return result;
}

static int read_arcs(struct arcs *a, enum graph_format format, struct text *t)
{
    switch (format) {
    case GRAPH_SNAP:
        return graph_read_snap(a, t);
    case GRAPH_MTX:
        return graph_read_mtx(a, t);
    case GRAPH_DIMACS:
        return graph_read_dimacs(a, t);
    case GRAPH_METIS_TEXT:
        return graph_read_metis(a, t);
    case GRAPH_COPY:
    case GRAPH_BY_CONTENT:
        break;
    }
    return fail(t->err, "%s: not a text", t->path);
}

static int read_text(struct graph *g, enum graph_format format,
                     struct graph_limit limit, struct text *t)
{
    struct arcs a = {0};
    int result = read_arcs(&a, format, t);

    if (result == 0)
        result = check_plausible(&a, limit, t);
    if (result == 0)
        graph_from_arcs(g, (uint32_t)a.vertices, a.tail, a.head, a.n);
    arcs_clear(&a);
    if (result == 0 && format == GRAPH_METIS_TEXT &&
        check_both_ways(g, t) < 0) {
        graph_clear(g);
        result = -1;
    }
    return result;
}

int graph_read_arcs(struct arcs *a, const char *path, struct err *err)
{
    enum graph_format format;
    struct text t;

    free(name_of(path, &format));
    if (format == GRAPH_COPY)
        return 0;
    if (text_open(&t, path, err) < 0)
        return -1;
    int result = format == GRAPH_BY_CONTENT ? recognise(&format, &t) : 0;
    if (result == 0 && format != GRAPH_COPY)
        result = read_arcs(a, format, &t);
    text_close(&t);
    return result;
}

int graph_read_as(struct graph *g, const char *path, enum graph_format format,
                  struct graph_limit limit, struct err *err)
{
    struct text t;
    int result = 0;

    if (format != GRAPH_COPY) {
        if (text_open(&t, path, err) < 0)
            return -1;
        if (format == GRAPH_BY_CONTENT)
            result = recognise(&format, &t);
        if (result == 0 && format != GRAPH_COPY)
            result = read_text(g, format, limit, &t);
        text_close(&t);
    }
    if (result == 0 && format == GRAPH_COPY)
        result = graph_map(g, path, err);
    return result;
}

int graph_read(struct graph *g, const char *path, struct err *err)
{
    enum graph_format format;
    char *name = name_of(path, &format);

    if (graph_read_as(g, path, format, GRAPH_LIMIT, err) < 0) {
        free(name);
        return -1;
    }
    g->name = name;
    return 0;
}
