/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standin_facts.h - the published graphs that have a surrogate graph: their
 * known properties with sources, and the parameters of the surrogate graph. */
#ifndef WORKLOADS_GRAPH_STANDIN_FACTS_H
#define WORKLOADS_GRAPH_STANDIN_FACTS_H

#include "workloads/graph/graph_casts.h"
#include "workloads/graph/graph_follow.h"
#include "workloads/graph/graph_social.h"
#include "workloads/graph/graph_standin.h"
#include "workloads/graph/graph_web.h"

enum standin_kind {
    STANDIN_FOLLOW,
    STANDIN_ROAD,
    STANDIN_RMAT,
    STANDIN_SOCIAL,
    STANDIN_CASTS,
    STANDIN_WEB
};

struct standin {
    const char *name;
    enum standin_kind kind;
    /* STANDIN_FOLLOW: the parameters that are not facts. */
    struct graph_follow follow;
    /* STANDIN_SOCIAL: the parameters that are not facts. */
    struct graph_social social;
    /* STANDIN_CASTS: the parameters that are not facts; max_degree is relative
     * to the known one. */
    struct graph_casts casts;
    /* STANDIN_WEB: the parameters that are not facts; largest_host is relative
     * to the largest in-degree. */
    struct graph_web web;
    double per_cast; /* vertices per cast */
    double bridges;  /* STANDIN_ROAD: as in struct graph_road */
    /* STANDIN_RMAT: as in struct graph_rmat. */
    double a, b, c;
};
extern const struct standin standins[];
extern const size_t nstandins;

struct standin_fact {
    const char *graph;
    enum standin_property property;
    double value;
    const char *source;
};
extern const struct standin_fact standin_facts[];
extern const size_t nstandin_facts;

/* Returns a known property; NAN if it is unknown. */
double fact_of(const struct standin *s, enum standin_property property);

#endif
