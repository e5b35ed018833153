/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.h - directed graphs in compressed sparse rows; the other files here
 * read, generate and partition them. */
#ifndef WORKLOADS_GRAPH_GRAPH_H
#define WORKLOADS_GRAPH_GRAPH_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct graph {
    char *name;
    uint32_t n;      /* number of vertices, which are numbered from 0 */
    uint64_t *first; /* n + 1: the arcs of v are to[first[v]..first[v + 1]) */
    /* The first[n] heads: in increasing order within a vertex, without
     * duplicates and self-loops. */
    uint32_t *to;
    float *x, *y; /* coordinates of a mesh's vertices, or NULL */
    void *map;    /* the mapped file that has first, to, x and y, or NULL */
    size_t map_B;
};

/* Frees a graph, or unmaps its file. It is empty afterwards. */
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
 * Reads a file in the format of its name: a SNAP edge list (.txt, .el, .edges),
 * a MatrixMarket coordinate file (.mtx: symmetric means both arcs), a DIMACS
 * shortest-path graph (.gr), a METIS graph (.graph), each also gzipped (.gz),
 * or sluice's own copy (.sluice-graph, graph_save). If the name has another
 * ending, the first line must show the format. Self-loops and duplicate arcs
 * are dropped. SNAP vertices are numbered by value, from 0 to the largest in
 * the file. A file of more than 2^20 vertices is refused if it has more than
 * 100 for each arc. Errors name file and line.
 */
int graph_read(struct graph *g, const char *path, struct err *err) MUST_CHECK;

/* Writes the binary copy, which graph_read() maps instead of reading. Its
 * version, sizes and checksum are checked when it is opened. */
int graph_save(const struct graph *g, const char *path,
               struct err *err) MUST_CHECK;

/* Returns the index in g->to of the arc from u to v; NO_ARC if there is
 * none. */
#define NO_ARC UINT64_MAX
uint64_t graph_arc(const struct graph *g, uint32_t u, uint32_t v);

/* Returns the vertex with the most arcs, the first of several. */
uint32_t graph_hub(const struct graph *g);

/* Adds the reverse of every arc. */
void graph_undirect(struct graph *g);
/* Returns whether the reverse of every arc is an arc. */
bool graph_is_symmetric(const struct graph *g);
/* Returns the transposed graph in *out: every arc is reversed. It has neither
 * name nor coordinates; the caller clears it. */
void graph_transpose(struct graph *out, const struct graph *g);

/* Builds a graph of n vertices from `arcs` pairs (tail, head), which need no
 * order; self-loops and duplicates are dropped. The arrays are borrowed. */
void graph_from_arcs(struct graph *g, uint32_t n, const uint32_t *tail,
                     const uint32_t *head, uint64_t arcs);

/* Reads or generates a graph by the words of a workload: a path, or one of the
 * generators of workloads/graph/graph_generate.h. */
int graph_from_words(struct graph *g, const char *words,
                     struct err *err) MUST_CHECK;

/* The partitions of vertices over GPUs. */
enum graph_partition {
    GRAPH_CONTIGUOUS, /* blocks of equal numbers of vertices */
    GRAPH_RANDOM,     /* equal numbers of vertices, seeded */
    GRAPH_METIS,      /* k-way with the least edge cut, seeded */
    GRAPH_GEOMETRIC,  /* for meshes: recursive bisection of the coordinates */
    NGRAPH_PARTITIONS
};
extern const char *const graph_partition_names[NGRAPH_PARTITIONS];
int graph_partition_from_name(enum graph_partition *how, const char *name,
                              struct err *err) MUST_CHECK;
/* Assigns every vertex to a GPU: part[v] is below ngpus. part has room for
 * g->n. */
int graph_partition(uint32_t *part, const struct graph *g, uint32_t ngpus,
                    enum graph_partition how, uint64_t seed,
                    struct err *err) MUST_CHECK;
/* Partition a graph as --partition requests: by one of the names, NULL for
 * contiguous, or a file with a part number for each vertex (workloads/parts.h).
 * graph_partition_check() only checks the words. */
int graph_partition_check(const char *how, struct err *err) MUST_CHECK;
int graph_partition_by(uint32_t *part, const struct graph *g, uint32_t ngpus,
                       const char *how, uint64_t seed,
                       struct err *err) MUST_CHECK;

#endif
