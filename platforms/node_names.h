/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_names.h - the number of a node that a file names: "lrdn0089". If the
 * platform gives `first_node`, a name is that one's beginning and a number,
 * counted from its number; if it gives `node_list`, the name is in that file
 * (CSV with the columns node, place), in the folder of the platform or below
 * `platforms` of those that come with sluice. A number alone is the node's. */
#ifndef PLATFORMS_NODE_NAMES_H
#define PLATFORMS_NODE_NAMES_H

#include "base/csv.h"
#include "platforms/machine.h"

struct node_names {
    const struct machine *m;
    struct csv list; /* sorted by name; no rows if there is no node_list */
    struct node_name {
        const char *name; /* in list */
        uint32_t place;
    } * byname;
    size_t n;
};

/* Borrows the machine. Errors name the list and its line. */
int node_names_load(struct node_names *names, const struct machine *m,
                    struct err *err) MUST_CHECK;
void node_names_clear(struct node_names *names);
/* Returns -1 and an error if the machine has no such node. */
int node_names_find(const struct node_names *names, const char *name,
                    unsigned *node, struct err *err) MUST_CHECK;

#endif
