/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fluid_net.h - the common data of fluid.c (start and end of flows),
 * fluid_members.c (the flows that a link limits, and their ends) and
 * fluid_solve.c (levels). */
#ifndef SIM_NETWORK_FLUID_NET_H
#define SIM_NETWORK_FLUID_NET_H

#include "base/err.h"
#include "sim/network/fluid.h"
#include "base/time_heap.h"

#define NOBODY UINT32_MAX

/* In exact mode a link is solved again if its load is off by more than this
 * fraction of its bandwidth; rounding alone stays below it. */
#define EXACT 1e-12
/* A link that is overloaded or underused by more than this many tolerances is
 * not deferred. */
#define OVERLOAD 10
#define UNDERUSE 3
/* A flow stays with its bottleneck as long as no other node on its route limits
 * it more by this many tolerances. The rate that it keeps in this way lowers
 * the level of others by no more than that either. */
#define KEEP 2

/* A flow on a link whose bottleneck is another node: that node, so that the
 * flow's rate is found without access to the flow; and the flow's slot
 * (net->at) for this link. */
struct other {
    uint32_t slot, node;
};

struct member {
    double end; /* the node's clock at the flow's end */
    uint32_t flow;
};

/* A possible bottleneck: a link, or a cap class, which stands for all flows
 * with one upper bound and has that bound as its constant level. */
struct node {
    double bandwidth; /* the bandwidth of a link, or a cap class's bound */
    double bounds;    /* for links: sum of the upper bounds of its flows */
    double clock;     /* bytes that a member has sent at time `since` */
    double since;
    /* If WAITING, the time at which its load was found off. */
    double off_since;
    struct member *members; /* flows limited here, a heap by end */
    struct other *others;   /* flows limited elsewhere */
    uint32_t nmembers, members_room, nothers, others_room;
    /* Breaks ties of equal keys: by rank, then by age. */
    uint32_t order;
    bool is_cap;
    bool active; /* its flows could fill it: bounds > bandwidth */
    /* A WAITING node is to be solved later, a QUEUED one next. */
    enum { CALM, WAITING, QUEUED } state;
    bool stale; /* its next end has to be computed again */
};

/* The part of a node that inner loops access: the load if it is an active link,
 * and the limits between which it is not solved, or stays deferred. A link that
 * is queued already, or not active, has infinite limits. */
struct hot {
    double load, low, high;
};

/* The part of a flow that a solve reads. It contains no more, because a solve
 * reads those of hundreds of flows that lie anywhere in memory: with up to four
 * links it has half a cache line. Its bound is the level of its cap class; its
 * other data are in arrays of the net. */
struct flow {
    uint32_t node; /* its bottleneck */
    uint32_t cap;  /* its cap class: the minimum of its cap and its links */
    /* Its index in its bottleneck's heap; in the free list: the next one. */
    uint32_t place;
    uint32_t nlinks;
    /* As nodes; there is room for the longest route so far. */
    uint32_t links[];
};
enum { FLOW_WORDS = 4 }; /* words of a flow without its links */

struct fluid {
    struct node *nodes;
    double *level; /* indexed by node */
    struct hot *hot;
    uint32_t nnodes, nodes_room, level_room, hot_room;
    uint32_t *node_of_link; /* links and cap classes are numbered together */
    uint32_t nlinks, links_room;
    uint32_t *caps; /* nodes that are cap classes */
    uint32_t ncaps, caps_room;

    /* Each has 2^flow_bits words, and none crosses a cache line. */
    uint32_t *flows;
    /* Each flow has 2^at_bits slots, one for each link: its index in the link's
     * others[], or NOBODY. */
    uint32_t *at;
    double *start; /* start time, by flow */
    unsigned flow_bits, at_bits;
    void *flows_raw; /* the allocated memory of flows */
    uint32_t nflows, flows_room, free_flow;

    struct time_heap ends;  /* nodes by the time of their next end */
    struct time_heap queue; /* QUEUED links, by level */
    /* Deferred links in the order in which they were found off. An entry is
     * skipped if its link has been solved since. */
    struct waiting {
        double since;
        uint32_t node;
    } * waiting;
    uint32_t nwaiting, first_waiting, waiting_room;
    uint32_t *stale; /* nodes whose next end has to be computed again */
    uint32_t nstale, stale_room;
    double now;
    double slack;         /* fraction of a link's bandwidth */
    double tolerance;     /* 0 if exact */
    double mean_duration; /* a running mean */
    double *demand;       /* scratch */
    uint32_t *moved;
    size_t demand_room;
    struct solver_work work;
};

/* Grows an array to room for `need` elements of `size` bytes each. */
void *fluid_room(void *array, uint32_t need, uint32_t *room, size_t size);

static inline struct flow *fluid_flow(const struct fluid *net, uint32_t f)
{
    return (struct flow *)&net->flows[(size_t)f << net->flow_bits];
}

static inline uint32_t *fluid_slots(const struct fluid *net, uint32_t f)
{
    return &net->at[(size_t)f << net->at_bits];
}

/* Returns the number of a new flow over that many links. */
uint32_t fluid_flow_room(struct fluid *net, size_t nlinks);
void fluid_flows_free(struct fluid *net);

/* fluid_clock() returns the current reading of a node's clock;
 * fluid_set_clock() sets the clock to it. */
double fluid_clock(const struct fluid *net, uint32_t n);
void fluid_set_clock(struct fluid *net, uint32_t n);
/* Marks that the node's next end has to be computed again. */
void fluid_mark_stale(struct fluid *net, uint32_t n);
/* fluid_join() makes the flow a member of n with that many remaining bytes;
 * fluid_quit() removes it from its bottleneck's members. */
void fluid_join(struct fluid *net, uint32_t n, uint32_t f, double bytes);
void fluid_quit(struct fluid *net, uint32_t f);
/* Add or remove the flow among the flows of a link that are limited elsewhere;
 * the link is the flow's k-th. */
void fluid_add_other(struct fluid *net, uint32_t link, uint32_t f, uint32_t k);
void fluid_drop_other(struct fluid *net, uint32_t link, uint32_t f, uint32_t k);

/* Returns the bottleneck of the flow if one link is ignored: the node of least
 * level. */
uint32_t fluid_bottleneck_but(const struct fluid *net, const struct flow *flow,
                              uint32_t but);
/* Changes the load of a link, and schedules it if its load no longer fits. */
void fluid_add_load(struct fluid *net, uint32_t n, double change);
/* Activate a link if its flows could fill it, and deactivate it if they
 * cannot. */
void fluid_activate(struct fluid *net, uint32_t n);
void fluid_deactivate(struct fluid *net, uint32_t n);
/* Returns the time since when the first link has been deferred; INFINITY if
 * none is. */
double fluid_waits_since(struct fluid *net);
/* Solves queued links, and those that have been deferred since `since` or
 * longer. */
void fluid_solve(struct fluid *net, double since);
void fluid_solve_all(struct fluid *net);

#endif
