/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edge_costs.h - the time of an edge of each graph of Chen et al. 2022, as
 * fitted to their 1-GPU columns (results/atos/edge_costs.csv). */
#ifndef RESULTS_PAPERS_EDGE_COSTS_H
#define RESULTS_PAPERS_EDGE_COSTS_H

#include "base/err.h"
#include "strategies/agents/traverse.h"

/* In seconds, on a GPU of this memory bandwidth. The graph is one of the
 * study's, by the name that the study gives it. */
int edge_costs_of(double *s, const char *graph, enum algorithm algorithm,
                  double memory_Bps, struct err *err) MUST_CHECK;

#endif
