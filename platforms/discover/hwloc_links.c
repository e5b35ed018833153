/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads hwloc's matrices of bandwidths between GPUs, switches and CPUs. */
#include "platforms/discover/hwloc.h"

#include <stdlib.h>
#include <string.h>

/* The matrices have MB/s each way. */

/* Returns an object of any type by its number, which is unique in the file. */
static const xmlNode *object_by(const xmlNode *o, const char *gp_index)
{
    for (const xmlNode *c = xml_child(o); c; c = xml_next(c)) {
        if (!xml_is(c, "object"))
            continue;
        const xmlNode *found = !strcmp(xml_attr(c, "gp_index"), gp_index)
                                   ? c
                                   : object_by(c, gp_index);
        if (found)
            return found;
    }
    return NULL;
}

/* Finds the item at an end of a matrix: a GPU, the NVSwitches, a socket; or
 * NO_ITEM. */
static int end_item(struct walk *w, const xmlNode *topology, const char *index,
                    size_t *item)
{
    const char *colon = strchr(index, ':');
    const xmlNode *o = object_by(topology, colon ? colon + 1 : index);
    bool certain;

    *item = NO_ITEM;
    if (!o)
        return 0;
    const xmlNode *pci =
        hwloc_is(o, "OSDev") && o->parent && hwloc_is(o->parent, "PCIDev")
            ? o->parent
            : o;
    if (!strcmp(xml_attr(pci, "subtype"), "NVSwitch") ||
        (hwloc_is(pci, "PCIDev") && hwloc_pci_id(pci).class == 0x0680))
        return found_fabric(w->f, item, w->err);
    *item = found_key(w->f, xml_attr(pci, "gp_index"));
    if (*item == NO_ITEM && *xml_attr(pci, "cpuset"))
        *item = hwloc_socket(w, pci, &certain);
    return 0;
}

/* Returns the text of all children of a name, in one. */
static char *text_of(const xmlNode *node, const char *element)
{
    char *all = xstrdup("");

    for (const xmlNode *c = xml_child(node); c; c = xml_next(c))
        for (const xmlNode *t = xml_is(c, element) ? c->children : NULL; t;
             t = t->next) {
            char *more = xasprintf("%s%s ", all,
                                   t->content ? (const char *)t->content : "");
            free(all);
            all = more;
        }
    return all;
}

static const char *link_type(const char *name)
{
    return !strcmp(name, "NVLinkBandwidth")   ? "nvlink"
           : !strcmp(name, "XGMIBandwidth")   ? "xgmi"
           : !strcmp(name, "XeLinkBandwidth") ? "xelink"
                                              : NULL;
}

static int add_row(struct walk *w, const size_t *items, size_t n, size_t row,
                   char **values, const char *type)
{
    for (size_t col = 0; col < n; col++) {
        char *end;
        double MBps = strtod(*values, &end), Bps = MBps * 1e6;
        if (end == *values)
            return fail(w->err, "distances2: expected %zu values, got fewer",
                        n * n);
        *values = end;
        /* A pair is read once; rows of switches are left out, because their
         * GPUs' rows have the same rates. */
        if (items[row] == NO_ITEM || items[col] == NO_ITEM || col == row ||
            Bps > 1e13 || w->f->items[items[row]].kind != FOUND_GPU)
            continue;
        struct json *source = found_source(
            PROVENANCE_SPECIFICATION, "the links' rates (hwloc %sBandwidth)",
            !strcmp(type, "nvlink") ? "NVLink"
            : !strcmp(type, "xgmi") ? "XGMI"
                                    : "XeLink");
        if (found_link(w->f, items[row], items[col], Bps, type, source,
                       w->err) < 0)
            return -1;
    }
    return 0;
}

static int add_matrix(struct walk *w, const xmlNode *topology,
                      const xmlNode *matrix, const char *type)
{
    char *indexes = text_of(matrix, "indexes");
    char *values = text_of(matrix, "u64values");
    size_t *items = NULL, n = 0;
    int result = 0;

    for (char *rest = indexes, *word;
         result == 0 && n < 512 && (word = strsep(&rest, " \t\r\n"));) {
        if (!*word)
            continue;
        items = xrealloc(items, n + 1, sizeof *items);
        result = end_item(w, topology, word, &items[n++]);
    }
    char *at = values;
    for (size_t row = 0; row < n && result == 0; row++)
        result = add_row(w, items, n, row, &at, type);
    free(items);
    free(indexes);
    free(values);
    return result;
}

int hwloc_links(struct walk *w, const xmlNode *topology)
{
    for (const xmlNode *c = xml_child(topology); c; c = xml_next(c)) {
        const char *type = link_type(xml_attr(c, "name"));
        if (type && !strncmp((const char *)c->name, "distances2", 10) &&
            add_matrix(w, topology, c, type) < 0)
            return -1;
    }
    return 0;
}
