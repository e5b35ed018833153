/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/fluid.h"

#include "sim/err.h"
#include "sim/fluid_heap.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* Exact: a link is solved again when its load is off by more than this part of
 * its bandwidth; rounding alone stays below. */
#define EXACT 1e-12
/* A link that is overloaded by more than this is not left until later. */
#define OVERLOAD 0.1

/* A flow on a link that another node holds back: which one, so that its rate is
 * found without a look at the flow. */
struct other {
    uint32_t flow, node;
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
    struct member *members; /* heap by end: held back here */
    struct other *others;   /* held back elsewhere */
    uint32_t nmembers, members_room, nothers, others_room;
    bool is_cap;
    bool active; /* its flows could fill it: bounds > bandwidth */
    bool queued; /* to be solved */
    bool stale;  /* its time of next end has to be told anew */
};

/*
 * What the inner loops touch of a node: its load, if it is an active link, and
 * between which loads it is left alone. A link that is queued already, or not
 * active, is left alone in any case.
 */
struct hot {
    double load, low, high;
};

struct flow {
    double bound;   /* the least of its cap and its links' bandwidths */
    uint32_t node;  /* what holds it back */
    uint32_t place; /* in that node's heap */
    double start;
    uint32_t cap; /* its cap class */
    uint32_t nlinks;
    uint32_t links[FLUID_MAX_ROUTE]; /* as nodes */
    uint32_t at[FLUID_MAX_ROUTE];    /* in others[] of each link, or NOBODY */
};

struct fluid {
    struct node *nodes;
    double *level; /* of each node */
    struct hot *hot;
    uint32_t nnodes, nodes_room, level_room, hot_room;
    uint32_t *node_of_link; /* links and cap classes share one numbering */
    uint32_t nlinks, links_room;
    uint32_t *caps; /* nodes that are cap classes */
    uint32_t ncaps, caps_room;

    struct flow *flows;
    uint32_t nflows, flows_room, free_flow;

    struct time_heap ends;  /* nodes by the time of their next end */
    struct time_heap queue; /* links to be solved, by level */
    uint32_t *stale;        /* nodes whose next end is to be told anew */
    uint32_t nstale, stale_room;
    double now;
    double slack;         /* part of a link's bandwidth */
    double window;        /* part of the mean duration: 0 when exact */
    double dirty_since;   /* the first change that is not solved */
    bool urgent;          /* a link is overloaded */
    double mean_duration; /* a running mean */
    double *demand;       /* scratch */
    uint32_t *moved;
    size_t demand_room;
};

static void *room_for(void *array, uint32_t need, uint32_t *room, size_t size)
{
    if (need <= *room)
        return array;
    while (*room < need)
        *room = *room ? 2 * *room : 16;
    return xrealloc(array, *room, size);
}

struct fluid *fluid_new(double tolerance)
{
    struct fluid *net = xcalloc(1, sizeof *net);

    net->slack = fmax(tolerance, EXACT);
    net->window = tolerance / 10;
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
    free(net->flows);
    time_heap_clear(&net->ends);
    time_heap_clear(&net->queue);
    free(net->stale);
    free(net->demand);
    free(net->moved);
    free(net);
}

static uint32_t add_node(struct fluid *net, double bandwidth, double level)
{
    uint32_t n = net->nnodes++;

    net->nodes =
        room_for(net->nodes, n + 1, &net->nodes_room, sizeof *net->nodes);
    net->level =
        room_for(net->level, n + 1, &net->level_room, sizeof *net->level);
    net->hot = room_for(net->hot, n + 1, &net->hot_room, sizeof *net->hot);
    net->nodes[n] = (struct node){.bandwidth = bandwidth};
    net->level[n] = level;
    net->hot[n] = (struct hot){0, -INFINITY, INFINITY};
    return n;
}

uint32_t fluid_add_link(struct fluid *net, double bandwidth_Bps)
{
    net->node_of_link = room_for(net->node_of_link, net->nlinks + 1,
                                 &net->links_room, sizeof *net->node_of_link);
    net->node_of_link[net->nlinks] = add_node(net, bandwidth_Bps, INFINITY);
    return net->nlinks++;
}

