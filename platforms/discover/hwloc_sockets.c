/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the sockets of hwloc's XML, packages or NUMA domains, and their cores.
 */
#include "platforms/discover/hwloc.h"

#include <stdlib.h>
#include <string.h>

/* Reads "0x00000303,0x03030000,,0x03030303", the highest first. */
static void read_cpus(struct cpus *set, const char *text)
{
    unsigned group = 0;

    memset(set, 0, sizeof *set);
    for (const char *at = text + strlen(text); at > text; group++) {
        const char *end = at;
        while (at > text && at[-1] != ',')
            at--;
        unsigned long v = strtoul(at, NULL, 16);
        for (unsigned b = 0; b < 32 && group < MASK_BITS / 32; b++)
            if (at < end && v >> b & 1)
                set->bits[group * 4 + b / 8] |= (unsigned char)(1U << b % 8);
        at -= at > text;
    }
}

static unsigned cpus_count(const struct cpus *set)
{
    unsigned n = 0;

    for (size_t i = 0; i < sizeof set->bits; i++)
        n += (unsigned)__builtin_popcount(set->bits[i]);
    return n;
}

static int cpus_first(const struct cpus *set)
{
    for (int i = 0; i < MASK_BITS; i++)
        if (set->bits[i / 8] >> i % 8 & 1)
            return i;
    return -1;
}

static bool cpus_have(const struct cpus *set, int bit)
{
    return bit >= 0 && set->bits[bit / 8] >> bit % 8 & 1;
}

bool hwloc_is(const xmlNode *o, const char *type)
{
    return xml_is(o, "object") && !strcmp(xml_attr(o, "type"), type);
}

const char *hwloc_info(const xmlNode *o, const char *name)
{
    for (const xmlNode *c = xml_child(o); c; c = xml_next(c))
        if (xml_is(c, "info") && !strcmp(xml_attr(c, "name"), name))
            return xml_attr(c, "value");
    return "";
}

/* Calls visit for every object; it returns whether to go deeper, or -1 if there
 * is an error. */
static int each(struct walk *w, const xmlNode *o,
                int (*visit)(struct walk *, const xmlNode *))
{
    for (const xmlNode *c = xml_child(o); c; c = xml_next(c)) {
        if (!xml_is(c, "object"))
            continue;
        int deeper = visit(w, c);
        if (deeper < 0 || (deeper && each(w, c, visit) < 0))
            return -1;
    }
    return 0;
}

static bool is_package(const xmlNode *o)
{
    return hwloc_is(o, "Package") || hwloc_is(o, "Socket");
}

static int add_socket(struct walk *w, const xmlNode *o)
{
    struct cpus set;

    read_cpus(&set, xml_attr(o, "cpuset"));
    int first = cpus_first(&set);
    /* It is memory without cores, or a second kind of memory of the same
     * ones. */
    if (first < 0)
        return 1;
    for (size_t i = 0; i < w->nsockets; i++)
        if (cpus_have(&w->sockets[i], first))
            return 1;
    if (found_add(w->f, FOUND_SOCKET, NO_ITEM, w->err) < 0)
        return -1;
    found_last(w->f)->source =
        found_source(PROVENANCE_SPECIFICATION, "hwloc: %s %.20s",
                     hwloc_is(o, "NUMANode") ? "NUMA domain"
                     : is_package(o)         ? "package"
                                             : "the machine",
                     *xml_attr(o, "os_index") ? xml_attr(o, "os_index") : "?");
    w->sockets = xrealloc(w->sockets, w->nsockets + 1, sizeof *w->sockets);
    w->sockets[w->nsockets++] = set;
    return 1;
}

static int visit_package(struct walk *w, const xmlNode *o)
{
    return is_package(o) ? add_socket(w, o) : 1;
}

static int visit_numa(struct walk *w, const xmlNode *o)
{
    return hwloc_is(o, "NUMANode") ? add_socket(w, o) : 1;
}

static void forget_sockets(struct walk *w)
{
    for (size_t i = 0; i < w->f->nitems; i++)
        json_free(w->f->items[i].source);
    w->f->nitems = 0;
    free(w->sockets);
    w->sockets = NULL;
    w->nsockets = 0;
}

/* Finds the sockets: the packages if there are several, otherwise the NUMA
 * domains of the one, otherwise the machine. */
