/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of graph algorithms that run on hosts in rounds. */
#include "strategies/rounds/analytics.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

const struct analytics analytics[] = {
    {"bfs", {[CUT_CVC] = bfs_cvc, [CUT_BLOCKED] = bfs_blocked}, false},
    {"cc", {[CUT_CVC] = cc_cvc, [CUT_BLOCKED] = cc_blocked}, true},
    {"sssp", {[CUT_CVC] = sssp_cvc, [CUT_BLOCKED] = sssp_blocked}, false},
    {"pagerank",
     {[CUT_CVC] = pagerank_cvc, [CUT_BLOCKED] = pagerank_blocked},
     false},
};
const size_t nanalytics = sizeof analytics / sizeof analytics[0];

const struct analytics *analytics_find(const char *name)
{
    for (size_t i = 0; i < nanalytics; i++)
        if (!strcmp(analytics[i].name, name))
            return &analytics[i];
    return NULL;
}

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

void analytics_clear(struct analytics_result *r)
{
    rounds_clear(&r->rounds);
    free(r->label);
    free(r->rank);
    free(r->window_B);
    memset(r, 0, sizeof *r);
}
