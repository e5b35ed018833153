/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines that are too large for SimGrid are refused at once, with one message
 * of bad input and the memory that they would need; the fluid engine, which
 * builds nothing, simulates on machines whose links can be numbered. */
#include "base/seconds.h"
#include "sim/network/budget.h"
#include "sim/network/engine_parts.h"
#include "tests/check.h"
#include "tests/tiny_machine.h"

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

static double arrived_s;
static struct engine *engine;

static void arrived(void *arg)
{
    (void)arg;
    arrived_s = engine_now(engine);
}

/* 10 kB over a NIC of 10 GB/s take 1 us, to any other node. */
static void send_far(unsigned nodes)
{
    struct err err = {0};

    engine = engine_new(ENGINE_FLUID, &m, nodes, &err);
    CHECK(engine != NULL);
    if (!engine) {
        err_print(&err);
        return;
    }
    arrived_s = -1;
    engine_flow(engine, engine_core(&m, 0, 0), engine_core(&m, nodes - 1, 0),
                1e4, 0, NIC_OF_SOCKET, arrived, NULL);
    CHECK_EQ(engine_run(engine, &err), 0);
    CHECK_NEAR(arrived_s, 1e-6, 1e-12);
    engine_free(engine);
}

static void refused(enum engine_kind kind, unsigned nodes, const char *part)
{
    struct err err = {0};

    CHECK(!engine_new(kind, &m, nodes, &err));
    CHECK_EQ(err.kind, ERR_INPUT); /* exit code 2 */
    CHECK_HAS(err.text, part);
}

static void within_2s(double begin)
{
    CHECK(seconds() - begin < 2);
}

static const unsigned wide[3][3] = {{100, 100, 10}, {10, 10, 9}, {10, 10, 1}};
static const unsigned groups[4][3] = {
    {100, 1, 1}, {10, 1, 1}, {100, 1, 1}, {1, 1, 1}};
static const unsigned cube[4][3] = {
    {65536, 1, 1}, {65536, 1, 1}, {65536, 1, 1}, {65536, 1, 1}};
static const unsigned tree[2][3] = {{1000, 1, 1}, {10000, 1000, 1}};

int main(void)
{
    double begin = seconds();

    tiny_machine(&m, 4);
    CHECK_EQ(budget_check(ENGINE_SIMGRID, &m, 64, NULL), 0);

    /* This has more than 10^6 wires. */
    shape(TOPOLOGY_FAT_TREE, 3, wide, 10000);
    CHECK(budget_of(ENGINE_SIMGRID, &m, 1000).links > 2e6);
    refused(ENGINE_SIMGRID, 1000, "about 3.2 GB");
    refused(ENGINE_SIMGRID, 1000, "2 GB and 60 s are allowed");
    send_far(10000);
    within_2s(begin);

    begin = seconds();
    shape(TOPOLOGY_DRAGONFLY, 4, groups, 100000);
    refused(ENGINE_SIMGRID, 100000, "SimGrid would take about");
    send_far(100000);
    within_2s(begin);

    begin = seconds();
    shape(TOPOLOGY_TORUS, 4, cube, 10000000);
    refused(ENGINE_SIMGRID, 2, "SimGrid would take about 2.8e+14 GB");
    refused(ENGINE_FLUID, 2, "1.47574e+20 links cannot be numbered");
    within_2s(begin);

    begin = seconds();
    shape(TOPOLOGY_FAT_TREE, 2, tree, 10000000);
    refused(ENGINE_SIMGRID, 10000000, "to build 10000000 nodes");
    send_far(10000000);
    shape(TOPOLOGY_CROSSBAR, 0, NULL, 10000000);
    refused(ENGINE_SIMGRID, 10000000, "use the fluid engine");
    send_far(10000000);
    within_2s(begin);

    /* The tables of the fluid engine would be too large. */
    m.ncores = 1000;
    refused(ENGINE_FLUID, 10000000, "8 GB are allowed");
    m.ncores = 8;

    /* Shapes for which SimGrid has no zone are built without one. */
    const unsigned many[4][3] = {{6, 1, 1}, {3, 1, 1}, {2, 1, 1}, {2, 1, 1}};
    shape(TOPOLOGY_DRAGONFLY, 4, many, 72);
    CHECK_EQ(budget_check(ENGINE_SIMGRID, &m, 72, NULL), 0);
    send_far(72);
    const unsigned flat[3][3] = {{1, 1, 1}, {5, 1, 1}, {1, 1, 1}};
    shape(TOPOLOGY_TORUS, 3, flat, 5);
    CHECK_EQ(budget_check(ENGINE_SIMGRID, &m, 5, NULL), 0);
    send_far(5);
    /* The number of its links does not matter either, only that they can be
     * numbered. */
    m.network = (struct network){.topology = TOPOLOGY_DRAGONFLY,
                                 .nodes = 5,
                                 .levels = 4,
                                 .down = {1000000, 1000000, 1000000, 1},
                                 .parallel = {1, 1, 1, 1},
                                 .group_wires = 1,
                                 .bandwidth_Bps = 1e9,
                                 .source = m.network.source};
    refused(ENGINE_SIMGRID, 5, "links cannot be numbered");
    refused(ENGINE_FLUID, 5, "links cannot be numbered");
    m.network.down[0] = m.network.down[1] = m.network.down[2] = 10;
    m.network.routing = ROUTING_UGAL_G;
    refused(ENGINE_SIMGRID, 5, "SimGrid cannot choose ways by the load");
    machine_clear(&m);
    return check_result();
}
