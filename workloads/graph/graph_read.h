/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_read.h - the parts of graph_read(). */
#ifndef WORKLOADS_GRAPH_GRAPH_READ_H
#define WORKLOADS_GRAPH_GRAPH_READ_H

#include "workloads/graph/graph.h"
#include "workloads/text.h"

#include <stdlib.h>

#define GRAPH_MAX_VERTICES (UINT32_MAX - 1)

/* The contents of a file that were read so far. No array is larger than the
 * bytes of the file justify. */
struct arcs {
    uint32_t *tail, *head;
    uint64_t n, room;
    bool weigh;        /* weights are wanted, too */
    bool weighed;      /* the file has weights */
    uint32_t *weight;  /* one per arc; NULL if they are not wanted */
    uint64_t vertices; /* GRAPH_MAX_VERTICES or less */
    uint64_t line;     /* the line that needs this many */
};

/* Adds an arc. */
static inline void arcs_add(struct arcs *a, uint64_t tail, uint64_t head)
{
    if (a->n == a->room) {
        a->room = a->room ? 2 * a->room : 1024;
        a->tail = xrealloc(a->tail, a->room, sizeof *a->tail);
        a->head = xrealloc(a->head, a->room, sizeof *a->head);
        if (a->weigh)
            a->weight = xrealloc(a->weight, a->room, sizeof *a->weight);
    }
    a->tail[a->n] = (uint32_t)tail;
    a->head[a->n++] = (uint32_t)head;
}

static inline void arcs_clear(struct arcs *a)
{
    free(a->tail);
    free(a->head);
    free(a->weight);
}

/* Reads the next word, which is the weight of the next arc; skips it if weights
 * are not wanted. Returns false if it is not a number. */
static inline bool arcs_weight(const struct arcs *a, struct text *t,
                               double *weight)
{
    return a->weigh ? text_real(t, weight) : text_value(t);
}

/* Sets the weight of the newest arc if weights are wanted. Returns -1 if it is
 * negative or not a whole number. */
int arcs_weigh(struct arcs *a, struct text *t, double weight) MUST_CHECK;

/* Read a text of one format each. */
int graph_read_snap(struct arcs *a, struct text *t) MUST_CHECK;
int graph_read_mtx(struct arcs *a, struct text *t) MUST_CHECK;
int graph_read_dimacs(struct arcs *a, struct text *t) MUST_CHECK;
int graph_read_metis(struct arcs *a, struct text *t) MUST_CHECK;

#define GRAPH_COPY_MAGIC "sluiceG\n"
/* Maps a file that graph_save() wrote. */
int graph_map(struct graph *g, const char *path, struct err *err) MUST_CHECK;
/* Returns the checksum that the header of a copy must have; for tests. */
uint64_t graph_copy_checksum(const void *copy, size_t bytes);

enum graph_format {
    GRAPH_SNAP,
    GRAPH_MTX,
    GRAPH_DIMACS,
    GRAPH_METIS_TEXT,
    GRAPH_COPY,
    GRAPH_BY_CONTENT, /* fails if the contents do not show the format */
};
/* The number of vertices that a file may have. Numbers may have gaps, but a
 * line of a few bytes must not make sluice allocate gigabytes. */
struct graph_limit {
    uint64_t vertices,
        per_arc; /* vertices in any case, and per_arc for each arc */
};
/* The limit of graph_read(). SNAP's cit-HepTh has 28 vertices for each arc. */
#define GRAPH_LIMIT ((struct graph_limit){UINT64_C(1) << 20, 100})

/* Reads the arcs of a text file, with weights if a->weigh is set; a binary copy
 * has none. The caller calls arcs_clear() in any case. */
int graph_read_arcs(struct arcs *a, const char *path,
                    struct err *err) MUST_CHECK;

/* Reads a file in a given format, whatever its name. */
int graph_read_as(struct graph *g, const char *path, enum graph_format format,
                  struct graph_limit limit, struct err *err) MUST_CHECK;

#endif
