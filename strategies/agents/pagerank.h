/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagerank.h - what the variants of PageRank have in common. */
#ifndef STRATEGIES_AGENTS_PAGERANK_H
#define STRATEGIES_AGENTS_PAGERANK_H

#include "strategies/agents/algorithm.h"

/* By sweeps through all vertices; like pagerank_algorithm before a run. */
extern const struct algorithm_table pagerank_sweep_algorithm;

/* The sum of ranks becomes 1. */
void pagerank_scale_to_1(double *rank, uint32_t n);

/* The ranks of a sweep that have changed by no more than r->last_change of
 * themselves are, added up, no farther from the fixed point than this part of
 * their sum: what a sweep leaves out is passed on with damping, by the next
 * sweep, and so on. Twice as far where both sums are made 1. */
double pagerank_sweep_bound(const struct traverse_result *r, double damping);

#endif
