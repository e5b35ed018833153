/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simgrid.h - what the module sluice_simgrid.so offers. SimGrid's libraries
 * take longer to load than most simulations, so they are loaded when they are
 * wanted. The module is sim/network/simgrid; who asks for it is simgrid.c. */
#ifndef SIM_NETWORK_SIMGRID_H
#define SIM_NETWORK_SIMGRID_H

#include "sim/network/engine.h"

/*
 * The links between two nodes as SimGrid itself has them, for the test that
 * compares net_ways.h with it: the way from node a to node b, at most `room`
 * entries; returns how many there are. Starts SimGrid, so it can be made once
 * in a process.
 */
struct simgrid_network;

struct simgrid_module {
    struct engine *(*engine_new)(const struct machine *m, unsigned nodes,
                                 struct err *err);
    struct simgrid_network *(*network_new)(const struct machine *m,
                                           unsigned nodes, struct err *err);
    size_t (*network_way)(struct simgrid_network *s, unsigned a, unsigned b,
                          struct link_use *links, size_t room);
};

/* Loaded at the first call, or NULL and an error. */
const struct simgrid_module *simgrid_load(struct err *err) MUST_CHECK;

#endif
