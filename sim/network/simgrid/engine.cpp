/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine on SimGrid S4U: plain max-min sharing.
 *
 * It is in C++ because only S4U's C++ interface builds platforms in code. Every
 * link has latency 0, since CM02 would share in proportion to 1/latency; the
 * true latencies are timers of the caller. A node is a zone of our own, because
 * the route of a flow depends on the flow (its NIC) and not only on its ends,
 * and because a rate cap has to be a link: SimGrid 3.32 drops Comm::set_rate
 * for host-to-host communications.
 */
#include "sim/network/simgrid/zones.hpp"

extern "C" {
#include "sim/network/engine_parts.h"
#include "sim/network/simgrid.h"
}

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>
#include <queue>
#include <unordered_map>

namespace s4u = simgrid::s4u;
using simgrid::kernel::timer::Timer;

struct flow {
    uint64_t seq;
    s4u::CommPtr comm;
    s4u::Link *cap; /* private link that bounds the rate, or null */
    void (*fn)(void *);
    void *arg;
};

struct timer {
    double time;
    uint64_t seq;
    void (*fn)(void *);
    void *arg;
};

struct later {
    bool operator()(const timer &a, const timer &b) const
    {
        return a.time != b.time ? a.time > b.time : a.seq > b.seq;
    }
};

struct too_many_events {
    struct err err;
};

/* The traffic of a link so far. */
struct carried {
    double bytes;
    uint64_t flows;
};

struct simgrid_engine : engine {
    simgrid_engine(const struct machine *m, unsigned n) : net(m, n)
    {
    }
    const struct machine *machine;
    unsigned nodes;
    s4u::Engine *simgrid;
    struct network_of_nodes net;

    std::priority_queue<timer, std::vector<timer>, later> timers;
    Timer *armed = nullptr; /* SimGrid's timer for our first one */
    double armed_time = 0;
    uint64_t next_seq = 0;

    std::unordered_map<const s4u::Activity *, struct flow *> flows;
    std::vector<struct flow *> done; /* at this instant, not yet reported */
    std::vector<s4u::Link *> free_caps;
    size_t caps_made = 0;
    s4u::SemaphorePtr finished;

    std::unique_ptr<route_table> routes;
    std::vector<struct carried> carried; /* indexed by link */
    std::vector<uint32_t> route;         /* scratch */
};

/* There is one, because SimGrid's state belongs to the process. */
static simgrid_engine *the_engine;

static double now(const struct engine *)
{
    return s4u::Engine::get_clock();
}

static void fire(simgrid_engine *e);

/* Lets SimGrid call fire() at the earliest of our timers. */
static void arm(simgrid_engine *e)
{
    if (e->timers.empty())
        return;
    double first = e->timers.top().time;
    if (e->armed) {
        if (e->armed_time <= first)
            return;
        e->armed->remove();
    }
    e->armed_time = first;
    e->armed = Timer::set(first, [e] { fire(e); });
}

/* Counts a callback. If it is one too many, throws through SimGrid's loop to
 * run(). */
static void count_event(simgrid_engine *e)
{
    struct err err;

    if (engine_count_event(e, &err) < 0)
        throw too_many_events{err};
}

/* Calls the callbacks of the flows that ended at this instant, in the order in
 * which the flows started. */
static void tell(simgrid_engine *e)
{
    std::vector<struct flow *> done;

    done.swap(e->done);
    std::sort(done.begin(), done.end(),
              [](const flow *a, const flow *b) { return a->seq < b->seq; });
    for (struct flow *f : done) {
        void (*fn)(void *) = f->fn;
        void *arg = f->arg;
        if (f->cap)
            e->free_caps.push_back(f->cap);
        delete f;
        count_event(e);
        fn(arg);
    }
}

static void release_if_idle(simgrid_engine *e)
{
    if (e->flows.empty() && e->done.empty() && e->timers.empty())
        e->finished->release();
}

static void fire(simgrid_engine *e)
{
    double until = e->armed_time;

    e->armed = nullptr;
    tell(e);
    while (!e->timers.empty() && e->timers.top().time <= until) {
        timer t = e->timers.top();
        e->timers.pop();
        count_event(e);
        t.fn(t.arg);
    }
    arm(e);
    release_if_idle(e);
}

static simgrid_engine *of(struct engine *e)
{
    return static_cast<simgrid_engine *>(e);
}

static void after(struct engine *any, double delay_s, void (*fn)(void *),
                  void *arg)
{
    simgrid_engine *e = of(any);

    assert(delay_s >= 0);
    e->timers.push({now(e) + delay_s, e->next_seq++, fn, arg});
    arm(e);
}

