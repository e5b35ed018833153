/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routes of the shapes that SimGrid does not have: each link begins at the end
 * of the one before it, none is used twice, lengths and loads are those of the
 * papers; and the gain of adaptive routing. */
#include "base/random.h"
#include "sim/network/engine.h"
#include "sim/network/topologies/net_routes.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>

enum { MOST = 64, PLACE = 64, EACH = 64 };

static struct machine m;
static struct net_routes f;
static uint64_t state;

static unsigned below(unsigned n)
{
    return (unsigned)random_below(&state, n);
}

static size_t candidate(unsigned from, unsigned to, uint64_t draw,
                        uint64_t links[MOST])
{
    struct route_choice choice = {.from = from, .to = to, .draw = draw};
    size_t n = net_routes_find(&f, &choice, links, MOST);

    CHECK(n <= MOST);
    return n;
}

/* --- the ends of links, read from their names ----------------------------- */

struct ends {
    char at[2][PLACE];
};

static void node_place(char *place, unsigned node)
{
    snprintf(place, PLACE, "node %u", node);
}

/* Finds the ends of a link. Wires of a chassis are named by its number in the
 * group; their own numbers tell the group. */
static void dragonfly_ends(const char *name, uint64_t link, struct ends *e)
{
    const struct network *n = &m.network;
    unsigned a, b, c, d, r = n->down[2], chassis = n->down[1];
    unsigned i = 0, j = 0;
    uint32_t routers[2] = {0, 0};
    bool told = net_routes_joins(&f, link, routers);

    CHECK(told == !(strncmp(name, "green", 5) && strncmp(name, "black", 5)));
    if (sscanf(name, "local_link_from_router_%u_to_node_%u", &a, &b) == 2) {
        node_place(e->at[0], a * n->down[3] + b);
        snprintf(e->at[1], PLACE, "router %u", a);
        return;
    }
    if (sscanf(name, "green_link_in_chassis_%u_between_routers_%u_and_%u", &a,
               &b, &c) == 3) {
        uint64_t which = (link / 2 - f.first[1]) / (r * (r - 1) / 2);
        CHECK_EQ(which % chassis, a);
        i = (unsigned)which * r + b;
        j = (unsigned)which * r + c;
    } else if (sscanf(name,
                      "black_link_in_group_%u_between_chassis_%u_and_%u_blade_"
                      "%u",
                      &a, &b, &c, &d) == 4) {
        i = (a * chassis + b) * r + d;
        j = (a * chassis + c) * r + d;
    } else {
        CHECK_EQ(sscanf(name,
                        "blue_link_between_group_%u_and_%u_routers_%u_and_%u",
                        &a, &b, &i, &j),
                 4);
        CHECK_EQ(i / (r * chassis), a);
        CHECK_EQ(j / (r * chassis), b);
    }
    if (told) {
        CHECK_EQ(routers[0], i);
        CHECK_EQ(routers[1], j);
    }
    snprintf(e->at[0], PLACE, "router %u", i);
    snprintf(e->at[1], PLACE, "router %u", j);
}

static void dragonfly_plus_ends(const char *name, struct ends *e)
{
    unsigned a, b, c, d;

    if (sscanf(name, "group%u.leaf%u.node%u", &a, &b, &c) == 3) {
        node_place(e->at[0],
                   (a * m.network.down[1] + b) * m.network.down[2] + c);
        snprintf(e->at[1], PLACE, "leaf %u.%u", a, b);
    } else if (sscanf(name, "group%u.leaf%u.spine%u", &a, &b, &c) == 3) {
        snprintf(e->at[0], PLACE, "leaf %u.%u", a, b);
        snprintf(e->at[1], PLACE, "spine %u.%u", a, c);
    } else {
        CHECK_EQ(
            sscanf(name, "group%u.spine%u_group%u.spine%u", &a, &b, &c, &d), 4);
        snprintf(e->at[0], PLACE, "spine %u.%u", a, b);
        snprintf(e->at[1], PLACE, "spine %u.%u", c, d);
    }
}

/* Finds the ends of a link in a tree, which are numbered like its nodes; those
 * of other rails are separate. */
