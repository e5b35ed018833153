/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the weights of a graph file, and finds the arc of each. */
#include "workloads/graph/graph_weights.h"

#include "workloads/graph/graph_read.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *weights_of(const struct graph *g, const struct arcs *a)
{
    uint64_t n = graph_arcs(g);
    uint32_t *weight = xmalloc((n + 1) * sizeof *weight);

    memset(weight, 0xff, n * sizeof *weight);
    for (uint64_t k = 0; k < a->n; k++) {
        uint64_t at = graph_arc(g, a->tail[k], a->head[k]);
        if (at != NO_ARC && a->weight[k] < weight[at])
            weight[at] = a->weight[k];
    }
    return weight;
}

int graph_read_weights(uint32_t **weight, const struct graph *g,
                       const char *path, struct err *err)
{
    struct arcs a = {.weigh = true};
    int result = graph_read_arcs(&a, path, err);

    *weight = result == 0 && a.weighed ? weights_of(g, &a) : NULL;
    arcs_clear(&a);
    return result;
}
