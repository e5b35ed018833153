/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.h - a graph by its vertices: read, generated, partitioned. */
#ifndef WORKLOADS_GRAPH_GRAPH_H
#define WORKLOADS_GRAPH_GRAPH_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct graph {
    char *name;
    uint32_t n;      /* vertices, numbered from 0 */
    uint64_t *first; /* n + 1: the arcs of v are to[first[v]..first[v + 1]) */
    uint32_t *to;    /* first[n] heads: rising within a vertex, none twice,
                        no loops */
    float *x, *y;    /* where a mesh's vertices lie, or NULL */
    void *map;       /* a mapped file that first, to, x, y lie in, or NULL */
    size_t map_B;
};

void graph_clear(struct graph *g);

static inline uint64_t graph_arcs(const struct graph *g)
{
    return g->first[g->n];
}

static inline uint64_t graph_degree(const struct graph *g, uint32_t v)
{
    return g->first[v + 1] - g->first[v];
}

/*
 * A file by what it says it is: a SNAP edge list (.txt, .el, .edges), a
 * MatrixMarket coordinate file (.mtx: symmetric means both arcs), a DIMACS
 * shortest-path graph (.gr), a METIS graph (.graph), each also gzipped (.gz),
 * or sluice's own copy (.sluice-graph, graph_save). Another name is no matter
 * where the first line tells. Loops and doubles are dropped. SNAP vertices are
 * numbered by value, from 0 to the largest in the file. Refused beyond 2^20
 * vertices: more than 100 for each arc. Errors name file and line.
 */
int graph_read(struct graph *g, const char *path, struct err *err) MUST_CHECK;

/* The binary copy: what graph_read() maps instead of reading. Its version,
 * sizes and checksum are checked when it is opened. */
int graph_save(const struct graph *g, const char *path,
               struct err *err) MUST_CHECK;

/* The place in g->to of the arc from u to v; NO_ARC: there is none. */
#define NO_ARC UINT64_MAX
uint64_t graph_arc(const struct graph *g, uint32_t u, uint32_t v);

/* The vertex of most arcs, the first of equal ones. */
uint32_t graph_hub(const struct graph *g);

/* Adds the arc back of every arc. */
void graph_undirect(struct graph *g);
/* Every arc has its way back. */
bool graph_is_symmetric(const struct graph *g);
/* The transposed graph: every arc reversed; neither name nor coordinates. */
void graph_transpose(struct graph *out, const struct graph *g);

/*
 * Builds a graph of n vertices from `arcs` pairs (tail, head), which are
 * sorted into place; loops and doubles are dropped. Does not keep the arrays.
 */
void graph_from_arcs(struct graph *g, uint32_t n, const uint32_t *tail,
                     const uint32_t *head, uint64_t arcs);

/*
 * By the words of a workload: a path, or one of the generators of
 * workloads/graph/graph_generate.h.
 */
int graph_from_words(struct graph *g, const char *words,
                     struct err *err) MUST_CHECK;

/* Vertices to GPUs. */
enum graph_partition {
    GRAPH_CONTIGUOUS, /* blocks of equal numbers of vertices */
    GRAPH_RANDOM,     /* equal numbers, seeded */
    GRAPH_METIS,      /* k-way, least edge cut, seeded */
    GRAPH_GEOMETRIC,  /* meshes: by recursive bisection of the coordinates */
    NGRAPH_PARTITIONS
};
extern const char *const graph_partition_names[NGRAPH_PARTITIONS];
int graph_partition_from_name(enum graph_partition *how, const char *name,
                              struct err *err) MUST_CHECK;
/* part[] has room for g->n. */
int graph_partition(uint32_t *part, const struct graph *g, uint32_t ngpus,
                    enum graph_partition how, uint64_t seed,
                    struct err *err) MUST_CHECK;
/* As --partition says it: one of the names, NULL for contiguous, or a file of
 * a part number for each vertex (workloads/parts.h). The first only checks the
 * words. */
int graph_partition_check(const char *how, struct err *err) MUST_CHECK;
int graph_partition_by(uint32_t *part, const struct graph *g, uint32_t ngpus,
                       const char *how, uint64_t seed,
                       struct err *err) MUST_CHECK;

#endif
