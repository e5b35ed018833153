/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the vertex that has an end of an arc, by the number of the end. */
#include "workloads/graph/graph_ends.h"

#include "base/err.h"

#include <stdlib.h>

void graph_ends_init(struct graph_ends *e, uint64_t vertices)
{
    *e = (struct graph_ends){.first = xcalloc(vertices + 1, sizeof *e->first)};
}

void graph_ends_index(struct graph_ends *e, uint64_t vertices)
{
    uint32_t v = 0;

    for (uint64_t i = 0; i < vertices; i++)
        e->first[i + 1] += e->first[i];
    while ((uint64_t)e->first[vertices] >> e->shift > vertices / 2)
        e->shift++;
    uint64_t marks = ((uint64_t)e->first[vertices] >> e->shift) + 1;
    e->at = xcalloc(marks, sizeof *e->at);
    for (uint64_t i = 0; i < marks && e->first[vertices] > 0; i++) {
        while (v + 1 < vertices && e->first[v + 1] <= i << e->shift)
            v++;
        e->at[i] = v;
    }
}

void graph_ends_clear(struct graph_ends *e)
{
    free(e->first);
    free(e->at);
    *e = (struct graph_ends){0};
}
