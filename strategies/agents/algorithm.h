/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm.h - the steps of a graph algorithm on each GPU: one file with one
 * table, and its line in algorithms.def. When it happens is not its business.
 */
#ifndef STRATEGIES_AGENTS_ALGORITHM_H
#define STRATEGIES_AGENTS_ALGORITHM_H

#include "strategies/agents/outbox.h"
#include "strategies/agents/queues.h"
#include "strategies/agents/task.h"
#include "strategies/agents/traverse.h"

/* A GPU as an algorithm sees it. */
struct site {
    uint32_t gpu;
    uint32_t vertices; /* that it owns */
    struct queues *queues;
    struct outbox *outbox;
};

/* `state` is the value of begin(). Optional: choose, searches, plain_passes,
 * key, pack, pass, step, aim, direct. */
struct algorithm_table {
    const char *name;

    /* --- before and after a run ------------------------------------------- */

    /* Returns the variant that runs under this execution; NULL: this one. */
    const struct algorithm_table *(*choose)(const struct execution *x);
    int (*check)(const struct traverse_input *in, struct err *err);
    /* It visits the vertices that it finds from in->source on, nearest first;
     * costs has the result of a search, which compare() wants. Else it visits
     * all, by number. */
    bool searches;
    /* Of a vertex in r->values, zeros at first; show() sets what points to
     * them. */
    size_t value_B;
    void (*show)(struct traverse_result *r);
    /* With a plain computation of the same; sets r->plain_edges. */
    int (*compare)(struct traverse_result *r, const struct traverse_input *in,
                   struct err *err);

    /* --- a run ------------------------------------------------------------ */

    /* Queues the first vertices. */
    void *(*begin)(const struct traverse_input *in, struct traverse_result *r,
                   const struct site *sites);
    /* The value that the vertex has when it is taken; false: nothing is to be
     * done. */
    bool (*take)(void *state, const struct site *s, struct update *u);
    /* Tasks have ended: their updates reach neighbours here, or go out. */
    void (*apply)(void *state, const struct site *s, const struct task *p,
                  size_t n);
    /* How often, at most, a plain computation goes along all arcs; NULL: once.
     */
    double (*plain_passes)(const struct traverse_input *in);
    /* Returns the key of the order by priority; NULL: there is none. */
    uint32_t (*key)(const void *state, uint32_t gpu, uint32_t v);
    void (*receive)(void *state, const struct site *s,
                    const struct update *list, size_t n);
    /* Before updates are sent, adds the shares that have come up for them since
     * they were found. NULL: none can, because each update is of its own. */
    void (*pack)(void *state, const struct site *s, struct updates *list);
    /* An update for a vertex of another GPU has come by way of this one, which
     * sends it on. NULL: as it is. */
    void (*pass)(void *state, const struct site *s, struct update u);
    /* Writes the values and r->reached. */
    void (*end)(void *state);
    void (*free)(void *state);

    /* Optional, for supersteps: fills *w with the GPU's work of a step, instead
     * of the queued vertices; apply() then gets no tasks. GPUs are asked by
     * number; if all return false there is nothing more to be done. */
    bool (*step)(void *state, const struct site *s, struct work *w);

    /* Both or neither. aim(): before the GPU takes queued vertices it may find
     * something for others. direct(): the taken vertices become other work,
     * known of when all of it has ended. Then receive() also gets vertices of
     * others. */
    void (*aim)(void *state, const struct site *s);
    void (*direct)(void *state, const struct site *s, struct work *w);
};

extern const struct algorithm_table *const algorithms[NALGORITHMS];

#define ALGORITHM(X, x) extern const struct algorithm_table x##_algorithm;
#include "strategies/agents/algorithms.def"
#undef ALGORITHM

#endif
