/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a tree of sockets, switches, GPUs and NICs of an InfraGraph. */
#include "platforms/discover/infragraph.h"
#include "platforms/discover/known.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    struct found *f;
    const struct infragraph *g;
    size_t *first; /* each component's first place in `item` */
    size_t *item;  /* item of each place, or NO_ITEM */
    struct err *err;
};

static size_t *item_of(struct builder *b, const struct infra_edge *e, int end)
{
    return &b->item[b->first[e->ends[end]] + e->indexes[end]];
}

static enum found_kind kind_of(const struct builder *b,
                               const struct infra_edge *e, int end)
{
    return b->g->components[e->ends[end]].kind;
}

/* Returns the first digit after a word: "PCIe 3.0" and "pcie_gen4" give 3 and
 * 4. */
static unsigned generation(const char *text, const char *word)
{
    const char *at = strcasestr(text, word);

    if (!at)
        return 0;
    at += strlen(word);
    at += strcspn(at, "0123456789");
    return (unsigned)(*at ? *at - '0' : 0);
}

static const struct infra_link *link_named(const struct builder *b,
                                           const char *name)
{
    for (size_t i = 0; i < b->g->nlinks; i++)
        if (!strcmp(b->g->links[i].name, name))
            return &b->g->links[i];
    return NULL;
}

static unsigned edge_generation(const struct builder *b,
                                const struct infra_edge *e, const char *word)
{
    const struct infra_link *l = link_named(b, e->link);
    unsigned g = generation(e->link, word);

    return g || !l ? g : generation(l->description, word);
}

/* Sets the rate of an edge's wire to the item at its end. */
static void set_rate(struct builder *b, struct found_item *item,
                     const struct infra_edge *e)
{
    static const double GTps[] = {0, 2.5, 5, 8, 16, 32, 64};
    const struct infra_link *l = link_named(b, e->link);
    unsigned pcie = edge_generation(b, e, "pci");

    if (l && l->Bps > 0) {
        item->wire_Bps = l->Bps;
        item->wire_source =
            found_source(PROVENANCE_SPECIFICATION,
                         "the link's bandwidth, %g GB/s", l->Bps / 1e9);
    } else if (pcie && pcie < sizeof GTps / sizeof GTps[0]) {
        item->wire_Bps = known_pcie_Bps(GTps[pcie], 16);
        item->wire_source = found_source(
            PROVENANCE_ASSUMED,
            "16 lanes of PCIe %u, the generation that it names", pcie);
    }
}

static void describe(struct builder *b, struct found_item *item, size_t c)
{
    const struct infra_component *k = &b->g->components[c];
    const struct known_gpu *known = known_gpu(k->description);

    item->model = found_word(*k->description ? k->description : k->name);
    item->rank = 2;
    if (item->kind != FOUND_GPU || b->f->maker)
        return;
    const char *maker = known                                  ? known->maker
                        : strcasestr(k->description, "nvidia") ? "nvidia"
                        : strcasestr(k->description, "amd")    ? "amd"
                                                               : NULL;
    b->f->maker = maker ? xstrdup(maker) : NULL;
}

static int add_item(struct builder *b, size_t component, unsigned index,
                    size_t parent)
{
    enum found_kind kind = b->g->components[component].kind;

    if (found_add(b->f, kind, parent, b->err) < 0)
        return -1;
    b->item[b->first[component] + index] = b->f->nitems - 1;
    describe(b, found_last(b->f), component);
    return 0;
}

static unsigned all_of(const struct builder *b, enum found_kind kind)
{
    unsigned n = 0;

    for (size_t c = 0; c < b->g->ncomponents; c++)
        if (b->g->components[c].kind == kind)
            n += b->g->components[c].count;
    return n;
}

static int add_sockets(struct builder *b)
{
    unsigned sockets = all_of(b, FOUND_SOCKET), gpus = all_of(b, FOUND_GPU);
    unsigned cores =
        8 * (sockets && gpus > sockets ? (gpus + sockets - 1) / sockets : 1);

    for (size_t c = 0; c < b->g->ncomponents; c++)
        for (unsigned i = 0; b->g->components[c].kind == FOUND_SOCKET &&
                             i < b->g->components[c].count;
             i++)
            if (add_item(b, c, i, NO_ITEM) < 0)
                return -1;
    if (!sockets && found_add(b->f, FOUND_SOCKET, NO_ITEM, b->err) < 0)
        return -1;
    for (size_t i = 0; i < b->f->nitems; i++) {
        b->f->items[i].cores = cores;
        b->f->items[i].source =
            found_source(PROVENANCE_ASSUMED,
                         "8 cores, or 8 for each GPU; InfraGraph does not say");
    }
    return 0;
}

static bool in_tree(enum found_kind kind)
{
    return kind == FOUND_BRIDGE || kind == FOUND_GPU || kind == FOUND_NIC;
}

/* Hangs the items at the ends of edges on those that are there; sets *any if
 * there was one. No item hangs on a GPU or NIC, because they pass nothing on,
 * and none by NVLink. */
