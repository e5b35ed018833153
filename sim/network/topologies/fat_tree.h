/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fat_tree.h - routes of a fat tree, also for trees whose ends are not
 * nodes. */
#ifndef SIM_NETWORK_TOPOLOGIES_FAT_TREE_H
#define SIM_NETWORK_TOPOLOGIES_FAT_TREE_H

#include "sim/network/topologies/topology_routes.h"

/* fat_tree_number() numbers the wires of a tree with that many ends, which is
 * as wide as they need; fat_tree_count() returns the number of wires. */
void fat_tree_number(struct net_routes *f, unsigned ends);
double fat_tree_count(const struct network *n, double ends);
/* Adds the route from end a to end b; its wires are counted from `first`. */
void fat_tree_lead(const struct net_routes *f, unsigned a, unsigned b,
                   uint64_t first, struct route *w);
void fat_tree_name(const struct net_routes *f, uint64_t wire, const char *dir,
                   char *name, size_t room);

#endif
