/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagerank.h - what the variants of PageRank have in common. */
#ifndef STRATEGIES_AGENTS_PAGERANK_H
#define STRATEGIES_AGENTS_PAGERANK_H

#include "strategies/agents/algorithm.h"

/* By residues, but each kernel goes along all arcs of its GPU. */
extern const struct algorithm_table pagerank_topology_algorithm;

/* By sweeps through all vertices; like pagerank_algorithm before a run. */
extern const struct algorithm_table pagerank_sweep_algorithm;

/* The sum of ranks becomes 1. */
void pagerank_scale_to_1(double *rank, uint32_t n);

/* Whether the ranks of a run are as near to those of a power iteration as they
 * should be (pagerank_plain.c); sets r->plain_edges. */
int pagerank_compare_sweeps(struct traverse_result *r,
                            const struct traverse_input *in,
                            struct err *err) MUST_CHECK;
int pagerank_compare_residues(struct traverse_result *r,
                              const struct traverse_input *in,
                              struct err *err) MUST_CHECK;

#endif
