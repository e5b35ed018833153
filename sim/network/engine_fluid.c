/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine on our own solver: events are here, rates in fluid.c, routes in
 * routes.c. */
#include "sim/network/engine_parts.h"
#include "sim/network/fluid.h"
#include "sim/network/rates.h"
#include "sim/network/routes.h"
#include "sim/network/snapshot.h"
#include "sim/network/timers.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The callback at the end of a flow, indexed by the flow's number. */
struct waiter {
    uint64_t seq;
    void (*fn)(void *);
    void *arg;
};

/* The traffic of a link so far. */
struct carried {
    double bytes;
    uint64_t flows;
};

struct fluid_engine {
    struct engine base;
    bool alone; /* flows share no links: each is a timer */
    struct routes *routes;
    struct fluid *net;
    size_t nlinks; /* links that the solver knows */
    struct carried *carried;
    size_t carried_room;
    double now, tolerance;
    uint64_t next_seq;
    struct timers timers;
    struct waiter *waiters;
    size_t waiters_room;
    struct waiter *done; /* flows that end at one instant */
    size_t done_room;
    size_t running;
    /* The link that stands for each; NULL if each is its own. */
    const uint32_t *stands;
    struct rates *rates; /* NULL if they are not recorded */
    /* The length of a route that is too long for the solver, else 0. */
    size_t too_long;
};

static struct fluid_engine *of(const struct engine *e)
{
    return (struct fluid_engine *)(uintptr_t)e;
}

static void engine_fluid_after(struct engine *any, double delay_s,
                               void (*fn)(void *), void *arg)
{
    struct fluid_engine *e = of(any);

    assert(delay_s >= 0);
    timers_add(&e->timers, e->now, delay_s, e->next_seq++, fn, arg);
}

/* Adds the links of new routes to the solver. */
static void engine_fluid_follow_links(struct fluid_engine *e)
{
    size_t n = routes_links(e->routes);

    if (n > e->carried_room) {
        size_t room = 2 * n;
        e->carried = xrealloc(e->carried, room, sizeof *e->carried);
        memset(&e->carried[e->carried_room], 0,
               (room - e->carried_room) * sizeof *e->carried);
        e->carried_room = room;
    }
    for (; e->nlinks < n; e->nlinks++) {
        uint32_t link = (uint32_t)e->nlinks;
        fluid_add_link(e->net, routes_bandwidth(e->routes, link),
                       routes_rank(e->routes, link));
    }
}

/* Returns a link's bandwidth for one flow: a route may contain a link twice,
 * each time with half of the bandwidth. */
static double engine_fluid_link_Bps(const struct fluid_engine *e,
                                    const uint32_t *links, size_t n, size_t i)
{
    unsigned times = 0;

    for (size_t k = 0; k < n; k++)
        times += links[k] == links[i];
    return routes_bandwidth(e->routes, links[i]) / times;
}

/* Returns the time of the bytes if no other flow uses these links. */
static double engine_fluid_alone_s(const struct fluid_engine *e,
                                   const uint32_t *links, size_t n,
                                   double bytes, double cap_Bps)
{
    double Bps = cap_Bps;

    for (size_t i = 0; i < n; i++)
        Bps = fmin(Bps, engine_fluid_link_Bps(e, links, n, i));
    return bytes / Bps;
}

/* Adds flows to the traffic of links, and keeps those links that may bind;
 * returns their number. */
static size_t engine_fluid_carry_over(struct fluid_engine *e, uint32_t *links,
                                      size_t n, double bytes, uint64_t flows)
{
    size_t binding = 0;

    for (size_t i = 0; i < n; i++) {
        e->carried[links[i]].bytes += bytes;
        e->carried[links[i]].flows += flows;
        if (routes_binds(e->routes, links[i]))
            links[binding++] = links[i];
    }
    return binding;
}

/* Replaces links by those that stand for them, each once. */
static size_t engine_fluid_stand_in(const struct fluid_engine *e,
                                    uint32_t *links, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t link = e->stands[links[i]];
        size_t k = 0;
        while (k < kept && links[k] != link)
            k++;
        if (k == kept)
            links[kept++] = link;
    }
    return kept;
}

