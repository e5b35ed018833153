/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hwloc.h - sets of hardware threads and the walk over the objects, which the
 * readers of hwloc's XML share. */
#ifndef PLATFORMS_DISCOVER_HWLOC_H
#define PLATFORMS_DISCOVER_HWLOC_H

#include "platforms/discover/found.h"
#include "platforms/discover/xml.h"

enum { MASK_BITS = 16384 };

/* A set of hardware threads. */
struct cpus {
    unsigned char bits[MASK_BITS / 8];
};

/* The state of a walk over the tree. */
struct walk {
    struct found *f;
    struct cpus *sockets; /* threads of the items from 0 on */
    size_t nsockets;
    bool version3; /* types of OS devices are bits */
    struct err *err;
};

bool hwloc_is(const xmlNode *object, const char *type);
/* Returns the value of an <info>; "" if there is none. */
const char *hwloc_info(const xmlNode *object, const char *name);
/* Returns the item of the socket that has the first of an object's threads, or
 * NO_ITEM. Sets *sure if the socket has all of them. */
size_t hwloc_socket(const struct walk *w, const xmlNode *o, bool *certain);

struct pci_id {
    unsigned long class; /* 0x0302 */
    unsigned vendor, device;
};
struct pci_id hwloc_pci_id(const xmlNode *o);

/* Append items in this order, because each looks for the ones before: the
 * sockets with their cores, the GPUs and NICs, the links between them. -1 if
 * the tree is broken. */
int hwloc_sockets(struct walk *w, const xmlNode *topology,
                  bool numa) MUST_CHECK;
int hwloc_devices(struct walk *w, const xmlNode *topology) MUST_CHECK;
int hwloc_links(struct walk *w, const xmlNode *topology) MUST_CHECK;

#endif
