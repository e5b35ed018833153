/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prices.h - the cost of arcs and visits on a GPU, from the counts of an
 * execution (counts.h) and from a sample of the graph: how many sectors its
 * arcs touch, which part of these is in L2, and which is another GPU's. */
#ifndef APPS_AGENTS_PRICES_H
#define APPS_AGENTS_PRICES_H

#include "apps/agents/counts.h"

/* The accesses of one GPU, in a window or since the beginning. */
struct seen {
    double arcs, sectors, visits;
    double rows; /* visits whose arcs do not follow the previous visit's */
    double uses, hits; /* sampled accesses to values, and their hits */
    double row_uses, row_hits;
    double heads, remote_heads;
};

void seen_add(struct seen *to, const struct seen *more);
/* Returns whether there are too few accesses for an estimate. */
bool seen_says_little(const struct seen *seen);

/* The part that is the same for all GPUs. */
struct pricing {
    const struct gpu_model *gpu;
    const struct work_counts *work;
    uint32_t ngpus;
    uint32_t worker_threads; /* 0 if workers have no threads of their own */
    uint32_t one_of;         /* the sample has one of 2^one_of sectors */
    bool remote_values;      /* a GPU has values for heads of other GPUs */
};

/* Seconds of one item of each kind, done by the whole GPU. */
struct prices {
    double arc_s, sector_s, visit_s, found_s;
};

/* Returns the costs per item; `fits` if all that the GPU reads is in its
 * cache. */
struct prices prices_of(const struct pricing *p, bool fits,
                        const struct seen *seen);

/* The costs of a GPU's vertices. */
struct gpu_costs {
    double all_s;           /* each of its vertices once */
    double arc_s;           /* mean per arc of these */
    double hits;            /* part of the accesses to values that hit L2 */
    double sectors_per_arc; /* sectors of values */
    double dense_s, look_s; /* all of its vertices once */
    double pull_arc_s, pull_vertex_s;
    double chain_s; /* latency of one visit, however few there are */
    double full;    /* workers that keep the whole GPU busy, 1 or more */
};

/* Sets all members except dense_s and look_s, from the accesses since the
 * beginning, which took sum_s. */
void prices_sum_up(struct gpu_costs *out, const struct pricing *p, bool fits,
                   const struct seen *seen, double sum_s);

#endif
