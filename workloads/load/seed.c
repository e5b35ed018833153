/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the seed of a workload in its words, or in the tables. */
#include "workloads/load/seed.h"

#include "workloads/graph/graph_generate.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

bool workload_seed(uint64_t *seed, const char *words)
{
    static const char key[] = "seed=";
    struct err unknown;
    const struct workload *w = workload_find(words, &unknown);
    bool graph =
        w && w->algorithm && graph_generator_of(words + strlen(w->prefix));

    if (!w || (!w->draws && !graph))
        return false;
    *seed = graph ? GRAPH_SEED : w->seed;
    for (const char *at = words; (at = strpbrk(at, ":,")); at++)
        if (!strncmp(at + 1, key, strlen(key)))
            *seed = strtoull(at + 1 + strlen(key), NULL, 10);
    return true;
}