static void engine_fluid_start(struct engine *any, uint32_t from, uint32_t to,
                               double bytes, double rate_cap_Bps, int nic,
                               void (*fn)(void *), void *arg)
{
    struct fluid_engine *e = of(any);
    uint32_t links[FLUID_MAX_ROUTE];

    if (bytes == 0) {
        engine_fluid_after(any, 0, fn, arg);
        return;
    }
    size_t n = routes_find(e->routes, from, to, nic, links, FLUID_MAX_ROUTE);
    if (n > FLUID_MAX_ROUTE) {
        e->too_long = n;
        engine_fluid_after(any, 0, fn, arg);
        return;
    }
    engine_fluid_follow_links(e);
    if (e->rates)
        rates_route(e->rates, links, n);
    n = engine_fluid_carry_over(e, links, n, bytes, 1);
    if (e->stands)
        n = engine_fluid_stand_in(e, links, n);
    double cap = rate_cap_Bps > 0 ? rate_cap_Bps : n ? 0 : 1e15;
    if (e->alone) {
        double alone_s =
            engine_fluid_alone_s(e, links, n, bytes, cap > 0 ? cap : INFINITY);
        if (isfinite(alone_s))
            engine_fluid_after(any, alone_s, fn, arg);
        else
            e->running++; /* it never ends */
        return;
    }
    uint32_t f = fluid_start(e->net, e->now, links, n, bytes, cap);
    routes_begin(e->routes, f);
    if (e->rates)
        rates_begin(e->rates, f, bytes);
    if (f >= e->waiters_room) {
        e->waiters_room = 2 * (size_t)f + 64;
        e->waiters = xrealloc(e->waiters, e->waiters_room, sizeof *e->waiters);
    }
    e->waiters[f] = (struct waiter){e->next_seq++, fn, arg};
    e->running++;
}

static int by_seq(const void *a, const void *b)
{
    const struct waiter *x = a, *y = b;

    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Ends all flows that end now, then calls their callbacks in the order in which
 * the flows started. */
static int engine_fluid_end_flows(struct fluid_engine *e, struct err *err)
{
    size_t n = 0;

    do {
        if (n == e->done_room) {
            e->done_room = 2 * n + 64;
            e->done = xrealloc(e->done, e->done_room, sizeof *e->done);
        }
        uint32_t f = fluid_end(e->net, e->now);
        routes_end(e->routes, f);
        if (e->rates)
            rates_end(e->rates, f);
        e->done[n++] = e->waiters[f];
    } while (fluid_ends_now(e->net, e->now));
    e->running -= n;
    if (n > 1)
        qsort(e->done, n, sizeof *e->done, by_seq);
    for (size_t i = 0; i < n; i++) {
        /* This is a copy, because the callback may start flows. */
        struct waiter w = e->done[i];
        if (engine_count_event(&e->base, err) < 0)
            return -1;
        w.fn(w.arg);
    }
    return 0;
}

/* Runs the events. Timers of an instant come before ends of flows, as in
 * SimGrid. Rates are solved only before time advances, because other changes of
 * the same instant may follow. */
static int engine_fluid_run(struct engine *any, struct err *err)
{
    struct fluid_engine *e = of(any);

    for (;;) {
        while (timers_first(&e->timers) <= e->now) {
            struct timer t = timers_pop(&e->timers);
            if (engine_count_event(any, err) < 0)
                return -1;
            t.fn(t.arg);
        }
        double timer = timers_first(&e->timers);
        double end = fluid_next_end(e->net, timer);
        if (isinf(end) && isinf(timer))
            break;
        if (e->rates)
            rates_until(e->rates, e->net, fmin(timer, end));
        if (timer <= end) {
            e->now = timer;
            continue;
        }
        e->now = end;
        if (engine_fluid_end_flows(e, err) < 0)
            return -1;
    }
    if (e->too_long)
        return fail(err,
                    "a way has %zu links, the fluid engine takes %d: use "
                    "--engine simgrid",
                    e->too_long, FLUID_MAX_ROUTE);
    if (e->running)
        return fail_work(err,
                         "flows that never end: %zu, over a link of no "
                         "bandwidth",
                         e->running);
    return 0;
}

static double engine_fluid_now(const struct engine *any)
{
    return of(any)->now;
}

static size_t engine_fluid_link_count(const struct engine *any)
{
    return of(any)->nlinks;
}

static void engine_fluid_link_use(const struct engine *any, size_t i,
                                  struct link_use *out)
{
    const struct fluid_engine *e = of(any);

    out->bandwidth_Bps = routes_bandwidth(e->routes, (uint32_t)i);
    out->bytes = e->carried[i].bytes;
    out->flows = e->carried[i].flows;
    out->node = routes_node(e->routes, (uint32_t)i);
    out->joins = routes_joins(e->routes, (uint32_t)i, out->routers);
}

/* Without sharing flows are timers, so it is not known when their bytes are
 * carried. */
static void engine_fluid_keep_rates(struct engine *any, size_t bins)
{
    struct fluid_engine *e = of(any);

    rates_free(e->rates);
    e->rates = e->alone ? NULL : rates_new(bins);
}

static const struct rates *engine_fluid_rates(const struct engine *any)
{
    return of(any)->rates;
}

static struct solver_work engine_fluid_solver_work(const struct engine *any)
{
    return fluid_work(of(any)->net);
}

static double engine_fluid_latency(const struct engine *any, uint32_t from,
                                   uint32_t to, int nic)
{
    return routes_latency_s(of(any)->routes, from, to, nic);
}

static void engine_fluid_link_name(const struct engine *any, size_t i,
                                   char *name, size_t room)
{
    routes_name(of(any)->routes, (uint32_t)i, name, room);
}

static void engine_fluid_free(struct engine *any)
{
    struct fluid_engine *e = of(any);

    fluid_free(e->net);
    routes_free(e->routes);
    rates_free(e->rates);
    free(e->carried);
    timers_clear(&e->timers);
    free(e->waiters);
    free(e->done);
    free(e);
}

static void engine_fluid_rewind(struct engine *any)
{
    struct fluid_engine *e = of(any);

    assert(e->running == 0 && isinf(timers_first(&e->timers)));
    fluid_free(e->net);
    e->net = fluid_new(e->tolerance);
    e->now = 0;
    e->next_seq = 0;
    if (e->carried_room)
        memset(e->carried, 0, e->carried_room * sizeof *e->carried);
    e->nlinks = 0;
    rates_free(e->rates);
    e->rates = NULL;
    e->stands = NULL;
    routes_forget(e->routes);
}

static void engine_fluid_set_tolerance(struct engine *any, double tolerance)
{
    of(any)->tolerance = tolerance;
    fluid_set_tolerance(of(any)->net, tolerance);
}

/* --- snapshots --------------------------------------------------------------
 */

/* A future event, sorted by the name of its owner, so that the order of events
 * of one instant does not depend on the order in which they were requested. */
struct due {
    uint64_t fn, name;
    double from_now_s;
    uint32_t flow;
};

static int due_by_name(const void *a, const void *b)
{
    const struct due *x = a, *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->fn != y->fn)
        return x->fn < y->fn ? -1 : 1;
    return (x->from_now_s > y->from_now_s) - (x->from_now_s < y->from_now_s);
}