static uint32_t cap_class(struct fluid *net, double bound)
{
    for (uint32_t i = 0; i < net->ncaps; i++)
        if (net->nodes[net->caps[i]].bandwidth == bound)
            return net->caps[i];
    net->caps =
        room_for(net->caps, net->ncaps + 1, &net->caps_room, sizeof *net->caps);
    uint32_t n = add_node(net, bound, bound);
    net->nodes[n].is_cap = true;
    net->caps[net->ncaps++] = n;
    return n;
}

/* --- clocks and heaps of members ----------------------------------------- */

static double clock_now(const struct fluid *net, uint32_t n)
{
    const struct node *node = &net->nodes[n];

    if (!node->nmembers)
        return node->clock;
    return node->clock + net->level[n] * (net->now - node->since);
}

static void set_clock(struct fluid *net, uint32_t n)
{
    net->nodes[n].clock = clock_now(net, n);
    net->nodes[n].since = net->now;
}

static void mark_stale(struct fluid *net, uint32_t n)
{
    if (net->nodes[n].stale)
        return;
    net->nodes[n].stale = true;
    net->stale = room_for(net->stale, net->nstale + 1, &net->stale_room,
                          sizeof *net->stale);
    net->stale[net->nstale++] = n;
}

static void put_member(struct fluid *net, struct node *node, uint32_t place,
                       struct member m)
{
    node->members[place] = m;
    net->flows[m.flow].place = place;
}