static void flow_ended(simgrid_engine *e, const s4u::Activity *activity)
{
    auto found = e->flows.find(activity);

    if (found == e->flows.end())
        return;
    struct flow *f = found->second;
    e->flows.erase(found);
    bool first = e->done.empty();
    e->done.push_back(f);
    /* The other flows of this instant are collected before any callback. */
    if (first)
        Timer::set(now(e), [e] {
            tell(e);
            release_if_idle(e);
        });
}

/* Returns a link for this flow only. Its zone is never sealed, so that more can
 * be made. */
static s4u::Link *take_cap(simgrid_engine *e, double rate_Bps)
{
    s4u::Link *cap;

    if (e->free_caps.empty()) {
        cap = e->net.caps->create_link("cap" + std::to_string(e->caps_made++),
                                       rate_Bps);
        cap->seal();
        return cap;
    }
    cap = e->free_caps.back();
    e->free_caps.pop_back();
    if (cap->get_bandwidth() != rate_Bps)
        cap->set_bandwidth(rate_Bps);
    return cap;
}

static void start_flow(struct engine *any, uint32_t from, uint32_t to,
                       double bytes, double rate_cap_Bps, int nic,
                       void (*fn)(void *), void *arg)
{
    simgrid_engine *e = of(any);

    /* SimGrid sends whole bytes, but extra_bytes of a segment may have
     * fractions. */
    assert(bytes >= 0);
    bytes = std::round(bytes);
    if (bytes == 0) {
        after(e, 0, fn, arg);
        return;
    }

    const s4u::Host *src = e->net.hosts[from];
    const s4u::Host *dst = e->net.hosts[to];
    /* SimGrid needs a link even for a flow over no shared link. */
    double rate = rate_cap_Bps > 0 ? rate_cap_Bps : 1e15;
    struct flow *f = new flow{e->next_seq++, nullptr, nullptr, fn, arg};
    f->cap = take_cap(e, rate);

    struct route_choice choice = {};
    if (from / e->net.choices.endpoints != to / e->net.choices.endpoints)
        choice = route_choices_next(&e->net.choices, from, to, &nic);
    e->routes->find(from, to, nic, choice, e->route);
    e->carried.resize(e->routes->count());
    for (uint32_t link : e->route) {
        e->carried[link].bytes += bytes;
        e->carried[link].flows++;
    }

    node_zone::current_nic = nic;
    node_zone::current_cap = f->cap;
    routes_zone::current_choice = choice;
    f->comm = s4u::Comm::sendto_init(const_cast<s4u::Host *>(src),
                                     const_cast<s4u::Host *>(dst));
    f->comm->set_payload_size((uint64_t)bytes);
    e->flows.emplace(f->comm.get(), f);
    f->comm->start();
    node_zone::current_cap = nullptr;
}

static void free_engine(struct engine *any)
{
    /* SimGrid's own state ends with the process. */
    if (any == the_engine)
        the_engine = nullptr;
    delete of(any);
}

/* Leaves the semaphore to the process, because the actor still waits for it and
 * SimGrid does not allow that it is freed. */
static int give_up(simgrid_engine *e)
{
    e->finished.detach();
    return -1;
}

static int run(struct engine *any, struct err *err)
{
    simgrid_engine *e = of(any);

    if (e->timers.empty() && e->flows.empty())
        return 0;
    s4u::Actor::create("sluice", e->net.hosts[0],
                       [e] { e->finished->acquire(); });
    try {
        e->simgrid->run();
    } catch (const too_many_events &x) {
        if (err)
            *err = x.err;
        return give_up(e);
    } catch (const std::exception &x) {
        fail_work(err, "SimGrid: %s", x.what());
        return give_up(e);
    }
    if (!e->flows.empty() || !e->timers.empty()) {
        fail_work(err, "SimGrid stopped with %zu flows unfinished",
                  e->flows.size());
        return give_up(e);
    }
    return 0;
}

static size_t link_count(const struct engine *any)
{
    return static_cast<const simgrid_engine *>(any)->carried.size();
}

static void link_use_of(const struct engine *any, size_t i,
                        struct link_use *out)
{
    auto *e = static_cast<const simgrid_engine *>(any);

    out->bandwidth_Bps = e->routes->bandwidth(i);
    out->bytes = e->carried[i].bytes;
    out->flows = e->carried[i].flows;
    out->node = NODE_NONE;
    out->joins = false;
}

