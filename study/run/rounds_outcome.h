/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounds_outcome.h - the details of the outcome of a graph algorithm on hosts,
 * as those of any other plan: its rounds, which are simulated apart, are joined
 * one after the other. */
#ifndef STUDY_RUN_ROUNDS_OUTCOME_H
#define STUDY_RUN_ROUNDS_OUTCOME_H

#include "study/run/graph_rounds.h"

/* The result of one kind of round, for the outcome. If the rounds have too many
 * operations together, only its links, hosts and counts are kept. */
struct kept_round {
    struct plan plan;
    struct exec_result x;
    struct report counts; /* its messages and bytes */
};

/* Returns whether all operations of the rounds fit into one plan. */
bool rounds_fit(const struct graph_rounds *g);

/* Keeps a simulated plan, whose contents are moved. */
void kept_round_take(struct kept_round *k, const struct graph_rounds *g,
                     const struct machine *m, struct plan *plan,
                     struct exec_result *x);
void kept_round_clear(struct kept_round *k);

/* Sets the details of an outcome whose i-th round was simulated as kept[i], and
 * at most so many of its links (0 for all). Writes the timeline if one is asked
 * for. */
int rounds_outcome_join(struct outcome *o, const struct graph_rounds *g,
                        const struct machine *m,
                        const struct kept_round *const *kept,
                        unsigned most_links, const struct run_options *options,
                        struct err *err) MUST_CHECK;

#endif