static void rails_ends(const char *name, struct ends *e)
{
    unsigned rail = 0;
    int a, b;

    if (sscanf(name, "rail%u.", &rail) == 1)
        name = strchr(name, '.') + 1;
    CHECK_EQ(sscanf(name, "link_from_%d_%d", &a, &b), 2);
    snprintf(e->at[0], PLACE, "%u: %d", rail, a);
    snprintf(e->at[1], PLACE, "%u: %d", rail, b);
}

static struct ends ends_of(uint64_t link)
{
    char name[LINK_NAME];
    struct ends e;

    net_routes_name(&f, link, name, sizeof name);
    if (m.network.topology == TOPOLOGY_DRAGONFLY)
        dragonfly_ends(name, link, &e);
    else if (m.network.topology == TOPOLOGY_DRAGONFLY_PLUS)
        dragonfly_plus_ends(name, &e);
    else
        rails_ends(name, &e);
    return e;
}

/* --- every route ---------------------------------------------------------- */

static void check_chain(const uint64_t *links, size_t n, const char *from,
                        const char *to)
{
    const char *at = from;
    struct ends e;
    char here[PLACE];

    for (size_t i = 0; i < n; i++) {
        e = ends_of(links[i]);
        CHECK(!strcmp(e.at[links[i] % 2], at));
        snprintf(here, sizeof here, "%s", e.at[1 - links[i] % 2]);
        at = here;
        CHECK((double)(links[i] / 2) <
              net_routes_wires(&m.network, m.network.nodes));
        for (size_t k = 0; k < i; k++)
            CHECK(links[i] != links[k]);
    }
    CHECK(!strcmp(at, to));
}

static void init(void)
{
    net_routes_init(&f, &m.network, m.network.nodes);
}

static void groups_of(enum topology kind, unsigned groups, unsigned b,
                      unsigned c, unsigned d, unsigned wires)
{
    struct network *n = &m.network;

    n->topology = kind;
    n->levels = kind == TOPOLOGY_DRAGONFLY ? 4 : 3;
    n->down[0] = groups;
    n->down[1] = b;
    n->down[2] = c;
    n->down[3] = d;
    n->up[1] = d;
    n->parallel[0] = n->parallel[1] = n->parallel[2] = n->parallel[3] = 1;
    n->group_wires = wires;
    n->nodes = groups * b * c * (kind == TOPOLOGY_DRAGONFLY ? d : 1);
    n->routing = ROUTING_VALIANT;
    n->rails = 0;
    n->joined = false;
    init();
}

/* Routes between groups have one wire between groups, or two through a third
 * group; the most links are the nodes', those, and between routers the ones
 * that each group may need. */
static void dragonflies(enum topology kind)
{
    groups_of(kind, 1 + below(7), 1 + below(4), 1 + below(4), 1 + below(4),
              1 + below(4));
    const struct network *n = &m.network;
    unsigned group = n->nodes / n->down[0];
    size_t inside = kind == TOPOLOGY_DRAGONFLY ? 2 : 1;

    for (unsigned i = 0; i < 200 && n->nodes > 1; i++) {
        uint64_t links[MOST];
        unsigned a = below(n->nodes), b = below(n->nodes), draw = below(4);
        unsigned global = 0;
        char from[PLACE], to[PLACE];
        if (a == b)
            continue;
        size_t count = candidate(a, b, draw, links);
        node_place(from, a);
        node_place(to, b);
        check_chain(links, count, from, to);
        bool dragonfly = kind == TOPOLOGY_DRAGONFLY;
        for (size_t k = 0; k < count; k++)
            global += links[k] / 2 >= f.first[dragonfly ? 3 : 2];
        unsigned want = a / group == b / group        ? 0
                        : draw == 0 || n->down[0] < 3 ? 1
                                                      : 2;
        CHECK_EQ(global, want);
        size_t extra = kind == TOPOLOGY_DRAGONFLY_PLUS && want == 2 ? 1 : 0;
        size_t most = 2 + want + (want + 1) * inside + extra;
        if (kind == TOPOLOGY_DRAGONFLY_PLUS && want == 0)
            most = 4;
        CHECK(count <= most);
    }
}