static double latency_s(const struct engine *any, uint32_t from, uint32_t to,
                        int nic)
{
    auto *e = static_cast<const simgrid_engine *>(any);

    return route_choices_latency_s(&e->net.choices, from, to, nic);
}

static void link_name_of(const struct engine *any, size_t i, char *name,
                         size_t room)
{
    auto *e = static_cast<const simgrid_engine *>(any);

    snprintf(name, room, "%s", e->routes->name(i).c_str());
}

static const struct engine_kind_ops simgrid_ops = {
    free_engine, nullptr,    nullptr,     now,          after,     start_flow,
    run,         link_count, link_use_of, link_name_of, latency_s, nullptr,
    nullptr,     nullptr,    nullptr,     nullptr,      nullptr,   nullptr,
    nullptr,     nullptr,    nullptr,     nullptr};

static void configure(const char *option)
{
    s4u::Engine::set_config(option);
}

/* Starts SimGrid with a plain max-min model; possible once in a process. */
static s4u::Engine *start_simgrid()
{
    static char name[] = "sluice", quiet[] = "--log=root.thres:error";
    static char *argv[] = {name, quiet, nullptr};
    int argc = 2;
    std::set_new_handler([] { err_no_memory("more for SimGrid"); });
    auto *simgrid = new s4u::Engine(&argc, argv);

    configure("network/model:CM02");      /* no TCP factors */
    configure("network/crosstraffic:0");  /* no 5 % in the opposite direction */
    configure("network/TCP-gamma:1e20");  /* no window; 0 would drop caps */
    configure("network/optim:Full");      /* Lazy can oversubscribe a link */
    configure("surf/precision:1e-15");    /* no merging of near events */
    configure("contexts/factory:thread"); /* one actor; sanitizers need it */
    return simgrid;
}

static int check_start(const struct machine *m, unsigned nodes, struct err *err)
{
    static bool started;

    if (m->network.routing == ROUTING_UGAL_L ||
        m->network.routing == ROUTING_UGAL_G)
        return fail(err,
                    "%s: SimGrid cannot choose ways by the load (routing %s): "
                    "use the fluid engine",
                    m->name, routing_names[m->network.routing]);
    if (started)
        return fail_work(err, "SimGrid allows one engine in a process");
    if (nodes > m->network.nodes)
        return fail(err, "%u nodes wanted, %s has %u", nodes, m->name,
                    m->network.nodes);
    started = true;
    return 0;
}

static struct engine *simgrid_engine_new(const struct machine *m,
                                         unsigned nodes, struct err *err)
{
    if (check_start(m, nodes, err) < 0)
        return nullptr;

    auto *e = new simgrid_engine(m, nodes);
    e->ops = &simgrid_ops;
    e->machine = m;
    e->nodes = nodes;
    e->simgrid = start_simgrid();
    if (build_network(&e->net, m, nodes, err) < 0) {
        delete e;
        return nullptr;
    }
    e->routes = std::make_unique<route_table>(&e->net, nodes);
    e->finished = s4u::Semaphore::create(0);
    s4u::Comm::on_completion_cb(
        [e](const s4u::Activity &a) { flow_ended(e, &a); });
    the_engine = e;
    return e;
}

/* --- the reference for net_routes.h -----------------------------------------
 */

struct simgrid_network {
    simgrid_network(const struct machine *m, unsigned n) : net(m, n)
    {
    }
    struct network_of_nodes net;
};

static struct simgrid_network *
simgrid_network_new(const struct machine *m, unsigned nodes, struct err *err)
{
    if (check_start(m, nodes, err) < 0)
        return nullptr;

    auto *s = new simgrid_network(m, nodes);
    start_simgrid();
    s->net.whole = false;
    if (build_network(&s->net, m, nodes, err) == 0)
        return s;
    delete s;
    return nullptr;
}

static size_t simgrid_network_route(struct simgrid_network *s, unsigned a,
                                    unsigned b, struct link_use *links,
                                    size_t room)
{
    std::vector<s4u::Link *> all;
    double latency = 0;

    routes_zone::current_choice = {a, b, 0, 0, 0};
    s->net.hosts[a]->route_to(s->net.hosts[b], all, &latency);
    for (size_t i = 0; i < all.size() && i < room; i++) {
        snprintf(links[i].name, sizeof links[i].name, "%s",
                 all[i]->get_cname());
        links[i].bandwidth_Bps = all[i]->get_bandwidth();
    }
    return all.size();
}

extern "C" __attribute__((visibility("default")))
const simgrid_module sluice_simgrid = {simgrid_engine_new, simgrid_network_new,
                                       simgrid_network_route};
