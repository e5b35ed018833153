/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hwloc.h - what the readers of hwloc's XML share: sets of hardware threads,
 * the walk over the objects. */
#ifndef PLATFORMS_DISCOVER_HWLOC_H
#define PLATFORMS_DISCOVER_HWLOC_H

#include "platforms/discover/found.h"
#include "platforms/discover/xml.h"

enum { MASK_BITS = 16384 };

/* A set of hardware threads. */
struct cpus {
    unsigned char bits[MASK_BITS / 8];
};

/* What is known while the tree is walked. */
struct walk {
    struct found *f;
    struct cpus *sockets; /* of the items from 0 on */
    size_t nsockets;
    bool version3; /* types of OS devices are bits */
    struct err *err;
};

bool hwloc_is(const xmlNode *object, const char *type);
/* The value of an <info>; "" when there is none. */
const char *hwloc_info(const xmlNode *object, const char *name);
/* The item of the socket that has the first of an object's threads, or NO_ITEM;
 * *sure: it has all of them. */
size_t hwloc_socket(const struct walk *w, const xmlNode *o, bool *sure);

struct pci_id {
    unsigned long class; /* 0x0302 */
    unsigned vendor, device;
};
struct pci_id hwloc_pci_id(const xmlNode *o);

/* The sockets with their cores, the first items; then GPUs and NICs; then the
 * links between them. */
int hwloc_sockets(struct walk *w, const xmlNode *topology,
                  bool numa) MUST_CHECK;
int hwloc_devices(struct walk *w, const xmlNode *topology) MUST_CHECK;
int hwloc_links(struct walk *w, const xmlNode *topology) MUST_CHECK;

#endif
