/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_read.h - the parts of graph_read(). */
#ifndef WORKLOADS_GRAPH_GRAPH_READ_H
#define WORKLOADS_GRAPH_GRAPH_READ_H

#include "workloads/graph/graph.h"
#include "workloads/text.h"

#include <stdlib.h>

#define GRAPH_MAX_VERTICES (UINT32_MAX - 1)

/* What has been read of a file so far: no array is larger than what the file's
 * bytes justify. */
struct arcs {
    uint32_t *tail, *head;
    uint64_t n, room;
    bool weigh;        /* weights are wanted, too ... */
    bool weighed;      /* ... and the file has them */
    uint32_t *weight;  /* of each arc; NULL: they are not wanted */
    uint64_t vertices; /* at most GRAPH_MAX_VERTICES */
    uint64_t line;     /* that asks for so many */
};

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

/* Steps over the next word, which is the weight of the next arc. False: it is
 * none. */
static inline bool arcs_weight(const struct arcs *a, struct text *t,
                               double *weight)
{
    return a->weigh ? text_real(t, weight) : text_value(t);
}

/* The newest arc has this weight, where it is wanted. -1: it is negative or no
 * whole number. */
int arcs_weigh(struct arcs *a, struct text *t, double weight) MUST_CHECK;

/* One kind of text each. */
int graph_read_snap(struct arcs *a, struct text *t) MUST_CHECK;
int graph_read_mtx(struct arcs *a, struct text *t) MUST_CHECK;
int graph_read_dimacs(struct arcs *a, struct text *t) MUST_CHECK;
int graph_read_metis(struct arcs *a, struct text *t) MUST_CHECK;

#define GRAPH_COPY_MAGIC "sluiceG\n"
/* What graph_save() wrote, mapped. */
int graph_map(struct graph *g, const char *path, struct err *err) MUST_CHECK;
/* What a copy's header has to say of its bytes; for tests. */
uint64_t graph_copy_checksum(const void *copy, size_t bytes);

enum graph_format {
    GRAPH_SNAP,
    GRAPH_MTX,
    GRAPH_DIMACS,
    GRAPH_METIS_TEXT,
    GRAPH_COPY,
    GRAPH_BY_CONTENT, /* refused where the content does not say */
};
/*
 * The numbers of vertices may have gaps, but a line of a few bytes must not ask
 * for gigabytes: so many vertices a file may have.
 */
struct graph_limit {
    uint64_t vertices,
        per_arc; /* the first, and the second for each arc more */
};
/* Of graph_read(). SNAP's cit-HepTh has 28 for each arc. */
#define GRAPH_LIMIT ((struct graph_limit){UINT64_C(1) << 20, 100})

/* The arcs of a file of text, with their weights where those are wanted; of
 * another none. arcs_clear() in any case. */
int graph_read_arcs(struct arcs *a, const char *path,
                    struct err *err) MUST_CHECK;

/* graph_read() of a file whatever its name says. */
int graph_read_as(struct graph *g, const char *path, enum graph_format format,
                  struct graph_limit limit, struct err *err) MUST_CHECK;

#endif
