/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of pairs of numbers, with one number for each pair, by open
 * addressing. */
#include "workloads/trace/phases_parts.h"

#include <stdlib.h>

static size_t pairs_hash(uint64_t a, uint64_t b)
{
    /* The finishing steps of splitmix64 (Steele, Lea, Flood 2014). */
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) ^ b;

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)(x ^ x >> 31);
}

/* Returns the entry of a pair, or the free entry for it. */
static struct pair_entry *pairs_find(const struct pairs *t, uint64_t a,
                                     uint64_t b)
{
    size_t i = pairs_hash(a, b) & (t->room - 1);

    while (t->entries[i].used && (t->entries[i].a != a || t->entries[i].b != b))
        i = (i + 1) & (t->room - 1);
    return &t->entries[i];
}

uint32_t pairs_get(const struct pairs *t, uint64_t a, uint64_t b)
{
    if (!t->room)
        return NOT_ANY;
    const struct pair_entry *e = pairs_find(t, a, b);
    return e->used ? e->value : NOT_ANY;
}

/* Makes room. Pairs that were removed are not copied. */
static void pairs_grow(struct pairs *t)
{
    struct pairs old = *t;
    size_t live = 0;

    for (size_t i = 0; i < old.room; i++)
        live += old.entries[i].used && old.entries[i].value != NOT_ANY;
    *t = (struct pairs){.room = 64, .used = live};
    while (t->room < 4 * (live + 1))
        t->room *= 2;
    t->entries = xcalloc(t->room, sizeof *t->entries);
    for (size_t i = 0; i < old.room; i++) {
        const struct pair_entry *e = &old.entries[i];
        if (e->used && e->value != NOT_ANY)
            *pairs_find(t, e->a, e->b) = *e;
    }
    free(old.entries);
}

void pairs_set(struct pairs *t, uint64_t a, uint64_t b, uint32_t value)
{
    if (2 * (t->used + 1) > t->room)
        pairs_grow(t);
    struct pair_entry *e = pairs_find(t, a, b);
    if (!e->used && value == NOT_ANY)
        return;
    t->used += !e->used;
    *e = (struct pair_entry){a, b, value, true};
}

void pairs_clear(struct pairs *t)
{
    free(t->entries);
    *t = (struct pairs){0};
}