static void snapshot_timers(const struct fluid_engine *e, struct snapshot *s,
                            uint64_t (*name)(void *user, void *arg), void *user)
{
    size_t n = timers_count(&e->timers);
    struct timer *list = xcalloc(n, sizeof *list);
    struct due *due = xcalloc(n, sizeof *due);

    timers_list(&e->timers, list);
    for (size_t i = 0; i < n; i++)
        due[i] = (struct due){(uintptr_t)list[i].fn, name(user, list[i].arg),
                              list[i].time - e->now, 0};
    qsort(due, n, sizeof *due, due_by_name);
    snapshot_word(s, n);
    for (size_t i = 0; i < n; i++) {
        snapshot_word(s, due[i].fn);
        snapshot_word(s, due[i].name);
        snapshot_time(s, due[i].from_now_s);
    }
    free(list);
    free(due);
}

static void snapshot_flows(const struct fluid_engine *e, struct snapshot *s,
                           uint64_t (*name)(void *user, void *arg), void *user)
{
    uint32_t *flows = xcalloc(e->running, sizeof *flows);
    struct due *due = xcalloc(e->running, sizeof *due);

    fluid_list_flows(e->net, flows);
    for (size_t i = 0; i < e->running; i++) {
        const struct waiter *w = &e->waiters[flows[i]];
        due[i] =
            (struct due){(uintptr_t)w->fn, name(user, w->arg), 0, flows[i]};
    }
    qsort(due, e->running, sizeof *due, due_by_name);
    snapshot_word(s, e->running);
    for (size_t i = 0; i < e->running; i++) {
        snapshot_word(s, due[i].fn);
        snapshot_word(s, due[i].name);
        fluid_snapshot_flow(e->net, s, due[i].flow, e->now);
    }
    free(flows);
    free(due);
}

