/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes an engine: the fluid one, or SimGrid's, whose module is loaded. */
#include "sim/network/budget.h"
#include "sim/network/engine_parts.h"
#include "sim/network/simgrid.h"

struct engine *engine_new(enum engine_kind kind, const struct machine *m,
                          unsigned nodes, struct err *err)
{
    return engine_new_with(kind, m, NULL, nodes, err);
}

int engine_prepare(enum engine_kind kind, struct err *err)
{
    return kind != ENGINE_SIMGRID || simgrid_load(err) ? 0 : -1;
}

static struct engine *engine_by_simgrid(const struct machine *m, unsigned nodes,
                                        struct err *err)
{
    const struct simgrid_module *simgrid = simgrid_load(err);

    return simgrid ? simgrid->engine_new(m, nodes, err) : NULL;
}

struct engine *engine_new_with(enum engine_kind kind, const struct machine *m,
                               const struct node_routes *node_routes,
                               unsigned nodes, struct err *err)
{
    if (budget_check(kind, m, nodes, err) < 0)
        return NULL;
    if (node_routes && node_routes_machine(node_routes) != m)
        node_routes = NULL;
    struct engine *e = kind == ENGINE_SIMGRID
                           ? engine_by_simgrid(m, nodes, err)
                           : engine_fluid_new(m, node_routes, nodes,
                                              kind == ENGINE_ALONE, err);

    if (e)
        e->max_events = UINT64_MAX;
    return e;
}
