/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves a link's level again when its load no longer fits, and moves flows to
 * their new bottlenecks. */
#include "sim/network/fluid_net.h"

#include <math.h>

/* --- loads and levels ----------------------------------------------------- */

static void set_limits(struct fluid *net, uint32_t n)
{
    const struct node *node = &net->nodes[n];
    struct hot *hot = &net->hot[n];
    bool alone = node->queued || !node->active;

    hot->high = alone ? INFINITY : node->bandwidth * (1 + net->slack);
    hot->low = alone || isinf(net->level[n])
                   ? -INFINITY
                   : node->bandwidth * (1 - net->slack);
}

static void enqueue(struct fluid *net, uint32_t n)
{
    struct node *node = &net->nodes[n];

    if (!net->queue.n) {
        net->dirty_since = net->now;
        net->urgent = false;
    }
    node->queued = true;
    set_limits(net, n);
    double level = net->level[n];
    if (isinf(level))
        level = node->bandwidth / (node->nmembers + node->nothers + 1);
    time_heap_set_in_order(&net->queue, n, node->order, level);
}

/* A link whose load has changed is solved when it no longer fits. */
static inline void add_load(struct fluid *net, uint32_t n, double change)
{
    struct hot *hot = &net->hot[n];

    hot->load += change;
    if (hot->load > hot->high || hot->load < hot->low)
        enqueue(net, n);
}

static double sum_of_others(const struct fluid *net, const struct node *node)
{
    double load = 0;

    for (uint32_t i = 0; i < node->nothers; i++)
        load += net->level[node->others[i].node];
    return load;
}

void fluid_activate(struct fluid *net, uint32_t n)
{
    struct node *node = &net->nodes[n];

    node->active = true;
    net->hot[n].load = sum_of_others(net, node);
    set_limits(net, n);
    add_load(net, n, 0);
}

void fluid_deactivate(struct fluid *net, uint32_t n)
{
    net->nodes[n].active = false;
    set_limits(net, n);
}

/* The rate of a flow has changed by so much: all its links but one carry it. */
static void fluid_solve_spread(struct fluid *net, uint32_t f, double change,
                               uint32_t but)
{
    const uint32_t *links = net->flows[f].links;
    uint32_t n = net->flows[f].nlinks;

    for (uint32_t k = 0; k < n; k++)
        if (links[k] != but)
            add_load(net, links[k], change);
}

/* What would hold the flow back but for one link: the node of least level. */
uint32_t fluid_bottleneck_but(const struct fluid *net, const struct flow *flow,
                              uint32_t but)
{
    uint32_t best = flow->cap;

    for (uint32_t k = 0; k < flow->nlinks; k++) {
        uint32_t n = flow->links[k];
        if (n != but && net->level[n] < net->level[best])
            best = n;
    }
    return best;
}

/* From what held it back to node n; its bytes to go stay. */
static void move(struct fluid *net, uint32_t f, uint32_t n)
{
    struct flow *flow = &net->flows[f];
    uint32_t from = flow->node;

    net->work.moves++;
    double bytes =
        net->nodes[from].members[flow->place].end - fluid_clock(net, from);

    fluid_quit(net, f);
    flow->node = n;
    for (uint32_t k = 0; k < flow->nlinks; k++) {
        uint32_t link = flow->links[k];
        if (link == from)
            fluid_add_other(net, link, f, k);
        else if (link == n)
            fluid_drop_other(net, link, f, k);
        else
            net->nodes[link].others[flow->at[k]].node = n;
    }
    fluid_join(net, n, f, bytes > 0 ? bytes : 0);
}

static void scratch_for(struct fluid *net, size_t n)
{
    if (n <= net->demand_room)
        return;
    net->demand_room = 2 * n;
    net->demand = xrealloc(net->demand, net->demand_room, sizeof *net->demand);
    net->moved = xrealloc(net->moved, net->demand_room, sizeof *net->moved);
}

/*
 * The level at which demands d just fill a link: x with sum min(d, x) = C.
 * Newton's steps on that concave function, from below, end after few. INFINITY
 * when they do not fill it.
 */
