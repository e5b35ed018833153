/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the topology that NCCL and RCCL write with NCCL_TOPO_DUMP_FILE. */
#include "platforms/discover/found.h"
#include "platforms/discover/known.h"
#include "platforms/discover/xml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Counts the runs of ones in a mask, and the ones in the first and the last.
 * The groups of an affinity stand from the highest to the lowest. */
struct mask {
    unsigned bits, runs, first_run, last_run;
};

static void mask_bit(struct mask *m, bool set, bool *before)
{
    if (set && !*before) {
        m->runs++;
        m->last_run = 0;
    }
    m->bits += set;
    m->last_run += set;
    if (m->runs == 1)
        m->first_run = m->last_run;
    *before = set;
}

static struct mask read_mask(const char *text)
{
    struct mask m = {0};
    bool before = false;

    for (const char *c = text; *c; c++) {
        if (!isxdigit((unsigned char)*c))
            continue;
        int v = isdigit((unsigned char)*c)
                    ? *c - '0'
                    : tolower((unsigned char)*c) - 'a' + 10;
        for (int bit = 3; bit >= 0; bit--)
            mask_bit(&m, v >> bit & 1, &before);
    }
    return m;
}

/* Adds a socket. If its mask has two runs of equal length, they are the two
 * threads of each core. */
static int add_cpu(struct found *f, const xmlNode *cpu, struct err *err)
{
    struct mask m = read_mask(xml_attr(cpu, "affinity"));
    bool threads = m.runs == 2 && m.first_run == m.last_run;

    if (found_add(f, FOUND_SOCKET, NO_ITEM, err) < 0)
        return -1;
    struct found_item *item = found_last(f);
    item->cores = threads ? m.bits / 2 : m.bits ? m.bits : 8;
    item->source = found_source(
        m.bits ? PROVENANCE_SPECIFICATION : PROVENANCE_ASSUMED,
        !m.bits   ? "8 cores a GPU, the source has no affinity of "
                    "NUMA domain %u"
        : threads ? "NUMA domain %u: the affinity mask, whose two runs are "
                    "assumed to be two threads of each core"
                  : "NUMA domain %u: the affinity mask, assumed to have one "
                    "thread of each core",
        xml_whole(cpu, "numaid", 10));
    if (!item->cores || item->cores > 4096)
        return fail(err, "cpu: affinity: expected 1 to 4096 cores, got %u",
                    item->cores);
    return 0;
}

static void set_pci_wire(struct found_item *item, const xmlNode *pci)
{
    double GTps = xml_number(pci, "link_speed");
    unsigned width = xml_whole(pci, "link_width", 10);

    item->wire_Bps = known_pcie_Bps(GTps, width ? width : 16);
    if (item->wire_Bps > 0)
        item->wire_source = found_source(
            width ? PROVENANCE_SPECIFICATION : PROVENANCE_ASSUMED,
            width ? "PCIe of %g GT/s, %u lanes, less its encoding"
                  : "16 lanes of PCIe of %g GT/s, the source says %u",
            GTps, width);
}

static unsigned long pci_class(const xmlNode *node, const char *attr)
{
    return strtoul(xml_attr(node, attr), NULL, 16);
}

static bool class_is_gpu(unsigned long class)
{
    return class >> 16 == 0x03 || class >> 16 == 0x12;
}

static const xmlNode *child_named(const xmlNode *node, const char *name)
{
    for (const xmlNode *c = xml_child(node); c; c = xml_next(c))
        if (xml_is(c, name))
            return c;
    return NULL;
}

static int add_gpu(struct found *f, const xmlNode *pci, size_t parent,
                   struct err *err)
{
    const xmlNode *gpu = child_named(pci, "gpu");
    const char *maker = known_maker(xml_whole(pci, "vendor", 16));

