/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_toys.h - graph algorithms on simulated GPUs, for tests. */
#ifndef TESTS_TRAVERSE_TOYS_H
#define TESTS_TRAVERSE_TOYS_H

#include "apps/agents/traverse.h"

#include <stdlib.h>
#include <string.h>

struct run {
    struct execution x;
    struct traverse_result r;
    struct err err;
    int result;
};

static inline void clear(struct run *run)
{
    execution_clear(&run->x);
    if (run->result == 0)
        traverse_result_clear(&run->r);
}

static inline void run(struct run *run, struct traverse_input in,
                       const char *preset, const char *set)
{
    memset(run, 0, sizeof *run);
    run->result = execution_load(&run->x, preset, &set, set ? 1 : 0, &run->err);
    in.x = &run->x;
    if (run->result == 0)
        run->result = traverse_run(&run->r, &in, &run->err);
}

static inline struct traverse_input toy_input(const struct machine *m,
                                              const struct graph *g,
                                              const uint32_t *part,
                                              uint32_t ngpus)
{
    return (struct traverse_input){.m = m,
                                   .g = g,
                                   .part = part,
                                   .ngpus = ngpus,
                                   .algorithm = BFS,
                                   .edge_s = 1e-9,
                                   .damping = 0.85,
                                   .threshold = 1e-6};
}

/* Makes a path of 10 vertices, with arcs in one direction. */
static inline void path_graph(struct graph *g)
{
    uint32_t tail[9], head[9];

    for (uint32_t i = 0; i < 9; i++) {
        tail[i] = i;
        head[i] = i + 1;
    }
    graph_from_arcs(g, 10, tail, head, 9);
    g->name = xstrdup("path");
}

#endif
