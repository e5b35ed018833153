/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table by envelope, as small as the number of operations under way,
 * because entries are removed. */
#include "sim/transport/envelopes.h"

#include "base/err.h"

#include <stdlib.h>

static uint64_t envelopes_place(const struct envelopes *t, struct envelope e,
                                bool receives)
{
    uint64_t h = ((uint64_t)e.dst << 32 | e.src) * 0x9e3779b97f4a7c15u;

    h = (h ^ (h >> 32) ^ e.tag ^ (uint64_t)e.context << 32) *
        0xbf58476d1ce4e5b9u;
    return ((h ^ (h >> 29)) + receives) & (t->size - 1);
}

static bool envelopes_is(const struct envelope_entry *x, struct envelope e,
                         bool receives)
{
    return x->receives == receives && x->key.dst == e.dst &&
           x->key.src == e.src && x->key.tag == e.tag &&
           x->key.context == e.context;
}

/* Returns the key's entry, or the free one for it; t->size > 0. */
static struct envelope_entry *envelopes_seek(const struct envelopes *t,
                                             struct envelope e, bool receives)
{
    uint64_t i = envelopes_place(t, e, receives);

    while (t->list[i].n && !envelopes_is(&t->list[i], e, receives))
        i = (i + 1) & (t->size - 1);
    return &t->list[i];
}

struct envelope_entry *envelopes_find(const struct envelopes *t,
                                      struct envelope key, bool receives)
{
    if (!t->size)
        return NULL;
    struct envelope_entry *x = envelopes_seek(t, key, receives);
    return x->n ? x : NULL;
}

static void envelopes_grow(struct envelopes *t)
{
    struct envelopes old = *t;

    t->size = old.size ? 2 * old.size : 64;
    t->list = xcalloc(t->size, sizeof *t->list);
    for (uint64_t i = 0; i < old.size; i++)
        if (old.list[i].n)
            *envelopes_seek(t, old.list[i].key, old.list[i].receives) =
                old.list[i];
    free(old.list);
}

struct envelope_entry *envelopes_want(struct envelopes *t, struct envelope key,
                                      bool receives)
{
    if (2 * (t->used + 1) > t->size)
        envelopes_grow(t);
    struct envelope_entry *x = envelopes_seek(t, key, receives);
    if (!x->n) {
        *x = (struct envelope_entry){.key = key, .receives = receives};
        t->used++;
    }
    return x;
}

void envelopes_drop(struct envelopes *t, struct envelope_entry *gone)
{
    uint64_t hole = (uint64_t)(gone - t->list), mask = t->size - 1;

    t->used--;
    /* Entries behind it that it displaced move up. */
    for (uint64_t i = (hole + 1) & mask; t->list[i].n; i = (i + 1) & mask) {
        uint64_t home = envelopes_place(t, t->list[i].key, t->list[i].receives);
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        t->list[hole] = t->list[i];
        t->list[i].n = 0;
        hole = i;
    }
}

void envelopes_clear(struct envelopes *t)
{
    free(t->list);
    *t = (struct envelopes){0};
}
