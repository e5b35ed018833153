/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fluid_net.h - what fluid.c (flows come and go), fluid_members.c (who is held
 * back where, and until when) and fluid_solve.c (levels) share. */
#ifndef SIM_NETWORK_FLUID_NET_H
#define SIM_NETWORK_FLUID_NET_H

#include "base/err.h"
#include "sim/network/fluid.h"
#include "base/time_heap.h"

#define NOBODY UINT32_MAX

/* Exact: a link is solved again when its load is off by more than this part of
 * its bandwidth; rounding alone stays below. */
#define EXACT 1e-12
/* A link that is overloaded or underused by more than so many tolerances is not
 * left until later. */
#define OVERLOAD 10
#define UNDERUSE 3
/* A flow stays with what holds it back while nothing else on its way allows it
 * less by more than so many tolerances; what it keeps so lowers the level of
 * others by no more than that, either. */
#define KEEP 2

/* A flow on a link that another node holds back: which one, so that its rate is
 * found without a look at the flow; and the flow's slot (net->at) for this
 * link. */
struct other {
    uint32_t slot, node;
};

struct member {
    double end; /* the reading of the node's clock at which it ends */
    uint32_t flow;
};

/*
 * What can hold flows back: a link, or a cap class, which stands for all flows
 * with one upper bound and has that bound as its level for ever.
 */
struct node {
    double bandwidth; /* links; a cap class: its bound */
    double bounds;    /* links: sum of the upper bounds of its flows */
    double clock;     /* bytes that a member has sent, at `since` */
    double since;
    double off_since;       /* WAITING: when it was found off */
    struct member *members; /* heap by end: held back here */
    struct other *others;   /* held back elsewhere */
    uint32_t nmembers, members_room, nothers, others_room;
    uint32_t order; /* where keys are equal: by rank, then as they were made */
    bool is_cap;
    bool active; /* its flows could fill it: bounds > bandwidth */
    /* WAITING: to be solved, but not at once. QUEUED: next. */
    enum { CALM, WAITING, QUEUED } state;
    bool stale; /* its next end is to be computed again */
};

/*
 * What the inner loops touch of a node: its load, if it is an active link, and
 * between which loads it is left alone, or left waiting. A link that is queued
 * already, or not active, is left alone in any case.
 */
struct hot {
    double load, low, high;
};

/*
 * What a solve reads of a flow, and no more, since it reads those of hundreds
 * that lie anywhere: with up to four links half a cache line. Its bound is its
 * cap class's level; what else there is of it is in arrays of the net.
 */
struct flow {
    uint32_t node;  /* what holds it back */
    uint32_t cap;   /* its cap class: the least of its cap and its links */
    uint32_t place; /* in the heap of what holds it back; of none: the next */
    uint32_t nlinks;
    uint32_t links[]; /* as nodes; room for those of the longest way so far */
};
enum { FLOW_WORDS = 4 }; /* of a flow without its links */

struct fluid {
    struct node *nodes;
    double *level; /* of each node */
    struct hot *hot;
    uint32_t nnodes, nodes_room, level_room, hot_room;
    uint32_t *node_of_link; /* links and cap classes share one numbering */
    uint32_t nlinks, links_room;
    uint32_t *caps; /* nodes that are cap classes */
    uint32_t ncaps, caps_room;

    uint32_t *flows; /* each of 2^flow_bits words, none across cache lines */
    uint32_t *at;    /* of each flow 2^at_bits slots, one a link: its place in
                        others[] of the link, or NOBODY */
    double *start;   /* of each flow */
    unsigned flow_bits, at_bits;
    void *flows_raw; /* what was allocated for flows */
    uint32_t nflows, flows_room, free_flow;

    struct time_heap ends;  /* nodes by the time of their next end */
    struct time_heap queue; /* QUEUED links, by level */
    /* Those that wait, in the order in which they were found off; an entry of a
     * link that has been solved since is passed over. */
    struct waiting {
        double since;
        uint32_t node;
    } * waiting;
    uint32_t nwaiting, first_waiting, waiting_room;
    uint32_t *stale; /* nodes whose next end is to be computed again */
    uint32_t nstale, stale_room;
    double now;
    double slack;         /* part of a link's bandwidth */
    double tolerance;     /* 0 when exact */
    double mean_duration; /* a running mean */
    double *demand;       /* scratch */
    uint32_t *moved;
    size_t demand_room;
    struct solver_work work;
};

/* Grows an array to hold `need` of `size` bytes each. */
void *fluid_room(void *array, uint32_t need, uint32_t *room, size_t size);

static inline struct flow *fluid_flow(const struct fluid *net, uint32_t f)
{
    return (struct flow *)&net->flows[(size_t)f << net->flow_bits];
}

static inline uint32_t *fluid_slots(const struct fluid *net, uint32_t f)
{
    return &net->at[(size_t)f << net->at_bits];
}

/* The number of a new flow over so many links. */
uint32_t fluid_flow_room(struct fluid *net, size_t nlinks);
void fluid_flows_free(struct fluid *net);

/* The reading of a node's clock now, and the clock set to it. */
double fluid_clock(const struct fluid *net, uint32_t n);
void fluid_set_clock(struct fluid *net, uint32_t n);
/* The node's next end is to be computed again. */
void fluid_mark_stale(struct fluid *net, uint32_t n);
/* The flow becomes a member of n, with so many bytes to go; or is none any
 * more of what holds it back. */
void fluid_join(struct fluid *net, uint32_t n, uint32_t f, double bytes);
void fluid_quit(struct fluid *net, uint32_t f);
/* Among the flows of a link that are held back elsewhere; k: which of the
 * flow's links it is. */
void fluid_add_other(struct fluid *net, uint32_t link, uint32_t f, uint32_t k);
void fluid_drop_other(struct fluid *net, uint32_t link, uint32_t f, uint32_t k);

/* What would hold the flow back but for one link: the node of least level. */
uint32_t fluid_bottleneck_but(const struct fluid *net, const struct flow *flow,
                              uint32_t but);
/* A link carries more, or less; it is solved when it no longer fits. */
void fluid_add_load(struct fluid *net, uint32_t n, double change);
/* A link whose flows could fill it, and one whose flows cannot. */
void fluid_activate(struct fluid *net, uint32_t n);
void fluid_deactivate(struct fluid *net, uint32_t n);
/* Since when the first has been waiting; INFINITY: none does. */
double fluid_waits_since(struct fluid *net);
/* Solves what is queued, and what has been waiting since `since` or longer. */
void fluid_solve(struct fluid *net, double since);
void fluid_solve_all(struct fluid *net);

#endif
