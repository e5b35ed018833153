/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the links of a machine as routes use them, and joins routes from
 * those inside nodes and those between them. */
#include "sim/network/routes.h"

#include "sim/network/adapt.h"
#include "sim/network/engine.h"
#include "sim/network/route_choices.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Marks the id of a link of a node (node * links of a node + link); other ids
 * are those of links between nodes. */
#define OF_NODE (UINT64_C(1) << 63)

struct routes {
    const struct node_routes *node_routes;
    struct node_routes *own; /* equal to `node_routes` if the caller has none */
    struct route_choices choices;
    struct adapt *adapt; /* NULL if routes do not depend on loads */
    /* The last flow's route between nodes; without links if it stayed on its
     * node. */
    struct adapt_route chosen;
    unsigned nodes, endpoints, per_node;
    /* The bandwidth with which a node's NICs send over one of its links to the
     * network. */
    double nics_Bps;
    /* Indexed by node: 1 + its index among the nodes with a route; 0: none. */
    uint32_t *first;
    /* Indexed by that index, then by the node's link: 1 + its number; 0:
     * none. */
    uint32_t *inside;
    size_t nfirst, inside_room;
    uint64_t *ids; /* indexed by number */
    size_t nlinks, room;
    uint8_t *binds; /* indexed by number: routes_binds() */
    /* 1 + the number of each link between nodes; 0: none. If there are few
     * links, the link is the index, because the system allocates only pages
     * that are used; else it is a hash table with open addressing, whose size
     * is a power of 2. */
    uint32_t *numbers;
    size_t size, used;
    bool direct;
};

/* The most links that have an index each: 256 MB of address space. */
enum { MOST_DIRECT = 1 << 26 };

/* Returns the bandwidth of the NICs of a rail, which share one link of the
 * node; without rails all NICs share one. */
static double rail_Bps(const struct machine *m, unsigned rail)
{
    unsigned rails = m->network.rails ? m->network.rails : 1;
    double Bps = 0;

    for (size_t w = 0; w < m->nwires; w++)
        for (int end = 0; end < 2; end++) {
            const struct device *d = &m->devices[m->wires[w].ends[end]];
            if (d->kind == DEVICE_NIC && d->index % rails == rail)
                Bps += m->wires[w].bandwidth_Bps;
        }
    return Bps;
}

static double nics_Bps(const struct machine *m)
{
    double most = rail_Bps(m, 0);

    for (unsigned r = 1; r < m->network.rails; r++)
        if (rail_Bps(m, r) > most)
            most = rail_Bps(m, r);
    return most;
}

struct routes *routes_new(const struct machine *m,
                          const struct node_routes *node_routes, unsigned nodes,
                          struct err *err)
{
    if (nodes > m->network.nodes)
        return fail_null(err, "%u nodes wanted, %s has %u", nodes, m->name,
                         m->network.nodes);
    if (net_routes_wires(&m->network, nodes) > 0x1p60)
        return fail_null(err, "%s: network: %g links cannot be numbered",
                         m->name, 2 * net_routes_wires(&m->network, nodes));

    struct routes *r = xcalloc(1, sizeof *r);
    r->own = node_routes ? NULL : node_routes_new(m);
    r->node_routes = node_routes ? node_routes : r->own;
    route_choices_init(&r->choices, m, r->node_routes, nodes);
    r->adapt = adapt_new(m->network.routing);
    r->nodes = nodes;
    r->endpoints = node_routes_endpoints(r->node_routes);
    r->per_node = node_routes_links(r->node_routes);
    r->nics_Bps = nics_Bps(m);
    r->direct = 2 * net_routes_wires(&m->network, nodes) <= MOST_DIRECT;
    if (r->direct) {
        r->size = 2 * (size_t)net_routes_wires(&m->network, nodes);
        r->numbers = xcalloc(r->size, sizeof *r->numbers);
    }
    r->first = xcalloc(nodes, sizeof *r->first);
    return r;
}

void routes_free(struct routes *r)
{
    node_routes_free(r->own);
    route_choices_clear(&r->choices);
    adapt_free(r->adapt);
    free(r->first);
    free(r->inside);
    free(r->ids);
    free(r->binds);
    free(r->numbers);
    free(r);
}

void routes_forget(struct routes *r)
{
    /* All entries are cleared, because a route without links gives its node an
     * index, too. */
    memset(r->first, 0, r->nodes * sizeof *r->first);
    for (size_t i = 0; r->direct && i < r->nlinks; i++)
        if (!(r->ids[i] & OF_NODE))
            r->numbers[r->ids[i]] = 0;
    if (r->used && !r->direct)
        memset(r->numbers, 0, r->size * sizeof *r->numbers);
    r->nlinks = r->used = r->nfirst = 0;
    route_choices_forget(&r->choices);
}

