/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_traverse.h - the results of `sluice run` of graph algorithms. */
#ifndef CLI_PRINT_TRAVERSE_H
#define CLI_PRINT_TRAVERSE_H

#include "strategies/agents/edge_cost.h"
#include "strategies/agents/traverse.h"

/* One execution's. */
struct traverse_outcome {
    struct execution x;
    struct traverse_result r;
};

struct traverse_outcomes {
    const char *workload, *partition;
    const struct traverse_input *in; /* but for its execution */
    struct edge_cost cost;
    const struct traverse_outcome *list; /* in the order to be printed */
    size_t n;
};

/* Details: of every execution, not only of the first. */
void print_traverse(const struct traverse_outcomes *o, bool details);
void print_traverse_json(const struct traverse_outcomes *o);
void print_traverse_csv(const struct traverse_outcomes *o);

#endif
