/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates memory and time of building an engine from the numbers of its
 * links, nodes and devices. */
#include "sim/network/budget.h"

#include "sim/network/topologies/net_routes.h"

#include <math.h>

/* Costs of SimGrid 3.32, measured and rounded up: for each link, each endpoint
 * or unused leaf, each pair of nodes, each pair of switches that may be
 * joined. */
#define LINK_B 1400.0
#define LINK_S 3e-6
#define HOST_B 4000.0
#define NODE_PAIR_S 2.4e-6
#define SWITCH_PAIR_S 3e-9

/* Costs of the fluid engine: upper bounds of the size of run-time tables for
 * each item. */
#define NODE_B 8.0
#define CORE_B 16.0
#define GPU_B 64.0
#define NIC_B 48.0

#define ALLOWED_B 2e9
#define ALLOWED_S 60.0
#define ALLOWED_FLUID_B 8e9

/* Returns the leaves of the network, used or not, and sets *pairs to the pairs
 * of switches of a fat tree. */
static double leaves(const struct network *n, unsigned nodes, double *pairs)
{
    double room = 1, lower, upper;

    *pairs = 0;
    if (n->topology == TOPOLOGY_CROSSBAR || !net_routes_in_simgrid(n, nodes))
        return nodes;
    for (unsigned l = 0; l + 1 < n->levels; l++)
        room *= n->down[l];
    double top = n->topology == TOPOLOGY_FAT_TREE ? ceil(nodes / room)
                                                  : n->down[n->levels - 1];
    room *= top;
    lower = room;
    for (unsigned l = 0; n->topology == TOPOLOGY_FAT_TREE && l < n->levels;
         l++) {
        upper = lower * n->up[l] / (l + 1 < n->levels ? n->down[l] : top);
        *pairs += lower * upper;
        lower = upper;
    }
    return room;
}

static struct budget of_simgrid(const struct machine *m, unsigned nodes)
{
    double pairs, room = leaves(&m->network, nodes, &pairs);
    double endpoints = m->ncores + m->ngpus;
    double own = 2.0 * (double)m->nwires + 2.0 * m->nsockets +
                 (m->network.process_Bps > 0 ? 2 * endpoints : 0);
    double links = nodes * own;

    if (net_routes_in_simgrid(&m->network, nodes))
        links += 2 * net_routes_wires(&m->network, nodes);

    return (struct budget){
        .links = links,
        .memory_B = links * LINK_B + (nodes * endpoints + room) * HOST_B,
        .time_s = links * LINK_S + pairs * SWITCH_PAIR_S +
                  (double)nodes * nodes * NODE_PAIR_S,
        .allowed_B = ALLOWED_B,
        .allowed_s = ALLOWED_S,
    };
}

static struct budget of_fluid(const struct machine *m, unsigned nodes)
{
    return (struct budget){
        .links = 2 * net_routes_wires(&m->network, nodes),
        .memory_B = nodes * (NODE_B + m->ncores * CORE_B + m->ngpus * GPU_B +
                             m->nnics * NIC_B),
        .allowed_B = ALLOWED_FLUID_B,
        .allowed_s = ALLOWED_S,
    };
}

struct budget budget_of(enum engine_kind kind, const struct machine *m,
                        unsigned nodes)
{
    return kind == ENGINE_SIMGRID ? of_simgrid(m, nodes) : of_fluid(m, nodes);
}

int budget_check(enum engine_kind kind, const struct machine *m, unsigned nodes,
                 struct err *err)
{
    struct budget b = budget_of(kind, m, nodes);
    double links = 2 * net_routes_wires(&m->network, nodes);

    if (b.memory_B <= b.allowed_B && b.time_s <= b.allowed_s)
        return links <= 0x1p61
                   ? 0
                   : fail(err, "%s: network: %g links cannot be numbered",
                          m->name, links);
    if (kind != ENGINE_SIMGRID)
        return fail(err,
                    "%s: %u nodes would take about %.2g GB, %g GB are allowed",
                    m->name, nodes, b.memory_B / 1e9, b.allowed_B / 1e9);
    return fail(err,
                "%s: SimGrid would take about %.2g GB and %.2g s to build %u "
                "nodes and %.2g links, %g GB and %g s are allowed: use the "
                "fluid engine",
                m->name, b.memory_B / 1e9, b.time_s, nodes, b.links,
                b.allowed_B / 1e9, b.allowed_s);
}
