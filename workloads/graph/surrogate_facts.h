/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate_facts.h - the published graphs that have a surrogate graph: their
 * known properties with sources, and the parameters of the surrogate graph. */
#ifndef WORKLOADS_GRAPH_SURROGATE_FACTS_H
#define WORKLOADS_GRAPH_SURROGATE_FACTS_H

#include "workloads/graph/graph_casts.h"
#include "workloads/graph/graph_follow.h"
#include "workloads/graph/graph_social.h"
#include "workloads/graph/graph_surrogate.h"
#include "workloads/graph/graph_web.h"

enum surrogate_kind {
    SURROGATE_FOLLOW,
    SURROGATE_ROAD,
    SURROGATE_RMAT,
    SURROGATE_SOCIAL,
    SURROGATE_CASTS,
    SURROGATE_WEB
};

struct surrogate_graph {
    const char *name;
    enum surrogate_kind kind;
    /* SURROGATE_FOLLOW: the parameters that are not facts. */
    struct graph_follow follow;
    /* SURROGATE_SOCIAL: the parameters that are not facts. */
    struct graph_social social;
    /* SURROGATE_CASTS: the parameters that are not facts; max_degree is
     * relative to the known one. */
    struct graph_casts casts;
    /* SURROGATE_WEB: the parameters that are not facts; largest_host is
     * relative to the largest in-degree. */
    struct graph_web web;
    double per_cast; /* vertices per cast */
    double bridges;  /* SURROGATE_ROAD: as in struct graph_road */
    /* SURROGATE_RMAT: as in struct graph_rmat. */
    double a, b, c;
};
extern const struct surrogate_graph surrogate_graphs[];
extern const size_t nstandins;

struct surrogate_fact {
    const char *graph;
    enum surrogate_property property;
    double value;
    const char *source;
};
extern const struct surrogate_fact surrogate_facts[];
extern const size_t nsurrogate_facts;

/* Returns a known property; NAN if it is unknown. */
double fact_of(const struct surrogate_graph *s,
               enum surrogate_property property);

#endif
