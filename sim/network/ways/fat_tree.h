/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fat_tree.h - a fat tree's ways, for trees whose ends are no nodes. */
#ifndef SIM_NETWORK_WAYS_FAT_TREE_H
#define SIM_NETWORK_WAYS_FAT_TREE_H

#include "sim/network/ways/ways.h"

/* Numbers the wires of a tree of so many ends, as wide as they need. */
void fat_tree_number(struct net_ways *f, unsigned ends);
double fat_tree_count(const struct network *n, double ends);
/* From end a to end b, its wires counted from `first`. */
void fat_tree_lead(const struct net_ways *f, unsigned a, unsigned b,
                   uint64_t first, struct way *w);
void fat_tree_name(const struct net_ways *f, uint64_t wire, const char *dir,
                   char *name, size_t room);

#endif