    if (found_add(f, FOUND_GPU, parent, err) < 0)
        return -1;
    struct found_item *item = found_last(f);
    const struct known_gpu *known = known_pci_gpu(xml_whole(pci, "vendor", 16),
                                                  xml_whole(pci, "device", 16));
    bool amd = gpu && (*xml_attr(gpu, "gcn") || child_named(gpu, "xgmi"));
    if (!maker)
        maker = amd ? "amd" : "nvidia";
    if (!known && amd)
        known = known_gcn_gpu(xml_attr(gpu, "gcn"), xml_whole(gpu, "sm", 10));
    item->key = xstrdup(xml_attr(pci, "busid"));
    if (known)
        item->model = xstrdup(known->part);
    /* If it is an NVIDIA GPU, sm is its compute capability. */
    unsigned sm = gpu ? xml_whole(gpu, "sm", 10) : 0;
    if (amd) {
        item->sms = sm;
        item->arch = known_gcn_arch(xml_attr(gpu, "gcn"));
    } else if (sm >= 10 && sm < 10000) {
        item->arch = xasprintf("sm_%u", sm);
    }
    if (!f->maker)
        f->maker = xstrdup(maker);
    set_pci_wire(item, pci);
    return 0;
}

/* Returns the rate of a NIC's port from megabits a second, or, because RCCL's
 * of Slingshot are, from kilobits. */
static double net_Bps(const xmlNode *net)
{
    double Mbps = xml_number(net, "speed");

    while (Mbps > 4e6)
        Mbps /= 1000;
    return Mbps > 0 ? Mbps * 1e6 / 8 : 0;
}

static int add_nic(struct found *f, const xmlNode *pci, const xmlNode *nic,
                   size_t parent, struct err *err)
{
    const char *name;

    if (found_add(f, FOUND_NIC, parent, err) < 0)
        return -1;
    struct found_item *item = found_last(f);
    item->rank = 2;
    for (const xmlNode *n = nic ? xml_child(nic) : NULL; n; n = xml_next(n)) {
        item->port_Bps += net_Bps(n);
        if (!item->model)
            item->model = found_word(xml_attr(n, "name"));
    }
    if (item->port_Bps > 0)
        item->port_source = found_source(PROVENANCE_SPECIFICATION,
                                         "the port's speed of %g Gbit/s",
                                         item->port_Bps * 8 / 1e9);
    if (!pci)
        return 0;
    item->key = xstrdup(xml_attr(pci, "busid"));
    set_pci_wire(item, pci);
    if (item->port_Bps > 0)
        return 0;
    item->port_Bps = known_nic_Bps(xml_whole(pci, "vendor", 16),
                                   xml_whole(pci, "device", 16), &name);
    if (name)
        item->port_source = found_source(PROVENANCE_SPECIFICATION, "%s", name);
    return 0;
}

/* Adds a PCI device, or a bridge and the devices below it. */
static int add_pci(struct found *f, const xmlNode *pci, size_t parent,
                   struct err *err)
{
    unsigned long class = pci_class(pci, "class");
    const xmlNode *nic = child_named(pci, "nic");

    if (child_named(pci, "gpu") || class_is_gpu(class))
        return add_gpu(f, pci, parent, err);
    if (nic || class >> 16 == 0x02)
        return add_nic(f, pci, nic, parent, err);
    if (class >> 8 != 0x0604)
        return 0;
    if (found_add(f, FOUND_BRIDGE, parent, err) < 0)
        return -1;
    set_pci_wire(found_last(f), pci);
    size_t self = f->nitems - 1;
    for (const xmlNode *c = xml_child(pci); c; c = xml_next(c))
        if (xml_is(c, "pci") && add_pci(f, c, self, err) < 0)
            return -1;
    return 0;
}

/* Links, which are read if all devices are known. */

struct link_kind {
    const char *element, *type, *name;
    double each_Bps;
};

static struct link_kind nccl_link_kind(const xmlNode *gpu, const xmlNode *link)
{
    struct link_kind k = {.element = (const char *)link->name};

    if (xml_is(link, "xgmi")) {
        k.type = "xgmi";
        k.each_Bps = known_xgmi_Bps(xml_attr(gpu, "gcn"), &k.name);
    } else {
        k.type = "nvlink";
        k.each_Bps = known_nvlink_Bps(xml_whole(gpu, "sm", 10), &k.name);
    }
    return k;
}

/* Finds the target of a link: another GPU, the NVSwitches, or the CPU. */
static int link_target(struct found *f, const xmlNode *link, size_t gpu,
                       size_t *target, struct err *err)
{
    unsigned long class = pci_class(link, "tclass");

    *target = found_key(f, xml_attr(link, "target"));
    if (*target != NO_ITEM)
        return 0;
    if (class == 0x068000)
        return found_fabric(f, target, err);
    if (class == 0x068001)
        for (*target = gpu; f->items[*target].parent != NO_ITEM;)
            *target = f->items[*target].parent;
    return 0; /* NCCL does not use devices that are not in the file */
}

