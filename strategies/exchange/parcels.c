/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts, merges and cuts parcels, the values that strategies route. */
#include "strategies/exchange/parcels.h"

#include "base/err.h"

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

/* Compares by the last key of every order: the values, and the GPUs that need
 * them. */
static int by_values(const struct parcel *a, const struct parcel *b)
{
    if (a->piece.class_id != b->piece.class_id)
        return order(a->piece.class_id, b->piece.class_id);
    if (a->piece.first != b->piece.first)
        return order(a->piece.first, b->piece.first);
    return (a->dst_mask > b->dst_mask) - (a->dst_mask < b->dst_mask);
}

/* An order: by a number that combines the first two keys, then by a third key,
 * then by values. Pairs of such a number and a parcel's index are sorted, and
 * the parcels moved once, because parcels are large and many. */
struct order_keys {
    uint64_t (*first)(const struct parcel *p);
    uint32_t (*then)(const struct parcel *p);
};

static uint64_t parcels_pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

static uint64_t op_first(const struct parcel *p)
{
    return parcels_pair(p->at, p->to);
}

static uint32_t op_then(const struct parcel *p)
{
    return p->part;
}

/* Orders nodes from one's own on, past the last to the first. The difference
 * of both would do, but varies in more bits, each 11 of which take a pass of
 * the sort. */
static uint32_t node_from(uint32_t own, uint32_t node)
{
    return (uint32_t)(node < own) << 31 | node;
}

static uint64_t owner_first(const struct parcel *p)
{
    return parcels_pair(p->src, node_from(p->src_node, p->dst_node));
}

static uint32_t owner_then(const struct parcel *p)
{
    return p->dst_place;
}

static uint64_t need_first(const struct parcel *p)
{
    return parcels_pair(p->dst_node, p->src_node);
}

static uint32_t need_then(const struct parcel *p)
{
    return (uint32_t)p->src_place << 16 | p->dst_place;
}

static uint64_t receiver_first(const struct parcel *p)
{
    return parcels_pair(p->to, node_from(p->dst_node, p->src_node));
}

static uint32_t receiver_then(const struct parcel *p)
{
    return p->src_place;
}

struct keyed {
    uint64_t first;
    uint32_t then, i;
};

static int by_keys(const void *left, const void *right, void *items)
{
    const struct keyed *a = left, *b = right;
    const struct parcel *parcels = items;
    int c = order(a->first, b->first);

    if (!c)
        c = order(a->then, b->then);
    return c ? c : by_values(&parcels[a->i], &parcels[b->i]);
}

/* Below FEW parcels, comparisons are faster than counting digits. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, FEW = 512 };

static uint64_t digits_of(const struct keyed *k, bool first)
{
    return first ? k->first : k->then;
}

/* Sorts stably by those digits of one key that are not equal in all. The result
 * is in *k; *spare is scratch memory. */
static inline void sort_by_digits(struct keyed **k, struct keyed **spare,
                                  size_t n, bool first)
{
    uint64_t varies = 0;
    size_t start[DIGITS + 1];

    for (size_t i = 1; i < n; i++)
        varies |= digits_of(&(*k)[i], first) ^ digits_of(*k, first);
    while (varies) {
        int shift = __builtin_ctzll(varies);
        memset(start, 0, sizeof start);
        for (size_t i = 0; i < n; i++)
            start[(digits_of(&(*k)[i], first) >> shift & (DIGITS - 1)) + 1]++;
        for (size_t d = 1; d < DIGITS; d++)
            start[d] += start[d - 1];
        for (size_t i = 0; i < n; i++)
            (*spare)[start[digits_of(&(*k)[i], first) >> shift &
                           (DIGITS - 1)]++] = (*k)[i];
        varies = varies >> shift & ~(uint64_t)(DIGITS - 1);
        varies <<= shift;

        struct keyed *sorted = *spare;
        *spare = *k;
        *k = sorted;
    }
}

/* Sorts those that are equal by both keys by values; these are few, and mostly
 * in order already. */
static void sort_equals(struct keyed *k, size_t n, struct parcel *items)
{
    size_t end;

    for (size_t i = 0; i < n; i = end) {
        bool sorted = true;
        for (end = i + 1;
             end < n && k[end].first == k[i].first && k[end].then == k[i].then;
             end++)
            sorted = sorted &&
                     by_values(&items[k[end - 1].i], &items[k[end].i]) <= 0;
        if (!sorted)
            qsort_r(&k[i], end - i, sizeof *k, by_keys, items);
    }
}

/* Sorts stably: parcels that are equal keep their order. */
static void sort(struct parcels *p, struct order_keys keys)
{
    struct keyed *k = xmalloc(p->n * sizeof *k);
    bool sorted = true;

    for (size_t i = 0; i < p->n; i++) {
        k[i] = (struct keyed){keys.first(&p->items[i]), keys.then(&p->items[i]),
                              (uint32_t)i};
        sorted = sorted && (!i || by_keys(&k[i - 1], &k[i], p->items) <= 0);
    }
    if (!sorted && p->n < FEW) {
        qsort_r(k, p->n, sizeof *k, by_keys, p->items);
    } else if (!sorted) {
        struct keyed *spare = xmalloc(p->n * sizeof *spare);
        sort_by_digits(&k, &spare, p->n, false);
        sort_by_digits(&k, &spare, p->n, true);
        sort_equals(k, p->n, p->items);
        free(spare);
    }
    if (!sorted) {
        struct parcel *items = xmalloc(p->n * sizeof *items);
        for (size_t i = 0; i < p->n; i++)
            items[i] = p->items[k[i].i];
        free(p->items);
        p->items = items;
        p->room = p->n;
    }
    free(k);
}

void parcels_sort_by_op(struct parcels *p)
{
    sort(p, (struct order_keys){op_first, op_then});
}

void parcels_sort_by_owner(struct parcels *p)
{
    sort(p, (struct order_keys){owner_first, owner_then});
}

void parcels_sort_by_need(struct parcels *p)
{
    sort(p, (struct order_keys){need_first, need_then});
}

void parcels_sort_by_receiver(struct parcels *p)
{
    sort(p, (struct order_keys){receiver_first, receiver_then});
}

void parcels_per_gpu(struct parcels *p, bool leaving)
{
    size_t n = p->n;

    for (size_t i = 0; i < n; i++) {
        if (parcel_leaves(&p->items[i]) != leaving)
            continue;
        gpu_set rest = p->items[i].dst_mask;
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

size_t parcels_pair_end(const struct parcels *p, size_t i)
{
    const struct parcel *first = &p->items[i];

    while (i < p->n && p->items[i].src_node == first->src_node &&
           p->items[i].dst_node == first->dst_node)
        i++;
    return i;
}

uint64_t parcels_values(const struct parcel *run, size_t n)
{
    uint64_t values = 0;

    for (size_t i = 0; i < n; i++)
        values += run[i].piece.count;
    return values;
}
