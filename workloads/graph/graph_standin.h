/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_standin.h - synthetic graphs in place of published ones that are too
 * large to distribute, at full size or smaller, and what is known of the real
 * ones.
 */
#ifndef WORKLOADS_GRAPH_GRAPH_STANDIN_H
#define WORKLOADS_GRAPH_GRAPH_STANDIN_H

#include "base/err.h"
#include "workloads/graph/graph_search.h"
#include "workloads/graph/graph_stats.h"

enum standin_property {
    STANDIN_VERTICES,
    STANDIN_ARCS,
    STANDIN_SYMMETRIC,
    STANDIN_MAX_OUT,
    STANDIN_MAX_IN,
    STANDIN_DEVIATION_OUT,
    STANDIN_DEVIATION_IN,
    STANDIN_ONES,
    STANDIN_DIAMETER,
    STANDIN_HUB_HOPS,
    /* struct graph_search has what these are */
    STANDIN_REACHED, /* share of the vertices */
    STANDIN_LARGEST_LEVEL,
    STANDIN_TWO_LEVELS, /* the two that have most, together */
    STANDIN_RUNS,
    STANDIN_SIMILAR,
    STANDIN_SECTORS,
    STANDIN_MISSES, /* by level, a cache of 1/8 of the values */
    STANDIN_CUT_2,  /* share of the arcs that METIS cuts for 2 GPUs */
    STANDIN_CUT_4,
    STANDIN_ARC_BALANCE_2, /* struct graph_cut has what that is */
    STANDIN_ARC_BALANCE_4,
    STANDIN_LEVEL_BALANCE_2,
    STANDIN_LEVEL_BALANCE_4,
    NSTANDIN_PROPERTIES
};
extern const char *const standin_property_names[NSTANDIN_PROPERTIES];

struct standin_target {
    enum standin_property property;
    double full;   /* of the real graph */
    double wanted; /* at the scale of the synthetic graph */
    const char *source;
};

/*
 * "NAME[,scale=1/64][,seed=S]". The scale divides vertices and arcs. Of a mesh
 * the diameter falls with its square root, the share of the arcs that are cut
 * rises so, and the degrees stay. Of a scale-free graph the diameter falls with
 * the logarithm of the vertices, the largest degrees with scale^0.604 and their
 * deviation with scale^0.173, as R-MAT's with Graph500's parameters do:
 * log2(2 * 0.76) and log2(2 * (0.76^2 + 0.24^2)) / 2. But no degree is above a
 * tenth of the vertices; the deviation then falls by as much again. The shares
 * of arcs by level and what is said by arc are those of the full graph.
 */
int graph_standin(struct graph *g, const char *rest,
                  struct err *err) MUST_CHECK;

/* Targets of the words of a graph, such as "standin:road_usa,scale=1/64", into
 * `out`; none for other words. */
size_t standin_targets(const char *words,
                       struct standin_target out[NSTANDIN_PROPERTIES]);

/* What a graph has; `search` and `cut` may be NULL. NAN for what is not known.
 */
double standin_got(enum standin_property property, const struct graph_stats *s,
                   const struct graph_search *search,
                   const struct graph_cut *cut);

#endif
