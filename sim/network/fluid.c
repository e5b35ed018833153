/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and ends flows, and holds links, cap classes and flows of the max-min
 * solver. */
#include "sim/network/fluid_net.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void fluid_set_tolerance(struct fluid *net, double tolerance)
{
    net->slack = fmax(tolerance, EXACT);
    net->tolerance = tolerance;
}

struct fluid *fluid_new(double tolerance)
{
    struct fluid *net = xcalloc(1, sizeof *net);

    fluid_set_tolerance(net, tolerance);
    net->free_flow = NOBODY;
    return net;
}

void fluid_free(struct fluid *net)
{
    for (uint32_t i = 0; i < net->nnodes; i++) {
        free(net->nodes[i].members);
        free(net->nodes[i].others);
    }
    free(net->nodes);
    free(net->level);
    free(net->hot);
    free(net->node_of_link);
    free(net->caps);
    fluid_flows_free(net);
    time_heap_clear(&net->ends);
    time_heap_clear(&net->queue);
    free(net->waiting);
    free(net->stale);
    free(net->demand);
    free(net->moved);
    free(net);
}

/* Nodes with a rank come before all others. */
#define LATER (UINT32_C(1) << 31)

static uint32_t add_node(struct fluid *net, double bandwidth, double level,
                         uint32_t rank)
{
    uint32_t n = net->nnodes++;

    net->nodes =
        fluid_room(net->nodes, n + 1, &net->nodes_room, sizeof *net->nodes);
    net->level =
        fluid_room(net->level, n + 1, &net->level_room, sizeof *net->level);
    net->hot = fluid_room(net->hot, n + 1, &net->hot_room, sizeof *net->hot);
    net->nodes[n] = (struct node){.bandwidth = bandwidth,
                                  .order = rank == FLUID_NO_RANK ? LATER + n
                                           : rank < LATER        ? rank
                                                                 : LATER - 1};
    net->level[n] = level;
    net->hot[n] = (struct hot){0, -INFINITY, INFINITY};
    return n;
}

uint32_t fluid_add_link(struct fluid *net, double bandwidth_Bps, uint32_t rank)
{
    net->node_of_link = fluid_room(net->node_of_link, net->nlinks + 1,
                                   &net->links_room, sizeof *net->node_of_link);
    net->node_of_link[net->nlinks] =
        add_node(net, bandwidth_Bps, INFINITY, rank);
    return net->nlinks++;
}

static uint32_t cap_class(struct fluid *net, double bound)
{
    for (uint32_t i = 0; i < net->ncaps; i++)
        if (net->nodes[net->caps[i]].bandwidth == bound)
            return net->caps[i];
    net->caps = fluid_room(net->caps, net->ncaps + 1, &net->caps_room,
                           sizeof *net->caps);
    uint32_t n = add_node(net, bound, bound, FLUID_NO_RANK);
    net->nodes[n].is_cap = true;
    net->caps[net->ncaps++] = n;
    return n;
}
/* --- the interface -------------------------------------------------------- */

uint32_t fluid_start(struct fluid *net, double now_s, const uint32_t *links,
                     size_t nlinks, double bytes, double cap_Bps)
{
    double bound = cap_Bps > 0 ? cap_Bps : INFINITY;

    assert(nlinks <= FLUID_MAX_ROUTE && bytes > 0);
    net->now = now_s;
    net->work.flows++;
    for (size_t k = 0; k < nlinks; k++)
        bound = fmin(bound, net->nodes[net->node_of_link[links[k]]].bandwidth);
    bound = fmin(bound, FLUID_INSTANT);
    uint32_t cap = cap_class(net, bound);
    uint32_t f = fluid_flow_room(net, nlinks);
    struct flow *flow = fluid_flow(net, f);
    uint32_t *slots = fluid_slots(net, f);
    net->start[f] = now_s;
    flow->cap = cap;
    flow->nlinks = (uint32_t)nlinks;
    for (size_t k = 0; k < nlinks; k++)
        flow->links[k] = net->node_of_link[links[k]];

    uint32_t b = fluid_bottleneck_but(net, flow, NOBODY);
    flow->node = b;
    fluid_join(net, b, f, bytes);
    for (uint32_t k = 0; k < nlinks; k++) {
        uint32_t n = flow->links[k];
        struct node *node = &net->nodes[n];
        node->bounds += bound;
        slots[k] = NOBODY;
        if (n != b)
            fluid_add_other(net, n, f, k);
        if (node->active)
            fluid_add_load(net, n, net->level[b]);
        else if (node->bounds > node->bandwidth * (1 + EXACT))
            fluid_activate(net, n);
    }
    return f;
}

