/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the GPUs and NICs of hwloc's XML, and the PCI bridges above them. */
#include "platforms/discover/hwloc.h"

#include "platforms/discover/known.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads "0302 [10de:15f9] [10de:116b] a1": the class, the vendor and the
 * device. */
struct pci_id hwloc_pci_id(const xmlNode *o)
{
    const char *text = xml_attr(o, "pci_type");
    const char *open = strchr(text, '[');
    struct pci_id id = {.class = strtoul(text, NULL, 16)};
    char *colon;

    if (!open)
        return id;
    id.vendor = (unsigned)strtoul(open + 1, &colon, 16);
    if (*colon == ':')
        id.device = (unsigned)strtoul(colon + 1, NULL, 16);
    return id;
}

static bool begins_with(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (!strncmp(text, *words, strlen(*words)))
            return true;
    return false;
}

/* Returns whether it is a device of a runtime for GPUs. One of OpenCL is
 * checked, because it may be a CPU. */
static bool is_gpu_os(const xmlNode *o)
{
    static const char *const names[] = {"cuda", "nvml", "rsmi", "ze", NULL};
    const char *name = xml_attr(o, "name");

    if (!hwloc_is(o, "OSDev"))
        return false;
    if (!strncmp(name, "opencl", 6))
        return !strcmp(hwloc_info(o, "OpenCLDeviceType"), "GPU");
    return begins_with(name, names);
}

/* Returns whether a device has type 2, a network's, or 3, OpenFabrics'; from
 * version 3 on these are bits 16 and 32. */
static bool is_os_type(const struct walk *w, const xmlNode *o, unsigned type)
{
    unsigned v = xml_whole(o, "osdev_type", 10);

    return hwloc_is(o, "OSDev") &&
           (w->version3 ? (v & (type == 2 ? 16U : 32U)) != 0 : v == type);
}

/* Returns a NIC's rank, by which those of a cluster's network come before
 * others: 0 is no NIC, 1 a plain one, 2 one with OpenFabrics, 3 one of
 * InfiniBand, Omni-Path or Slingshot; 3 more if its port is not known to be
 * down. */
static int os_rank(const struct walk *w, const xmlNode *o)
{
    static const char *const fast[] = {"hsn", "cxi", "ib", "hfi", "opa", NULL};
    static const char *const virtual[] = {"lo",  "docker", "veth", "virbr",
                                          "br-", "bond",   "tun",  "tap",
                                          "usb", "dummy",  NULL};
    const char *name = xml_attr(o, "name"),
               *state = hwloc_info(o, "Port1State");
    bool net = is_os_type(w, o, 2), fabric = is_os_type(w, o, 3);

    if ((!net && !fabric) || begins_with(name, virtual))
        return 0;
    int rank = begins_with(name, fast) ? 3 : fabric ? 2 : 1;
    return rank + (fabric && *state && *state != '4' ? 0 : 3);
}

/* Returns whether it is a virtual function of a Mellanox NIC. */
static bool is_virtual(struct pci_id id)
{
    return id.vendor == 0x15b3 && id.device >= 0x1004 && id.device <= 0x101e &&
           id.device % 2 == 0 && id.device != 0x1010;
}

static int best_rank(const struct walk *w, const xmlNode *pci)
{
    int best = 0;

    for (const xmlNode *c = xml_child(pci); c; c = xml_next(c)) {
        int rank = os_rank(w, c);
        best = rank > best ? rank : best;
    }
    return best;
}

static bool has_gpu_os(const xmlNode *pci)
{
    for (const xmlNode *c = xml_child(pci); c; c = xml_next(c))
        if (is_gpu_os(c))
            return true;
    return false;
}

/* Returns whether it is a GPU to compute with, because servers and processors
 * have graphics, too. */
static bool is_gpu(const xmlNode *pci, struct pci_id id)
{
    bool compute =
        id.class == 0x0302 || id.class == 0x0380 || id.class >> 8 == 0x12;

    return has_gpu_os(pci) || (compute && known_maker(id.vendor));
}

static void set_wire(struct found_item *item, const xmlNode *o)
{
    double GBps = xml_number(o, "pci_link_speed");

    if (!(GBps > 0) || GBps > 1e4)
        return;
    item->wire_Bps = GBps * 1e9;
    item->wire_source = found_source(PROVENANCE_SPECIFICATION,
                                     "the PCIe link, %.4g GB/s (hwloc)", GBps);
}

static double with_unit(const char *text)
{
    char *unit;
    double v = strtod(text, &unit);

    while (*unit == ' ')
        unit++;
    return v * (!strncasecmp(unit, "GiB", 3)   ? 0x1p30
                : !strncasecmp(unit, "MiB", 3) ? 0x1p20
                : !strncasecmp(unit, "KiB", 3) ? 0x1p10
                : *unit                        ? 1
                                               : 0x1p10); /* hwloc 2: KiB */
}

/* Adds the properties that CUDA, RSMI, Level Zero or OpenCL give of their
 * device. */
static void describe_gpu(struct found_item *item, const xmlNode *os)
{
    static const char *const memories[] = {
        "CUDAGlobalMemorySize", "RSMIVRAMSize", "LevelZeroHBMSize",
        "LevelZeroDDRSize", "OpenCLGlobalMemorySize"};
    static const char *const counts[] = {"CUDAMultiProcessors",
                                         "OpenCLComputeUnits"};

    if (!item->model && *hwloc_info(os, "GPUModel"))
        item->model = found_word(hwloc_info(os, "GPUModel"));
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        double v = with_unit(hwloc_info(os, memories[i]));
        if (!(item->memory_B > 0) && v > 0 && v < 1e15)
            item->memory_B = v;
    }
    for (size_t i = 0; i < 2 && !item->sms; i++) {
        unsigned long n = strtoul(hwloc_info(os, counts[i]), NULL, 10);
        item->sms = n < 100000 ? (unsigned)n : 0;
    }
}

