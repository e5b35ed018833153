/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shares.h - adds the shares that a GPU's vertices give along their edges: to
 * the residues of its own heads, and to its sums for heads of others. Whether
 * an addition reaches a bound is as good as random, so that a branch on it
 * would often be predicted wrong: no loop here branches on it. The heads whose
 * value reaches its bound are listed in order, and the caller queues or sends
 * them.
 */
#ifndef APPS_AGENTS_SHARES_H
#define APPS_AGENTS_SHARES_H

#include "apps/agents/task.h"

#include <stdbool.h>

/* The most edges or updates of one call. */
enum { SHARES_MOST = 512 };

struct heads {
    size_t n;
    uint32_t list[2 * SHARES_MOST];
};

/* One GPU's arrays by vertex, which are borrowed, and its lists. */
struct shares {
    double *residue;
    double bound;  /* a residue that rises above it is listed in queued */
    float *sum;    /* NAN at the GPU's own vertices; shares_give()'s alone */
    float goes_at; /* a sum that rises to it is listed in sent */
    struct heads queued, sent;
};

/* Returns whether a list may lack room for the heads of another call: the
 * caller then empties both. */
static inline bool shares_are_full(const struct shares *s)
{
    return s->queued.n > SHARES_MOST || s->sent.n > SHARES_MOST;
}

/* The edges of a vertex that lead to its own GPU, counted from its first. */
struct own_arcs {
    uint32_t from, to;
};

/* Returns the own edges of each vertex, which the caller frees. NULL if those
 * of some vertex are not next to each other, because heads rise and the GPUs'
 * vertices are mixed; or if vertices have so few edges that runs of them are no
 * gain. */
struct own_arcs *own_arcs_new(const struct graph *g, const uint32_t *part);

/* Adds tail.real to the heads of at most SHARES_MOST edges of tail.v. `own` is
 * that vertex's entry; if it is NULL any head may be the GPU's own. */
void shares_give(struct shares *s, const struct graph *g, struct range arcs,
                 const struct own_arcs *own, struct update tail);

/* Adds at most SHARES_MOST updates to residues. */
void shares_receive(struct shares *s, const struct update *list, size_t n);

#endif
