/* SPDX-License-Identifier: GPL-3.0-or-later */
/* standin_facts.h - the published graphs that have a synthetic one: what is
 * known of them, from which source, and the parameters of the synthetic one. */
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
    struct graph_follow follow; /* STANDIN_FOLLOW: but what is known */
    struct graph_social social; /* STANDIN_SOCIAL: but what is known */
    struct graph_casts casts;   /* STANDIN_CASTS: but what is known;
                                   max_degree over the known one */
    struct graph_web web; /* STANDIN_WEB: but what is known; largest_host over
                             the largest in-degree */
    double per_cast;      /* vertices for each cast */
    double bridges;       /* STANDIN_ROAD: as in struct graph_road */
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

double fact_of(const struct standin *s, enum standin_property property);

#endif
