/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The routes of net_routes.h are SimGrid's, link by link: names, bandwidths and
 * order, for odd shapes as well; and they cost nothing on networks that SimGrid
 * could not build. */
#include "base/random.h"
#include "base/seconds.h"
#include "sim/network/engine_parts.h"
#include "sim/network/topologies/net_routes.h"
#include "sim/network/simgrid.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64, PAIRS = 20000 };

static const struct simgrid_module *simgrid;
static struct machine m;

static void shape(enum topology kind, unsigned levels,
                  const unsigned (*sizes)[3], unsigned nodes)
{
    struct network *n = &m.network;

    n->topology = kind;
    n->levels = levels;
    for (unsigned l = 0; l < levels; l++) {
        n->down[l] = sizes[l][0];
        n->up[l] = sizes[l][1];
        n->parallel[l] = sizes[l][2];
    }
    n->nodes = nodes;
}

static void compare_candidate(struct simgrid_network *s,
                              const struct net_routes *f, unsigned a,
                              unsigned b)
{
    struct link_use want[MOST];
    uint64_t got[MOST];
    char name[sizeof want[0].name];
    size_t n = simgrid->network_route(s, a, b, want, MOST);
    int before = check_failures;

    struct route_choice choice = {.from = a, .to = b};
    CHECK_EQ(net_routes_find(f, &choice, got, MOST), n);
    for (size_t i = 0; i < n && i < MOST && check_failures == before; i++) {
        net_routes_name(f, got[i], name, sizeof name);
        CHECK(!strcmp(name, want[i].name));
        CHECK(net_routes_bandwidth(f, got[i]) == want[i].bandwidth_Bps);
        CHECK((double)got[i] / 2 <
              net_routes_wires(&m.network, m.network.nodes));
        if (check_failures > before)
            fprintf(stderr, "link %zu from %u to %u: %s, SimGrid: %s\n", i, a,
                    b, name, want[i].name);
    }
}

/* Compares all pairs if they are few, otherwise some. */
static void compare_candidates(struct simgrid_network *s)
{
    unsigned nodes = m.network.nodes;
    uint64_t state = nodes, all = (uint64_t)nodes * nodes;
    struct net_routes f;

    net_routes_init(&f, &m.network, nodes);
    for (uint64_t i = 0; i < (all < PAIRS ? all : PAIRS); i++) {
        uint64_t k = all < PAIRS ? i : next_random(&state) % all;
        if (k / nodes != k % nodes && check_failures < 3)
            compare_candidate(s, &f, (unsigned)(k / nodes),
                              (unsigned)(k % nodes));
    }
}

static void tell_shape(void)
{
    const struct network *n = &m.network;

    fprintf(stderr, "%s of %u nodes:", topology_names[n->topology], n->nodes);
    for (unsigned l = 0; l < n->levels; l++)
        fprintf(stderr, " %u/%u/%u", n->down[l], n->up[l], n->parallel[l]);
    fprintf(stderr, "\n");
}

/* Compares in a child process, because SimGrid's state is the process's. */
static void like_simgrid(void)
{
    int status;

    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct err err = {0};
        check_failures = check_count = 0;
        struct simgrid_network *s =
            simgrid->network_new(&m, m.network.nodes, &err);
        if (!s)
            _exit(err_print(&err));
        compare_candidates(s);
        fflush(NULL);
        _exit(check_failures != 0 || check_count == 0);
    }
    waitpid(pid, &status, 0);
    if (status)
        tell_shape();
    CHECK_EQ(status, 0);
}

struct shape {
    enum topology kind;
    unsigned nodes, levels;
    unsigned sizes[4][3]; /* down, up, parallel */
};

