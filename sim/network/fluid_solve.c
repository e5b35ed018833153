/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes a link's level again if its load no longer fits, and moves flows to
 * their new bottlenecks. */
#include "sim/network/fluid_net.h"

#include <math.h>
#include <string.h>

/* Flows are prefetched this many iterations ahead of their use, because they
 * lie anywhere in memory. */
enum { AHEAD = 8 };

/* --- loads and levels ----------------------------------------------------- */

static void set_limits(struct fluid *net, uint32_t n)
{
    const struct node *node = &net->nodes[n];
    struct hot *hot = &net->hot[n];
    bool waits = node->state == WAITING;

    hot->high = INFINITY;
    hot->low = -INFINITY;
    if (!node->active || node->state == QUEUED)
        return;
    hot->high = node->bandwidth * (1 + net->slack * (waits ? OVERLOAD : 1));
    if (!isinf(net->level[n]))
        hot->low = node->bandwidth * (1 - net->slack * (waits ? UNDERUSE : 1));
}

/* Returns an estimate of the level that a link will get. The queue is ordered
 * by it, because links that are solved in the order of their new levels are
 * solved once. */
static double level_to_be(const struct fluid *net, uint32_t n)
{
    const struct node *node = &net->nodes[n];
    double level = net->level[n];

    if (isinf(level))
        return node->bandwidth / (node->nmembers + node->nothers + 1);
    if (!(net->tolerance > 0) || !(net->hot[n].load > 0))
        return level;
    return level * (node->bandwidth / net->hot[n].load);
}

static void enqueue(struct fluid *net, uint32_t n)
{
    net->nodes[n].state = QUEUED;
    set_limits(net, n);
    time_heap_set_in_order(&net->queue, n, net->nodes[n].order,
                           level_to_be(net, n));
}

/* Moves the entries to the front once half of them have been passed. */
static void drop_passed(struct fluid *net)
{
    if (net->first_waiting <= net->nwaiting / 2)
        return;
    net->nwaiting -= net->first_waiting;
    memmove(net->waiting, &net->waiting[net->first_waiting],
            net->nwaiting * sizeof *net->waiting);
    net->first_waiting = 0;
}

static void wait(struct fluid *net, uint32_t n)
{
    net->nodes[n].state = WAITING;
    net->nodes[n].off_since = net->now;
    set_limits(net, n);
    drop_passed(net);
    net->waiting = fluid_room(net->waiting, net->nwaiting + 1,
                              &net->waiting_room, sizeof *net->waiting);
    net->waiting[net->nwaiting++] = (struct waiting){net->now, n};
}

/* Handles a link that has left its limits: it is deferred, unless it is already
 * or is off by too much for that. */
static void leave_limits(struct fluid *net, uint32_t n)
{
    const struct hot *hot = &net->hot[n];

    if (net->tolerance > 0 && net->nodes[n].state == CALM) {
        wait(net, n);
        if (hot->load >= hot->low && hot->load <= hot->high)
            return;
    }
    enqueue(net, n);
}

