/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simgrid.h - the interface of the module sluice_simgrid.so. It is loaded only
 * if it is needed, because SimGrid's libraries take longer to load than most
 * simulations. sim/network/simgrid is the module, simgrid.c loads it. */
#ifndef SIM_NETWORK_SIMGRID_H
#define SIM_NETWORK_SIMGRID_H

#include "sim/network/engine.h"

/* The links between two nodes as SimGrid itself has them, for the test that
 * compares net_routes.h with it. network_route() writes at most `room` links
 * from node a to node b and returns their number. network_new() starts SimGrid,
 * so it can be called once in a process. */
struct simgrid_network;

struct simgrid_module {
    struct engine *(*engine_new)(const struct machine *m, unsigned nodes,
                                 struct err *err);
    struct simgrid_network *(*network_new)(const struct machine *m,
                                           unsigned nodes, struct err *err);
    size_t (*network_route)(struct simgrid_network *s, unsigned a, unsigned b,
                            struct link_use *links, size_t room);
};

/* Returns the module, which the first call loads; on NULL, err says why. */
const struct simgrid_module *simgrid_load(struct err *err) MUST_CHECK;

#endif
