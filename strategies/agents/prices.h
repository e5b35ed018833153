/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prices.h - what arcs and visits take a GPU, by the counts of an execution
 * (counts.h) and by what was seen of so many of them: how many sectors they
 * touch, which part of these is in L2, and which is another GPU's.
 */
#ifndef STRATEGIES_AGENTS_PRICES_H
#define STRATEGIES_AGENTS_PRICES_H

#include "strategies/agents/counts.h"

/* On one GPU: in a window, or since the beginning. */
struct seen {
    double arcs, sectors, visits;
    double rows;       /* of arcs that are not those after the ones before */
    double uses, hits; /* of the sample: values */
    double row_uses, row_hits;
    double heads, remote_heads;
};

void seen_add(struct seen *to, const struct seen *more);
/* Too few uses say nothing by themselves. */
bool seen_says_little(const struct seen *seen);

/* What is the same for all GPUs. */
struct pricing {
    const struct gpu_model *gpu;
    const struct work_counts *work;
    uint32_t ngpus;
    uint32_t worker_threads; /* 0: workers have no threads of their own */
    uint32_t one_of;    /* sectors of which one is in the sample: in bits */
    bool remote_values; /* heads of other GPUs have values on this one */
};

/* Each of one item, done by the whole GPU. */
struct prices {
    double arc_s, sector_s, visit_s, found_s;
};

/* `fits`: all that the GPU reads is in its cache. */
struct prices prices_of(const struct pricing *p, bool fits,
                        const struct seen *seen);

/* What a GPU's vertices take it. */
struct gpu_costs {
    double all_s;           /* each of its vertices once */
    double arc_s;           /* in the mean of these */
    double hits;            /* part of the values found in L2 */
    double sectors_per_arc; /* values' */
    double dense_s, look_s; /* of all its vertices */
    double pull_arc_s, pull_vertex_s;
    double chain_s; /* of a visit, however few there are */
    double full;    /* workers that keep all of the GPU busy, 1 or more */
};

/* All members but dense_s and look_s, by what was seen since the beginning,
 * which took sum_s. */
void prices_sum_up(struct gpu_costs *out, const struct pricing *p, bool fits,
                   const struct seen *seen, double sum_s);

#endif