static void rails(unsigned seed)
{
    struct network *n = &m.network;

    state = seed;
    *n = (struct network){.topology = TOPOLOGY_RAILS,
                          .rails = 1 + below(4),
                          .joined = below(2),
                          .bandwidth_Bps = n->bandwidth_Bps,
                          .source = n->source};
    n->levels = 1 + below(3);
    for (unsigned l = 0; l < n->levels; l++) {
        n->down[l] = 1 + below(4);
        n->up[l] = 1 + below(3);
        n->parallel[l] = 1 + below(2);
    }
    n->nodes = 2 + below(20);
    /* The last level is as wide as needed. */
    n->down[n->levels - 1] = 100;
    init();
    for (unsigned i = 0; i < 100; i++) {
        uint64_t links[MOST];
        struct route_choice t = {below(n->nodes), below(n->nodes), 0,
                                 below(n->rails), below(n->rails)};
        if (t.from == t.to)
            continue;
        if (!n->joined)
            t.to_rail = t.from_rail;
        size_t count = net_routes_find(&f, &t, links, MOST);
        struct ends first = ends_of(links[0]), last = ends_of(links[count - 1]);
        check_chain(links, count, first.at[0], last.at[0]);
        CHECK(net_routes_is_of_one_node(&f, links[0]));
        CHECK(net_routes_is_of_one_node(&f, links[count - 1]));
        /* The same rail of nodes of one leaf switch needs nothing above it. */
        if (t.from / n->down[0] == t.to / n->down[0] &&
            t.from_rail == t.to_rail)
            CHECK_EQ(count, 2);
        else
            CHECK(count > 2 || n->levels == 1);
    }
}

/* Computed by hand: 8 rails of 32 nodes a leaf, 64 nodes. Rail 3 of node 5 and
 * of node 9 meet in their leaf switch; that of node 40 in the one above, as do
 * all rails if they are joined. A rail's wire: end 3 * 32 + 5 of 16 * 32. */
static void rails_by_hand(void)
{
    struct network *n = &m.network;
    uint64_t links[MOST];

    n->topology = TOPOLOGY_RAILS;
    n->rails = 8;
    n->levels = 2;
    n->down[0] = n->up[1] = 32;
    n->down[1] = 16;
    n->up[0] = n->parallel[0] = n->parallel[1] = 1;
    n->nodes = 64;
    n->joined = true;
    init();
    CHECK_EQ(
        net_routes_find(&f, &(struct route_choice){5, 9, 0, 3, 3}, links, MOST),
        2);
    CHECK_EQ(links[0], 2 * (3 * 32 + 5));
    CHECK_EQ(links[1], 2 * (3 * 32 + 9) + 1);
    CHECK_EQ(net_routes_find(&f, &(struct route_choice){5, 40, 0, 3, 3}, links,
                             MOST),
             4);
    CHECK_EQ(links[3], 2 * ((8 + 3) * 32 + 8) + 1);
    CHECK_EQ(
        net_routes_find(&f, &(struct route_choice){5, 9, 0, 3, 4}, links, MOST),
        4);
    CHECK_EQ((uint64_t)net_routes_wires(n, 64), 16 * 32 + 16 * 32);
    /* There is one switch for all rails, with ports for whole leaves. */
    n->levels = 1;
    init();
    CHECK_EQ(net_routes_find(&f, &(struct route_choice){5, 40, 0, 3, 7}, links,
                             MOST),
             2);
    CHECK_EQ(links[1], 2 * ((8 + 7) * 32 + 8) + 1);
    CHECK_EQ((uint64_t)net_routes_wires(n, 64), 16 * 32);
    n->levels = 2;
    n->joined = false;
    init();
    CHECK_EQ((uint64_t)net_routes_wires(n, 64), 8 * (64 + 2 * 32));
    CHECK_EQ(
        net_routes_find(&f, &(struct route_choice){5, 9, 0, 3, 3}, links, MOST),
        2);
    CHECK_EQ(links[0], 2 * (3 * (64 + 64) + 5));
}

/* --- loads ---------------------------------------------------------------- */

/* Counts the routes of all pairs over the busiest and over the idlest of the
 * links [first, last). */
static void loads(uint64_t first, uint64_t last, unsigned draws, unsigned *most,
                  unsigned *least)
{
    unsigned nodes = m.network.nodes;
    size_t all = 2 * (size_t)net_routes_wires(&m.network, nodes);
    unsigned *load = xcalloc(all, sizeof *load);
    uint64_t links[MOST];

    for (unsigned a = 0; a < nodes; a++)
        for (unsigned b = 0; b < nodes; b++)
            for (unsigned d = 0; a != b && d < (draws ? draws : 1); d++) {
                size_t n = candidate(a, b, draws ? d + 1 : 0, links);
                for (size_t i = 0; i < n; i++)
                    load[links[i]]++;
            }
    *most = 0;
    *least = UINT32_MAX;
    for (uint64_t l = first; l < last; l++) {
        *most = load[l] > *most ? load[l] : *most;
        *least = load[l] < *least ? load[l] : *least;
    }
    free(load);
}

