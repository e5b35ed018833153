/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strategies/parcels.h"

#include "sim/err.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void parcels_clear(struct parcels *p)
{
    free(p->items);
    memset(p, 0, sizeof *p);
}

void parcels_push(struct parcels *p, struct parcel parcel)
{
    if (p->n == p->room) {
        p->room = p->room ? p->room * 2 : 64;
        p->items = xrealloc(p->items, p->room, sizeof *p->items);
    }
    p->items[p->n++] = parcel;
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* The last key of every order: which values, and for whom. */
static int by_values(const struct parcel *a, const struct parcel *b)
{
    int c = order(a->piece.class_id, b->piece.class_id);

    if (!c)
        c = order(a->piece.first, b->piece.first);
    return c ? c : order(a->dst_mask, b->dst_mask);
}

static int by_op(const void *left, const void *right)
{
    const struct parcel *a = left, *b = right;
    int c = order(a->at, b->at);

    if (!c)
        c = order(a->to, b->to);
    if (!c)
        c = order(a->part, b->part);
    return c ? c : by_values(a, b);
}

static int by_need(const void *left, const void *right)
{
    const struct parcel *a = left, *b = right;
    int c = order(a->dst_node, b->dst_node);

    if (!c)
        c = order(a->src_node, b->src_node);
    return c ? c : by_values(a, b);
}

static int by_receiver(const void *left, const void *right)
{
    const struct parcel *a = left, *b = right;
    int c = order(a->dst_node, b->dst_node);

    if (!c)
        c = order(a->dst_mask, b->dst_mask);
    return c ? c : by_values(a, b);
}

static void sort(struct parcels *p, int (*compare)(const void *, const void *))
{
    if (p->n > 1)
        qsort(p->items, p->n, sizeof *p->items, compare);
}

void parcels_sort_by_op(struct parcels *p)
{
    sort(p, by_op);
}

void parcels_sort_by_need(struct parcels *p)
{
    sort(p, by_need);
}

void parcels_sort_by_receiver(struct parcels *p)
{
    sort(p, by_receiver);
}

void parcels_per_gpu(struct parcels *p, bool leaving)
{
    size_t n = p->n;

    for (size_t i = 0; i < n; i++) {
        if (parcel_leaves(&p->items[i]) != leaving)
            continue;
        uint32_t rest = p->items[i].dst_mask;
        p->items[i].dst_mask = rest & -rest;
        for (rest &= rest - 1; rest; rest &= rest - 1) {
            struct parcel copy = p->items[i];
            copy.dst_mask = rest & -rest;
            parcels_push(p, copy);
        }
    }
}

uint32_t parcels_cut(struct parcels *out, const struct parcel *run, size_t n,
                     uint64_t part_values, uint32_t first_part)
{
    uint32_t part = first_part;
    uint64_t room = part_values;

    assert(part_values > 0);
    for (size_t i = 0; i < n; i++) {
        struct parcel rest = run[i];
        while (rest.piece.count) {
            if (!room) {
                part++;
                room = part_values;
            }
            struct parcel taken = rest;
            if (taken.piece.count > room)
                taken.piece.count = room;
            taken.part = part;
            parcels_push(out, taken);
            room -= taken.piece.count;
            rest.piece.first += taken.piece.count;
            rest.piece.count -= taken.piece.count;
        }
    }
    return n ? part + 1 : part;
}

uint64_t parcels_values(const struct parcel *run, size_t n)
{
    uint64_t values = 0;

    for (size_t i = 0; i < n; i++)
        values += run[i].piece.count;
    return values;
}