static void routes_make_room(struct routes *r, size_t more)
{
    if (r->nlinks + more <= r->room)
        return;
    r->room = 2 * (r->nlinks + more);
    r->ids = xrealloc(r->ids, r->room, sizeof *r->ids);
    r->binds = xrealloc(r->binds, r->room, sizeof *r->binds);
}

/* Returns whether a link may limit flows. A link of one node does not if its
 * NICs have no more bandwidth, because all that the node sends passes them. */
static bool may_bind(const struct routes *r, uint64_t id)
{
    return id & OF_NODE || !net_routes_is_of_one_node(&r->choices.net, id) ||
           r->nics_Bps > net_routes_bandwidth(&r->choices.net, id);
}

static void add_number(struct routes *r, uint64_t id)
{
    r->binds[r->nlinks] = may_bind(r, id);
    r->ids[r->nlinks++] = id;
}

/* Returns the numbers of a node's links, of which only those on routes are
 * set. */
static uint32_t *numbers_of_node(struct routes *r, unsigned node)
{
    size_t per_node = r->per_node;

    if (!r->first[node]) {
        if (r->nfirst == r->inside_room) {
            r->inside_room = 2 * r->nfirst + 16;
            r->inside = xrealloc(r->inside, r->inside_room * per_node,
                                 sizeof *r->inside);
        }
        memset(&r->inside[r->nfirst * per_node], 0,
               per_node * sizeof *r->inside);
        r->first[node] = (uint32_t)++r->nfirst;
    }
    return &r->inside[(r->first[node] - 1) * per_node];
}

static uint32_t number_inside(struct routes *r, unsigned node, unsigned link,
                              uint32_t *numbers)
{
    if (!numbers[link]) {
        routes_make_room(r, 1);
        add_number(r, OF_NODE | ((uint64_t)node * r->per_node + link));
        numbers[link] = (uint32_t)r->nlinks;
    }
    return numbers[link] - 1;
}

void routes_number_nodes(struct routes *r)
{
    for (unsigned n = 0; n < r->nodes; n++) {
        uint32_t *numbers = numbers_of_node(r, n);
        for (unsigned l = 0; l < r->per_node; l++)
            number_inside(r, n, l, numbers);
    }
}

/* Returns the place of the link's number, or the place for a new one. */
static uint32_t *slot(const struct routes *r, uint64_t link)
{
    size_t i = (size_t)((link * UINT64_C(0x9e3779b97f4a7c15)) >> 32);

    for (;; i++) {
        uint32_t *at = &r->numbers[i & (r->size - 1)];
        if (!*at || r->ids[*at - 1] == link)
            return at;
    }
}

static void routes_grow(struct routes *r)
{
    r->size = r->size ? 2 * r->size : 256;
    free(r->numbers);
    r->numbers = xcalloc(r->size, sizeof *r->numbers);
    for (size_t i = 0; i < r->nlinks; i++)
        if (!(r->ids[i] & OF_NODE))
            *slot(r, r->ids[i]) = (uint32_t)i + 1;
}

static uint32_t number_between(struct routes *r, uint64_t link)
{
    if (!r->direct && 2 * (r->used + 1) > r->size)
        routes_grow(r);
    uint32_t *at = r->direct ? &r->numbers[link] : slot(r, link);
    if (!*at) {
        routes_make_room(r, 1);
        r->used++;
        add_number(r, link);
        *at = (uint32_t)r->nlinks;
    }
    return *at - 1;
}

/* A route under construction. n counts links beyond its room, too. */
struct route {
    uint32_t *links;
    size_t n, room;
};

static void add_links(struct routes *r, struct route *out, unsigned node,
                      const unsigned *links, size_t n)
{
    uint32_t *numbers = numbers_of_node(r, node);

    for (size_t i = 0; i < n; i++, out->n++)
        if (out->n < out->room)
            out->links[out->n] = number_inside(r, node, links[i], numbers);
}

static void add_inside(struct routes *r, struct route *out, unsigned node,
                       unsigned from, unsigned to, int nic)
{
    unsigned links[NODE_MAX_ROUTE];
    size_t n = node_routes_find(r->node_routes, from, to, nic, links);

    add_links(r, out, node, links, n);
}

/* Adds the part between a node and the network. */
static void add_leg(struct routes *r, struct route *out, unsigned node,
                    struct node_leg leg)
{
    add_links(r, out, node, leg.links, leg.n);
}