/* Kim et al.'s balanced dragonfly, a = 2p = 2h: 4 routers of 2 nodes and 2
 * wires out, so 4 * 2 + 1 groups. Between two groups 8 * 8 pairs share one
 * wire, twice as many through a third group; with two wires, half. */
static void uniform(void)
{
    unsigned most, least;

    groups_of(TOPOLOGY_DRAGONFLY, 9, 1, 4, 2, 1);
    loads(2 * f.first[3], 2 * f.first[4], 0, &most, &least);
    CHECK_EQ(most, 64);
    CHECK_EQ(least, 64);
    loads(2 * f.first[3], 2 * f.first[4], 8, &most, &least);
    CHECK(most <= 1.2 * 128 * 8 && least >= 0.8 * 128 * 8);
    groups_of(TOPOLOGY_DRAGONFLY, 9, 1, 4, 2, 2);
    loads(2 * f.first[3], 2 * f.first[4], 0, &most, &least);
    CHECK_EQ(most, 32);
    CHECK_EQ(least, 32);
    /* Each router has 8 * 2 / 4 ends. */
    unsigned ends[36] = {0};
    for (uint64_t l = 2 * f.first[3]; l < 2 * f.first[4]; l += 2) {
        struct ends e = ends_of(l);
        for (int k = 0; k < 2; k++)
            ends[atoi(e.at[k] + strlen("router "))]++;
    }
    for (int r = 0; r < 36; r++)
        CHECK_EQ(ends[r], 4);

    groups_of(TOPOLOGY_DRAGONFLY_PLUS, 5, 4, 4, 4, 1);
    uint64_t wires = (uint64_t)net_routes_wires(&m.network, m.network.nodes);
    loads(2 * f.first[2], 2 * wires, 0, &most, &least);
    CHECK_EQ(most, 16 * 16);
    CHECK_EQ(least, 16 * 16);
    /* Routes lead from a leaf by each spine to another group, and to a fourth
     * of the 12 nodes of its own group's other leaves. */
    loads(2 * f.first[1], 2 * f.first[2], 0, &most, &least);
    CHECK_EQ(most, 4 * (16 + 3));
    CHECK_EQ(least, 4 * (16 + 3));
}

/* --- adversarial traffic -------------------------------------------------- */

static struct engine *engine;
static double last_s;

static void ended(void *arg)
{
    (void)arg;
    last_s = engine_now(engine);
}

/* Each node sends `each` flows of 1 MB to the node at its place, `groups` on;
 * with 0 to those of all groups in turn. Returns how long it takes. */
static double adverse(enum routing routing, unsigned on, unsigned each)
{
    unsigned nodes = m.network.nodes, groups = m.network.down[0];
    unsigned group = nodes / groups;
    struct err err = {0};

    m.network.routing = routing;
    engine = engine_new(ENGINE_FLUID, &m, nodes, &err);
    if (!engine)
        exit(err_print(&err));
    for (unsigned k = 0; k < each; k++)
        for (unsigned a = 0; a < nodes; a++) {
            unsigned far = on ? on : 1 + (k + a) % (groups - 1);
            engine_flow(engine, engine_core(&m, a, 0),
                        engine_core(&m, (a + far * group) % nodes, 0), 1e6, 0,
                        NIC_OF_SOCKET, ended, NULL);
        }
    CHECK_EQ(engine_run(engine, &err), 0);
    engine_free(engine);
    return last_s;
}

/* Wires inside groups are twice as fast, so that those between them are the
 * bottleneck: 9 groups of 8 nodes; all nodes of a group send to the next group.
 * On the one wire between them a group's 8 * EACH MB take that over B. Through
 * third groups, each of the 8 wires out of a group carries a fourth of that if
 * all carry the same: a fourth of the time, whereas uniform traffic takes an
 * eighth. A random choice loads some more than others. */
