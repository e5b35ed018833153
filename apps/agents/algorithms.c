/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of graph algorithms, from algorithms.def. */
#include "apps/agents/algorithm.h"

#define ALGORITHM(X, x) [X] = &x##_algorithm,
const struct algorithm_table *const algorithms[NALGORITHMS] = {
#include "apps/agents/algorithms.def"
};
#undef ALGORITHM

const char *algorithm_name(enum algorithm a)
{
    return algorithms[a]->name;
}