static void add_between(struct routes *r, struct route *out,
                        const struct route_choice *choice)
{
    enum { MOST = 256 };
    uint64_t links[MOST];
    size_t n = net_routes_find(&r->choices.net, choice, links, MOST);

    for (size_t i = 0; i < n; i++, out->n++)
        if (out->n < out->room && i < MOST)
            out->links[out->n] = number_between(r, links[i]);
}

static void find_adapt_route(struct routes *r, struct adapt_route *a,
                             const struct route_choice *choice)
{
    struct route route = {a->links, 0, ADAPT_MOST};

    add_between(r, &route, choice);
    assert(route.n <= ADAPT_MOST);
    a->n = route.n;
    for (size_t i = 0; i < a->n; i++)
        a->Bps[i] = routes_bandwidth(r, a->links[i]);
}

/* Adds the minimal route, or the drawn one if it promises a higher rate. */
static void add_better(struct routes *r, struct route *out,
                       const struct route_choice *choice)
{
    struct route_choice direct = *choice;
    struct adapt_route drawn;

    direct.draw = 0;
    find_adapt_route(r, &r->chosen, &direct);
    find_adapt_route(r, &drawn, choice);
    if (adapt_detours(r->adapt, &r->chosen, &drawn))
        r->chosen = drawn;
    for (size_t i = 0; i < r->chosen.n; i++, out->n++)
        if (out->n < out->room)
            out->links[out->n] = r->chosen.links[i];
}

size_t routes_find(struct routes *r, uint32_t from, uint32_t to, int nic,
                   uint32_t *links, size_t room)
{
    unsigned a = from / r->endpoints, b = to / r->endpoints;
    struct route route = {links, 0, room};

    r->chosen.n = 0;
    if (a == b) {
        add_inside(r, &route, a, from % r->endpoints, to % r->endpoints, nic);
        return route.n;
    }
    struct route_choice choice =
        route_choices_next(&r->choices, from, to, &nic);
    add_leg(r, &route, a,
            node_routes_leave(r->node_routes, from % r->endpoints, nic));
    if (r->adapt)
        add_better(r, &route, &choice);
    else
        add_between(r, &route, &choice);
    add_leg(r, &route, b,
            node_routes_enter(r->node_routes, to % r->endpoints, nic));
    return route.n;
}

void routes_begin(struct routes *r, uint32_t flow)
{
    if (r->chosen.n)
        adapt_begin(r->adapt, flow, &r->chosen);
}

void routes_end(struct routes *r, uint32_t flow)
{
    if (r->adapt)
        adapt_end(r->adapt, flow);
}

double routes_latency_s(const struct routes *r, uint32_t from, uint32_t to,
                        int nic)
{
    return route_choices_latency_s(&r->choices, from, to, nic);
}

bool routes_stay(const struct routes *r)
{
    return !r->choices.started;
}

size_t routes_links(const struct routes *r)
{
    return r->nlinks;
}

double routes_bandwidth(const struct routes *r, uint32_t link)
{
    uint64_t id = r->ids[link];

    if (id & OF_NODE)
        return node_routes_bandwidth(r->node_routes,
                                     (unsigned)((id & ~OF_NODE) % r->per_node));
    return net_routes_bandwidth(&r->choices.net, id);
}

bool routes_binds(const struct routes *r, uint32_t link)
{
    return r->binds[link];
}

uint32_t routes_rank(const struct routes *r, uint32_t link)
{
    uint64_t id = r->ids[link], place = id & ~OF_NODE;

    if (!(id & OF_NODE))
        return UINT32_MAX;
    return place < UINT32_MAX ? (uint32_t)place : UINT32_MAX - 1;
}

unsigned routes_node(const struct routes *r, uint32_t link)
{
    uint64_t id = r->ids[link];

    return id & OF_NODE ? (unsigned)((id & ~OF_NODE) / r->per_node) : NODE_NONE;
}

bool routes_joins(const struct routes *r, uint32_t link, uint32_t routers[2])
{
    uint64_t id = r->ids[link];

    return !(id & OF_NODE) && net_routes_joins(&r->choices.net, id, routers);
}

void routes_name(const struct routes *r, uint32_t link, char *name, size_t room)
{
    uint64_t id = r->ids[link], place = id & ~OF_NODE;

    if (!(id & OF_NODE)) {
        net_routes_name(&r->choices.net, id, name, room);
        return;
    }
    char inner[LINK_NAME];
    node_routes_name(r->node_routes, (unsigned)(place % r->per_node), inner,
                     sizeof inner);
    snprintf(name, room, "node%u.%s", (unsigned)(place / r->per_node), inner);
}