static int add_link(struct found *f, const xmlNode *gpu, const xmlNode *link,
                    size_t self, struct err *err)
{
    struct link_kind k = nccl_link_kind(gpu, link);
    unsigned count = xml_whole(link, "count", 10);
    struct json *source;
    size_t target;

    if (link_target(f, link, self, &target, err) < 0)
        return -1;
    if (target == NO_ITEM || count < 1 || count > 64)
        return 0;
    if (k.each_Bps > 0)
        source = found_source(PROVENANCE_SPECIFICATION, "%s, %g GB/s a link",
                              k.name, k.each_Bps / 1e9);
    else
        source = found_source(PROVENANCE_ASSUMED,
                              "25 GB/s a link, of a GPU that is not known");
    return found_link(f, self, target,
                      count * (k.each_Bps > 0 ? k.each_Bps : 25e9), k.type,
                      source, err);
}

/* Adds the link to its CPU by NVLink-C2C: MB/s of each of count links. */
static int add_c2c(struct found *f, const xmlNode *c2c, size_t self,
                   struct err *err)
{
    double Bps = xml_number(c2c, "bw") * 1e6 * xml_whole(c2c, "count", 10);
    size_t socket = self;

    while (f->items[socket].parent != NO_ITEM)
        socket = f->items[socket].parent;
    return found_link(
        f, self, socket, Bps, "c2c",
        found_source(PROVENANCE_SPECIFICATION, "what NVML says of NVLink-C2C"),
        err);
}

static int add_links(struct found *f, const xmlNode *node, struct err *err)
{
    for (const xmlNode *c = xml_child(node); c; c = xml_next(c)) {
        if (xml_is(c, "pci") && add_links(f, c, err) < 0)
            return -1;
        size_t self =
            xml_is(c, "gpu") ? found_key(f, xml_attr(node, "busid")) : NO_ITEM;
        if (self == NO_ITEM)
            continue;
        for (const xmlNode *l = xml_child(c); l; l = xml_next(l))
            if (((xml_is(l, "nvlink") || xml_is(l, "xgmi")) &&
                 add_link(f, c, l, self, err) < 0) ||
                (xml_is(l, "c2c") && add_c2c(f, l, self, err) < 0))
                return -1;
    }
    return 0;
}

/* Returns whether a CPU is of the first host, which is the node, because a file
 * may hold several hosts that NVLink joins. */
static bool of_first_host(const xmlNode *system, const xmlNode *cpu)
{
    const xmlNode *first = child_named(system, "cpu");

    return !strcmp(xml_attr(first, "host_hash"), xml_attr(cpu, "host_hash"));
}

int read_nccl(struct found *f, const xmlNode *system, struct err *err)
{
    for (const xmlNode *cpu = xml_child(system); cpu; cpu = xml_next(cpu)) {
        if (!xml_is(cpu, "cpu") || !of_first_host(system, cpu))
            continue;
        if (add_cpu(f, cpu, err) < 0)
            return -1;
        size_t socket = f->nitems - 1, gpus = found_count(f, FOUND_GPU);
        for (const xmlNode *c = xml_child(cpu); c; c = xml_next(c))
            if ((xml_is(c, "pci") && add_pci(f, c, socket, err) < 0) ||
                (xml_is(c, "nic") && add_nic(f, NULL, c, socket, err) < 0))
                return -1;
        gpus = found_count(f, FOUND_GPU) - gpus;
        if (!read_mask(xml_attr(cpu, "affinity")).bits && gpus)
            f->items[socket].cores = 8 * (unsigned)gpus;
    }
    if (!found_count(f, FOUND_SOCKET))
        return fail(err, "system: expected a cpu, got none");
    for (const xmlNode *cpu = xml_child(system); cpu; cpu = xml_next(cpu))
        if (xml_is(cpu, "cpu") && of_first_host(system, cpu) &&
            add_links(f, cpu, err) < 0)
            return -1;
    return 0;
}