static const struct shape shapes[] = {
    {TOPOLOGY_CROSSBAR, 2, 0, {{0}}},
    {TOPOLOGY_CROSSBAR, 130, 0, {{0}}},
    {TOPOLOGY_FAT_TREE, 2, 1, {{2, 1, 1}}},
    {TOPOLOGY_FAT_TREE, 24, 1, {{24, 3, 2}}},
    {TOPOLOGY_FAT_TREE, 1296, 2, {{36, 1, 1}, {36, 36, 1}}},
    {TOPOLOGY_FAT_TREE, 17, 2, {{4, 1, 1}, {8, 2, 1}}},
    {TOPOLOGY_FAT_TREE, 60, 3, {{4, 2, 1}, {4, 3, 1}, {4, 2, 1}}},
    {TOPOLOGY_FAT_TREE, 64, 3, {{4, 1, 1}, {4, 4, 1}, {4, 4, 1}}},
    /* parallel wires, levels of width one, more up than down */
    {TOPOLOGY_FAT_TREE, 64, 3, {{4, 1, 2}, {4, 2, 3}, {4, 2, 4}}},
    {TOPOLOGY_FAT_TREE, 30, 3, {{2, 3, 4}, {5, 2, 2}, {3, 4, 3}}},
    {TOPOLOGY_FAT_TREE, 12, 3, {{1, 1, 1}, {4, 2, 2}, {3, 1, 1}}},
    {TOPOLOGY_FAT_TREE, 12, 3, {{4, 2, 2}, {1, 3, 2}, {3, 1, 3}}},
    {TOPOLOGY_FAT_TREE, 8, 3, {{4, 2, 1}, {2, 5, 1}, {1, 2, 1}}},
    {TOPOLOGY_FAT_TREE, 81, 4, {{3, 1, 2}, {3, 2, 1}, {3, 3, 2}, {3, 1, 2}}},
    {TOPOLOGY_TORUS, 9, 1, {{9, 1, 1}}},
    {TOPOLOGY_TORUS, 10, 1, {{10, 1, 1}}},
    {TOPOLOGY_TORUS, 2, 1, {{2, 1, 1}}},
    {TOPOLOGY_TORUS, 12, 2, {{4, 1, 1}, {3, 1, 1}}},
    {TOPOLOGY_TORUS, 11, 2, {{6, 1, 1}, {2, 1, 1}}},
    {TOPOLOGY_TORUS, 60, 3, {{3, 1, 1}, {4, 1, 1}, {5, 1, 1}}},
    {TOPOLOGY_TORUS, 64, 3, {{4, 1, 1}, {4, 1, 1}, {4, 1, 1}}},
    {TOPOLOGY_TORUS, 30, 3, {{1, 1, 1}, {6, 1, 1}, {5, 1, 1}}},
    {TOPOLOGY_TORUS, 120, 4, {{2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {5, 1, 1}}},
    {TOPOLOGY_DRAGONFLY, 16, 4, {{4, 1, 1}, {2, 1, 1}, {2, 1, 1}, {2, 1, 1}}},
    {TOPOLOGY_DRAGONFLY, 96, 4, {{4, 1, 2}, {3, 1, 3}, {4, 1, 4}, {2, 1, 1}}},
    {TOPOLOGY_DRAGONFLY, 90, 4, {{5, 1, 1}, {3, 1, 1}, {6, 1, 2}, {1, 1, 1}}},
    {TOPOLOGY_DRAGONFLY, 12, 4, {{1, 1, 1}, {3, 1, 1}, {2, 1, 1}, {2, 1, 1}}},
    {TOPOLOGY_DRAGONFLY, 24, 4, {{2, 1, 1}, {1, 1, 1}, {4, 1, 1}, {3, 1, 1}}},
    {TOPOLOGY_DRAGONFLY, 6, 4, {{1, 1, 1}, {3, 1, 1}, {1, 1, 1}, {2, 1, 1}}},
};

static void drawn(uint64_t seed)
{
    uint64_t state = seed * 7919;
    unsigned sizes[4][3], room = 1;
    enum topology kind = 1 + next_random(&state) % 3;
    unsigned levels = kind == TOPOLOGY_DRAGONFLY
                          ? 4
                          : 1 + (unsigned)(next_random(&state) % 4);

    for (unsigned l = 0; l < levels; l++) {
        sizes[l][0] = 1 + (unsigned)(next_random(&state) % 5);
        sizes[l][1] = 1 + (unsigned)(next_random(&state) % 4);
        sizes[l][2] = 1 + (unsigned)(next_random(&state) % 3);
        room *= sizes[l][0];
    }
    /* SimGrid cannot build some shapes: its router that leads to a group is in
     * the first chassis, and it gives two dimensions of size one the same
     * names. */
    if (kind == TOPOLOGY_DRAGONFLY && sizes[0][0] > sizes[2][0]) {
        room = room / sizes[0][0] * sizes[2][0];
        sizes[0][0] = sizes[2][0];
    }
    for (unsigned l = 0; l < levels && kind == TOPOLOGY_TORUS; l++)
        if (sizes[l][0] == 1) {
            sizes[l][0] = 2;
            room *= 2;
        }
    shape(kind, levels, (const unsigned(*)[3])sizes,
          1 + (unsigned)(next_random(&state) % room));
    if (m.network.nodes > 1)
        like_simgrid();
}

/* There are more groups than routers in a chassis, which SimGrid cannot have:
 * each route leads from node to node over one wire between the groups, no link
 * twice. */
static void many_groups(void)
{
    const unsigned sizes[4][3] = {{5, 1, 1}, {3, 1, 1}, {2, 1, 1}, {2, 1, 1}};
    struct net_routes f;

    shape(TOPOLOGY_DRAGONFLY, 4, (const unsigned(*)[3])sizes, 60);
    net_routes_init(&f, &m.network, 60);
    for (unsigned a = 0; a < 60; a++)
        for (unsigned b = 0; b < 60; b++) {
            uint64_t links[MOST];
            unsigned blue = 0;
            if (a == b)
                continue;
            size_t n = net_routes_find(
                &f, &(struct route_choice){.from = a, .to = b}, links, MOST);
            CHECK_EQ(links[0], 2 * a);
            CHECK_EQ(links[n - 1], 2 * b + 1);
            for (size_t i = 0; i < n; i++) {
                blue += links[i] / 2 >= f.first[3];
                for (size_t k = 0; k < i; k++)
                    CHECK(links[i] != links[k]);
            }
            CHECK_EQ(blue, a / 12 != b / 12);
        }
}

/* Names are complete, to their direction, if all numbers have many digits. */
static void long_names(void)
{
    const unsigned sizes[4][3] = {
        {300, 1, 1}, {20, 1, 1}, {30, 1, 1}, {50, 1, 1}};
    uint64_t links[MOST];
    struct link_use use;
    struct net_routes f;

    shape(TOPOLOGY_DRAGONFLY, 4, (const unsigned(*)[3])sizes, 9000000);
    net_routes_init(&f, &m.network, 9000000);
    size_t n = net_routes_find(
        &f, &(struct route_choice){.from = 3059999, .to = 8999999}, links,
        MOST);
    CHECK(n > 5 && n <= MOST);
    for (size_t i = 0; i < n && i < MOST; i++) {
        const char *end = links[i] % 2 ? "_DOWN" : "_UP";
        net_routes_name(&f, links[i], use.name, sizeof use.name);
        size_t len = strlen(use.name), more = strlen(end);
        CHECK(len > more && !strcmp(use.name + len - more, end));
    }
}

/* A route on a network that nobody could build is found at once. */
static void enormous(void)
{
    const unsigned torus[4][3] = {
        {65536, 1, 1}, {65536, 1, 1}, {65536, 1, 1}, {60000, 1, 1}};
    uint64_t links[MOST];
    double begin = seconds();
    struct net_routes f;

    shape(TOPOLOGY_TORUS, 4, (const unsigned(*)[3])torus, 10000000);
    net_routes_init(&f, &m.network, 10000000);
    CHECK_EQ(net_routes_find(&f,
                             &(struct route_choice){.from = 0, .to = 65536 + 2},
                             links, MOST),
             3);
    CHECK_EQ(links[0], 0);
    CHECK_EQ(links[1], 2 * 4);
    CHECK_EQ(links[2], 2 * (2 * 4 + 1));
    CHECK(net_routes_wires(&m.network, 10000000) > 0x1p63);
    CHECK(seconds() - begin < 0.1);
}

int main(void)
{
    struct err err = {0};

    simgrid = simgrid_load(&err);
    if (!simgrid)
        return err_print(&err);
    tiny_machine(&m, 1);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const struct shape *s = &shapes[i];
        shape(s->kind, s->levels, s->sizes, s->nodes);
        like_simgrid();
    }
    for (uint64_t seed = 1; seed <= 150; seed++)
        drawn(seed);
    many_groups();
    long_names();
    enormous();
    machine_clear(&m);
    return check_result();
}