static int add_hwloc_gpu(struct walk *w, const xmlNode *o, size_t parent)
{
    struct pci_id id = hwloc_pci_id(o);
    const char *maker = known_maker(id.vendor);

    if (found_add(w->f, FOUND_GPU, parent, w->err) < 0)
        return -1;
    struct found_item *item = found_last(w->f);
    item->key = xstrdup(xml_attr(o, "gp_index"));
    set_wire(item, o);
    for (const xmlNode *c = xml_child(o); c; c = xml_next(c))
        if (is_gpu_os(c))
            describe_gpu(item, c);
    if (is_gpu_os(o))
        describe_gpu(item, o);
    const struct known_gpu *known = known_pci_gpu(id.vendor, id.device);
    if (!item->model && known)
        item->model = xstrdup(known->part);
    if (!w->f->maker) {
        if (!maker)
            maker =
                known_gpu(item->model) ? known_gpu(item->model)->maker : NULL;
        w->f->maker = maker ? xstrdup(maker) : NULL;
    }
    return 0;
}

static int add_hwloc_nic(struct walk *w, const xmlNode *o, size_t parent,
                         int rank)
{
    struct pci_id id = hwloc_pci_id(o);
    const char *name;

    if (found_add(w->f, FOUND_NIC, parent, w->err) < 0)
        return -1;
    struct found_item *item = found_last(w->f);
    item->rank = rank;
    set_wire(item, o);
    item->port_Bps = known_nic_Bps(id.vendor, id.device, &name);
    if (name)
        item->port_source = found_source(PROVENANCE_SPECIFICATION, "%s", name);
    for (const xmlNode *c = xml_child(o); c; c = xml_next(c))
        if (os_rank(w, c) == rank && !item->model)
            item->model = found_word(xml_attr(c, "name"));
    if (!item->model)
        item->model = found_word(xml_attr(o, "name"));
    return 0;
}

static int walk_io(struct walk *w, const xmlNode *o, size_t parent);

static int walk_children(struct walk *w, const xmlNode *o, size_t parent)
{
    for (const xmlNode *c = xml_child(o); c; c = xml_next(c))
        if (xml_is(c, "object") && walk_io(w, c, parent) < 0)
            return -1;
    return 0;
}

static int walk_bridge(struct walk *w, const xmlNode *o, size_t parent)
{
    /* A host bridge, "0-1", is the socket itself. */
    if (*xml_attr(o, "bridge_type") == '0')
        return walk_children(w, o, parent);
    if (found_add(w->f, FOUND_BRIDGE, parent, w->err) < 0)
        return -1;
    set_wire(found_last(w->f), o);
    return walk_children(w, o, w->f->nitems - 1);
}

/* Adds the devices below an object that hangs on `parent`. */
static int walk_io(struct walk *w, const xmlNode *o, size_t parent)
{
    bool certain;

    if (hwloc_is(o, "Bridge"))
        return walk_bridge(w, o, parent);
    if (hwloc_is(o, "PCIDev")) {
        struct pci_id id = hwloc_pci_id(o);
        int rank = is_virtual(id) ? 1 : best_rank(w, o);
        if (is_gpu(o, id))
            return add_hwloc_gpu(w, o, parent);
        if (id.class >> 8 == 0x02 || id.class == 0x0c06 || rank)
            return add_hwloc_nic(w, o, parent, rank);
        return 0;
    }
    if (hwloc_is(o, "OSDev"))
        return 0;
    size_t s = hwloc_socket(w, o, &certain);
    return walk_children(w, o, s == NO_ITEM ? parent : s);
}

/* The one runtime whose GPUs are added if none is a PCI device, because several
 * runtimes may name the same GPU. */
struct loose {
    const char *backend; /* the letters of "rsmi0" */
    size_t len;
};

static int walk_loose(struct walk *w, const xmlNode *o, size_t parent,
                      bool gpus, struct loose *only)
{
    for (const xmlNode *c = xml_child(o); c; c = xml_next(c)) {
        bool certain;
        if (!xml_is(c, "object") || hwloc_is(c, "PCIDev"))
            continue;
        const char *name = xml_attr(c, "name");
        size_t s =
            hwloc_is(c, "OSDev") ? NO_ITEM : hwloc_socket(w, c, &certain);
        int rank = os_rank(w, c);
        if (gpus && is_gpu_os(c)) {
            if (!only->backend)
                *only = (struct loose){name, strcspn(name, "0123456789")};
            if (!strncmp(only->backend, name, only->len) &&
                add_hwloc_gpu(w, c, parent) < 0)
                return -1;
        } else if (!gpus && rank && add_hwloc_nic(w, c, parent, rank) < 0) {
            return -1;
        }
        if (walk_loose(w, c, s == NO_ITEM ? parent : s, gpus, only) < 0)
            return -1;
    }
    return 0;
}

int hwloc_devices(struct walk *w, const xmlNode *topology)
{
    struct loose only = {0};

    if (walk_children(w, topology, 0) < 0)
        return -1;
    if (!found_count(w->f, FOUND_GPU) &&
        walk_loose(w, topology, 0, true, &only) < 0)
        return -1;
    if (!found_count(w->f, FOUND_NIC) &&
        walk_loose(w, topology, 0, false, &only) < 0)
        return -1;
    return 0;
}