static int hang(struct builder *b, bool *any)
{
    *any = false;
    for (size_t k = 0; k < b->g->nedges; k++) {
        const struct infra_edge *e = &b->g->edges[k];
        for (int end = 0; end < 2; end++) {
            enum found_kind above = kind_of(b, e, !end);
            size_t parent = *item_of(b, e, !end);
            if (*item_of(b, e, end) != NO_ITEM || parent == NO_ITEM ||
                !in_tree(kind_of(b, e, end)) ||
                (above != FOUND_SOCKET && above != FOUND_BRIDGE))
                continue;
            if (add_item(b, e->ends[end], e->indexes[end], parent) < 0)
                return -1;
            set_rate(b, found_last(b->f), e);
            *any = true;
        }
    }
    return 0;
}

/* Hangs GPUs and NICs on the sockets in turn if no edge leads to them. */
static int hang_rest(struct builder *b)
{
    unsigned sockets = all_of(b, FOUND_SOCKET), turn = 0;

    for (size_t c = 0; c < b->g->ncomponents; c++) {
        const struct infra_component *k = &b->g->components[c];
        for (unsigned i = 0; i < k->count; i++)
            if (b->item[b->first[c] + i] == NO_ITEM &&
                (k->kind == FOUND_GPU || k->kind == FOUND_NIC) &&
                add_item(b, c, i, sockets ? turn++ % sockets : 0) < 0)
                return -1;
    }
    return 0;
}

/* Adds a link of a GPU to its switches, or to another GPU. If its rate is not
 * named, all links of a GPU are added to the switches at once, because they all
 * go there, whatever the number of switches. */
static int add_gpu_link(struct builder *b, const struct infra_edge *e)
{
    static const double all_GBps[] = {0, 80, 150, 300, 450, 900};
    static const double one_GBps[] = {0, 20, 25, 25, 25, 50};
    const struct infra_link *l = link_named(b, e->link);
    bool fabric = kind_of(b, e, 1) == FOUND_FABRIC;
    unsigned g = edge_generation(b, e, "nvlink");
    size_t from = *item_of(b, e, 0), to = *item_of(b, e, 1);
    double Bps = l && l->Bps > 0 ? l->Bps : 0;
    struct json *source;

    if (fabric && found_fabric(b->f, &to, b->err) < 0)
        return -1;
    for (size_t i = 0; i < b->f->nlinks && fabric && !(Bps > 0); i++)
        if (b->f->links[i].ends[0] == from && b->f->links[i].ends[1] == to)
            return 0;
    if (Bps > 0) {
        source = found_source(PROVENANCE_SPECIFICATION, "the link's bandwidth");
    } else {
        bool known = g > 0 && g < sizeof all_GBps / sizeof all_GBps[0];
        Bps = known ? (fabric ? all_GBps : one_GBps)[g] * 1e9 : 25e9;
        source = found_source(
            known ? PROVENANCE_SPECIFICATION : PROVENANCE_ASSUMED,
            known && fabric ? "all links of NVLink %u"
            : known         ? "NVLink %u; that it is one link is assumed"
                            : "25 GB/s of a link that it does not describe "
                              "(%u)",
            g);
    }
    return found_link(b->f, from, to, Bps,
                      strcasestr(e->link, "xgmi") ? "xgmi" : "nvlink", source,
                      b->err);
}

static int add_links_of(struct builder *b)
{
    for (size_t k = 0; k < b->g->nedges; k++) {
        struct infra_edge e = b->g->edges[k];
        if (kind_of(b, &e, 0) == FOUND_FABRIC) { /* GPUs first */
            struct infra_edge turned = {
                {e.ends[1], e.ends[0]}, {e.indexes[1], e.indexes[0]}, e.link};
            e = turned;
        }
        if (kind_of(b, &e, 0) != FOUND_GPU ||
            (kind_of(b, &e, 1) != FOUND_GPU &&
             kind_of(b, &e, 1) != FOUND_FABRIC))
            continue;
        if (add_gpu_link(b, &e) < 0)
            return -1;
    }
    return 0;
}

int infragraph_found(struct found *f, const struct infragraph *g,
                     struct err *err)
{
    struct builder b = {.f = f, .g = g, .err = err};
    size_t places = 0;
    bool any = true;

    b.first = xcalloc(g->ncomponents + 1, sizeof *b.first);
    for (size_t c = 0; c < g->ncomponents; c++) {
        b.first[c] = places;
        places += g->components[c].count;
    }
    b.item = xcalloc(places + 1, sizeof *b.item);
    for (size_t i = 0; i < places; i++)
        b.item[i] = NO_ITEM;
    int result = add_sockets(&b);
    while (result == 0 && any)
        result = hang(&b, &any);
    if (result == 0)
        result = hang_rest(&b);
    if (result == 0)
        result = add_links_of(&b);
    free(b.first);
    free(b.item);
    return result;
}