static double fluid_solve_fill(const double *d, size_t n, double bandwidth)
{
    double all = 0, x = bandwidth / (double)n;

    for (size_t i = 0; i < n; i++)
        all += d[i];
    if (all <= bandwidth)
        return INFINITY;
    for (;;) {
        double below = 0;
        size_t above = 0;
        for (size_t i = 0; i < n; i++) {
            if (d[i] < x)
                below += d[i];
            else
                above++;
        }
        if (!above)
            return x;
        double next = (bandwidth - below) / (double)above;
        if (next <= x)
            return x;
        x = next;
    }
}

/* What the flows of a link could have elsewhere, members first; and the level
 * that fills it with them. */
static double new_level(struct fluid *net, uint32_t n)
{
    const struct node *node = &net->nodes[n];
    uint32_t nm = node->nmembers, no = node->nothers;
    double low = INFINITY, high = 0, sum = 0;

    scratch_for(net, (size_t)nm + no);
    double *d = net->demand;
    for (uint32_t i = 0; i < nm; i++) {
        uint32_t f = node->members[i].flow;
        d[i] = net->level[fluid_bottleneck_but(net, &net->flows[f], n)];
        low = fmin(low, d[i]);
    }
    for (uint32_t i = 0; i < no; i++) {
        double rate = net->level[node->others[i].node];
        d[nm + i] = rate;
        high = fmax(high, rate);
        sum += rate;
    }
    if (!(nm + no))
        return INFINITY;
    /* Most often the members stay the same. */
    double x = nm ? (node->bandwidth - sum) / nm : 0;
    if (nm && high <= x && x <= low)
        return x;
    net->work.fills++;
    return fluid_solve_fill(d, (size_t)nm + no, node->bandwidth);
}

/*
 * Finds the level of a link anew: members with a lower demand elsewhere leave
 * it, others with a higher rate become members. The loads of their other links
 * follow.
 */
static void solve(struct fluid *net, uint32_t n)
{
    double old = net->level[n], x = new_level(net, n);
    const struct node *node = &net->nodes[n];
    const double *d = net->demand;
    uint32_t nm = node->nmembers, no = node->nothers, nmoved = 0;

    net->work.solves++;
    net->work.visits += nm;
    net->work.tells += nm;
    fluid_set_clock(net, n);
    for (uint32_t i = 0; i < nm; i++) {
        uint32_t f = node->members[i].flow;
        if (d[i] < x)
            net->moved[nmoved++] = f;
        else
            fluid_solve_spread(net, f, x - old, n);
    }
    uint32_t leave = nmoved;
    for (uint32_t i = 0; i < no; i++)
        if (d[nm + i] > x)
            net->moved[nmoved++] = node->others[i].flow;

    /* Re-home departing members before updating the level: their new
     * bottleneck depends on the old one. */
    for (uint32_t i = 0; i < leave; i++) {
        uint32_t f = net->moved[i];
        uint32_t to = fluid_bottleneck_but(net, &net->flows[f], n);
        fluid_solve_spread(net, f, net->level[to] - old, n);
        move(net, f, to);
    }
    net->level[n] = x;
    for (uint32_t i = leave; i < nmoved; i++) {
        uint32_t f = net->moved[i];
        fluid_solve_spread(net, f, x - net->level[net->flows[f].node], n);
        move(net, f, n);
    }
    net->hot[n].load =
        isinf(x) ? sum_of_others(net, &net->nodes[n]) : net->nodes[n].bandwidth;
    fluid_mark_stale(net, n);
}

void fluid_solve_all(struct fluid *net)
{
    while (net->queue.n) {
        uint32_t n = time_heap_pop(&net->queue);
        net->nodes[n].queued = false;
        if (net->nodes[n].active) {
            solve(net, n);
            const struct node *node = &net->nodes[n];
            if (node->bounds <= node->bandwidth && isinf(net->level[n]))
                fluid_deactivate(net, n);
        }
        set_limits(net, n);
    }
}

void fluid_add_load(struct fluid *net, uint32_t n, double change)
{
    add_load(net, n, change);
}
