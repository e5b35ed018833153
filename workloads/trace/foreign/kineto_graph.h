/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kineto_graph.h - the activities of a rank as a graph: those of one stream
 * one after the other, each also after the one that had ended last on another
 * stream when it began, and the time in between as work of its stream.
 */
#ifndef WORKLOADS_TRACE_FOREIGN_KINETO_GRAPH_H
#define WORKLOADS_TRACE_FOREIGN_KINETO_GRAPH_H

#include "workloads/trace/foreign/kineto.h"

/* Lanes 1 to 255 of a rank: lane 0 is the CPU that its messages need, and no
 * kernel of a GPU holds that. */
#define KINETO_LANES 255

struct kineto_lane {
    int64_t stream;
    size_t last, before; /* activities; SIZE_MAX: none */
};

struct kineto_graph {
    struct kineto_profile p;
    struct kineto_lane lanes[KINETO_LANES];
    size_t nlanes;
    size_t at;       /* the next activity */
    double begin_us; /* of the first */
};

/* The predecessors of an activity. */
struct kineto_before {
    uint8_t lane;
    size_t own, other; /* activities; SIZE_MAX: none */
    double gap_us, us; /* nothing was seen; the activity takes */
};

/* Puts the profile in order, and says of kernels that communicate which call
 * launched them. */
void kineto_graph_init(struct kineto_graph *g);
/* Returns the predecessors of the activity g->at, which is passed. */
struct kineto_before kineto_graph_next(struct kineto_graph *g);

#endif