static void sift_up(struct fluid *net, struct node *node, uint32_t i)
{
    struct member m = node->members[i];

    while (i > 0 && node->members[(i - 1) / 2].end > m.end) {
        put_member(net, node, i, node->members[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put_member(net, node, i, m);
}

static void sift_down(struct fluid *net, struct node *node, uint32_t i)
{
    struct member m = node->members[i];

    for (;;) {
        uint32_t down = 2 * i + 1;
        if (down >= node->nmembers)
            break;
        if (down + 1 < node->nmembers &&
            node->members[down + 1].end < node->members[down].end)
            down++;
        if (node->members[down].end >= m.end)
            break;
        put_member(net, node, i, node->members[down]);
        i = down;
    }
    put_member(net, node, i, m);
}

/* The flow becomes a member of n, with so many bytes to go. */
static void join(struct fluid *net, uint32_t n, uint32_t f, double bytes)
{
    struct node *node = &net->nodes[n];

    if (!node->nmembers) {
        node->clock = 0; /* a fresh start keeps the readings small */
        node->since = net->now;
    }
    net->flows[f].node = n;
    node->members = room_for(node->members, node->nmembers + 1,
                             &node->members_room, sizeof *node->members);
    node->members[node->nmembers] =
        (struct member){clock_now(net, n) + bytes, f};
    sift_up(net, node, node->nmembers++);
    mark_stale(net, n);
}

static void quit(struct fluid *net, uint32_t f)
{
    struct node *node = &net->nodes[net->flows[f].node];
    uint32_t i = net->flows[f].place;

    set_clock(net, net->flows[f].node);
    struct member last = node->members[--node->nmembers];
    if (last.flow != f) {
        put_member(net, node, i, last);
        sift_up(net, node, i);
        sift_down(net, node, net->flows[last.flow].place);
    }
    mark_stale(net, net->flows[f].node);
}

/* --- flows of a link that are held back elsewhere ------------------------- */

static uint32_t index_on(const struct flow *flow, uint32_t link)
{
    uint32_t k = 0;

    while (flow->links[k] != link)
        k++;
    return k;
}

static void add_other(struct fluid *net, uint32_t link, uint32_t f, uint32_t k)
{
    struct node *node = &net->nodes[link];

    node->others = room_for(node->others, node->nothers + 1, &node->others_room,
                            sizeof *node->others);
    net->flows[f].at[k] = node->nothers;
    node->others[node->nothers++] = (struct other){f, net->flows[f].node};
}

static void drop_other(struct fluid *net, uint32_t link, uint32_t f, uint32_t k)
{
    struct node *node = &net->nodes[link];
    uint32_t at = net->flows[f].at[k];
    struct other last = node->others[--node->nothers];

    if (last.flow != f) {
        node->others[at] = last;
        net->flows[last.flow].at[index_on(&net->flows[last.flow], link)] = at;
    }
    net->flows[f].at[k] = NOBODY;
}

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
    time_heap_set(&net->queue, n, level);
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

static void activate(struct fluid *net, uint32_t n)
{
    struct node *node = &net->nodes[n];

    node->active = true;
    net->hot[n].load = sum_of_others(net, node);
    set_limits(net, n);
    add_load(net, n, 0);
}

static void deactivate(struct fluid *net, uint32_t n)
{
    net->nodes[n].active = false;
    set_limits(net, n);
}

/* The rate of a flow has changed by so much: all its links but one carry it. */
static void spread(struct fluid *net, uint32_t f, double change, uint32_t but)
{
    const uint32_t *links = net->flows[f].links;
    uint32_t n = net->flows[f].nlinks;

    for (uint32_t k = 0; k < n; k++)
        if (links[k] != but)
            add_load(net, links[k], change);
}

/* What would hold the flow back but for one link: the node of least level. */
static uint32_t bottleneck_but(const struct fluid *net, const struct flow *flow,
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
    double bytes =
        net->nodes[from].members[flow->place].end - clock_now(net, from);

    quit(net, f);
    flow->node = n;
    for (uint32_t k = 0; k < flow->nlinks; k++) {
        uint32_t link = flow->links[k];
        if (link == from)
            add_other(net, link, f, k);
        else if (link == n)
            drop_other(net, link, f, k);
        else
            net->nodes[link].others[flow->at[k]].node = n;
    }
    join(net, n, f, bytes > 0 ? bytes : 0);
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
static double fill(const double *d, size_t n, double bandwidth)
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
        d[i] = net->level[bottleneck_but(net, &net->flows[f], n)];
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
    return fill(d, (size_t)nm + no, node->bandwidth);
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

    set_clock(net, n);
    for (uint32_t i = 0; i < nm; i++) {
        uint32_t f = node->members[i].flow;
        if (d[i] < x)
            net->moved[nmoved++] = f;
        else
            spread(net, f, x - old, n);
    }
    uint32_t leave = nmoved;
    for (uint32_t i = 0; i < no; i++)
        if (d[nm + i] > x)
            net->moved[nmoved++] = node->others[i].flow;

    /* Those that leave are told apart while the old level still holds. */
    for (uint32_t i = 0; i < leave; i++) {
        uint32_t f = net->moved[i];
        uint32_t to = bottleneck_but(net, &net->flows[f], n);
        spread(net, f, net->level[to] - old, n);
        move(net, f, to);
    }
    net->level[n] = x;
    for (uint32_t i = leave; i < nmoved; i++) {
        uint32_t f = net->moved[i];
        spread(net, f, x - net->level[net->flows[f].node], n);
        move(net, f, n);
    }
    net->hot[n].load =
        isinf(x) ? sum_of_others(net, &net->nodes[n]) : net->nodes[n].bandwidth;
    mark_stale(net, n);
}

static void solve_all(struct fluid *net)
{
    while (net->queue.n) {
        uint32_t n = time_heap_pop(&net->queue);
        net->nodes[n].queued = false;
        if (net->nodes[n].active) {
            solve(net, n);
            const struct node *node = &net->nodes[n];
            if (node->bounds <= node->bandwidth && isinf(net->level[n]))
                deactivate(net, n);
        }
        set_limits(net, n);
    }
}

/* --- the interface -------------------------------------------------------- */

uint32_t fluid_start(struct fluid *net, double now_s, const uint32_t *links,
                     size_t nlinks, double bytes, double cap_Bps)
{
    double bound = cap_Bps > 0 ? cap_Bps : INFINITY;
    uint32_t f = net->free_flow;

    assert(nlinks <= FLUID_MAX_ROUTE && bytes > 0);
    net->now = now_s;
    for (size_t k = 0; k < nlinks; k++)
        bound = fmin(bound, net->nodes[net->node_of_link[links[k]]].bandwidth);
    assert(!isinf(bound));
    uint32_t cap = cap_class(net, bound);
    if (f == NOBODY) {
        net->flows = room_for(net->flows, net->nflows + 1, &net->flows_room,
                              sizeof *net->flows);
        f = net->nflows++;
    } else {
        net->free_flow = net->flows[f].place;
    }
    struct flow *flow = &net->flows[f];
    flow->bound = bound;
    flow->start = now_s;
    flow->cap = cap;
    flow->nlinks = (uint32_t)nlinks;
    for (size_t k = 0; k < nlinks; k++)
        flow->links[k] = net->node_of_link[links[k]];

    uint32_t b = bottleneck_but(net, flow, NOBODY);
    flow->node = b;
    join(net, b, f, bytes);
    for (uint32_t k = 0; k < nlinks; k++) {
        uint32_t n = flow->links[k];
        struct node *node = &net->nodes[n];
        node->bounds += bound;
        flow->at[k] = NOBODY;
        if (n != b)
            add_other(net, n, f, k);
        if (node->active)
            add_load(net, n, net->level[b]);
        else if (node->bounds > node->bandwidth * (1 + EXACT))
            activate(net, n);
        if (net->hot[n].load > node->bandwidth * (1 + OVERLOAD) && node->active)
            net->urgent = true;
    }
    return f;
}

/* Tells anew when the nodes end that have changed. */
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
        time_heap_set(&net->ends, n,
                      node->since + fmax(to_go, 0) / net->level[n]);
    }
    net->nstale = 0;
}

double fluid_next_end(struct fluid *net, double horizon_s)
{
    if (net->queue.n && net->window > 0 && !net->urgent) {
        refresh(net);
        double next = fmin(horizon_s, net->ends.n ? time_heap_first(&net->ends)
                                                  : INFINITY);
        if (next > net->dirty_since + net->window * net->mean_duration)
            solve_all(net);
    } else {
        solve_all(net);
    }
    refresh(net);
    return net->ends.n ? fmax(time_heap_first(&net->ends), net->now)
                       : FLUID_NEVER;
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
    struct flow *flow = &net->flows[f];

    net->now = now_s;
    /* The clock is what the flow says, so that equal readings end together. */
    node->clock = node->members[0].end;
    node->since = now_s;
    double rate = net->level[b];
    quit(net, f);
    for (uint32_t k = 0; k < flow->nlinks; k++) {
        uint32_t n = flow->links[k];
        struct node *link = &net->nodes[n];
        if (n != b)
            drop_other(net, n, f, k);
        link->bounds -= flow->bound;
        if (!link->nmembers && !link->nothers)
            link->bounds = 0;
        if (!link->active)
            continue;
        if (link->bounds <= link->bandwidth && isinf(net->level[n]))
            deactivate(net, n);
        else
            add_load(net, n, -rate);
    }
    net->mean_duration += (now_s - flow->start - net->mean_duration) / 64;
    flow->place = net->free_flow;
    net->free_flow = f;
    /* Only nodes that changed: the others' times hold. */
    refresh(net);
    return f;
}

double fluid_rate(struct fluid *net, uint32_t flow)
{
    solve_all(net);
    return net->level[net->flows[flow].node];
}

bool fluid_check(struct fluid *net, double tolerance)
{
    solve_all(net);
    for (uint32_t l = 0; l < net->nlinks; l++) {
        uint32_t n = net->node_of_link[l];
        const struct node *node = &net->nodes[n];
        double load = net->level[n] * node->nmembers;
        if (!node->nmembers)
            load = 0;
        for (uint32_t i = 0; i < node->nothers; i++) {
            double rate = net->level[node->others[i].node];
            load += rate;
            /* Nobody that is held back elsewhere is faster than this allows. */
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
