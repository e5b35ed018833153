/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_surrogate.h - surrogate graphs for published graphs that are too large
 * to distribute, at full size or smaller, and the known properties of the real
 * graphs. */
#ifndef WORKLOADS_GRAPH_GRAPH_SURROGATE_H
#define WORKLOADS_GRAPH_GRAPH_SURROGATE_H

#include "base/err.h"
#include "workloads/graph/graph_search.h"
#include "workloads/graph/graph_stats.h"

enum surrogate_property {
    SURROGATE_VERTICES,
    SURROGATE_ARCS,
    SURROGATE_SYMMETRIC,
    SURROGATE_MAX_OUT,
    SURROGATE_MAX_IN,
    SURROGATE_DEVIATION_OUT,
    SURROGATE_DEVIATION_IN,
    SURROGATE_ONES,
    SURROGATE_DIAMETER,
    SURROGATE_HUB_HOPS,
    /* See struct graph_search for these. */
    SURROGATE_REACHED, /* share of the vertices */
    SURROGATE_LARGEST_LEVEL,
    SURROGATE_TWO_LEVELS, /* sum of the two largest */
    SURROGATE_RUNS,
    SURROGATE_SIMILAR,
    SURROGATE_SECTORS,
    /* In the order of levels, with a cache of 1/8 of the values. */
    SURROGATE_MISSES,
    SURROGATE_CUT_2, /* share of the arcs that METIS cuts for 2 GPUs */
    SURROGATE_CUT_4,
    SURROGATE_ARC_BALANCE_2, /* see struct graph_cut */
    SURROGATE_ARC_BALANCE_4,
    SURROGATE_LEVEL_BALANCE_2,
    SURROGATE_LEVEL_BALANCE_4,
    NSTANDIN_PROPERTIES
};
extern const char *const surrogate_property_names[NSTANDIN_PROPERTIES];

struct surrogate_target {
    enum surrogate_property property;
    double full;   /* value of the real graph */
    double wanted; /* value at the scale of the surrogate graph */
    const char *source;
};

/*
 * Generates the surrogate graph of "NAME[,scale=1/64][,seed=S]". The scale
 * multiplies the numbers of vertices and arcs. For a mesh, the diameter falls
 * with the square root of the scale, the share of the arcs that are cut rises
 * with it, and the degrees stay. For a scale-free graph, the diameter falls
 * with the logarithm of the number of vertices, the largest degrees with
 * scale^0.604 and their deviation with scale^0.173, as those of R-MAT with
 * Graph500's parameters: log2(2 * 0.76) and log2(2 * (0.76^2 + 0.24^2)) / 2. No
 * degree is above a tenth of the vertices; if one would be, the deviation falls
 * in proportion. Shares of arcs by level and properties per arc are those of
 * the full graph.
 */
int graph_surrogate(struct graph *g, const char *rest,
                    struct err *err) MUST_CHECK;

/* Returns the number of targets for the words of a graph, such as
 * "standin:road_usa,scale=1/64", and the targets in `out`; 0 for other
 * words. */
size_t surrogate_targets(const char *words,
                         struct surrogate_target out[NSTANDIN_PROPERTIES]);

/* Returns the value of a property in a generated graph; NAN if it is unknown.
 * `search` and `cut` may be NULL. */
double surrogate_got(enum surrogate_property property,
                     const struct graph_stats *s,
                     const struct graph_search *search,
                     const struct graph_cut *cut);

#endif
