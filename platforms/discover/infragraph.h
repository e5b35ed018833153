/* SPDX-License-Identifier: GPL-3.0-or-later */
/* infragraph.h - InfraGraph's YAML: components of a device and the edges
 * between them, as a list before it is made a tree. */
#ifndef PLATFORMS_DISCOVER_INFRAGRAPH_H
#define PLATFORMS_DISCOVER_INFRAGRAPH_H

#include "platforms/discover/found.h"

#include <stdbool.h>

struct infra_component {
    char *name, *description; /* owned */
    enum found_kind kind;
    unsigned count;
};

/* The edge "cpu.0 pcie pciesw.1": two components, and the index of each end. */
struct infra_edge {
    size_t ends[2];
    unsigned indexes[2];
    char *link; /* owned */
};

struct infra_link {
    char *name, *description; /* owned */
    double Bps;               /* each way; 0 if it is not given */
};

struct infragraph {
    char *name; /* name of the device; owned */
    struct infra_component *components;
    size_t ncomponents;
    struct infra_edge *edges;
    size_t nedges;
    struct infra_link *links;
    size_t nlinks;
};

/* Reads the device of a text with the most XPUs, or CPUs if there are none. */
int infragraph_read(struct infragraph *g, const char *text, size_t bytes,
                    struct err *err) MUST_CHECK;
void infragraph_clear(struct infragraph *g);
/* Makes it the tree and the links of `f`. */
int infragraph_found(struct found *f, const struct infragraph *g,
                     struct err *err) MUST_CHECK;

#endif