static int find_sockets(struct walk *w, const xmlNode *topology, bool numa)
{
    if (!numa && each(w, topology, visit_package) < 0)
        return -1;
    if (w->nsockets > 1)
        return 0;
    forget_sockets(w);
    if (each(w, topology, visit_numa) < 0)
        return -1;
    const xmlNode *machine = xml_child(topology);
    if (!w->nsockets && machine && add_socket(w, machine) < 0)
        return -1;
    if (!w->nsockets)
        return fail(w->err, "topology: expected an object with a cpuset, got "
                            "none");
    return 0;
}

size_t hwloc_socket(const struct walk *w, const xmlNode *o, bool *certain)
{
    struct cpus set;

    read_cpus(&set, xml_attr(o, "cpuset"));
    int first = cpus_first(&set);
    for (size_t i = 0; i < w->nsockets; i++)
        if (cpus_have(&w->sockets[i], first)) {
            *certain = cpus_count(&set) <= cpus_count(&w->sockets[i]);
            return i;
        }
    *certain = false;
    return NO_ITEM;
}

static int count_core(struct walk *w, const xmlNode *o, const char *type)
{
    bool certain;

    if (!hwloc_is(o, type))
        return 1;
    size_t s = hwloc_socket(w, o, &certain);
    if (s != NO_ITEM)
        w->f->items[s].cores++;
    return 0;
}

static int visit_core(struct walk *w, const xmlNode *o)
{
    return count_core(w, o, "Core");
}

static int visit_thread(struct walk *w, const xmlNode *o)
{
    return count_core(w, o, "PU");
}

static bool is_cache(const xmlNode *o, unsigned level)
{
    char name[16];

    snprintf(name, sizeof name, "L%uCache", level);
    return hwloc_is(o, name) ||
           (hwloc_is(o, "Cache") && xml_whole(o, "depth", 10) == level);
}

static unsigned cores_below(const xmlNode *o)
{
    unsigned n = 0;

    for (const xmlNode *c = xml_child(o); c; c = xml_next(c))
        if (xml_is(c, "object"))
            n += hwloc_is(c, "Core") ? 1 : cores_below(c);
    return n;
}

/* Sets the number of cores that share a cache of this level, if it is the same
 * everywhere; otherwise it is 1. */
static int share_cache(struct walk *w, const xmlNode *o, unsigned level)
{
    bool certain;
    size_t s = is_cache(o, level) ? hwloc_socket(w, o, &certain) : NO_ITEM;

    if (s == NO_ITEM)
        return 1;
    unsigned n = cores_below(o), *had = &w->f->items[s].cores_per_cache;
    *had = *had == 0 || *had == n ? n : 1;
    return 0;
}

static int visit_l3(struct walk *w, const xmlNode *o)
{
    return share_cache(w, o, 3);
}

static int visit_l2(struct walk *w, const xmlNode *o)
{
    return share_cache(w, o, 2);
}

/* Finds caches that cores share: an L3 cache is left out if it belongs to a
 * whole socket, because it divides no cores; then the L2 caches below may. */
static int share_caches(struct walk *w, const xmlNode *topology)
{
    if (each(w, topology, visit_l3) < 0)
        return -1;
    for (size_t i = 0; i < w->nsockets; i++)
        if (w->f->items[i].cores_per_cache >= w->f->items[i].cores ||
            w->f->items[i].cores_per_cache < 2)
            w->f->items[i].cores_per_cache = 0;
    bool none = true;
    for (size_t i = 0; i < w->nsockets; i++)
        none = none && !w->f->items[i].cores_per_cache;
    return none ? each(w, topology, visit_l2) : 0;
}

static int find_cores(struct walk *w, const xmlNode *topology)
{
    size_t cores = 0;

    if (each(w, topology, visit_core) < 0)
        return -1;
    for (size_t i = 0; i < w->nsockets; i++)
        cores += w->f->items[i].cores;
    if (!cores && each(w, topology, visit_thread) < 0)
        return -1;
    if (share_caches(w, topology) < 0)
        return -1;
    for (size_t i = 0; i < w->nsockets; i++) {
        struct found_item *s = &w->f->items[i];
        if (s->cores < 1 || s->cores > 4096)
            return fail(w->err,
                        "topology: expected 1 to 4096 cores in a socket, got "
                        "%u",
                        s->cores);
        if (s->cores_per_cache >= s->cores)
            s->cores_per_cache = 0;
    }
    return 0;
}

int hwloc_sockets(struct walk *w, const xmlNode *topology, bool numa)
{
    return find_sockets(w, topology, numa) < 0 ? -1 : find_cores(w, topology);
}