static void adversarial(enum topology kind)
{
    if (kind == TOPOLOGY_DRAGONFLY)
        groups_of(kind, 9, 1, 4, 2, 1);
    else
        groups_of(kind, 9, 4, 2, 4, 1);
    m.network.parallel[kind == TOPOLOGY_DRAGONFLY ? 2 : 1] = 2;
    double alone = 8 * EACH * 1e6 / m.network.bandwidth_Bps;
    double minimal = adverse(ROUTING_MINIMAL, 1, EACH);
    double valiant = adverse(ROUTING_VALIANT, 1, EACH);
    double local = adverse(ROUTING_UGAL_L, 1, EACH);
    double global = adverse(ROUTING_UGAL_G, 1, EACH);

    printf("%s, group to next: minimal %.3f, valiant %.3f, ugal_l %.3f, ugal_g "
           "%.3f\n",
           topology_names[kind], minimal / alone, valiant / alone,
           local / alone, global / alone);
    CHECK_NEAR(minimal, alone, 1e-9);
    CHECK(valiant > alone / 4 && valiant < 1.4 * alone / 4);
    CHECK(global < 1.2 * valiant && global > alone / 8);
    CHECK(local < 0.7 * alone);

    double even = adverse(ROUTING_MINIMAL, 0, EACH);
    double worse = adverse(ROUTING_VALIANT, 0, EACH);
    global = adverse(ROUTING_UGAL_G, 0, EACH);
    local = adverse(ROUTING_UGAL_L, 0, EACH);
    printf("%s, to all groups: minimal %.3f, valiant %.3f, ugal_l %.3f, ugal_g "
           "%.3f\n",
           topology_names[kind], even / alone, worse / alone, local / alone,
           global / alone);
    CHECK_NEAR(even, alone / 8, 1e-9);
    CHECK(worse > 1.9 * even);
    CHECK(global < 1.2 * even && local < 1.2 * even);
}

/* --- latency -------------------------------------------------------------- */

/* Returns the switches' latency between nodes 0 and `to`, in hops of 100 ns. */
static double hops(enum engine_kind kind, unsigned to)
{
    struct err err = {0};

    m.network.hop_s = 1e-7;
    engine = engine_new(kind, &m, m.network.nodes, &err);
    if (!engine)
        exit(err_print(&err));
    double s = engine_latency_s(engine, engine_core(&m, 0, 0),
                                engine_core(&m, to, 1), NIC_OF_SOCKET);
    CHECK_NEAR(engine_latency_s(engine, engine_core(&m, to, 0),
                                engine_core(&m, to, 1), NIC_OF_SOCKET),
               0, 1e-30);
    engine_free(engine);
    m.network.hop_s = 0;
    return s / 1e-7;
}

/* The routes: a node of the same router; another router of the group; another
 * group, by its router 0 because 0 is its first wire out; and one more group in
 * each direction. */
static void latency(void)
{
    groups_of(TOPOLOGY_DRAGONFLY, 9, 1, 4, 2, 1);
    m.network.routing = ROUTING_UGAL_G;
    CHECK_NEAR(hops(ENGINE_FLUID, 1), 1, 1e-12);
    CHECK_NEAR(hops(ENGINE_FLUID, 7), 2, 1e-12);
    CHECK_NEAR(hops(ENGINE_FLUID, 8), 2, 1e-12);
    m.network.routing = ROUTING_VALIANT;
    CHECK(hops(ENGINE_FLUID, 8) >= 3);
    CHECK_NEAR(hops(ENGINE_FLUID, 7), 2, 1e-12);
    m.network.topology = TOPOLOGY_CROSSBAR;
    m.network.routing = ROUTING_MINIMAL;
    CHECK_NEAR(hops(ENGINE_FLUID, 8), 1, 1e-12);
}

int main(void)
{
    tiny_machine(&m, 4);
    for (unsigned seed = 1; seed <= 300; seed++) {
        state = seed;
        dragonflies(TOPOLOGY_DRAGONFLY);
        dragonflies(TOPOLOGY_DRAGONFLY_PLUS);
    }
    uniform();
    m.network.bandwidth_Bps = 1e9; /* less than all NICs */
    adversarial(TOPOLOGY_DRAGONFLY);
    adversarial(TOPOLOGY_DRAGONFLY_PLUS);
    for (unsigned seed = 1; seed <= 300; seed++)
        rails(seed);
    rails_by_hand();
    latency();
    machine_clear(&m);
    return check_result();
}
