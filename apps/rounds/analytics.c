/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of graph algorithms that run on hosts in rounds. */
#include "apps/rounds/analytics.h"

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

void analytics_clear(struct analytics_result *r)
{
    rounds_clear(&r->rounds);
    free(r->label);
    free(r->rank);
    free(r->window_B);
    memset(r, 0, sizeof *r);
}
