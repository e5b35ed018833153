/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts triples in a hash table with open addressing. */
#include "workloads/trace/tally.h"

#include "base/err.h"

#include <stdlib.h>

static struct tally_row *tally_seek(const struct tally *t, uint32_t a,
                                    uint32_t b, uint32_t c)
{
    uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;

    h = (h ^ h >> 32 ^ c) * 0xbf58476d1ce4e5b9u;
    size_t i = (size_t)(h ^ h >> 29) & (t->size - 1);
    for (;; i = (i + 1) & (t->size - 1)) {
        struct tally_row *r = &t->rows[i];
        if (!r->count || (r->key[0] == a && r->key[1] == b && r->key[2] == c))
            return r;
    }
}

static void tally_grow(struct tally *t)
{
    struct tally old = *t;

    t->size = old.size ? 2 * old.size : 64;
    t->rows = xcalloc(t->size, sizeof *t->rows);
    for (size_t i = 0; i < old.size; i++) {
        const struct tally_row *r = &old.rows[i];
        if (r->count)
            *tally_seek(t, r->key[0], r->key[1], r->key[2]) = *r;
    }
    free(old.rows);
}

uint64_t *tally_at(struct tally *t, uint32_t a, uint32_t b, uint32_t c)
{
    if (2 * (t->used + 1) > t->size)
        tally_grow(t);
    struct tally_row *r = tally_seek(t, a, b, c);

    if (!r->count) {
        *r = (struct tally_row){.key = {a, b, c}};
        t->used++;
    }
    return &r->count;
}

uint64_t tally_of(const struct tally *t, uint32_t a, uint32_t b, uint32_t c)
{
    return t->size ? tally_seek(t, a, b, c)->count : 0;
}

void tally_clear(struct tally *t)
{
    free(t->rows);
    *t = (struct tally){0};
}
