/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kineto_graph.h - the activities of a rank as a graph. Those of one stream
 * come one after the other; each also comes after the one that had ended last
 * on another stream when it began. The time between is work of its stream. */
#ifndef WORKLOADS_TRACE_FOREIGN_KINETO_GRAPH_H
#define WORKLOADS_TRACE_FOREIGN_KINETO_GRAPH_H

#include "workloads/trace/foreign/kineto.h"

/* A rank has lanes 1 to 255, because lane 0 is the CPU that its messages need,
 * which no kernel of a GPU holds. */
#define KINETO_LANES 255

struct kineto_lane {
    int64_t stream;
    size_t last, before; /* activities; SIZE_MAX if none */
};

struct kineto_graph {
    struct kineto_profile p;
    struct kineto_lane lanes[KINETO_LANES];
    size_t nlanes;
    size_t at;       /* the next activity */
    double begin_us; /* begin of the first activity */
};

/* The predecessors of an activity. */
struct kineto_before {
    uint8_t lane;
    size_t own, other; /* activities; SIZE_MAX if none */
    /* gap_us: time before it without activity; us: its own time. */
    double gap_us, us;
};

/* Sorts the profile, and finds the call that launched each kernel that
 * communicates. */
void kineto_graph_init(struct kineto_graph *g);
/* Returns the predecessors of the activity g->at, and moves to the next one. */
struct kineto_before kineto_graph_next(struct kineto_graph *g);

#endif
