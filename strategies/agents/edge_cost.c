/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time that an edge keeps a GPU busy, for graphs whose cost is known. */
#include "strategies/agents/edge_cost.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define FIT                                                                    \
    "of a V100: fit to the 1-GPU columns of Tables II, IV and V of Chen et "   \
    "al. 2022"

#define ASSUMED "assumed: that of soc-LiveJournal1 on a V100"
#define ANOTHER ", in proportion to the memory bandwidth"

/*
 * BFS: one value for all frameworks, from T = levels * round + edges * cost *
 * factor. On road_usa the levels' own latency hides it: taken to be that of
 * soc-LiveJournal1. PageRank: what Atos with discrete kernels takes, by the
 * edges that a simulation of it visits on the stand-in (damping 0.85, threshold
 * 0.01).
 */
static const struct known {
    const char *name;
    double ns[NALGORITHMS];
} known[] = {
    {"soc-LiveJournal1", {0.170, 0.089}}, {"hollywood-2009", {0.045, 0.0225}},
    {"indochina-2004", {0.041, 0.0121}},  {"twitter50", {0.543, 0.33}},
    {"road_usa", {0.170, 0.078}},         {"osm_eur", {0.45, 0.116}},
};

static const double v100_Bps = 900e9; /* its specification */

struct edge_cost edge_cost(const char *graph, enum algorithm algorithm,
                           double memory_Bps)
{
    bool v100 = memory_Bps <= 0 || memory_Bps == v100_Bps;
    double scale = v100 ? 1 : v100_Bps / memory_Bps;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(graph, known[i].name))
            return (struct edge_cost){known[i].ns[algorithm] * 1e-9 * scale,
                                      v100 ? FIT : FIT ANOTHER};
    return (struct edge_cost){known[0].ns[algorithm] * 1e-9 * scale,
                              v100 ? ASSUMED : ASSUMED ANOTHER};
}
