/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm.h - the steps of a graph algorithm on each GPU: one file with one
 * table, and its line in algorithms.def. An algorithm knows nothing of time. */
#ifndef APPS_AGENTS_ALGORITHM_H
#define APPS_AGENTS_ALGORITHM_H

#include "apps/agents/outbox.h"
#include "apps/agents/queues.h"
#include "apps/agents/task.h"
#include "apps/agents/traverse.h"

/* A GPU as an algorithm sees it. */
struct site {
    uint32_t gpu;
    uint32_t vertices; /* number of vertices that it owns */
    struct queues *queues;
    struct outbox *outbox;
};

/* The functions of an algorithm. `state` is the value that begin() returned.
 * Optional members: choose, searches, plain_passes, key, pack, pass, step, aim,
 * direct. */
struct algorithm_table {
    const char *name;

    /* --- before and after a run ------------------------------------------- */

    /* Returns the variant that runs under this execution; NULL if it is this
     * one. */
    const struct algorithm_table *(*choose)(const struct execution *x);
    int (*check)(const struct traverse_input *in, struct err *err);
    /* Set if the algorithm visits the vertices that it finds from in->source
     * on, nearest first; costs then has the result of a plain search, because
     * compare() needs it. Otherwise the algorithm visits all vertices, by
     * number. */
    bool searches;
    /* Size of the value of a vertex in r->values, which are zeros at first;
     * show() sets the typed pointer of r that points to them. */
    size_t value_B;
    void (*show)(struct traverse_result *r);
    /* Compares the result with a plain computation of the same and sets
     * r->plain_edges; an error if they differ. */
    int (*compare)(struct traverse_result *r, const struct traverse_input *in,
                   struct err *err);

    /* --- a run ------------------------------------------------------------ */

    /* Queues the first vertices and returns the state, which free() frees. */
    void *(*begin)(const struct traverse_input *in, struct traverse_result *r,
                   const struct site *sites);
    /* Writes the value that the vertex has when it is dequeued; returns false
     * if there is nothing to do for it. */
    bool (*take)(void *state, const struct site *s, struct update *u);
    /* Applies tasks that have ended: their updates reach neighbours on this
     * GPU, or enter the outbox. */
    void (*apply)(void *state, const struct site *s, const struct task *p,
                  size_t n);
    /* Returns how often, at most, a plain computation visits all arcs; NULL if
     * that is once. */
    double (*plain_passes)(const struct traverse_input *in);
    /* Returns the key of the order by priority; NULL if the algorithm has
     * none. */
    uint32_t (*key)(const void *state, uint32_t gpu, uint32_t v);
    void (*receive)(void *state, const struct site *s,
                    const struct update *list, size_t n);
    /* Adds to updates, just before they are sent, the shares that have
     * accumulated for them since they were found. NULL if none can, because
     * each update is independent of later ones. */
    void (*pack)(void *state, const struct site *s, struct updates *list);
    /* Accepts an update for a vertex of another GPU that is routed through this
     * one, which forwards it. NULL if the update is forwarded unchanged. */
    void (*pass)(void *state, const struct site *s, struct update u);
    /* Writes the values and r->reached. */
    void (*end)(void *state);
    void (*free)(void *state);

    /* Optional, for supersteps: fills *w with the GPU's work of a step, in
     * place of the queued vertices; apply() then gets no tasks. The GPUs are
     * asked in the order of their numbers; the run ends if all return false. */
    bool (*step)(void *state, const struct site *s, struct work *w);

    /* Both or neither. aim() is called before the GPU dequeues vertices, and
     * may add updates for other GPUs. direct() turns the dequeued vertices into
     * other work, whose results are known once all of it has ended. With these
     * two, receive() also gets vertices of other GPUs. */
    void (*aim)(void *state, const struct site *s);
    void (*direct)(void *state, const struct site *s, struct work *w);
};

extern const struct algorithm_table *const algorithms[NALGORITHMS];

#define ALGORITHM(X, x) extern const struct algorithm_table x##_algorithm;
#include "apps/agents/algorithms.def"
#undef ALGORITHM

#endif
