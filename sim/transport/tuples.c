/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts equal messages and receives, in a hash table of those under way. */
#include "sim/transport/tuples.h"

#include "base/err.h"

#include <stdlib.h>

static uint64_t tuple_place(const struct tuples *t, struct envelope e,
                            bool receives)
{
    uint64_t h = ((uint64_t)e.dst << 32 | e.src) * 0x9e3779b97f4a7c15u;

    h = (h ^ (h >> 32) ^ e.tag ^ (uint64_t)e.context << 32) *
        0xbf58476d1ce4e5b9u;
    return ((h ^ (h >> 29)) + receives) & (t->size - 1);
}

static bool tuple_is(const struct tuple *x, struct envelope e, bool receives)
{
    return x->receives == receives && x->e.dst == e.dst && x->e.src == e.src &&
           x->e.tag == e.tag && x->e.context == e.context;
}

/* Returns its slot, or the free one for it; t->size > 0. */
static struct tuple *tuple_seek(const struct tuples *t, struct envelope e,
                                bool receives)
{
    uint64_t i = tuple_place(t, e, receives);

    while (t->list[i].n && !tuple_is(&t->list[i], e, receives))
        i = (i + 1) & (t->size - 1);
    return &t->list[i];
}

static void tuples_grow(struct tuples *t)
{
    struct tuples old = *t;

    t->size = old.size ? 2 * old.size : 64;
    t->list = xcalloc(t->size, sizeof *t->list);
    for (uint64_t i = 0; i < old.size; i++)
        if (old.list[i].n)
            *tuple_seek(t, old.list[i].e, old.list[i].receives) = old.list[i];
    free(old.list);
}

uint32_t tuples_add(struct tuples *t, struct envelope e, bool receives,
                    uint32_t op, uint32_t *before)
{
    if (2 * (t->used + 1) > t->size)
        tuples_grow(t);
    struct tuple *x = tuple_seek(t, e, receives);
    *before = x->n ? x->last : MATCH_NONE;
    if (!x->n) {
        *x = (struct tuple){.e = e, .receives = receives};
        t->used++;
    }
    x->last = op;
    return ++x->n;
}

/* Removes an entry; entries behind it that it displaced move up. */
static void tuples_take_out(struct tuples *t, struct tuple *gone)
{
    uint64_t hole = (uint64_t)(gone - t->list), mask = t->size - 1;

    t->used--;
    for (uint64_t i = (hole + 1) & mask; t->list[i].n; i = (i + 1) & mask) {
        uint64_t home = tuple_place(t, t->list[i].e, t->list[i].receives);
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        t->list[hole] = t->list[i];
        t->list[i].n = 0;
        hole = i;
    }
}

uint32_t tuples_drop(struct tuples *t, struct envelope e, bool receives)
{
    struct tuple *x = tuple_seek(t, e, receives);
    uint32_t n = x->n--;

    if (n == 1)
        tuples_take_out(t, x);
    return n;
}

void tuples_clear(struct tuples *t)
{
    free(t->list);
    *t = (struct tuples){0};
}
