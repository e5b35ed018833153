/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The weights of edges, and distances along them. */
#include "apps/rounds/analytics.h"

#include "base/random.h"

uint32_t arc_weight(uint32_t u, uint32_t v, uint32_t most)
{
    uint64_t low = u < v ? u : v, high = u < v ? v : u;
    uint64_t state = low << 32 | high;

    return 1 + (uint32_t)random_below(&state, most);
}

uint32_t input_distance(const struct analytics_input *in, uint32_t label,
                        uint32_t u, uint32_t v, bool *too_long)
{
    const struct graph *g = in->hosts->graph;
    uint64_t sum =
        (uint64_t)label + (in->weight ? in->weight[graph_arc(g, u, v)]
                                      : arc_weight(u, v, in->max_weight));

    if (sum < UNREACHED)
        return (uint32_t)sum;
    *too_long = true;
    return UNREACHED;
}