static bool engine_fluid_snapshot(const struct engine *any, struct snapshot *s,
                                  uint64_t (*name)(void *user, void *arg),
                                  void *user)
{
    const struct fluid_engine *e = of(any);

    if (!routes_stay(e->routes))
        return false;
    snapshot_timers(e, s, name, user);
    snapshot_flows(e, s, name, user);
    fluid_snapshot(e->net, s, e->now);
    return true;
}

/* Writes the traffic of links in the order of their numbers. */
static void engine_fluid_snapshot_carried(const struct engine *any,
                                          struct snapshot *s)
{
    const struct fluid_engine *e = of(any);

    for (size_t i = 0; i < e->nlinks; i++) {
        snapshot_word(s, e->carried[i].flows);
        snapshot_value(s, e->carried[i].bytes);
    }
}

/* Links that were found between both snapshots had carried nothing in the
 * first. */
static void engine_fluid_carry_again(struct engine *any,
                                     const struct snapshot *from,
                                     const struct snapshot *to, uint32_t times)
{
    struct fluid_engine *e = of(any);

    for (size_t i = 0; i < to->nwords; i++) {
        bool known = i < from->nwords;
        e->carried[i].flows +=
            times * (to->words[i] - (known ? from->words[i] : 0));
        e->carried[i].bytes +=
            times * (to->values[i] - (known ? from->values[i] : 0));
    }
}

/* --- folded runs ---------------------------------------------------------- */

static size_t engine_fluid_route(struct engine *any, uint32_t from, uint32_t to,
                                 int nic, enum route_links which,
                                 uint32_t *links, size_t room)
{
    struct fluid_engine *e = of(any);

    if (e->alone || !routes_stay(e->routes))
        return 0;
    size_t n = routes_find(e->routes, from, to, nic, links, room);
    engine_fluid_follow_links(e);
    if (n > room)
        return 0;
    return which == ROUTE_ALL ? n : engine_fluid_carry_over(e, links, n, 0, 0);
}

static void engine_fluid_fold(struct engine *any, const uint32_t *stands)
{
    of(any)->stands = stands;
}

static void engine_fluid_add_up_carried(struct engine *any,
                                        const uint32_t *stands)
{
    struct fluid_engine *e = of(any);

    for (size_t i = 0; i < e->nlinks; i++)
        if (stands[i] != i) {
            e->carried[stands[i]].bytes += e->carried[i].bytes;
            e->carried[stands[i]].flows += e->carried[i].flows;
        }
    for (size_t i = 0; i < e->nlinks; i++)
        e->carried[i] = e->carried[stands[i]];
}

static void engine_fluid_forget_carried(struct engine *any)
{
    struct fluid_engine *e = of(any);

    memset(e->carried, 0, e->nlinks * sizeof *e->carried);
}

static void engine_fluid_carry(struct engine *any, uint32_t from, uint32_t to,
                               int nic, double bytes, uint64_t flows)
{
    struct fluid_engine *e = of(any);
    uint32_t links[FLUID_MAX_ROUTE];
    size_t n = routes_find(e->routes, from, to, nic, links, FLUID_MAX_ROUTE);

    (void)engine_fluid_carry_over(e, links, n, bytes, flows);
}

static const struct engine_kind_ops fluid_ops = {engine_fluid_free,
                                                 engine_fluid_rewind,
                                                 engine_fluid_set_tolerance,
                                                 engine_fluid_now,
                                                 engine_fluid_after,
                                                 engine_fluid_start,
                                                 engine_fluid_run,
                                                 engine_fluid_link_count,
                                                 engine_fluid_link_use,
                                                 engine_fluid_link_name,
                                                 engine_fluid_latency,
                                                 engine_fluid_solver_work,
                                                 engine_fluid_snapshot,
                                                 engine_fluid_snapshot_carried,
                                                 engine_fluid_carry_again,
                                                 engine_fluid_route,
                                                 engine_fluid_fold,
                                                 engine_fluid_add_up_carried,
                                                 engine_fluid_forget_carried,
                                                 engine_fluid_carry,
                                                 engine_fluid_keep_rates,
                                                 engine_fluid_rates};

struct engine *engine_fluid_new(const struct machine *m,
                                const struct node_routes *node_routes,
                                unsigned nodes, bool alone, struct err *err)
{
    struct routes *routes = routes_new(m, node_routes, nodes, err);

    if (!routes)
        return NULL;
    struct fluid_engine *e = xcalloc(1, sizeof *e);
    e->base.ops = &fluid_ops;
    e->alone = alone;
    e->routes = routes;
    e->net = fluid_new(0);
    return &e->base;
}