/* Changes the load of a link, which is solved if the load no longer fits. */
static inline void add_load(struct fluid *net, uint32_t n, double change)
{
    struct hot *hot = &net->hot[n];

    hot->load += change;
    if (hot->load > hot->high || hot->load < hot->low)
        leave_limits(net, n);
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

/* Adds a change of a flow's rate to the loads of all its links but one. */
static inline void tell(struct fluid *net, const struct flow *flow,
                        double change, uint32_t but)
{
    for (uint32_t k = 0; k < flow->nlinks; k++)
        if (flow->links[k] != but)
            add_load(net, flow->links[k], change);
}

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

/* Moves a flow from its bottleneck to node n and keeps its remaining bytes. */
static void move(struct fluid *net, uint32_t f, uint32_t n)
{
    struct flow *flow = fluid_flow(net, f);
    const uint32_t *slots = fluid_slots(net, f);
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
            net->nodes[link].others[slots[k]].node = n;
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

/* Returns the level at which demands d, and `open` more flows without a demand,
 * just fill a link: x with sum min(d, x) + open x = C. Newton's steps on that
 * concave function, from below, end after few. */
static double fluid_solve_fill(const double *d, size_t n, size_t open,
                               double bandwidth)
{
    double x = bandwidth / (double)(n + open);

    for (;;) {
        double below = 0;
        size_t above = open;
        for (size_t i = 0; i < n; i++) {
            below += d[i] < x ? d[i] : 0;
            above += d[i] < x ? 0 : 1;
        }
        if (!above)
            return x;
        double next = (bandwidth - below) / (double)above;
        if (next <= x)
            return x;
        x = next;
    }
}

/* Sets d[] to the rates that the members of a link could have elsewhere;
 * returns the least. */
static double ask_members(struct fluid *net, uint32_t n, double *d)
{
    const struct member *members = net->nodes[n].members;
    uint32_t nm = net->nodes[n].nmembers;
    double low = INFINITY;

    for (uint32_t i = 0; i < nm; i++) {
        if (i + AHEAD < nm)
            __builtin_prefetch(fluid_flow(net, members[i + AHEAD].flow));
        const struct flow *flow = fluid_flow(net, members[i].flow);
        d[i] = net->level[fluid_bottleneck_but(net, flow, n)];
        low = d[i] < low ? d[i] : low;
    }
    net->work.visits += nm;
    return low;
}

/* The result of a solve. If members were asked, those leave that could have
 * less than `leave` elsewhere; other flows join if they have more than
 * `join`. */
struct found {
    double level, leave, join;
    bool asked, all_stay;
};

/* Returns the ratio by which a flow may be limited more elsewhere without
 * moving there. */
static double keep_factor(const struct fluid *net)
{
    return 1 + KEEP * net->tolerance;
}

/*
 * Returns the level that fills a link if each flow demands the rate that it
 * could have elsewhere; `demand` holds these, members first. In most cases it
 * is a level at which all flows may stay with their bottlenecks. Members have a
 * demand of at least the old level, so they are asked only if the new level is
 * higher.
 */
static double fair_level(struct fluid *net, uint32_t n, struct found *found)
{
    const struct node *node = &net->nodes[n];
    uint32_t nm = node->nmembers, no = node->nothers;
    double high = 0, sum = 0, all = 0, keep = keep_factor(net);

    scratch_for(net, (size_t)nm + no);
    double *d = net->demand;
    for (uint32_t i = 0; i < no; i++) {
        double rate = net->level[node->others[i].node];
        d[nm + i] = rate;
        high = rate > high ? rate : high;
        sum += rate;
    }
    if (!(nm + no))
        return INFINITY;
    double x = nm ? (node->bandwidth - sum) / nm : 0;
    found->all_stay = nm && high <= x * keep;
    if (nm && !found->all_stay) { /* some of the others become members */
        net->work.fills++;
        x = fluid_solve_fill(d + nm, no, nm, node->bandwidth);
    }
    if (nm && x <= net->level[n])
        return x;
    found->asked = true;
    double low = ask_members(net, n, d);
    found->all_stay = found->all_stay && x <= low * keep;
    if (found->all_stay)
        return x;
    for (size_t i = 0; i < (size_t)nm + no; i++)
        all += d[i];
    net->work.fills++;
    return all <= node->bandwidth
               ? INFINITY
               : fluid_solve_fill(d, (size_t)nm + no, 0, node->bandwidth);
}

/* Returns the level that fills a link if these flows leave and these join. */
static double level_with(const struct fluid *net, uint32_t n,
                         const struct found *found)
{
    const struct node *node = &net->nodes[n];
    uint32_t nm = node->nmembers, no = node->nothers, sharing = 0;
    const double *d = net->demand;
    double rest = node->bandwidth;

    for (uint32_t i = 0; i < nm && found->asked; i++) {
        bool leaves = d[i] < found->leave;
        rest -= leaves ? d[i] : 0;
        sharing += !leaves;
    }
    for (uint32_t i = nm; i < nm + no; i++) {
        bool joins = d[i] > found->join;
        rest -= joins ? 0 : d[i];
        sharing += joins;
    }
    sharing += found->asked ? 0 : nm;
    return sharing ? rest / sharing : 0; /* no flow has it */
}

/* Returns the new level, and which flows move. With a tolerance, flows stay
 * with their bottleneck while that changes their rates by no more than KEEP
 * tolerances. It never costs the others more that members stay. But it can cost
 * more that others stay, if these are many and the members few. */
static struct found new_level(struct fluid *net, uint32_t n)
{
    struct found found = {0};
    double x = fair_level(net, n, &found), keep = keep_factor(net);

    found.level = x;
    found.leave = found.all_stay ? 0 : x;
    found.join = found.all_stay ? INFINITY : x;
    if (found.all_stay || !(net->tolerance > 0) || isinf(x))
        return found;
    found.leave = x / keep;
    found.join = x * keep;
    double level = level_with(net, n, &found);
    if (level < x / keep) {
        found.join = x;
        level = level_with(net, n, &found);
    }
    if (level > 0)
        found.level = level;
    return found;
}

/* Gives the members that stay their new rate. Returns the number of those that
 * leave, which are the first ones in net->moved. */
static uint32_t tell_members(struct fluid *net, uint32_t n,
                             const struct found *found)
{
    const struct member *members = net->nodes[n].members;
    uint32_t nm = net->nodes[n].nmembers, nmoved = 0;
    double change = found->level - net->level[n];

    for (uint32_t i = 0; i < nm; i++) {
        uint32_t f = members[i].flow;
        if (i + AHEAD < nm)
            __builtin_prefetch(fluid_flow(net, members[i + AHEAD].flow));
        if (found->asked && net->demand[i] < found->leave)
            net->moved[nmoved++] = f;
        else
            tell(net, fluid_flow(net, f), change, n);
    }
    net->work.tells += nm;
    return nmoved;
}

/* Computes the level of a link again: members with a lower demand elsewhere
 * leave it, others with a higher rate become members. The loads of their other
 * links follow. */
static void solve(struct fluid *net, uint32_t n)
{
    const struct found found = new_level(net, n);
    double old = net->level[n], x = found.level;
    const struct node *node = &net->nodes[n];
    const double *d = &net->demand[node->nmembers];
    uint32_t no = node->nothers;

    net->work.solves++;
    fluid_set_clock(net, n);
    uint32_t leave = tell_members(net, n, &found), nmoved = leave;
    for (uint32_t i = 0; i < no; i++)
        if (d[i] > found.join)
            net->moved[nmoved++] = node->others[i].slot >> net->at_bits;

    /* Members that leave are moved before the level changes, because their new
     * bottleneck depends on the old one. */
    for (uint32_t i = 0; i < leave; i++) {
        uint32_t f = net->moved[i];
        const struct flow *flow = fluid_flow(net, f);
        uint32_t to = fluid_bottleneck_but(net, flow, n);
        tell(net, flow, net->level[to] - old, n);
        move(net, f, to);
    }
    net->level[n] = x;
    for (uint32_t i = leave; i < nmoved; i++) {
        uint32_t f = net->moved[i];
        const struct flow *flow = fluid_flow(net, f);
        tell(net, flow, x - net->level[flow->node], n);
        move(net, f, n);
    }
    net->hot[n].load =
        isinf(x) ? sum_of_others(net, &net->nodes[n]) : net->nodes[n].bandwidth;
    fluid_mark_stale(net, n);
}

/* Returns whether the link is not the first of the queue any more, because
 * solves of other links have changed its key, and puts it back. */
static bool comes_later(struct fluid *net, uint32_t n)
{
    double level = level_to_be(net, n);

    if (!(net->tolerance > 0) || !net->queue.n ||
        level <= time_heap_first(&net->queue))
        return false;
    time_heap_set_in_order(&net->queue, n, net->nodes[n].order, level);
    return true;
}

/* Returns whether the link still has to be solved. With a tolerance, other
 * changes may have corrected it meanwhile. */
static bool still_off(const struct fluid *net, uint32_t n)
{
    const struct hot *hot = &net->hot[n];

    return !(net->tolerance > 0) || hot->load > hot->high ||
           hot->load < hot->low;
}

static void solve_queued(struct fluid *net)
{
    while (net->queue.n) {
        uint32_t n = time_heap_pop(&net->queue);
        if (comes_later(net, n))
            continue;
        net->nodes[n].state = CALM;
        set_limits(net, n);
        if (!net->nodes[n].active || !still_off(net, n))
            continue;
        /* The state is QUEUED so that its own solve does not queue it. */
        net->nodes[n].state = QUEUED;
        set_limits(net, n);
        solve(net, n);
        const struct node *node = &net->nodes[n];
        net->nodes[n].state = CALM;
        if (node->bounds <= node->bandwidth && isinf(net->level[n]))
            fluid_deactivate(net, n);
        set_limits(net, n);
    }
}

double fluid_waits_since(struct fluid *net)
{
    for (; net->first_waiting < net->nwaiting; net->first_waiting++) {
        struct waiting w = net->waiting[net->first_waiting];
        const struct node *node = &net->nodes[w.node];
        if (node->state == WAITING && node->off_since == w.since)
            return w.since;
    }
    return INFINITY;
}

void fluid_solve(struct fluid *net, double since)
{
    while (fluid_waits_since(net) <= since)
        enqueue(net, net->waiting[net->first_waiting++].node);
    solve_queued(net);
}

void fluid_solve_all(struct fluid *net)
{
    do
        fluid_solve(net, net->now);
    while (!isinf(fluid_waits_since(net)));
}

void fluid_add_load(struct fluid *net, uint32_t n, double change)
{
    add_load(net, n, change);
}