/* Computes the next ends of the nodes that have changed. */
static void refresh(struct fluid *net)
{
    for (uint32_t i = 0; i < net->nstale; i++) {
        uint32_t n = net->stale[i];
        struct node *node = &net->nodes[n];
        node->stale = false;
        if (!node->nmembers) {
            time_heap_remove(&net->ends, n);
            continue;
        }
        double to_go = node->members[0].end - node->clock;
        time_heap_set_in_order(&net->ends, n, node->order,
                               node->since + fmax(to_go, 0) / net->level[n]);
    }
    net->nstale = 0;
}

/* Returns the end of the first flow at the present rates. */
static double first_end(struct fluid *net)
{
    refresh(net);
    return net->ends.n ? time_heap_first(&net->ends) : FLUID_NEVER;
}

double fluid_next_end(struct fluid *net, double horizon_s)
{
    double window = net->tolerance * net->mean_duration;

    fluid_solve(net, -INFINITY);
    for (;;) { /* solve links deferred long enough before the next event */
        double end = first_end(net), next = fmin(horizon_s, end);
        double first = fluid_waits_since(net);
        if (!(next > first + window))
            return fmax(end, net->now);
        fluid_solve(net, fmax(first, fmin(next - window, net->now)));
    }
}

bool fluid_ends_now(const struct fluid *net, double now_s)
{
    return net->ends.n && time_heap_first(&net->ends) <= now_s;
}

uint32_t fluid_end(struct fluid *net, double now_s)
{
    uint32_t b = net->ends.items[0].id;
    struct node *node = &net->nodes[b];
    uint32_t f = node->members[0].flow;
    struct flow *flow = fluid_flow(net, f);

    net->now = now_s;
    /* The clock is set to the flow's reading, so that equal readings end
     * together. */
    node->clock = node->members[0].end;
    node->since = now_s;
    double rate = net->level[b];
    fluid_quit(net, f);
    for (uint32_t k = 0; k < flow->nlinks; k++) {
        uint32_t n = flow->links[k];
        struct node *link = &net->nodes[n];
        if (n != b)
            fluid_drop_other(net, n, f, k);
        link->bounds -= net->level[flow->cap];
        if (!link->nmembers && !link->nothers)
            link->bounds = 0;
        if (!link->active)
            continue;
        if (link->bounds <= link->bandwidth && isinf(net->level[n]))
            fluid_deactivate(net, n);
        else
            fluid_add_load(net, n, -rate);
    }
    net->mean_duration += (now_s - net->start[f] - net->mean_duration) / 64;
    flow->place = net->free_flow;
    net->free_flow = f;
    /* Only nodes that changed are refreshed, because the times of the others
     * still hold. */
    refresh(net);
    return f;
}

double fluid_to_go_B(const struct fluid *net, uint32_t f, double at_s)
{
    const struct flow *flow = fluid_flow(net, f);
    const struct node *node = &net->nodes[flow->node];
    double sent_B = net->level[flow->node] * (at_s - node->since);

    return fmax(node->members[flow->place].end - node->clock - sent_B, 0);
}

struct solver_work fluid_work(const struct fluid *net)
{
    return net->work;
}

double fluid_rate(struct fluid *net, uint32_t flow)
{
    fluid_solve_all(net);
    return net->level[fluid_flow(net, flow)->node];
}

bool fluid_check(struct fluid *net, double tolerance)
{
    fluid_solve_all(net);
    for (uint32_t l = 0; l < net->nlinks; l++) {
        uint32_t n = net->node_of_link[l];
        const struct node *node = &net->nodes[n];
        double load = net->level[n] * node->nmembers;
        if (!node->nmembers)
            load = 0;
        for (uint32_t i = 0; i < node->nothers; i++) {
            double rate = net->level[node->others[i].node];
            load += rate;
            /* No flow that is limited elsewhere may be faster than this
             * level. */
            if (rate > net->level[n] * (1 + tolerance))
                return false;
        }
        if (load > node->bandwidth * (1 + tolerance))
            return false;
        if (node->nmembers && load < node->bandwidth * (1 - tolerance))
            return false;
    }
    return true;
}
