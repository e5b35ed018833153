/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagerank.h - the functions that the variants of PageRank share. */
#ifndef APPS_AGENTS_PAGERANK_H
#define APPS_AGENTS_PAGERANK_H

#include "apps/agents/algorithm.h"

/* Pushes residues, but each kernel visits all arcs of its GPU. */
extern const struct algorithm_table pagerank_topology_algorithm;

/* Computes ranks by sweeps through all vertices. It has no functions before a
 * run, because pagerank_algorithm has them. */
extern const struct algorithm_table pagerank_sweep_algorithm;

/* Scales the ranks so that their sum is 1. */
void pagerank_scale_to_1(double *rank, uint32_t n);

/* Fail if the ranks of a run are farther from those of a power iteration than
 * the variant allows (pagerank_plain.c); they set r->plain_edges. */
int pagerank_compare_sweeps(struct traverse_result *r,
                            const struct traverse_input *in,
                            struct err *err) MUST_CHECK;
int pagerank_compare_residues(struct traverse_result *r,
                              const struct traverse_input *in,
                              struct err *err) MUST_CHECK;

#endif
