/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytics_toys.h - partitioned graphs, and algorithms in rounds on them. */
#ifndef TESTS_ANALYTICS_TOYS_H
#define TESTS_ANALYTICS_TOYS_H

#include "apps/rounds/analytics.h"
#include "tests/check.h"
#include "tests/graph_toys.h"

static inline struct hosts divide(const struct graph *g, uint32_t n,
                                  const char *how)
{
    struct cut_words cut;
    struct hosts h = {0};
    struct err err;

    CHECK(cut_read(&cut, how, &err) == 0);
    CHECK(hosts_divide(&h, g, n, &cut, &err) == 0);
    return h;
}

static inline struct analytics_input input_on(const struct hosts *h)
{
    return (struct analytics_input){.hosts = h,
                                    .source = graph_hub(h->graph),
                                    .max_weight = 9,
                                    .damping = 0.85,
                                    .threshold = 1e-9,
                                    .max_rounds = 1000};
}

static inline struct analytics_result run_on(const struct hosts *h,
                                             const char *name)
{
    struct analytics_input in = input_on(h);
    struct analytics_result r;

    analytics_find(name)->run[h->cut](&r, &in);
    return r;
}

static const char *const graphs[] = {
    "rmat:scale=9,edge_factor=4",
    "kronecker:scale=8,edge_factor=3",
    "uniform:vertices=300,arcs=400",
    "road:vertices=400,arcs=1000,diameter=50",
};
enum { NGRAPHS = sizeof graphs / sizeof graphs[0] };
static const struct {
    uint32_t hosts;
    const char *cut;
} cuts[] = {{1, "cvc"},     {2, "cvc"},     {6, "cvc"},     {7, "cvc"},
            {16, "cvc"},    {5, "cvc:5x1"}, {5, "cvc:1x5"}, {12, "cvc:2x6"},
            {1, "blocked"}, {7, "blocked"}, {16, "blocked"}};
enum { NPARTITIONS = sizeof cuts / sizeof cuts[0], NGRIDS = NPARTITIONS - 3 };

#endif
