/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the devices that were found in a node, and removes those that no
 * message passes. */
#include "platforms/discover/found.h"
#include "platforms/discover/known.h"
#include "platforms/machine.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void item_clear(struct found_item *item)
{
    free(item->key);
    free(item->model);
    free(item->arch);
    json_free(item->wire_source);
    json_free(item->port_source);
    json_free(item->source);
}

struct json *found_source(enum provenance kind, const char *fmt, ...)
{
    char text[200];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return source_json(kind, NULL, text);
}

void found_clear(struct found *f)
{
    for (size_t i = 0; i < f->nitems; i++)
        item_clear(&f->items[i]);
    for (size_t i = 0; i < f->nlinks; i++)
        json_free(f->links[i].source);
    free(f->items);
    free(f->links);
    free(f->what);
    free(f->maker);
    *f = (struct found){0};
}

int found_add(struct found *f, enum found_kind kind, size_t parent,
              struct err *err)
{
    if (f->nitems == FOUND_MOST)
        return fail(err, "expected at most %d devices", FOUND_MOST);
    f->items = xrealloc(f->items, f->nitems + 1, sizeof *f->items);
    f->items[f->nitems++] = (struct found_item){.kind = kind, .parent = parent};
    return 0;
}

struct found_item *found_last(struct found *f)
{
    return &f->items[f->nitems - 1];
}

size_t found_key(const struct found *f, const char *key)
{
    for (size_t i = 0; i < f->nitems; i++)
        if (f->items[i].key && !strcasecmp(f->items[i].key, key))
            return i;
    return NO_ITEM;
}

size_t found_count(const struct found *f, enum found_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < f->nitems; i++)
        n += f->items[i].kind == kind;
    return n;
}

int found_fabric(struct found *f, size_t *item, struct err *err)
{
    for (*item = 0; *item < f->nitems; ++*item)
        if (f->items[*item].kind == FOUND_FABRIC)
            return 0;
    return found_add(f, FOUND_FABRIC, NO_ITEM, err);
}

static bool joins(const struct found_link *l, size_t a, size_t b)
{
    return (l->ends[0] == a && l->ends[1] == b) ||
           (l->ends[0] == b && l->ends[1] == a);
}

int found_link(struct found *f, size_t a, size_t b, double Bps,
               const char *type, struct json *source, struct err *err)
{
    if (a == b || !(Bps > 0)) {
        json_free(source);
        return 0;
    }
    for (size_t i = 0; i < f->nlinks; i++) {
        struct found_link *l = &f->links[i];
        if (!joins(l, a, b) || strcmp(l->type, type) != 0)
            continue;
        if (f->items[b].kind == FOUND_FABRIC)
            l->Bps += Bps;
        else if (Bps > l->Bps)
            l->Bps = Bps;
        json_free(source);
        return 0;
    }
    if (f->nlinks == FOUND_MOST) {
        json_free(source);
        return fail(err, "expected at most %d links", FOUND_MOST);
    }
    f->links = xrealloc(f->links, f->nlinks + 1, sizeof *f->links);
    f->links[f->nlinks++] = (struct found_link){{a, b}, Bps, type, source};
    return 0;
}

char *found_word(const char *text)
{
    char *word = xstrdup(text);
    size_t n = strlen(word);

    if (n > 60)
        word[n = 60] = 0;
    for (char *c = word; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(" -_.:+/()", *c))
            *c = '?';
    return word;
}

int found_known_links(struct found *f, struct err *err)
{
    for (size_t i = 0; i < f->nitems; i++) {
        const struct known_gpu *known = known_gpu(f->items[i].model);
        size_t socket = i;
        if (f->items[i].kind != FOUND_GPU || !known ||
            strcmp(known->name, "GH200") != 0)
            continue;
        while (f->items[socket].parent != NO_ITEM)
            socket = f->items[socket].parent;
        if (found_link(
                f, i, socket, 450e9, "c2c",
                found_source(PROVENANCE_SPECIFICATION, "NVLink-C2C of a GH200"),
                err) < 0)
            return -1;
    }
    return 0;
}

/* Pruning. */

/* Returns the number of items that hang on this one. */
static size_t children(const struct found *f, size_t item)
{
    size_t n = 0;

    for (size_t i = item + 1; i < f->nitems; i++)
        n += f->items[i].parent == item;
    return n;
}

/* Removes item k; its children hang on its parent then. */
static void take_out(struct found *f, size_t k)
{
    size_t parent = f->items[k].parent, kept = 0;

    item_clear(&f->items[k]);
    memmove(&f->items[k], &f->items[k + 1],
            (f->nitems - k - 1) * sizeof *f->items);
    f->nitems--;
    for (size_t i = 0; i < f->nitems; i++) {
        size_t *p = &f->items[i].parent;
        if (*p == k)
            *p = parent;
        else if (*p != NO_ITEM && *p > k)
            --*p;
    }
    for (size_t i = 0; i < f->nlinks; i++) {
        struct found_link *l = &f->links[i];
        if (l->ends[0] == k || l->ends[1] == k) {
            json_free(l->source);
            continue;
        }
        l->ends[0] -= l->ends[0] > k;
        l->ends[1] -= l->ends[1] > k;
        f->links[kept++] = *l;
    }
    f->nlinks = kept;
}

/* Slows a child's wire to that of a bridge, because a chain is as fast as its
 * slowest wire. */
static void narrow(struct found_item *child, const struct found_item *bridge)
{
    if (!(bridge->wire_Bps > 0) ||
        (child->wire_Bps > 0 && child->wire_Bps <= bridge->wire_Bps))
        return;
    child->wire_Bps = bridge->wire_Bps;
    json_free(child->wire_source);
    child->wire_source =
        bridge->wire_source ? json_copy(bridge->wire_source) : NULL;
}

static void prune_nics(struct found *f)
{
    int best = 0;
    double fastest_Bps = 0;

    for (size_t i = 0; i < f->nitems; i++)
        if (f->items[i].kind == FOUND_NIC && f->items[i].rank > best)
            best = f->items[i].rank;
    for (size_t i = f->nitems; i-- > 0;) {
        const struct found_item *nic = &f->items[i];
        if (nic->kind == FOUND_NIC && nic->rank < best)
            take_out(f, i);
        else if (nic->kind == FOUND_NIC && nic->port_Bps > fastest_Bps)
            fastest_Bps = nic->port_Bps;
    }
    /* An Ethernet for management is removed if there is a cluster's network. */
    for (size_t i = f->nitems; i-- > 0;) {
        const struct found_item *nic = &f->items[i];
        if (nic->kind == FOUND_NIC && nic->port_Bps > 0 &&
            nic->port_Bps < fastest_Bps / 8)
            take_out(f, i);
    }
}

void found_prune(struct found *f)
{
    prune_nics(f);
    /* Leaves are first, because a bridge that becomes empty goes, too. */
    for (size_t i = f->nitems; i-- > 0;) {
        if (f->items[i].kind != FOUND_BRIDGE || children(f, i) > 1)
            continue;
        for (size_t c = i + 1; c < f->nitems; c++)
            if (f->items[c].parent == i)
                narrow(&f->items[c], &f->items[i]);
        take_out(f, i);
    }
    /* If more items are left than a node may have, bridges go, because no flow
     * ends there. */
    for (size_t i = f->nitems; i-- > 0 && f->nitems > MACHINE_DEVICES;)
        if (f->items[i].kind == FOUND_BRIDGE)
            take_out(f, i);
}
